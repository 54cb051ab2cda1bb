//! Elements of the structure: suites and cases begin, end, and are left open.
use super::machine::{Kind, Machine, Open};
use super::record::{CaseRecord, Field, Fields as _, Record, SuiteRecord};
use super::stop::Cause;
use crate::WarningKind;
use crate::markup::{Place, Source, Tag, local_name};
use crate::warning::shown_bytes;

impl<S: Source> Machine<S> {
    pub(super) fn start(&mut self, tag: Tag) -> Result<(), Cause> {
        let at = self.source.position();
        let local = Local::of(self.tag_name(&tag));
        let is_structure = matches!(local, Local::Collection | Local::Suite | Local::Case);
        if self.stack.is_empty() {
            if !is_structure && (self.root.is_junit || self.root.has_text) {
                self.outside_text(at, None);
                self.source.consume(tag.end);
                return Ok(());
            }
            self.root.elements += 1;
            if self.root.elements > 1 {
                let name = shown_bytes(self.tag_name(&tag));
                let message = || format!("another root element {name}");
                self.note(WarningKind::MultipleRoots, at, message);
            }
        }
        self.check_tag(&tag, at);
        if !tag.is_empty && self.stack.len() >= self.limits.max_depth {
            let limit = self.limits.max_depth;
            let message = || format!("elements nested deeper than the limit of {limit}");
            self.stop_at_limit(WarningKind::DepthLimit, at, message);
            return Ok(());
        }
        self.root.is_junit |= is_structure;
        match local {
            Local::Collection => self.start_suite(&tag, at, true),
            Local::Suite => self.start_suite(&tag, at, false),
            Local::Case => self.start_case(&tag, at),
            Local::Other => return self.start_other(&tag, at),
        }
        Ok(())
    }

    /// Opens the element whose tag is at the position, and passes over the tag.
    pub(super) fn open(&mut self, tag: &Tag, at: usize, kind: Kind) {
        let name = self.open_names.len();
        let rest = self.source.rest();
        let bytes = rest.get(1..tag.name_end).unwrap_or_default();
        self.open_names.extend_from_slice(bytes);
        let place = self.source.mark(at);
        self.source.consume(tag.end);
        self.stack.push(Open {
            name,
            at,
            place,
            kind,
        });
    }

    pub(super) fn enclosing_suite(&self) -> Option<(usize, Field, usize)> {
        self.stack.iter().rev().find_map(|open| match open.kind {
            Kind::Suite {
                index,
                name,
                names_end,
            } => Some((index, name, names_end)),
            Kind::Case | Kind::Other => None,
        })
    }

    fn start_suite(&mut self, tag: &Tag, at: usize, is_collection: bool) {
        if self.suites >= self.limits.max_suites {
            let limit = self.limits.max_suites;
            let message = || format!("more suites than the limit of {limit}");
            self.stop_at_limit(WarningKind::SuiteLimit, at, message);
            return;
        }
        let outer = self.enclosing_suite();
        let index = self.suites;
        let mut suite = SuiteRecord {
            index,
            parent: outer.map(|(index, ..)| index),
            is_collection,
            at,
            ..SuiteRecord::default()
        };
        suite.fill(&self.attributes, &mut self.source, false);
        self.suites += 1;
        let own = (!is_collection && !tag.is_empty)
            .then(|| self.suite_name())
            .flatten();
        self.pending.push_back(Record::SuiteStart(suite));
        if tag.is_empty {
            self.source.consume(tag.end);
            self.pending.push_back(Record::SuiteEnd(index));
        } else {
            let kind = Kind::Suite {
                index,
                name: own.or_else(|| outer.and_then(|(_, name, _)| name)),
                names_end: self.source.names_length(),
            };
            self.open(tag, at, kind);
        }
    }

    /// The `name` of the tag at the position, unless blank, kept as long as the suite is open.
    fn suite_name(&mut self) -> Field {
        let rest = self.source.rest();
        let mut attributes = self.attributes.iter();
        let name = attributes.find(|attribute| attribute.name_in(rest) == b"name")?;
        let is_blank = crate::markup::is_blank(name.value_in(rest));
        (!is_blank).then(|| self.source.keep_name(name.value, name.value_length))
    }

