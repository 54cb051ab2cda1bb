//! The ways of failing one side saw for one property: a digest of each, and the first texts.
use sha2::{Digest as _, Sha256};

/// Classes of a property that are told apart; a side that saw more fails in no known set of ways.
const TOLD_APART: usize = 100;

/// What a kept text costs beside its own bytes: its places in two lists, the allocator's header.
const OVERHEAD: usize = 48;

/// The bytes that one side's texts may still take.
///
/// Decisions never look at it: they compare digests.
#[derive(Debug)]
pub(super) struct Room(usize);

impl Room {
    /// Room for the texts of one side.
    pub(super) const fn of_a_side() -> Self {
        Self(8_000_000)
    }

    const fn cost(class: &str) -> usize {
        class.len().saturating_add(OVERHEAD)
    }
}

/// The first 16 bytes of a class's SHA-256: two classes that differ anywhere stay two.
type Digest = [u8; 16];

fn digest(class: &str) -> Digest {
    let whole = Sha256::digest(class.as_bytes());
    whole.first_chunk::<16>().copied().unwrap_or_default()
}

/// The ways of failing of one property on one side.
#[derive(Debug, Default)]
pub(super) struct Witnesses {
    ways: Ways,
    /// The first texts of all that came, sorted; how many there are depends on the room.
    kept: Vec<Box<str>>,
    /// A text of the first hundred was left out for lack of room.
    cut: bool,
}

/// Which ways of failing there were.
#[derive(Debug, Default)]
struct Ways {
    /// The parent's, sorted, as long as there are no more than a hundred.
    own: Vec<Digest>,
    /// The parent had more than can be told apart.
    too_many: bool,
    /// A bit for each of the parent's ways that the patch had too.
    shared: u128,
    /// The patch had one that the parent had not.
    foreign: bool,
}

impl Witnesses {
    /// Adds a class that the parent gave.
    pub(super) fn add_of_parent(&mut self, class: &str, room: &mut Room) {
        // Most often the same failure once more.
        let Err(at) = self.position(class) else {
            return;
        };
        self.ways.add(class);
        self.keep(at, class, room);
    }

    /// Adds a class that the patch gave, beside what the parent gave.
    pub(super) fn add_of_patch(&mut self, class: &str, parent: Option<&Self>, room: &mut Room) {
        let Err(at) = self.position(class) else {
            return;
        };
        self.ways.compare(class, parent.map(|parent| &parent.ways));
        self.keep(at, class, room);
    }

    /// Whether the patch failed in the parent's ways and in no others, as far as that is known:
    /// ways that could not be told apart are equal to none.
    pub(super) fn same(parent: Option<&Self>, patch: Option<&Self>) -> bool {
        match (parent, patch) {
            (Some(parent), Some(patch)) => {
                let own = &parent.ways.own;
                let all = (0..own.len()).fold(0_u128, |bits, at| bits | 1 << at);
                !parent.ways.too_many && !patch.ways.foreign && patch.ways.shared == all
            }
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        }
    }

    /// The kept texts, and whether others of the first hundred were left out.
    pub(super) fn into_texts(self) -> (Vec<String>, bool) {
        let texts = self.kept.into_iter().map(String::from).collect();
        (texts, self.cut)
    }

    fn position(&self, class: &str) -> Result<usize, usize> {
        self.kept
            .binary_search_by(|known| known.as_ref().cmp(class))
    }

    /// Keeps a text if it is one of the first hundred and there is room for it; larger ones make
    /// place. What is kept is always the first of all that came, never some of them.
    fn keep(&mut self, at: usize, class: &str, room: &mut Room) {
        if at >= TOLD_APART || (self.cut && at == self.kept.len()) {
            return;
        }
        if self.kept.len() == TOLD_APART {
            self.drop_last(room);
        }
        let cost = Room::cost(class);
        while room.0 < cost {
            self.cut = true;
            if self.kept.len() == at {
                return;
            }
            self.drop_last(room);
        }
        room.0 -= cost;
        self.kept.insert(at, class.into());
    }

    fn drop_last(&mut self, room: &mut Room) {
        if let Some(last) = self.kept.pop() {
            room.0 = room.0.saturating_add(Room::cost(&last));
        }
    }
}

impl Ways {
    fn add(&mut self, class: &str) {
        if self.too_many {
            return;
        }
        let digest = digest(class);
        let Err(at) = self.own.binary_search(&digest) else {
            return;
        };
        if self.own.len() == TOLD_APART {
            self.too_many = true;
            self.own = Vec::new();
        } else {
            self.own.insert(at, digest);
        }
    }

    fn compare(&mut self, class: &str, parent: Option<&Self>) {
        if self.foreign {
            return;
        }
        let known = parent.and_then(|parent| parent.own.binary_search(&digest(class)).ok());
        match known {
            Some(at) => self.shared |= 1 << at,
            None => self.foreign = true,
        }
    }
}
