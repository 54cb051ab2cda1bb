//! From what a file holds to a contract: every rule of version 1, strictly.
use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use super::content::Content;
use super::{Contract, ContractError};
use crate::json::Node;

/// The seeds, and perhaps the properties, of a contract that no row needs to quote.
///
/// It is read for `--allow-unbound`: nothing ties the rows to it, so what is decided over it is
/// never more than advice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    hash: String,
    seeds: Vec<i64>,
    properties: Vec<String>,
}

impl Schedule {
    /// Reads the schedule from JSON; only `seeds` is needed.
    ///
    /// # Errors
    /// A file that is not JSON, a repeated key, seeds that are no schedule.
    pub fn from_json(bytes: &[u8]) -> Result<Self, ContractError> {
        schedule(Content::from_json(bytes)?)
    }

    /// Reads the schedule from YAML; only `seeds` is needed.
    ///
    /// # Errors
    /// A file that is not YAML, a repeated key, seeds that are no schedule.
    pub fn from_yaml(bytes: &[u8]) -> Result<Self, ContractError> {
        schedule(Content::from_yaml(bytes)?)
    }

    /// The hash of what the file holds, as of a contract.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// The seeds, in order; never empty, no seed twice.
    pub fn seeds(&self) -> &[i64] {
        &self.seeds
    }

    /// The ids the file names; a property that only rows name joins them.
    pub fn properties(&self) -> &[String] {
        &self.properties
    }
}

fn schedule(content: Content) -> Result<Schedule, ContractError> {
    let hash = content.hash()?;
    let seeds = seeds(&content)?.to_vec();
    let properties = if content.names("properties") {
        properties(&content)?;
        let ids = content.properties.items.into_iter();
        ids.map(|property| property.id).collect()
    } else {
        Vec::new()
    };
    Ok(Schedule {
        hash,
        seeds,
        properties,
    })
}

/// Builds a contract from the file's whole content.
pub(super) fn contract(content: Content) -> Result<Contract, ContractError> {
    let hash = content.hash()?;
    match content.entry("contract_version") {
        Some(Node::Integer(version)) if version == "1" => {}
        Some(_) => return Err(ContractError::key("contract_version", "is not 1")),
        None => return Err(ContractError::key("contract_version", "is absent")),
    }
    let text = |key: &str| match content.entry(key) {
        Some(Node::Text(text)) if !text.trim().is_empty() => Ok(text.clone()),
        Some(_) => Err(ContractError::key(key, "is not a text, or is empty")),
        None => Err(ContractError::key(key, "is absent")),
    };
    let parent_sha = text("parent_sha")?;
    let patch_sha = text("patch_sha")?;
    let spec_hash = text("spec_hash")?;
    let fixture_closure_hash = text("fixture_closure_hash")?;
    seeds(&content)?;
    properties(&content)?;
    let normaliser_version = match content.entry("normaliser_version") {
        None => "1".to_owned(),
        Some(Node::Integer(version)) if !version.starts_with(['-', '0']) => version.clone(),
        Some(_) => {
            let message = "is not a positive integer";
            return Err(ContractError::key("normaliser_version", message));
        }
    };
    // Hexadecimal digits may be written large: the tree is the same.
    if parent_sha.eq_ignore_ascii_case(&patch_sha) {
        return Err(ContractError::same_tree());
    }
    let mut further = content.entries;
    further.retain(|(key, _)| !KEYS.contains(&key.as_str()));
    further.sort_by(|(left, _), (right, _)| left.cmp(right));
    Ok(Contract {
        hash,
        parent_sha,
        patch_sha,
        spec_hash,
        fixture_closure_hash,
        normaliser_version,
        seeds: content.seeds.items,
        properties: content.properties.items,
        further,
    })
}

/// The keys that have fields of their own; what else a contract holds is kept as it is.
const KEYS: [&str; 5] = [
    "contract_version",
    "parent_sha",
    "patch_sha",
    "spec_hash",
    "fixture_closure_hash",
];

fn seeds(content: &Content) -> Result<&[i64], ContractError> {
    let seeds = content.seeds.whole("seeds")?;
    let mut sorted = seeds.to_vec();
    sorted.sort_unstable();
    if sorted.windows(2).any(|pair| pair.first() == pair.last()) {
        return Err(ContractError::key("seeds", "holds a seed twice"));
    }
    Ok(seeds)
}

fn properties(content: &Content) -> Result<(), ContractError> {
    let properties = content.properties.whole("properties")?;
    let mut ids: Vec<&str> = properties
        .iter()
        .map(|property| property.id.as_str())
        .collect();
    ids.sort_unstable();
    if ids.windows(2).any(|pair| pair.first() == pair.last()) {
        return Err(ContractError::key("properties", "holds an id twice"));
    }
    Ok(())
}

/// `sha256:` and 64 hexadecimal digits.
pub(super) fn written(digest: Sha256) -> String {
    let mut text = String::from("sha256:");
    for byte in digest.finalize() {
        write!(text, "{byte:02x}").ok();
    }
    text
}
