//! Files: contracts by their name, rows plain or gzipped.
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use differential_gate::{Contract, ContractError, Schedule};
use flate2::bufread::MultiGzDecoder;
use verdict_terminal::{Exit, OrExit as _};

/// Bytes read at once.
const CHUNK: usize = 128 * 1024;

/// The bytes of a contract file, and whether its name says YAML.
pub(crate) struct ContractFile {
    bytes: Vec<u8>,
    is_yaml: bool,
}

impl ContractFile {
    /// Reads the file; only a file that cannot be read is an error.
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        let bytes = std::fs::read(path)
            .or_exit(Exit::Usage, format!("cannot read `{}`", path.display()))?;
        let is_yaml = path.extension().is_some_and(|extension| {
            ["yaml", "yml"]
                .iter()
                .any(|yaml| extension.eq_ignore_ascii_case(yaml))
        });
        Ok(Self { bytes, is_yaml })
    }

    pub(crate) fn contract(&self) -> Result<Contract, ContractError> {
        if self.is_yaml {
            Contract::from_yaml(&self.bytes)
        } else {
            Contract::from_json(&self.bytes)
        }
    }

    pub(crate) fn schedule(&self) -> Result<Schedule, ContractError> {
        if self.is_yaml {
            Schedule::from_yaml(&self.bytes)
        } else {
            Schedule::from_json(&self.bytes)
        }
    }
}

/// Opens a file of rows, gzipped or not: the first two bytes say it, not the name.
pub(crate) fn rows(path: &Path) -> anyhow::Result<Box<dyn BufRead>> {
    let context = || format!("cannot read `{}`", path.display());
    let file = File::open(path).or_exit(Exit::Usage, context())?;
    let mut plain = BufReader::with_capacity(CHUNK, file);
    // A folder opens but does not read.
    let start = fill(&mut plain).or_exit(Exit::Usage, context())?;
    Ok(if start.starts_with(&[0x1f, 0x8b]) {
        Box::new(BufReader::with_capacity(CHUNK, MultiGzDecoder::new(plain)))
    } else {
        Box::new(plain)
    })
}

fn fill(reader: &mut impl BufRead) -> io::Result<&[u8]> {
    reader.fill_buf()
}
