//! The shape of a real case.
use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

/// Facts about two commits of a public repository.
#[derive(Debug, Deserialize)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) language: String,
    pub(crate) repository: String,
    pub(crate) parent: Option<String>,
    pub(crate) patch: Option<String>,
    pub(crate) how: Option<How>,
    /// The command as a shell would read it.
    pub(crate) tests: String,
    pub(crate) environment: BTreeMap<String, String>,
    pub(crate) truth: Truth,
}

/// How commits are made that do not exist.
#[derive(Debug, Deserialize)]
pub(crate) struct How {
    /// `revert` or `overlay`.
    #[serde(rename = "how")]
    pub(crate) kind: String,
    pub(crate) fix: Option<String>,
    #[serde(default)]
    pub(crate) source_paths: Vec<String>,
    pub(crate) introducer: Option<String>,
    pub(crate) tests_from: Option<String>,
    #[serde(default)]
    pub(crate) test_paths: Vec<String>,
}

/// What is true.
#[derive(Debug, Deserialize)]
pub(crate) struct Truth {
    pub(crate) label: String,
    #[serde(default)]
    pub(crate) broke: Vec<String>,
    #[serde(default)]
    pub(crate) flaky: Vec<String>,
    #[serde(default)]
    pub(crate) fail_both: Vec<String>,
}

impl Case {
    /// The command of the adapter in words, `{node}` filled in. What only makes a plain command write
    /// its report is left out: variables in front, commands behind, a profile that the machine had.
    pub(crate) fn words(&self, node: Option<&Path>) -> Vec<String> {
        let all = self.quoted_words().into_iter();
        let is_variable = |word: &String| {
            let name = word.split('=').next().unwrap_or(word);
            name != word && name.chars().all(|c| c.is_ascii_uppercase() || c == '_')
        };
        let mut words: Vec<String> = if self.language == "python" {
            all.collect()
        } else {
            all.skip_while(is_variable)
                .take_while(|word| word != ";" && word != "&&")
                .collect()
        };
        if self.language == "rust" {
            words.retain(|word| word != "--profile" && word != "ci");
        }
        let node = node.map(|folder| folder.display().to_string());
        for word in &mut words {
            *word = word.replace("{node}", node.as_deref().unwrap_or("{node}"));
        }
        words
    }

    fn quoted_words(&self) -> Vec<String> {
        let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
        for character in self.tests.chars() {
            match (quote, character) {
                (Some(open), _) if character == open => quote = None,
                (None, '"' | '\'') => {
                    quote = Some(character);
                    word.get_or_insert_with(String::new);
                }
                (None, ' ') => words.extend(word.take()),
                (_, _) => word.get_or_insert_with(String::new).push(character),
            }
        }
        words.extend(word);
        words
    }

    /// The environment but for what every run pins itself.
    pub(crate) fn own_environment(&self) -> impl Iterator<Item = (&String, &String)> {
        self.environment
            .iter()
            .filter(|(name, _)| *name != "PYTHONHASHSEED")
    }
}
