//! Writing rows.
use std::fmt;
use std::io;

use crate::json::{Node, write_text};
use crate::{Contract, Side};

/// The result of one property under one seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a row says pass or fail; what is neither leaves no row"
)]
pub enum Status {
    /// It held.
    Pass,
    /// It did not hold; JUnit's `error` is one.
    Fail,
}

impl Status {
    /// `pass` or `fail`, as written in every row.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
        }
    }

    pub(crate) fn from_word(word: &str) -> Option<Self> {
        match word {
            "pass" => Some(Self::Pass),
            "fail" => Some(Self::Fail),
            _ => None,
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One row, without what ties it to its contract: [`write_row`] adds that.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Row {
    /// The property's id.
    pub prop: String,
    /// The seed.
    pub seed: i64,
    /// The result.
    pub status: Status,
    /// The witness class of a failure; empty on a pass.
    pub witness: String,
    /// Further keys in their order, each a name and its value as JSON text.
    pub further: Vec<(String, String)>,
}

impl Row {
    /// A row without further keys.
    pub fn new(
        prop: impl Into<String>,
        seed: i64,
        status: Status,
        witness: impl Into<String>,
    ) -> Self {
        Self {
            prop: prop.into(),
            seed,
            status,
            witness: witness.into(),
            further: Vec::new(),
        }
    }

    /// Adds a further key; `json` is its value as JSON text.
    #[must_use]
    pub fn with_further(mut self, key: impl Into<String>, json: impl Into<String>) -> Self {
        self.further.push((key.into(), json.into()));
        self
    }
}

/// Writes `row` as one line that quotes `contract` and the tree of `side`.
///
/// # Errors
/// Any error of `out`; [`io::ErrorKind::InvalidInput`] for a row that the reader would refuse (an
/// empty id, a witness on a pass, a further key that is no JSON or takes a row's own name).
pub fn write_row(
    out: &mut impl io::Write,
    contract: &Contract,
    side: Side,
    row: &Row,
) -> io::Result<()> {
    let refuse = |message: &str| {
        Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            message.to_owned(),
        ))
    };
    if row.prop.is_empty() || row.prop.contains('\0') {
        return refuse("a row needs a property id");
    }
    match row.status {
        Status::Pass if !row.witness.is_empty() => return refuse("a pass has no witness"),
        Status::Pass | Status::Fail => {}
    }
    let mut line = String::with_capacity(400);
    let mut separator = '{';
    let texts = [
        ("contract_hash", contract.hash()),
        ("tree_sha", contract.tree_sha(side)),
        ("spec_hash", contract.spec_hash()),
        ("fixture_closure_hash", contract.fixture_closure_hash()),
        ("prop", &row.prop),
    ];
    let mut key = |line: &mut String, name: &str| {
        line.push(separator);
        separator = ',';
        write_text(line, name);
        line.push(':');
    };
    for (name, value) in texts {
        key(&mut line, name);
        write_text(&mut line, value);
    }
    key(&mut line, "seed");
    line.push_str(&row.seed.to_string());
    for (name, value) in [("status", row.status.as_str()), ("witness", &row.witness)] {
        key(&mut line, name);
        write_text(&mut line, value);
    }
    for (name, json) in &row.further {
        let Ok(value) = Node::from_json(json) else {
            return refuse("a further key of a row is not JSON");
        };
        key(&mut line, name);
        // Spelt anew, so that no line feed in it cuts the line.
        line.push_str(&value.canonical());
    }
    line.push('}');
    if super::read(&line, super::Form::Bound).is_err() {
        return refuse("a further key of a row stands there twice");
    }
    line.push('\n');
    out.write_all(line.as_bytes())
}
