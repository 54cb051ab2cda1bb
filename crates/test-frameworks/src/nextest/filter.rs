//! A filterset expression that holds for given ids and nothing else.

use std::collections::BTreeMap;

use crate::PlanError;

/// The expression for ids of the form `BINARY-ID TEST-PATH`.
pub(super) fn exactly(ids: &[String]) -> Result<String, PlanError> {
    let mut binaries: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for id in ids {
        let (binary, test) = id
            .split_once(' ')
            .ok_or_else(|| PlanError::BadId(id.clone()))?;
        let test = format!("test(={})", escape(test));
        binaries.entry(binary).or_default().push(test);
    }
    let parts: Vec<String> = binaries
        .iter()
        .map(|(binary, tests)| {
            format!("(binary_id(={}) & ({}))", escape(binary), tests.join(" | "))
        })
        .collect();
    if parts.is_empty() {
        return Ok("none()".to_owned());
    }
    Ok(parts.join(" | "))
}

/// Whatever is not plain becomes `\u{..}`, so that nothing in a name ends the matcher.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii_alphanumeric() || "_:-/.".contains(character) {
            out.push(character);
        } else {
            out.extend(character.escape_unicode());
        }
    }
    out
}
