//! The tool's own state outside the work tree: earlier contracts of a pair of trees.
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use patch_verdict_core::Verdict;
use patch_verdict_core::wire::Earlier;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::CheckError;

/// One completed contract.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Completed {
    pub(crate) contract_hash: String,
    pub(crate) verdict: Verdict,
    pub(crate) reason: String,
    pub(crate) seeds: Vec<i64>,
    /// Digest of each evidence file by name.
    pub(crate) files: BTreeMap<String, String>,
}

/// The remembered contracts of one pair of trees.
#[derive(Debug)]
pub(crate) struct PairState {
    path: PathBuf,
    completed: Vec<Completed>,
}

impl PairState {
    /// Reads what is remembered; an unreadable file counts as nothing remembered and is kept.
    pub(crate) fn open(
        environment: &BTreeMap<String, String>,
        parent_tree: &str,
        patch_tree: &str,
    ) -> Self {
        let key = hex(format!("{parent_tree} {patch_tree}").as_bytes());
        let path = state_folder(environment)
            .join("pairs")
            .join(format!("{key}.json"));
        let completed = fs::read(&path)
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .unwrap_or_default();
        Self { path, completed }
    }

    /// Whether a contract can be remembered later on, asked before anything is run.
    pub(crate) fn writable(&self) -> Result<(), CheckError> {
        let folder = self.path.parent().unwrap_or(&self.path);
        let made = fs::create_dir_all(folder);
        made.and_then(|()| tempfile::NamedTempFile::new_in(folder).map(drop))
            .map_err(|error| {
                let folder = folder.display();
                let message = format!("completed contracts cannot be remembered in `{folder}`");
                CheckError::surroundings(message, error)
                    .hint("make that folder writable, or name another one in XDG_STATE_HOME")
            })
    }

    /// Earlier contracts, those without results left out.
    pub(crate) fn earlier(&self, contract_hash: &str, seeds: &[i64]) -> Vec<Earlier> {
        self.completed
            .iter()
            .filter(|completed| completed.contract_hash != contract_hash)
            .map(|completed| Earlier {
                contract_hash: completed.contract_hash.clone(),
                verdict: completed.verdict,
                reason: completed.reason.clone(),
                seeds: completed.seeds.clone(),
                replaced: is_strict_superset(seeds, &completed.seeds),
            })
            .collect()
    }

    /// The same contract, if it was completed before.
    pub(crate) fn same(&self, contract_hash: &str) -> Option<&Completed> {
        self.completed
            .iter()
            .find(|completed| completed.contract_hash == contract_hash)
    }

    /// Remembers a completed contract.
    pub(crate) fn remember(&mut self, completed: Completed) -> Result<(), CheckError> {
        self.completed
            .retain(|other| other.contract_hash != completed.contract_hash);
        self.completed.push(completed);
        self.write().map_err(|error| {
            let path = self.path.display();
            CheckError::surroundings(format!("cannot remember the contract in `{path}`"), error)
        })
    }

    fn write(&self) -> std::io::Result<()> {
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder)?;
        }
        let text = serde_json::to_vec_pretty(&self.completed)?;
        crate::files::write_atomically(&self.path, &text)
    }
}

fn is_strict_superset(larger: &[i64], smaller: &[i64]) -> bool {
    larger.len() > smaller.len() && smaller.iter().all(|seed| larger.contains(seed))
}

fn state_folder(environment: &BTreeMap<String, String>) -> PathBuf {
    let variable = |name: &str| environment.get(name).filter(|value| !value.is_empty());
    if let Some(folder) = variable("XDG_STATE_HOME") {
        return PathBuf::from(folder).join("patch-verdict");
    }
    match variable("HOME") {
        Some(home) => PathBuf::from(home).join(".local/state/patch-verdict"),
        None => std::env::temp_dir().join("patch-verdict-state"),
    }
}

/// SHA-256 in hex.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    let digits = digest.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits
        .filter_map(|digit| char::from_digit(u32::from(digit), 16))
        .collect()
}
