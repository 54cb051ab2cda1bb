//! One side: every line read once and counted.
use std::io::BufRead;

use super::document::RowCounts;
use super::issues::Issues;
use super::registry::Registry;
use super::witnesses::{Room, Witnesses};
use crate::rows::{self, Fault, Fields, Form, Line, Lines, Status, Void};
use crate::{Contract, Reason, Side};

/// What a row must agree with.
#[derive(Debug, Clone, Copy)]
pub(super) enum Rules<'a> {
    Bound { contract: &'a Contract, side: Side },
    Unbound { side: Side },
}

impl Rules<'_> {
    const fn side(&self) -> Side {
        match self {
            Self::Bound { side, .. } | Self::Unbound { side } => *side,
        }
    }

    const fn form(&self) -> Form {
        match self {
            Self::Bound { .. } => Form::Bound,
            Self::Unbound { .. } => Form::Bare,
        }
    }
}

/// What one side reported for one property.
#[derive(Debug, Default)]
pub(super) struct PropertyTally {
    /// Seeds that passed, each counted once.
    pub(super) pass: u32,
    /// Seeds that failed, each counted once.
    pub(super) fail: u32,
    /// The highest index into the schedule so far, plus one.
    highest: u32,
    /// A failing row does not say how it failed.
    pub(super) witness_missing: bool,
    /// None until a row fails.
    pub(super) witnesses: Option<Box<Witnesses>>,
}

/// What one side reported.
#[derive(Debug)]
pub(super) struct Tally {
    pub(super) rows: RowCounts,
    pub(super) issues: Issues,
    /// By slot; properties the side never met may be absent at the end.
    pub(super) properties: Vec<PropertyTally>,
}

impl Tally {
    /// Reads a side to its end; the patch's beside the parent's tally.
    pub(super) fn count<R: BufRead>(
        rules: Rules<'_>,
        seeds: &[i64],
        registry: &mut Registry<'_>,
        parent: Option<&Self>,
        reader: R,
    ) -> Self {
        let mut counter = Counter::new(rules, seeds, registry);
        counter.parent = parent;
        match counter.read(Lines::new(reader)) {
            Ok(()) => counter.finish(),
            Err(void) => Self::void(rules.side(), void),
        }
    }

    /// A side of which nothing can be used.
    fn void(side: Side, void: Void) -> Self {
        let detail = match void {
            Void::NotUtf8 => "not_utf8",
            Void::Unreadable => "unreadable",
        };
        let mut issues = Issues::new(side);
        issues.add(Reason::MalformedRow, Some(0), None, Some(detail));
        issues.add(Reason::IncompleteContract, None, None, None);
        Self {
            rows: RowCounts::default(),
            issues,
            properties: Vec::new(),
        }
    }
}

#[derive(Debug)]
struct Counter<'a, 'r, 'c> {
    rules: Rules<'a>,
    registry: &'r mut Registry<'c>,
    schedule: Schedule<'a>,
    tally: Tally,
    /// A bit for each (slot, index) that has a row.
    seen: Vec<u64>,
    /// Where the last row stood: the next one is most often beside it.
    slot: usize,
    index: usize,
    /// What the parent reported, while the patch is counted.
    parent: Option<&'a Tally>,
    room: Room,
}

impl<'a, 'r, 'c> Counter<'a, 'r, 'c> {
    fn new(rules: Rules<'a>, seeds: &'a [i64], registry: &'r mut Registry<'c>) -> Self {
        Self {
            rules,
            schedule: Schedule::new(seeds),
            tally: Tally {
                rows: RowCounts::default(),
                issues: Issues::new(rules.side()),
                properties: (0..registry.len())
                    .map(|_| PropertyTally::default())
                    .collect(),
            },
            seen: vec![0; registry.len() * seeds.len().div_ceil(64)],
            registry,
            slot: 0,
            index: 0,
            parent: None,
            room: Room::of_a_side(),
        }
    }

