//! What stands inside a case: outcomes, retries, properties, outputs.
use super::ElementKind;
use super::machine::{Kind, Machine, Open};
use super::record::{ElementRecord, Field, Fields as _};
use super::stop::Cause;
use crate::WarningKind;
use crate::markup::{Body, Fault, Source, Stop, Tag, Text, is_blank, local_name, skip_body};
use crate::warning::shown_bytes;

/// Unclosed elements of one case whose body is looked at; more are taken as empty.
const UNCLOSED_BODIES: usize = 8;

/// Elements kept of one case; further ones only if they make its outcome worse.
const MOST_ELEMENTS: usize = 20_000;

/// A child that is no part of the structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Child {
    Element(ElementKind),
    Out,
    Err,
    Property,
    Other,
}

impl Child {
    fn of(local: &[u8]) -> Self {
        match local {
            b"system-out" => Self::Out,
            b"system-err" => Self::Err,
            b"property" => Self::Property,
            _ => ElementKind::of(local).map_or(Self::Other, Self::Element),
        }
    }
}

impl<S: Source> Machine<S> {
    /// Whether the innermost suite or case is a case, and whether nothing stands in between.
    pub(super) fn inside_case(&self) -> Option<bool> {
        let from_top = self.stack.iter().rev().enumerate();
        for (depth, open) in from_top {
            match open.kind {
                Kind::Case => return Some(depth == 0),
                Kind::Suite { .. } => return None,
                Kind::Other => {}
            }
        }
        None
    }

    pub(super) fn start_other(&mut self, tag: &Tag, at: usize) -> Result<(), Cause> {
        let place = self.inside_case();
        let child = Child::of(local_name(self.tag_name(tag)));
        match (child, place) {
            // Below some other element of the case it counts too: that element may merely lack its
            // end tag, and a skip or failure must not read as a pass.
            (Child::Element(kind), Some(is_direct)) => {
                if !is_direct {
                    self.note_misplaced(tag, at);
                }
                let mut element = ElementRecord::new(kind, at);
                element.fill(&self.attributes, &mut self.source, false);
                // Told before its body is read: a body that ends in a fault still failed.
                self.add_element(element);
                let count = self.cases.last().map_or(0, |case| case.elements.len());
                let body = self.body(tag, at, true)?;
                let elements = self.cases.last_mut().map(|case| &mut case.elements);
                let added = elements.and_then(|all| all.get_mut(count.saturating_sub(1)));
                if let Some(added) = added.filter(|added| added.at == at) {
                    added.body = body;
                }
            }
            (Child::Element(_), None) => {
                self.note_misplaced(tag, at);
                self.body(tag, at, false)?;
            }
            (Child::Out | Child::Err, Some(true)) => {
                let body = self.body(tag, at, self.limits.keep_output)?;
                if let Some(case) = self.cases.last_mut() {
                    let field = if child == Child::Out {
                        &mut case.system_out
                    } else {
                        &mut case.system_err
                    };
                    *field = field.or(body);
                }
            }
            (Child::Out | Child::Err, _) => {
                self.body(tag, at, false)?;
            }
            (Child::Property, Some(false)) => self.property(tag, at)?,
            (Child::Property | Child::Other, _) if tag.is_empty => self.source.consume(tag.end),
            (Child::Property | Child::Other, _) => self.open(tag, at, Kind::Other),
        }
        Ok(())
    }

    fn note_misplaced(&mut self, tag: &Tag, at: usize) {
        let name = shown_bytes(self.tag_name(tag));
        let message = || format!("{name} is no child of a case");
        self.note(WarningKind::MisplacedOutcome, at, message);
    }

    /// Adds an element to the innermost case. However many there are, the worst one counts.
    pub(super) fn add_element(&mut self, element: ElementRecord) {
        let Some(case) = self.cases.last_mut() else {
            return;
        };
        if case.elements.len() < MOST_ELEMENTS {
            case.elements.push(element);
            return;
        }
        let rank = |kind: ElementKind| match kind {
            ElementKind::Outcome(outcome) => Some(outcome),
            ElementKind::Flaky(_) | ElementKind::Rerun(_) => None,
        };
        let all = case.elements.iter().filter_map(|it| rank(it.kind));
        let worst = all.reduce(crate::Outcome::or_worse);
        let is_worse = rank(element.kind).is_some_and(|new| {
            worst.is_none_or(|worst| new != worst && worst.or_worse(new) == new)
        });
        if is_worse {
            case.elements.push(element);
        }
        let message = || format!("a case with more than {MOST_ELEMENTS} elements");
        self.note(WarningKind::AttemptLimit, element.at, message);
    }

