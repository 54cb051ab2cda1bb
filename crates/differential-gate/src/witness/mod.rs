//! Witness classes: which failure this is, told by property, exception type and assertion.

mod class;
mod clean;
mod cpp;
mod diff;
mod dotnet;
mod frames;
mod go;
mod go_race;
mod hypothesis;
mod javascript;
mod jvm;
mod noise;
mod path;
mod pattern;
mod php;
mod plain;
mod process;
mod python;
mod python_doctest;
mod python_group;
mod reading;
mod report;
mod ruby;
mod rust;
mod sets;
mod system;

pub use class::witness_prefix;

use reading::Reading;
use report::Report;

/// The version of the rules in this module, as contracts made now write it (`normaliser_version`).
pub const NORMALISER_VERSION: u32 = 1;

/// What a report says of one failure, unclipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "callers build it; the fields are those of a JUnit failure"
)]
pub struct WitnessText<'a> {
    /// The property's id.
    pub prop: &'a str,
    /// The `type` attribute of the failure, if any.
    pub kind: Option<&'a str>,
    /// The `message` attribute of the failure, if any.
    pub message: Option<&'a str>,
    /// The body of the failure; may be empty.
    pub detail: &'a str,
}

/// The class of a failure: `PROP|TYPE|ASSERTION`, with `|@file:line` for places in `spec_files`.
///
/// `spec_files` are paths, relative to the repository, of files whose bytes are equal on both sides.
/// The class is empty only if there is no text at all. A class of a class is itself.
pub fn witness_class(text: &WitnessText<'_>, spec_files: &[&str]) -> String {
    let message = text.message.unwrap_or_default();
    let blank = |text: &str| text.trim().is_empty();
    if blank(text.detail) && blank(message) && blank(text.kind.unwrap_or_default()) {
        return String::new();
    }
    let whole = if blank(text.detail) {
        message
    } else {
        text.detail
    };
    let given = whole.strip_suffix('\n').unwrap_or(whole);
    let given = given.strip_suffix('\r').unwrap_or(given);
    if class::is_class(text.prop, given) {
        return given.to_owned();
    }
    let report = Report::of(text);
    let reading = report.reading();
    let frames = frames::in_spec_files(&report.place(), spec_files);
    class::write(text.prop, &reading.kind, &reading.assertion, &frames)
}

/// The class of a failure that is given as one text.
pub fn witness_class_of_text(prop: &str, text: &str, spec_files: &[&str]) -> String {
    let text = WitnessText {
        prop,
        kind: None,
        message: None,
        detail: text,
    };
    witness_class(&text, spec_files)
}

/// A family of formats: how its lines are known, and how it is read.
type Family = (fn(&str) -> bool, fn(&str) -> Option<Reading>);

/// The families; where two know the same line, the earlier one reads the text.
const FAMILIES: [Family; 10] = [
    (python::marks, python::read),
    (rust::marks, rust::read),
    (process::marks, process::read),
    (go::marks, go::read),
    (javascript::marks, javascript::read),
    (jvm::marks, jvm::read),
    (dotnet::marks, dotnet::read),
    (cpp::marks, cpp::read),
    (ruby::marks, ruby::read),
    (php::marks, php::read),
];

/// Reads a text by the family whose line stands first in it; the text itself is the last resort.
fn read(text: &str) -> Reading {
    // pytest puts `E` and `>` in front of every other format it shows.
    if python::is_pytest(text)
        && let Some(reading) = python::read(text)
    {
        return reading;
    }
    // A family that could not read the text once is not asked again.
    let mut families = FAMILIES.to_vec();
    for line in text.lines() {
        while let Some(at) = families.iter().position(|(marks, _)| marks(line)) {
            let (_, read) = families.remove(at);
            if let Some(reading) = read(text) {
                return reading;
            }
        }
    }
    plain::read(text)
}
