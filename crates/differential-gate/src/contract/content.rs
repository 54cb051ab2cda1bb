//! What a contract file holds, its two long lists read an item at a time.
use std::collections::BTreeSet;
use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use super::{ContractError, Property};
use crate::json::{Node, NotJson, Scanner, write_text};
use crate::yaml;

/// A file's content. Seeds and properties never stand in memory as a tree of values: a contract of
/// a hundred thousand properties would take three times its own size.
#[derive(Debug, Default)]
pub(super) struct Content {
    /// Everything but the two lists, in the order of the file.
    pub(super) entries: Vec<(String, Node)>,
    pub(super) seeds: List<i64>,
    pub(super) properties: List<Property>,
    is_object: bool,
    /// The top-level keys so far.
    keys: BTreeSet<String>,
    repeats_a_key: bool,
    /// The first number that readers may take for different values: the top-level key, as written.
    refused: Option<(String, String)>,
}

/// One of the two lists.
#[derive(Debug)]
pub(super) struct List<T> {
    pub(super) items: Vec<T>,
    /// The file has it, and it is a list.
    listed: bool,
    /// The first item that is none.
    fault: Option<ContractError>,
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            listed: false,
            fault: None,
        }
    }
}

impl<T> List<T> {
    pub(super) const fn of(items: Vec<T>) -> Self {
        Self {
            items,
            listed: true,
            fault: None,
        }
    }

    /// The items, if the file has the list, whole and not empty.
    pub(super) fn whole(&self, key: &str) -> Result<&[T], ContractError> {
        if !self.listed {
            return Err(ContractError::key(key, "is not a list"));
        }
        match &self.fault {
            Some(fault) => Err(fault.clone()),
            None if self.items.is_empty() => Err(ContractError::key(key, "is empty")),
            None => Ok(&self.items),
        }
    }

    fn take(&mut self, item: Result<T, ContractError>) {
        match item {
            Ok(item) if self.fault.is_none() => self.items.push(item),
            Ok(_) => {}
            Err(fault) => {
                self.fault.get_or_insert(fault);
            }
        }
    }
}

impl Content {
    pub(super) fn from_json(bytes: &[u8]) -> Result<Self, ContractError> {
        let not_json = |message: &str| ContractError::syntax("not_json", message);
        let text = std::str::from_utf8(bytes).map_err(|_| not_json("it is not UTF-8"))?;
        scanned(text).map_err(|NotJson| not_json("it is not JSON"))
    }

    pub(super) fn from_yaml(bytes: &[u8]) -> Result<Self, ContractError> {
        let not_yaml = |message: String| ContractError::syntax("not_yaml", message);
        let text =
            std::str::from_utf8(bytes).map_err(|_| not_yaml("it is not UTF-8".to_owned()))?;
        let node = yaml::read(text).map_err(not_yaml)?;
        let mut content = Self::default();
        if let Node::Object(entries) = node {
            content.fill(entries);
        } else {
            content.repeats_a_key = node.repeats_a_key();
        }
        Ok(content)
    }

    /// A content made of parts; `entries` holds neither of the two lists.
    pub(super) fn of(
        entries: Vec<(String, Node)>,
        seeds: Vec<i64>,
        properties: Vec<Property>,
    ) -> Self {
        let mut content = Self::default();
        content.fill(entries);
        content.meet("seeds");
        content.meet("properties");
        content.seeds = List::of(seeds);
        for property in &properties {
            for (_, value) in &property.further {
                content.look_at("properties", value);
            }
        }
        let fault = properties
            .iter()
            .find_map(|property| property.check().err());
        content.properties = List::of(properties);
        content.properties.fault = fault;
        content
    }

    fn fill(&mut self, entries: Vec<(String, Node)>) {
        self.is_object = true;
        for (key, value) in entries {
            self.meet(&key);
            match (key.as_str(), value) {
                ("seeds", Node::Array(items)) => self.seeds_of(items),
                ("properties", Node::Array(items)) => self.properties_of(items),
                (_, value) => self.entry_of(key, value),
            }
        }
    }

    fn seeds_of(&mut self, items: Vec<Node>) {
        self.seeds.listed = true;
        for item in items {
            self.seed_of(&item);
        }
    }

    fn properties_of(&mut self, items: Vec<Node>) {
        self.properties.listed = true;
        for item in items {
            self.property_of(item);
        }
    }

    fn entry_of(&mut self, key: String, value: Node) {
        self.look_at(&key, &value);
        self.entries.push((key, value));
    }