    /// A property of a case: only where `properties` is a child of the case itself.
    fn property(&mut self, tag: &Tag, at: usize) -> Result<(), Cause> {
        let depth = self.stack.len();
        let above = depth.checked_sub(2).and_then(|index| self.stack.get(index));
        let is_of_case = above.is_some_and(|open| matches!(open.kind, Kind::Case))
            && local_name(self.open_name(depth - 1)) == b"properties";
        let limit = self.limits.max_properties;
        let held = self.cases.last().map_or(0, |case| case.properties.len());
        if is_of_case && held >= limit {
            let message = || format!("a case with more properties than the limit of {limit}");
            self.note(WarningKind::PropertyLimit, at, message);
        }
        let takes = is_of_case && held < limit;
        let name = if takes { self.attribute(b"name") } else { None };
        let value = name.and_then(|_| self.attribute(b"value"));
        let nothing = self.source.keep(tag.end, 0);
        let body = self.body(tag, at, name.is_some() && value.is_none())?;
        if let (Some(name), Some(case)) = (name, self.cases.last_mut()) {
            let value = value.or(body).unwrap_or(nothing);
            case.properties.push((name, value));
        }
        Ok(())
    }

    fn attribute(&mut self, wanted: &[u8]) -> Option<Text> {
        let rest = self.source.rest();
        let mut all = self.attributes.iter();
        let found = *all.find(|attribute| attribute.name_in(rest) == wanted)?;
        Some(self.source.keep(found.value, found.value_length))
    }

    /// Passes over the tag and the body of the element at the position, and gives the body's text
    /// if it is to be kept and not blank.
    fn body(&mut self, tag: &Tag, at: usize, keeps: bool) -> Result<Field, Cause> {
        if tag.is_empty {
            self.source.consume(tag.end);
            return Ok(None);
        }
        let begin = at + tag.end;
        let (until, count) = self.unclosed;
        if begin < until && count >= UNCLOSED_BODIES {
            self.source.consume(tag.end);
            return Ok(None);
        }
        self.open(tag, at, Kind::Other);
        let Some(open) = self.stack.last().copied() else {
            return Ok(None);
        };
        let begin_place = self.source.place(begin);
        let name = self.open_names.get(open.name..).unwrap_or_default();
        let body = match skip_body(&mut self.source, name, keeps) {
            Ok(body) if body.stop == Stop::ParentEnd && !body.is_at_hand => {
                return Err(Cause::in_body(Fault::Full, name));
            }
            Ok(body) => body,
            Err(fault) => return Err(Cause::in_body(fault, name)),
        };
        if body.has_raw_markup && body.stop == Stop::Closed {
            let message = || format!("raw markup in the text of {}", shown_bytes(name));
            self.notes
                .add_at(WarningKind::UnescapedMarkup, begin, || begin_place, message);
        }
        self.end_body(&open, &body, begin);
        let store = self.source.store();
        Ok(body.text.filter(|text| !is_blank(store.bytes(*text))))
    }

    fn end_body(&mut self, open: &Open, body: &Body, begin: usize) {
        if body.text.is_some_and(|text| text.is_cut) {
            let limit = self.limits.max_text_bytes;
            let message = format!("a text larger than the limit of {limit} bytes is cut");
            self.note_open(WarningKind::Clipped, open, message);
        }
        match body.stop {
            Stop::Closed | Stop::NewStructure | Stop::EndOfText => {
                if body.text.is_some() || self.limits.check_output {
                    self.check_body_text(body.end);
                }
                self.source.consume(body.end);
            }
            Stop::ParentEnd => {
                // What stands in it is read as if the element had been closed at once, so that a
                // missing end tag never hides a failure.
                let name = shown_bytes(self.open_names.get(open.name..).unwrap_or_default());
                let message = format!("the end tag of {name} is missing");
                self.note_open(WarningKind::UnclosedElement, open, message);
                self.stack.pop();
                self.open_names.truncate(open.name);
                let (until, count) = self.unclosed;
                let end = begin + body.end;
                self.unclosed = (end, if until == end { count + 1 } else { 1 });
            }
        }
    }
}
