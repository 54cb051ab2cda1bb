//! The contract: what both sides run, fixed before the first scored run.
mod content;
mod draft;
mod error;
mod read;

use crate::Side;
use crate::json::Node;

pub use draft::{ContractDraft, Property};
pub use error::{ContractError, ContractErrorKind};
pub use read::Schedule;

/// A valid contract and its identity, the contract hash.
///
/// The hash is `sha256:` and the SHA-256 over the canonical JSON of everything the file holds
/// (keys sorted by code point, no blanks, integers exact), so JSON and YAML spellings agree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contract {
    hash: String,
    parent_sha: String,
    patch_sha: String,
    spec_hash: String,
    fixture_closure_hash: String,
    normaliser_version: String,
    seeds: Vec<i64>,
    properties: Vec<Property>,
    further: Vec<(String, Node)>,
}

impl Contract {
    /// Reads a contract in JSON.
    ///
    /// # Errors
    /// The first thing that makes it no contract of version 1; nothing is repaired.
    pub fn from_json(bytes: &[u8]) -> Result<Self, ContractError> {
        read::contract(content::Content::from_json(bytes)?)
    }

    /// Reads a contract in YAML (one document; no anchors, merge keys or tags).
    ///
    /// # Errors
    /// The first thing that makes it no contract of version 1; nothing is repaired.
    pub fn from_yaml(bytes: &[u8]) -> Result<Self, ContractError> {
        read::contract(content::Content::from_yaml(bytes)?)
    }

    /// The contract hash, `sha256:` and 64 hexadecimal digits.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// The commit before the patch.
    pub fn parent_sha(&self) -> &str {
        &self.parent_sha
    }

    /// The commit with the patch.
    pub fn patch_sha(&self) -> &str {
        &self.patch_sha
    }

    /// The commit that rows of `side` must quote as `tree_sha`.
    pub fn tree_sha(&self, side: Side) -> &str {
        match side {
            Side::Parent => &self.parent_sha,
            Side::Patch => &self.patch_sha,
        }
    }

    /// What the properties assert, as one hash.
    pub fn spec_hash(&self) -> &str {
        &self.spec_hash
    }

    /// What the properties are fed, as one hash.
    pub fn fixture_closure_hash(&self) -> &str {
        &self.fixture_closure_hash
    }

    /// The version of the witness normaliser, in decimal; `1` where the file names none.
    pub fn normaliser_version(&self) -> &str {
        &self.normaliser_version
    }

    /// The seed schedule, in order; never empty, no seed twice.
    pub fn seeds(&self) -> &[i64] {
        &self.seeds
    }

    /// The properties in the order of the file; never empty, no id twice.
    pub fn properties(&self) -> &[Property] {
        &self.properties
    }

    /// The JSON text of a further key, if the contract has it.
    pub fn further_json(&self, key: &str) -> Option<String> {
        let mut entries = self.further.iter();
        let (_, value) = entries.find(|(name, _)| name == key)?;
        Some(value.canonical())
    }

    /// The names of the further keys, sorted.
    pub fn further_keys(&self) -> impl Iterator<Item = &str> {
        self.further.iter().map(|(key, _)| key.as_str())
    }

    /// The contract as JSON for people; it has the same contract hash.
    pub fn to_json(&self) -> String {
        self.node().pretty()
    }

    /// The bytes that the contract hash is taken over.
    pub fn to_canonical_json(&self) -> String {
        self.node().canonical()
    }

    /// The spec hash that the properties' own hashes add up to, if every property has one.
    pub fn spec_hash_of_properties(&self) -> Option<String> {
        let own = self.properties.iter().map(|property| {
            let hash = property.spec_hash.as_deref()?;
            Some((property.id.as_str(), hash))
        });
        own.collect::<Option<Vec<_>>>().map(draft::hash_of_lines)
    }

    /// The fixture closure hash that the properties' own hashes add up to, if every property has
    /// one.
    pub fn fixture_closure_hash_of_properties(&self) -> Option<String> {
        let own = self.properties.iter().map(|property| {
            let hash = property.fixture_closure_hash.as_deref()?;
            Some((property.id.as_str(), hash))
        });
        own.collect::<Option<Vec<_>>>().map(draft::hash_of_lines)
    }

    fn node(&self) -> Node {
        let text = |value: &str| Node::Text(value.to_owned());
        let seeds = self
            .seeds
            .iter()
            .map(|seed| Node::integer(&seed.to_string()));
        let mut entries = vec![
            ("contract_version".to_owned(), Node::integer("1")),
            ("parent_sha".to_owned(), text(&self.parent_sha)),
            ("patch_sha".to_owned(), text(&self.patch_sha)),
            ("spec_hash".to_owned(), text(&self.spec_hash)),
            (
                "fixture_closure_hash".to_owned(),
                text(&self.fixture_closure_hash),
            ),
            ("seeds".to_owned(), Node::Array(seeds.collect())),
            (
                "properties".to_owned(),
                Node::Array(self.properties.iter().map(Property::node).collect()),
            ),
        ];
        entries.extend(self.further.iter().cloned());
        Node::Object(entries)
    }
}
