//! From a tree of values to a contract: every rule of version 1, strictly.
use std::collections::BTreeSet;
use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use super::{Contract, ContractError, Property};
use crate::json::Node;
use crate::yaml;

pub(super) fn json(bytes: &[u8]) -> Result<Node, ContractError> {
    let not_json = |message: &str| ContractError::syntax("not_json", message);
    let text = std::str::from_utf8(bytes).map_err(|_| not_json("it is not UTF-8"))?;
    Node::from_json(text).map_err(|_| not_json("it is not JSON"))
}

pub(super) fn yaml(bytes: &[u8]) -> Result<Node, ContractError> {
    let not_yaml = |message: String| ContractError::syntax("not_yaml", message);
    let text = std::str::from_utf8(bytes).map_err(|_| not_yaml("it is not UTF-8".to_owned()))?;
    yaml::read(text).map_err(not_yaml)
}

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
        schedule(json(bytes)?)
    }

    /// Reads the schedule from YAML; only `seeds` is needed.
    ///
    /// # Errors
    /// A file that is not YAML, a repeated key, seeds that are no schedule.
    pub fn from_yaml(bytes: &[u8]) -> Result<Self, ContractError> {
        schedule(yaml(bytes)?)
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

fn schedule(node: Node) -> Result<Schedule, ContractError> {
    let (mut entries, hash) = opened(node)?;
    let seeds = seeds(entries.taken("seeds").as_ref())?;
    let properties = match entries.taken("properties") {
        None => Vec::new(),
        Some(node) => properties(Some(node))?
            .into_iter()
            .map(|property| property.id)
            .collect(),
    };
    Ok(Schedule {
        hash,
        seeds,
        properties,
    })
}

/// Builds a contract from the file's whole content.
pub(super) fn contract(node: Node) -> Result<Contract, ContractError> {
    let (mut entries, hash) = opened(node)?;
    match entries.taken("contract_version") {
        Some(Node::Integer(version)) if version == "1" => {}
        Some(_) => return Err(ContractError::key("contract_version", "is not 1")),
        None => return Err(ContractError::key("contract_version", "is absent")),
    }
    let mut text = |key: &str| match entries.taken(key) {
        Some(Node::Text(text)) if !text.trim().is_empty() => Ok(text),
        Some(_) => Err(ContractError::key(key, "is not a text, or is empty")),
        None => Err(ContractError::key(key, "is absent")),
    };
    let parent_sha = text("parent_sha")?;
    let patch_sha = text("patch_sha")?;
    let spec_hash = text("spec_hash")?;
    let fixture_closure_hash = text("fixture_closure_hash")?;
    let seeds = seeds(entries.taken("seeds").as_ref())?;
    let properties = properties(entries.taken("properties"))?;
    let normaliser_version = match entries.peek("normaliser_version") {
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
    Ok(Contract {
        hash,
        parent_sha,
        patch_sha,
        spec_hash,
        fixture_closure_hash,
        normaliser_version,
        seeds,
        properties,
        further: entries.rest(),
    })
}

/// The top-level entries of a file that is fit to be hashed, and its hash.
fn opened(node: Node) -> Result<(Entries, String), ContractError> {
    if node.repeats_a_key() {
        return Err(ContractError::duplicate_key());
    }
    let hash = sha256(node.canonical().as_bytes());
    let Node::Object(entries) = node else {
        return Err(ContractError::key(
            "contract_version",
            "is absent: the file is not an object",
        ));
    };
    for (key, value) in &entries {
        if let Some(written) = value.refused() {
            let message = format!(
                "holds `{written}`, which readers may take for different values; write a decimal integer or a quoted text"
            );
            return Err(ContractError::key(key, message));
        }
    }
    Ok((Entries(entries), hash))
}

/// The entries not looked at yet.
struct Entries(Vec<(String, Node)>);

impl Entries {
    fn peek(&self, key: &str) -> Option<&Node> {
        let found = self.0.iter().find(|(name, _)| name == key);
        found.map(|(_, value)| value)
    }

    fn taken(&mut self, key: &str) -> Option<Node> {
        let at = self.0.iter().position(|(name, _)| name == key)?;
        Some(self.0.swap_remove(at).1)
    }

    fn rest(mut self) -> Vec<(String, Node)> {
        self.0.sort_by(|(left, _), (right, _)| left.cmp(right));
        self.0
    }
}

fn seeds(node: Option<&Node>) -> Result<Vec<i64>, ContractError> {
    let wrong = |message: &str| ContractError::key("seeds", message);
    let Some(Node::Array(items)) = node else {
        return Err(wrong("is not a list"));
    };
    let mut met = BTreeSet::new();
    let mut schedule = Vec::with_capacity(items.len());
    for item in items {
        let Node::Integer(digits) = item else {
            return Err(wrong("holds something else than integers"));
        };
        let seed = digits
            .parse::<i64>()
            .map_err(|_| wrong("holds an integer of more than 64 bits"))?;
        if !met.insert(seed) {
            return Err(wrong("holds a seed twice"));
        }
        schedule.push(seed);
    }
    if schedule.is_empty() {
        return Err(wrong("is empty"));
    }
    Ok(schedule)
}

fn properties(node: Option<Node>) -> Result<Vec<Property>, ContractError> {
    let wrong = |message: &str| ContractError::key("properties", message);
    let Some(Node::Array(items)) = node else {
        return Err(wrong("is not a list"));
    };
    let mut seen = BTreeSet::new();
    let mut properties = Vec::with_capacity(items.len());
    for item in items {
        let property = property(item)?;
        if !seen.insert(property.id.clone()) {
            return Err(wrong("holds an id twice"));
        }
        properties.push(property);
    }
    if properties.is_empty() {
        return Err(wrong("is empty"));
    }
    Ok(properties)
}

fn property(node: Node) -> Result<Property, ContractError> {
    let wrong = |message: String| ContractError::key("properties", message);
    let Node::Object(entries) = node else {
        return Err(wrong("holds something else than objects".to_owned()));
    };
    let mut entries = Entries(entries);
    let mut text = |key: &str| match entries.taken(key) {
        None => Ok(None),
        Some(Node::Text(text)) if !text.trim().is_empty() && !text.contains('\0') => Ok(Some(text)),
        Some(_) => Err(wrong(format!(
            "holds an entry whose `{key}` is not a text, or is empty"
        ))),
    };
    let id = text("id")?;
    let oracle = text("oracle")?;
    let spec_hash = text("spec_hash")?;
    let fixture_closure_hash = text("fixture_closure_hash")?;
    let (Some(id), Some(oracle)) = (id, oracle) else {
        return Err(wrong("holds an entry without `id` or `oracle`".to_owned()));
    };
    Ok(Property {
        id,
        oracle,
        spec_hash,
        fixture_closure_hash,
        further: entries.rest(),
    })
}

pub(super) fn seeds_node(seeds: &[i64]) -> Node {
    let integers = seeds.iter().map(|seed| Node::integer(&seed.to_string()));
    Node::Array(integers.collect())
}

/// `sha256:` and 64 hexadecimal digits.
pub(super) fn sha256(bytes: &[u8]) -> String {
    let mut text = String::from("sha256:");
    for byte in Sha256::digest(bytes) {
        write!(text, "{byte:02x}").ok();
    }
    text
}