    #[inline]
    fn start_case(&mut self, tag: &Tag, at: usize) {
        let suite = self.enclosing_suite();
        let case = &mut self.case;
        case.begin(at);
        // Nothing is pending here, so that an empty tag is handed out before more is read.
        let lends = tag.is_empty && self.emitted < self.limits.max_cases;
        case.fill(&self.attributes, &mut self.source, lends);
        if let Some((index, name, _)) = suite {
            case.suite = Some(index);
            case.suite_name = name;
        }
        if tag.is_empty {
            case.is_complete = true;
            self.source.consume(tag.end);
            if self.emitted < self.limits.max_cases {
                // The common way: nothing is pending, so that no queue is needed.
                self.emitted += 1;
                self.has_case = true;
            } else {
                self.beyond_case_limit(at, None);
            }
        } else {
            self.cases.push(std::mem::take(&mut self.case));
            self.open(tag, at, Kind::Case);
        }
    }

    pub(super) fn end(&mut self, tag: Tag, is_malformed: bool) {
        let at = self.source.position();
        let rest = self.source.rest();
        let name = rest.get(2..tag.name_end).unwrap_or_default();
        if is_malformed {
            let name = shown_bytes(name);
            let message = || format!("the end tag {name} is not well-formed");
            self.note(WarningKind::MalformedTag, at, message);
        }
        let rest = self.source.rest();
        let name = rest.get(2..tag.name_end).unwrap_or_default();
        let mut indices = (0..self.stack.len()).rev();
        let Some(index) = indices.find(|index| self.open_name(*index) == name) else {
            let local = local_name(name);
            if self.stack.is_empty() && !matches!(local, b"testsuites" | b"testsuite") {
                self.outside_text(at, None);
            } else {
                self.end_without_start(&tag, at);
            }
            self.source.consume(tag.end);
            return;
        };
        while self.stack.len() > index + 1 {
            self.close_unclosed();
        }
        self.close(true);
        self.source.consume(tag.end);
    }

    /// Closes the innermost element, whose end tag is missing, with a warning.
    fn close_unclosed(&mut self) {
        let Some(open) = self.stack.last().copied() else {
            return;
        };
        let name = shown_bytes(self.open_names.get(open.name..).unwrap_or_default());
        let message = format!("the end tag of {name} is missing");
        self.note_open(WarningKind::UnclosedElement, &open, message);
        self.close(false);
    }

    pub(super) fn close(&mut self, has_end_tag: bool) {
        let Some(open) = self.stack.pop() else {
            return;
        };
        self.open_names.truncate(open.name);
        match open.kind {
            Kind::Suite { index, .. } => {
                self.has_closed_suite = true;
                self.pending.push_back(Record::SuiteEnd(index));
            }
            Kind::Case => {
                let Some(mut case) = self.cases.pop() else {
                    return;
                };
                case.is_complete = has_end_tag;
                case.place = open.place;
                if has_end_tag || case.has_failed() {
                    self.emit(case);
                } else {
                    self.note_incomplete(case.name, &open);
                }
            }
            Kind::Other => {}
        }
    }

    #[inline]
    fn emit(&mut self, case: CaseRecord) {
        if self.emitted >= self.limits.max_cases {
            self.beyond_case_limit(case.at, case.place);
            return;
        }
        self.emitted += 1;
        self.pending.push_back(Record::Case(case));
    }

    #[cold]
    fn beyond_case_limit(&mut self, at: usize, place: Option<Place>) {
        if self.is_done && self.truncated.is_some() {
            return;
        }
        let limit = self.limits.max_cases;
        let message = || format!("more cases than the limit of {limit}");
        let place = place.or_else(|| self.source.place(at));
        self.notes
            .add_at(WarningKind::CaseLimit, at, || place, message);
        self.truncate(at, place, "the report is cut at a limit");
    }
}

/// The elements that make the structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Local {
    Collection,
    Suite,
    Case,
    Other,
}

impl Local {
    #[inline]
    fn of(name: &[u8]) -> Self {
        match local_name(name) {
            b"testcase" => Self::Case,
            b"testsuite" => Self::Suite,
            b"testsuites" => Self::Collection,
            _ => Self::Other,
        }
    }
}
