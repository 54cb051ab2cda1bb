//! Suites and cases as the machine collects them: where their texts are kept.
use super::case::ElementKind;
use crate::markup::{AMPERSAND, Attribute, Place, Source, Text, UNUSUAL};

/// One attribute's value.
pub(crate) type Field = Option<Text>;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct SuiteRecord {
    pub(crate) index: usize,
    pub(crate) parent: Option<usize>,
    pub(crate) is_collection: bool,
    pub(crate) at: usize,
    pub(crate) name: Field,
    pub(crate) file: Field,
    pub(crate) time: Field,
    pub(crate) timestamp: Field,
    pub(crate) tests: Field,
    pub(crate) failures: Field,
    pub(crate) errors: Field,
    pub(crate) skipped: Field,
    pub(crate) disabled: Field,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ElementRecord {
    pub(crate) kind: ElementKind,
    pub(crate) at: usize,
    pub(crate) message: Field,
    pub(crate) type_name: Field,
    pub(crate) time: Field,
    pub(crate) body: Field,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct CaseRecord {
    pub(crate) suite: Option<usize>,
    pub(crate) at: usize,
    pub(crate) is_complete: bool,
    pub(crate) suite_name: Field,
    pub(crate) name: Field,
    pub(crate) classname: Field,
    pub(crate) file: Field,
    pub(crate) line: Field,
    pub(crate) time: Field,
    pub(crate) status: Field,
    pub(crate) elements: Vec<ElementRecord>,
    pub(crate) properties: Vec<(Text, Text)>,
    pub(crate) system_out: Field,
    pub(crate) system_err: Field,
    pub(crate) place: Option<Place>,
}

impl CaseRecord {
    /// Begins a new case, in the memory of this one.
    #[inline]
    pub(super) fn begin(&mut self, at: usize) {
        let mut elements = std::mem::take(&mut self.elements);
        let mut properties = std::mem::take(&mut self.properties);
        elements.clear();
        properties.clear();
        *self = Self {
            at,
            elements,
            properties,
            ..Self::default()
        };
    }
}

/// What the machine is about to hand out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Record {
    SuiteStart(SuiteRecord),
    Case(CaseRecord),
    SuiteEnd(usize),
}

/// An element that takes some attributes.
pub(super) trait Fields {
    /// The field of an attribute's name, `None` for one that is of no interest.
    fn field(&mut self, name: &[u8]) -> Option<&mut Field>;

    /// Takes the attributes of the tag at the source's position; the first of several names for one
    /// thing counts. `lends`: whether they are handed out before anything more is read.
    #[inline]
    fn fill<S: Source>(&mut self, attributes: &[Attribute], source: &mut S, lends: bool) {
        for attribute in attributes {
            let field = self.field(attribute.name_in(source.rest()));
            if let Some(field @ None) = field {
                let mut text = if lends {
                    source.lend(attribute.value, attribute.value_length)
                } else {
                    source.keep(attribute.value, attribute.value_length)
                };
                text.is_plain = attribute.classes & (AMPERSAND | UNUSUAL) == 0;
                *field = Some(text);
            }
        }
    }
}

impl Fields for SuiteRecord {
    fn field(&mut self, name: &[u8]) -> Option<&mut Field> {
        Some(match name {
            b"name" => &mut self.name,
            b"file" | b"filepath" => &mut self.file,
            b"time" => &mut self.time,
            b"timestamp" => &mut self.timestamp,
            b"tests" => &mut self.tests,
            b"failures" => &mut self.failures,
            b"errors" => &mut self.errors,
            b"skipped" | b"skip" | b"skips" => &mut self.skipped,
            b"disabled" | b"ignored" => &mut self.disabled,
            _ => return None,
        })
    }
}

impl CaseRecord {
    /// Whether a failure of it was seen, so that it failed whatever comes.
    pub(super) fn has_failed(&self) -> bool {
        self.elements.iter().any(|element| match element.kind {
            ElementKind::Outcome(outcome) => outcome.is_failure(),
            ElementKind::Flaky(_) | ElementKind::Rerun(_) => false,
        })
    }
}

impl Fields for CaseRecord {
    #[inline]
    fn field(&mut self, name: &[u8]) -> Option<&mut Field> {
        Some(match name {
            b"name" => &mut self.name,
            b"classname" => &mut self.classname,
            b"file" => &mut self.file,
            b"line" | b"lineno" => &mut self.line,
            b"time" => &mut self.time,
            b"status" => &mut self.status,
            _ => return None,
        })
    }
}

impl ElementRecord {
    pub(super) const fn new(kind: ElementKind, at: usize) -> Self {
        Self {
            kind,
            at,
            message: None,
            type_name: None,
            time: None,
            body: None,
        }
    }
}

impl Fields for ElementRecord {
    fn field(&mut self, name: &[u8]) -> Option<&mut Field> {
        Some(match name {
            b"message" => &mut self.message,
            b"type" => &mut self.type_name,
            b"time" => &mut self.time,
            _ => return None,
        })
    }
}
