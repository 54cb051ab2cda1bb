//! Writing a contract: a draft that computes the two hashes from the properties' own.
use sha2::{Digest as _, Sha256};

use super::content::Content;
use super::{Contract, ContractError, read};
use crate::json::Node;

/// Something with a stable id and a pass/fail result per seed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Property {
    /// The stable id, not empty; compared whole.
    pub id: String,
    /// What must hold; `passes` for an ordinary test.
    pub oracle: String,
    /// The hash of what it asserts.
    pub spec_hash: Option<String>,
    /// The hash of everything it is fed.
    pub fixture_closure_hash: Option<String>,
    pub(super) further: Vec<(String, Node)>,
}

impl Property {
    /// A property without hashes of its own.
    pub fn new(id: impl Into<String>, oracle: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            oracle: oracle.into(),
            spec_hash: None,
            fixture_closure_hash: None,
            further: Vec::new(),
        }
    }

    /// Sets the hash of what it asserts.
    #[must_use]
    pub fn with_spec_hash(mut self, hash: impl Into<String>) -> Self {
        self.spec_hash = Some(hash.into());
        self
    }

    /// Sets the hash of everything it is fed.
    #[must_use]
    pub fn with_fixture_closure_hash(mut self, hash: impl Into<String>) -> Self {
        self.fixture_closure_hash = Some(hash.into());
        self
    }

    /// The JSON text of a further key, if the property has it.
    pub fn further_json(&self, key: &str) -> Option<String> {
        let mut entries = self.further.iter();
        let (_, value) = entries.find(|(name, _)| name == key)?;
        Some(value.canonical())
    }

    /// What a file's entry says.
    pub(super) fn from_node(node: Node) -> Result<Self, ContractError> {
        let Node::Object(entries) = node else {
            return Err(wrong("holds something else than objects".to_owned()));
        };
        let (mut id, mut oracle) = (None, None);
        let mut property = Self::new("", "");
        for (key, value) in entries {
            let place = match key.as_str() {
                "id" => &mut id,
                "oracle" => &mut oracle,
                "spec_hash" => &mut property.spec_hash,
                "fixture_closure_hash" => &mut property.fixture_closure_hash,
                _ => {
                    property.further.push((key, value));
                    continue;
                }
            };
            let Node::Text(text) = value else {
                return Err(no_text(&key));
            };
            *place = Some(text);
        }
        let (Some(id), Some(oracle)) = (id, oracle) else {
            return Err(wrong("holds an entry without `id` or `oracle`".to_owned()));
        };
        (property.id, property.oracle) = (id, oracle);
        property
            .further
            .sort_by(|(left, _), (right, _)| left.cmp(right));
        property.check()?;
        Ok(property)
    }

    /// Whether its texts are fit for a contract.
    pub(super) fn check(&self) -> Result<(), ContractError> {
        let texts = [
            ("id", Some(&self.id)),
            ("oracle", Some(&self.oracle)),
            ("spec_hash", self.spec_hash.as_ref()),
            ("fixture_closure_hash", self.fixture_closure_hash.as_ref()),
        ];
        for (key, text) in texts {
            if text.is_some_and(|text| text.trim().is_empty() || text.contains('\0')) {
                return Err(no_text(key));
            }
        }
        Ok(())
    }

    pub(super) fn node(&self) -> Node {
        let text = |value: &String| Node::Text(value.clone());
        let mut entries = vec![
            ("id".to_owned(), text(&self.id)),
            ("oracle".to_owned(), text(&self.oracle)),
        ];
        let hashes = [
            ("spec_hash", &self.spec_hash),
            ("fixture_closure_hash", &self.fixture_closure_hash),
        ];
        for (key, hash) in hashes {
            entries.extend(hash.as_ref().map(|hash| (key.to_owned(), text(hash))));
        }
        entries.extend(self.further.iter().cloned());
        Node::Object(entries)
    }
}

/// A contract being written. [`build`](Self::build) completes and checks it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ContractDraft {
    /// The commit before the patch.
    pub parent_sha: String,
    /// The commit with the patch.
    pub patch_sha: String,
    /// The seed schedule, in order.
    pub seeds: Vec<i64>,
    /// The properties.
    pub properties: Vec<Property>,
    /// Given instead of the hash over the properties' own spec hashes.
    pub spec_hash: Option<String>,
    /// Given instead of the hash over the properties' own fixture closure hashes.
    pub fixture_closure_hash: Option<String>,
    /// Further keys, each a name and its value as JSON text; they are part of the contract hash.
    pub further: Vec<(String, String)>,
}