    fn seed_of(&mut self, item: &Node) {
        self.look_at("seeds", item);
        self.seeds.take(seed(item));
    }

    fn property_of(&mut self, item: Node) {
        self.look_at("properties", &item);
        self.properties.take(Property::from_node(item));
    }

    fn look_at(&mut self, key: &str, value: &Node) {
        self.repeats_a_key |= value.repeats_a_key();
        if self.refused.is_none() {
            let written = value.refused();
            self.refused = written.map(|written| (key.to_owned(), written.to_owned()));
        }
    }

    fn meet(&mut self, key: &str) {
        self.repeats_a_key |= !self.keys.insert(key.to_owned());
    }

    /// Whether the file has the key.
    pub(super) fn names(&self, key: &str) -> bool {
        self.keys.contains(key)
    }

    /// The value of a key, the two lists apart.
    pub(super) fn entry(&self, key: &str) -> Option<&Node> {
        let found = self.entries.iter().find(|(name, _)| name == key);
        found.map(|(_, value)| value)
    }

    /// The contract hash, over the canonical JSON of everything the file holds.
    pub(super) fn hash(&self) -> Result<String, ContractError> {
        if self.repeats_a_key {
            return Err(ContractError::duplicate_key());
        }
        if !self.is_object {
            let message = "is absent: the file is not an object";
            return Err(ContractError::key("contract_version", message));
        }
        if let Some((key, written)) = &self.refused {
            let message = format!(
                "holds `{written}`, which readers may take for different values; write a decimal integer or a quoted text"
            );
            return Err(ContractError::key(key, message));
        }
        let mut digest = Sha256::new();
        self.each_part(&mut |part| digest.update(part.as_bytes()));
        Ok(super::read::written(digest))
    }

    /// The canonical JSON, part after part.
    fn each_part(&self, each: &mut dyn FnMut(&str)) {
        let mut values: Vec<(&str, Option<&Node>)> = self
            .entries
            .iter()
            .map(|(key, value)| (key.as_str(), Some(value)))
            .collect();
        values.extend(self.seeds.listed.then_some(("seeds", None)));
        values.extend(self.properties.listed.then_some(("properties", None)));
        values.sort_unstable_by_key(|(key, _)| *key);
        each("{");
        for (at, (key, value)) in values.into_iter().enumerate() {
            let mut name = String::from(if at > 0 { "," } else { "" });
            write_text(&mut name, key);
            name.push(':');
            each(&name);
            match value {
                Some(value) => each(&value.canonical()),
                None if key == "seeds" => list(&self.seeds.items, each, |seed, out| {
                    write!(out, "{seed}").ok();
                }),
                None => list(&self.properties.items, each, |property, out| {
                    out.push_str(&property.node().canonical());
                }),
            }
        }
        each("}");
    }
}

fn list<T>(items: &[T], each: &mut dyn FnMut(&str), write: impl Fn(&T, &mut String)) {
    let mut part = String::from("[");
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            part.push(',');
        }
        write(item, &mut part);
        each(&part);
        part.clear();
    }
    part.push(']');
    each(&part);
}

fn seed(item: &Node) -> Result<i64, ContractError> {
    let wrong = |message: &str| ContractError::key("seeds", message);
    let Node::Integer(digits) = item else {
        return Err(wrong("holds something else than integers"));
    };
    digits
        .parse()
        .map_err(|_| wrong("holds an integer of more than 64 bits"))
}

fn scanned(text: &str) -> Result<Content, NotJson> {
    let mut scanner = Scanner::new(text);
    let mut content = Content::default();
    if scanner.peek() == Some(b'{') {
        content.is_object = true;
        scanner.entries(|scanner, key| {
            content.meet(&key);
            let is_array = scanner.peek() == Some(b'[');
            match key.as_str() {
                "seeds" if is_array => {
                    content.seeds.listed = true;
                    scanner.items(|scanner| {
                        content.seed_of(&scanner.node(Node::DEPTH - 2)?);
                        Ok(())
                    })
                }
                "properties" if is_array => {
                    content.properties.listed = true;
                    scanner.items(|scanner| {
                        content.property_of(scanner.node(Node::DEPTH - 2)?);
                        Ok(())
                    })
                }
                _ => {
                    let value = scanner.node(Node::DEPTH - 1)?;
                    content.entry_of(key, value);
                    Ok(())
                }
            }
        })?;
    } else {
        content.repeats_a_key = scanner.node(Node::DEPTH)?.repeats_a_key();
    }
    scanner.end()?;
    Ok(content)
}
