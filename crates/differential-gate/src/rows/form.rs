//! The form of a row: every field there, of its type, once.
use std::borrow::Cow;

use super::Status;
use crate::json::{Keys, NotJson, Scanner};

/// Nested levels a line may have.
const DEPTH: usize = 128;

/// Which fields a row must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Tied to a contract by its hash, a tree and two more hashes.
    Bound,
    /// Nothing but the result.
    Bare,
}

/// Why a line is not a whole row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    NotJson,
    NotAnObject,
    DuplicateKey,
    Field(&'static str),
    WitnessOnPass,
    TooLong,
}

impl Fault {
    /// The word of an issue's `detail`.
    pub(crate) const fn detail(self) -> &'static str {
        match self {
            Self::NotJson => "not_json",
            Self::NotAnObject => "not_an_object",
            Self::DuplicateKey => "duplicate_key",
            Self::Field(detail) => detail,
            Self::WitnessOnPass => "witness_on_pass",
            Self::TooLong => "line_too_long",
        }
    }
}

impl From<NotJson> for Fault {
    fn from(_: NotJson) -> Self {
        Self::NotJson
    }
}

/// The fields of a whole row, borrowed from its line where they hold no escape.
#[derive(Debug)]
pub(crate) struct Fields<'a> {
    /// Empty in a bare row, like the next three.
    pub(crate) contract_hash: Cow<'a, str>,
    pub(crate) tree_sha: Cow<'a, str>,
    pub(crate) spec_hash: Cow<'a, str>,
    pub(crate) fixture_closure_hash: Cow<'a, str>,
    pub(crate) prop: Cow<'a, str>,
    pub(crate) seed: i64,
    pub(crate) status: Status,
    pub(crate) witness: Cow<'a, str>,
}

/// What stands under a key.
#[derive(Debug, Default)]
enum Slot<'a> {
    #[default]
    Absent,
    Text(Cow<'a, str>),
    Integer(&'a str),
    Other,
}

impl<'a> Slot<'a> {
    const fn is_there(&self) -> bool {
        !matches!(self, Self::Absent)
    }

    /// A text that says something.
    fn text(self, detail: &'static str) -> Result<Cow<'a, str>, Fault> {
        match self {
            Self::Text(text) if !text.is_empty() => Ok(text),
            Self::Text(_) | Self::Absent | Self::Integer(_) | Self::Other => {
                Err(Fault::Field(detail))
            }
        }
    }
}

#[derive(Debug, Default)]
struct Slots<'a> {
    contract_hash: Slot<'a>,
    tree_sha: Slot<'a>,
    spec_hash: Slot<'a>,
    fixture_closure_hash: Slot<'a>,
    prop: Slot<'a>,
    seed: Slot<'a>,
    status: Slot<'a>,
    witness: Slot<'a>,
}

impl<'a> Slots<'a> {
    #[inline]
    fn named(&mut self, key: &str) -> Option<&mut Slot<'a>> {
        Some(match key {
            "contract_hash" => &mut self.contract_hash,
            "tree_sha" => &mut self.tree_sha,
            "spec_hash" => &mut self.spec_hash,
            "fixture_closure_hash" => &mut self.fixture_closure_hash,
            "prop" => &mut self.prop,
            "seed" => &mut self.seed,
            "status" => &mut self.status,
            "witness" => &mut self.witness,
            _ => return None,
        })
    }
}

/// Reads one line: its syntax whole first, then repeated keys, then the fields in their order.
#[inline]
pub(crate) fn read(line: &str, form: Form) -> Result<Fields<'_>, Fault> {
    let mut scanner = Scanner::new(line);
    if scanner.peek() != Some(b'{') {
        scanner.skip(DEPTH)?;
        scanner.end()?;
        return Err(Fault::NotAnObject);
    }
    let (slots, repeated) = object(&mut scanner)?;
    scanner.end()?;
    if repeated {
        return Err(Fault::DuplicateKey);
    }
    fields(slots, form)
}

#[inline]
fn object<'a>(scanner: &mut Scanner<'a>) -> Result<(Slots<'a>, bool), NotJson> {
    let mut slots = Slots::default();
    let mut further = Keys::default();
    let mut repeated = false;
    scanner.expect(b'{')?;
    if scanner.peek() == Some(b'}') {
        scanner.take();
        return Ok((slots, false));
    }
    loop {
        let key = scanner.string()?;
        scanner.expect(b':')?;
        if let Some(slot) = slots.named(&key) {
            repeated |= slot.is_there();
            let (value, inner) = value(scanner)?;
            repeated |= inner;
            *slot = value;
        } else {
            repeated |= !further.insert(key);
            repeated |= scanner.skip(DEPTH - 1)?;
        }
        match scanner.take() {
            Some(b',') => {}
            Some(b'}') => return Ok((slots, repeated)),
            Some(_) | None => return Err(NotJson),
        }
    }
}

#[inline]
fn value<'a>(scanner: &mut Scanner<'a>) -> Result<(Slot<'a>, bool), NotJson> {
    Ok(match scanner.peek() {
        Some(b'"') => (Slot::Text(scanner.string()?), false),
        Some(b'-' | b'0'..=b'9') => {
            let number = scanner.number()?;
            let slot = if number.whole {
                Slot::Integer(number.text)
            } else {
                Slot::Other
            };
            (slot, false)
        }
        Some(_) | None => (Slot::Other, scanner.skip(DEPTH - 1)?),
    })
}

#[inline]
fn fields(slots: Slots<'_>, form: Form) -> Result<Fields<'_>, Fault> {
    let bound = |slot, detail| match form {
        Form::Bound => Slot::text(slot, detail),
        Form::Bare => Ok(Cow::Borrowed("")),
    };
    let contract_hash = bound(slots.contract_hash, "field_contract_hash")?;
    let tree_sha = bound(slots.tree_sha, "field_tree_sha")?;
    let spec_hash = bound(slots.spec_hash, "field_spec_hash")?;
    let fixture_closure_hash = bound(slots.fixture_closure_hash, "field_fixture_closure_hash")?;
    let prop = slots.prop.text("field_prop")?;
    if prop.contains('\0') {
        return Err(Fault::Field("field_prop"));
    }
    let seed = match slots.seed {
        Slot::Integer(digits) => digits.parse().ok(),
        Slot::Absent | Slot::Text(_) | Slot::Other => None,
    };
    let seed = seed.ok_or(Fault::Field("field_seed"))?;
    let status = match slots.status {
        Slot::Text(word) => Status::from_word(&word),
        Slot::Absent | Slot::Integer(_) | Slot::Other => None,
    };
    let status = status.ok_or(Fault::Field("field_status"))?;
    let witness = match slots.witness {
        Slot::Absent => Cow::Borrowed(""),
        Slot::Text(text) => text,
        Slot::Integer(_) | Slot::Other => return Err(Fault::Field("field_witness")),
    };
    match status {
        Status::Pass if !witness.is_empty() => return Err(Fault::WitnessOnPass),
        Status::Pass | Status::Fail => {}
    }
    Ok(Fields {
        contract_hash,
        tree_sha,
        spec_hash,
        fixture_closure_hash,
        prop,
        seed,
        status,
        witness,
    })
}
