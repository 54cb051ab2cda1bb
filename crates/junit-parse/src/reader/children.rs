//! What stands inside a case: outcomes, retries, properties, outputs.
use super::case::Fields;
use super::structure::Kind;
use super::{Element, ElementKind, Reader};
use crate::WarningKind;
use crate::markup::{RawText, Stop, Tag, local_name, skip_body};
use crate::warning::shown;

/// Unclosed elements of one case whose body is looked at; more are taken as empty.
const UNCLOSED_BODIES: usize = 8;

impl<'a> Reader<'a> {
    /// Whether the innermost suite or case is a case, and whether nothing stands in between.
    pub(super) fn inside_case(&self) -> Option<bool> {
        let from_top = self.stack.iter().rev().enumerate();
        for (depth, open) in from_top {
            match open.kind {
                Kind::Case => return Some(depth == 0),
                Kind::Suite(..) => return None,
                Kind::Other => {}
            }
        }
        None
    }

    pub(super) fn start_other(&mut self, tag: Tag<'a>, at: usize, local: &str) {
        let place = self.inside_case();
        let kind = ElementKind::of(local);
        if kind.is_some() && place != Some(true) {
            let message = || format!("{} is no child of a case", shown(tag.name));
            self.notes.add(WarningKind::MisplacedOutcome, at, message);
        }
        match (kind, place) {
            // Below some other element of the case it counts too: that element may merely lack its
            // end tag, and a skip or failure must not read as a pass.
            (Some(kind), Some(_)) => {
                let mut element = Element::new(kind, at);
                element.fill(&self.attributes);
                element.body = self.body(&tag, at);
                if let Some(case) = self.cases.last_mut() {
                    case.elements.push(element);
                }
            }
            (None, Some(true)) if local == "system-out" || local == "system-err" => {
                let body = self.body(&tag, at);
                if let Some(case) = self.cases.last_mut() {
                    let is_out = local == "system-out";
                    let field = if is_out {
                        &mut case.system_out
                    } else {
                        &mut case.system_err
                    };
                    *field = field.or(body);
                }
            }
            (None, Some(false)) if local == "property" => self.property(tag, at),
            _ if matches!(local, "system-out" | "system-err") || kind.is_some() => {
                self.body(&tag, at);
            }
            _ if tag.is_empty => {}
            _ => self.open(&tag, at, Kind::Other),
        }
    }

    /// A property of a case: only where `properties` is a child of the case itself.
    fn property(&mut self, tag: Tag<'a>, at: usize) {
        let find = |wanted: &str| {
            let mut all = self.attributes.iter();
            let found = all.find(|attribute| attribute.name == wanted);
            found.map(|attribute| RawText::attribute(attribute.value, attribute.at))
        };
        let (name, value) = (find("name"), find("value"));
        let depth = self.stack.len();
        let is_of_case = depth >= 2
            && self
                .stack
                .last()
                .is_some_and(|open| local_name(open.name) == "properties")
            && self
                .stack
                .get(depth - 2)
                .is_some_and(|open| matches!(open.kind, Kind::Case));
        let body = self.body(&tag, at);
        let (Some(name), true) = (name, is_of_case) else {
            return;
        };
        let value = value.or(body).unwrap_or(RawText::attribute("", tag.end));
        let limit = self.limits.max_properties;
        let Some(case) = self.cases.last_mut() else {
            return;
        };
        if case.properties.len() < limit {
            case.properties.push((name, value));
        } else {
            let message = || format!("a case with more properties than the limit of {limit}");
            self.notes.add(WarningKind::PropertyLimit, at, message);
        }
    }

    /// Skips the body of the element whose start tag was just read, and says what it was.
    fn body(&mut self, tag: &Tag<'a>, at: usize) -> Option<RawText<'a>> {
        if tag.is_empty {
            return None;
        }
        let (until, count) = self.unclosed;
        if tag.end < until && count >= UNCLOSED_BODIES {
            return None;
        }
        let body = skip_body(self.text, tag.end, tag.name);
        let raw = self.text.get(tag.end..body.end).unwrap_or_default();
        let text = RawText::body(raw, tag.end);
        if body.has_raw_markup && body.stop == Stop::Closed {
            let message = || format!("raw markup in the text of {}", shown(tag.name));
            self.notes
                .add(WarningKind::UnescapedMarkup, tag.end, message);
        }
        match body.stop {
            Stop::Closed | Stop::NewStructure | Stop::EndOfText => {
                self.open(tag, at, Kind::Other);
                self.tokens.skip_to(body.end);
                text.check(&mut self.notes);
            }
            Stop::ParentEnd => {
                // What stands in it is read as if the element had been closed at once, so that a
                // missing end tag never hides a failure.
                let message = || format!("the end tag of {} is missing", shown(tag.name));
                self.notes.add(WarningKind::UnclosedElement, at, message);
                self.unclosed = (body.end, if until == body.end { count + 1 } else { 1 });
            }
        }
        (!text.is_blank()).then_some(text)
    }
}