impl ContractDraft {
    /// A draft of what `parent_sha` and `patch_sha` both run.
    pub fn new(
        parent_sha: impl Into<String>,
        patch_sha: impl Into<String>,
        seeds: Vec<i64>,
        properties: Vec<Property>,
    ) -> Self {
        Self {
            parent_sha: parent_sha.into(),
            patch_sha: patch_sha.into(),
            seeds,
            properties,
            spec_hash: None,
            fixture_closure_hash: None,
            further: Vec::new(),
        }
    }

    /// Adds a further key; `json` is its value as JSON text, checked by [`build`](Self::build).
    #[must_use]
    pub fn further_json(mut self, key: impl Into<String>, json: impl Into<String>) -> Self {
        self.further.push((key.into(), json.into()));
        self
    }

    /// Computes the two hashes, names the normaliser and checks the whole.
    ///
    /// `spec_hash` and `fixture_closure_hash` are `sha256:` and the SHA-256 over the sorted lines
    /// `id TAB hash LF` of the properties, unless the draft gives them.
    ///
    /// # Errors
    /// What [`Contract::from_json`] would refuse, and a property without a hash of its own where
    /// the draft does not give the whole.
    pub fn build(self) -> Result<Contract, ContractError> {
        let spec_hash = match self.spec_hash {
            Some(hash) => hash,
            None => hash_of(&self.properties, |property| property.spec_hash.as_deref())
                .ok_or_else(|| {
                    ContractError::key("spec_hash", "is not given for every property")
                })?,
        };
        let fixture_closure_hash = match self.fixture_closure_hash {
            Some(hash) => hash,
            None => hash_of(&self.properties, |property| {
                property.fixture_closure_hash.as_deref()
            })
            .ok_or_else(|| {
                ContractError::key("fixture_closure_hash", "is not given for every property")
            })?,
        };
        let mut entries = vec![
            ("contract_version".to_owned(), Node::integer("1")),
            ("parent_sha".to_owned(), Node::Text(self.parent_sha)),
            ("patch_sha".to_owned(), Node::Text(self.patch_sha)),
            ("spec_hash".to_owned(), Node::Text(spec_hash)),
            (
                "fixture_closure_hash".to_owned(),
                Node::Text(fixture_closure_hash),
            ),
        ];
        if !self
            .further
            .iter()
            .any(|(key, _)| key == "normaliser_version")
        {
            let version = Node::integer(&crate::NORMALISER_VERSION.to_string());
            entries.push(("normaliser_version".to_owned(), version));
        }
        for (key, json) in self.further {
            let value = Node::from_json(&json)
                .map_err(|_| ContractError::key(&key, "is not given as JSON"))?;
            entries.push((key, value));
        }
        read::contract(Content::of(entries, self.seeds, self.properties))
    }
}

fn wrong(message: String) -> ContractError {
    ContractError::key("properties", message)
}

fn no_text(key: &str) -> ContractError {
    wrong(format!(
        "holds an entry whose `{key}` is not a text, or is empty"
    ))
}

fn hash_of<'a>(
    properties: &'a [Property],
    own: impl Fn(&'a Property) -> Option<&'a str>,
) -> Option<String> {
    let lines = properties
        .iter()
        .map(|property| own(property).map(|hash| (property.id.as_str(), hash)));
    lines.collect::<Option<Vec<_>>>().map(hash_of_lines)
}

/// `sha256:` and the SHA-256 over the sorted lines `id TAB hash LF`.
pub(super) fn hash_of_lines(mut lines: Vec<(&str, &str)>) -> String {
    lines.sort_unstable_by(|left, right| line(left).cmp(line(right)));
    let mut digest = Sha256::new();
    for (id, hash) in lines {
        for part in [id, "\t", hash, "\n"] {
            digest.update(part.as_bytes());
        }
    }
    read::written(digest)
}

/// The bytes of a line, compared whole: an id may hold characters that sort before the tab.
fn line<'a>((id, hash): &(&'a str, &'a str)) -> impl Iterator<Item = u8> + use<'a> {
    id.bytes().chain(*b"\t").chain(hash.bytes()).chain(*b"\n")
}