    fn read<R: BufRead>(&mut self, mut lines: Lines<R>) -> Result<(), Void> {
        let form = self.rules.form();
        while let Some((number, line)) = lines.next()? {
            self.tally.rows.lines += 1;
            let row = match line {
                Line::Text(text) => rows::read(text, form),
                Line::TooLong => Err(Fault::TooLong),
            };
            match row {
                Ok(row) => self.row(number, &row),
                Err(fault) => {
                    let detail = Some(fault.detail());
                    let issues = &mut self.tally.issues;
                    issues.add(Reason::MalformedRow, Some(number), None, detail);
                }
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Tally {
        if self.tally.rows.counted == 0 {
            let issues = &mut self.tally.issues;
            issues.add(Reason::IncompleteContract, None, None, None);
        }
        self.tally
    }

    #[inline]
    fn row(&mut self, number: u64, row: &Fields<'_>) {
        if !self.belongs(number, row) {
            self.tally.rows.ignored += 1;
            return;
        }
        let rows = &mut self.tally.rows;
        rows.counted += 1;
        match row.status {
            Status::Pass => rows.pass += 1,
            Status::Fail => rows.fail += 1,
        }
        let Some(slot) = self.registry.slot(&row.prop, self.slot) else {
            let issues = &mut self.tally.issues;
            issues.add(Reason::UnknownProperty, Some(number), Some(&row.prop), None);
            return;
        };
        self.slot = slot;
        let Some(index) = self.schedule.index(row.seed, self.index) else {
            self.mismatch(number, row, "extra_seed");
            return;
        };
        self.index = index;
        self.grow();
        if self.is_repeated(slot, index) {
            let issues = &mut self.tally.issues;
            issues.add(Reason::DuplicateRow, Some(number), Some(&row.prop), None);
            return;
        }
        self.result(number, row, (slot, index));
    }

    /// Whether the row quotes this contract; notes where it contradicts it.
    #[inline]
    fn belongs(&mut self, number: u64, row: &Fields<'_>) -> bool {
        let Rules::Bound { contract, side } = self.rules else {
            return true;
        };
        if row.contract_hash != contract.hash() {
            return false;
        }
        let issues = &mut self.tally.issues;
        if row.tree_sha != contract.tree_sha(side) {
            issues.add_first(Reason::WrongTree, number);
        }
        if row.spec_hash != contract.spec_hash() {
            issues.add_first(Reason::SpecHashMismatch, number);
        }
        if row.fixture_closure_hash != contract.fixture_closure_hash() {
            issues.add_first(Reason::FixtureHashMismatch, number);
        }
        true
    }

    #[cold]
    fn mismatch(&mut self, number: u64, row: &Fields<'_>, detail: &str) {
        let code = Reason::SeedScheduleMismatch;
        let issues = &mut self.tally.issues;
        issues.add(code, Some(number), Some(&row.prop), Some(detail));
    }

    /// Makes room for a property that a bare row brought in.
    #[inline]
    fn grow(&mut self) {
        let known = self.registry.len();
        if self.tally.properties.len() < known {
            self.tally
                .properties
                .resize_with(known, PropertyTally::default);
            self.seen.resize(known * self.schedule.words(), 0);
        }
    }

    /// Whether the pair has a row already; from now on it has.
    #[inline]
    fn is_repeated(&mut self, slot: usize, index: usize) -> bool {
        let bit = 1_u64 << (index % 64);
        let at = slot * self.schedule.words() + index / 64;
        self.seen.get_mut(at).is_none_or(|word| {
            let repeated = *word & bit != 0;
            *word |= bit;
            repeated
        })
    }

    #[inline]
    fn result(&mut self, number: u64, row: &Fields<'_>, (slot, index): (usize, usize)) {
        let Some(property) = self.tally.properties.get_mut(slot) else {
            return;
        };
        let place = u32::try_from(index).unwrap_or(u32::MAX).saturating_add(1);
        let in_order = place > property.highest;
        property.highest = property.highest.max(place);
        match row.status {
            Status::Pass => property.pass += 1,
            Status::Fail => {
                property.fail += 1;
                let says_how = match self.rules {
                    Rules::Bound { .. } => is_class_of(&row.prop, &row.witness),
                    Rules::Unbound { .. } => !row.witness.trim().is_empty(),
                };
                property.witness_missing |= !says_how;
                // A blank text is kept too: that a failure does not say how is shown.
                let witnesses = property.witnesses.get_or_insert_default();
                let (class, room) = (&row.witness, &mut self.room);
                match self.parent {
                    None => witnesses.add_of_parent(class, room),
                    Some(parent) => {
                        let parent = parent.properties.get(slot);
                        let parent = parent.and_then(|parent| parent.witnesses.as_deref());
                        witnesses.add_of_patch(class, parent, room);
                    }
                }
            }
        }
        if !in_order {
            self.mismatch(number, row, "order");
        }
    }
}

/// Whether `witness` begins as every class of `prop` does.
fn is_class_of(prop: &str, witness: &str) -> bool {
    if prop.contains('|') || prop.ends_with('\\') {
        return witness.starts_with(&crate::witness_prefix(prop));
    }
    // The same without a text of its own: nothing in `prop` needs an escape.
    let rest = witness.strip_prefix(prop);
    rest.is_some_and(|rest| rest.starts_with('|'))
}

/// The seeds and where each stands.
#[derive(Debug)]
struct Schedule<'a> {
    seeds: &'a [i64],
    sorted: Vec<(i64, usize)>,
}

impl<'a> Schedule<'a> {
    fn new(seeds: &'a [i64]) -> Self {
        let mut sorted: Vec<_> = seeds.iter().copied().zip(0..).collect();
        sorted.sort_unstable();
        Self { seeds, sorted }
    }

    /// Words of 64 bits that hold one property's rows.
    const fn words(&self) -> usize {
        self.seeds.len().div_ceil(64)
    }

    /// Where `seed` stands, trying `guess` and what follows it before anything else.
    #[inline]
    fn index(&self, seed: i64, guess: usize) -> Option<usize> {
        for index in [guess, guess + 1, 0] {
            if self.seeds.get(index) == Some(&seed) {
                return Some(index);
            }
        }
        let at = self.sorted.binary_search_by_key(&seed, |(known, _)| *known);
        self.sorted.get(at.ok()?).map(|(_, index)| *index)
    }
}
