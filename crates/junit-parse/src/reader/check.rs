//! Looks at what is handed out: tags, attribute values, bodies.
use super::machine::Machine;
use crate::WarningKind;
use crate::input::not_throughout;
use crate::markup::{
    AMPERSAND, Source, Tag, UNUSUAL, check_attribute, check_body, check_bytes, has_odd_reference,
};
use crate::warning::{Notes, shown_bytes};

/// Attributes of one tag that are compared with one another.
const COMPARED: usize = 32;

impl<S: Source> Machine<S> {
    /// Looks at the tag at the position.
    #[inline]
    pub(super) fn check_tag(&mut self, tag: &Tag, at: usize) {
        let rest = self.source.rest();
        let mut is_odd = tag.flaws.malformed | tag.flaws.raw_less;
        let mut names = 0_u64;
        let unusual = if self.care.checks_bytes { UNUSUAL } else { 0 };
        for attribute in &self.attributes {
            is_odd |= attribute.classes & unusual != 0;
            is_odd |=
                attribute.classes & AMPERSAND != 0 && has_odd_reference(attribute.value_in(rest));
            // A cheap hash: only when two agree are the names compared.
            let name = attribute.name_in(rest);
            let first = name.first().copied().unwrap_or_default();
            let last = name.last().copied().unwrap_or_default();
            let bit = 1 << ((usize::from(first) * 7 + usize::from(last) * 3 + name.len()) % 64);
            is_odd |= names & bit != 0;
            names |= bit;
        }
        if is_odd {
            self.look_closer(tag, at);
        }
    }

    #[cold]
    fn look_closer(&mut self, tag: &Tag, at: usize) {
        let (source, notes) = (&self.source, &mut self.notes);
        let rest = source.rest();
        let name = rest.get(1..tag.name_end).unwrap_or_default();
        let place = || source.place(at);
        if tag.flaws.malformed {
            let message = || format!("the tag {} is not well-formed", shown_bytes(name));
            notes.add_at(WarningKind::MalformedTag, at, place, message);
        }
        if tag.flaws.raw_less {
            let message = || format!("a raw `<` in an attribute of {}", shown_bytes(name));
            notes.add_at(WarningKind::UnescapedMarkup, at, place, message);
        }
        for (index, attribute) in self.attributes.iter().enumerate() {
            let value = attribute.value_in(rest);
            let value_at = at + attribute.value;
            if self.care.checks_bytes && attribute.classes & UNUSUAL != 0 {
                tell_bytes(value, value_at, source, notes);
            }
            if attribute.classes & AMPERSAND != 0 {
                check_attribute(value, &mut |kind, offset, message| {
                    let at = value_at + offset;
                    notes.add_at(kind, at, || source.place(at), message);
                });
            }
            // Bounded, so that many attributes cost no more than their number.
            let name = attribute.name_in(rest);
            let mut earlier = self.attributes.iter().take(index.min(COMPARED));
            if earlier.any(|other| other.name_in(rest) == name) {
                let place = || source.place(value_at);
                notes.add_at(WarningKind::DuplicateAttribute, value_at, place, || {
                    let name = shown_bytes(name);
                    format!("attribute {name} is given twice, the first counts")
                });
            }
        }
    }

    /// Looks at the first `length` bytes at hand, which are a body or a part of one.
    pub(super) fn check_body_text(&mut self, length: usize) {
        if !self.care.checks_bodies {
            return;
        }
        let (source, notes) = (&self.source, &mut self.notes);
        let text = source.rest().get(..length).unwrap_or_default();
        let base = source.position();
        check_body(text, &mut |kind, offset, message| {
            let at = base + offset;
            notes.add_at(kind, at, || source.place(at), message);
        });
    }
}

fn tell_bytes(raw: &[u8], base: usize, source: &impl Source, notes: &mut Notes) {
    check_bytes(raw, &mut |kind, offset, message| {
        let at = base + offset;
        if kind == WarningKind::UndecodableBytes && !notes.has(kind) {
            let note = not_throughout(at);
            notes.add_at(note.kind, at, || source.place(at), || note.message);
        }
        notes.add_at(kind, at, || source.place(at), message);
    });
}
