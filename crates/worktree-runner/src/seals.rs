//! Seals of segments: what an interrupted contract may go on from.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::error::{RunError, RunErrorKind};
use crate::segments::{durably, remove};

/// The seals of one contract, in a folder that is locked while this lives.
#[derive(Debug, Clone)]
pub(crate) struct Seals {
    folder: PathBuf,
    key: String,
    _lock: Arc<File>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Seal {
    digest: String,
    note: String,
}

impl Seals {
    pub(crate) fn open(folder: &Path, key: String) -> Result<Self, RunError> {
        fs::create_dir_all(folder).map_err(|error| RunError::io("cannot create", folder, error))?;
        let path = folder.join("lock");
        let lock = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(|error| RunError::io("cannot open", &path, error))?;
        match flock(&lock, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Self {
                folder: folder.to_owned(),
                key,
                _lock: Arc::new(lock),
            }),
            Err(error) if error == rustix::io::Errno::WOULDBLOCK => Err(RunError::caused(
                RunErrorKind::InUse,
                "another process makes these runs; it holds",
                &path,
                std::io::Error::from(error),
            )),
            Err(error) => Err(RunError::io("cannot lock", &path, error.into())),
        }
    }

    /// The note of that segment, if these rows were sealed under this key.
    pub(crate) fn note(&self, name: &str, rows: &[u8]) -> Option<String> {
        let bytes = fs::read(self.path(name)).ok()?;
        let seal: Seal = serde_json::from_slice(&bytes).ok()?;
        let fits = seal.digest == self.digest(name, rows, &seal.note);
        fits.then_some(seal.note)
    }

    pub(crate) fn write(&self, name: &str, rows: &[u8], note: &str) -> Result<(), RunError> {
        let path = self.path(name);
        let seal = Seal {
            digest: self.digest(name, rows, note),
            note: note.to_owned(),
        };
        let text = serde_json::to_vec(&seal)
            .map_err(|error| RunError::io("cannot write", &path, error.into()))?;
        durably(&path, |file| file.write_all(&text))
    }

    pub(crate) fn remove(&self, name: &str) -> Result<(), RunError> {
        remove(&self.path(name))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.seal"))
    }

    /// Each part with its length in front, so that no two lists of parts read alike.
    fn digest(&self, name: &str, rows: &[u8], note: &str) -> String {
        digest(&[self.key.as_bytes(), name.as_bytes(), rows, note.as_bytes()])
    }
}

/// SHA-256 in hex over parts, each with its length in front.
fn digest(parts: &[&[u8]]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    let digest = hasher.finalize();
    let digits = digest.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits
        .filter_map(|digit| char::from_digit(u32::from(digit), 16))
        .collect()
}
