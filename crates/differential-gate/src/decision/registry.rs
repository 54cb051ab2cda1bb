//! Property ids and their slots.
use std::borrow::Cow;

/// Numbers property ids in the order they came, and finds a number by id.
///
/// Its own open-addressed table: a lookup a row must cost less than reading the row.
#[derive(Debug)]
pub(super) struct Registry<'a> {
    ids: Vec<Cow<'a, str>>,
    /// A slot plus one, 0 where empty; the length is a power of two, at most half full.
    table: Vec<u32>,
    open: bool,
}

impl<'a> Registry<'a> {
    /// Knows `ids` and no others.
    pub(super) fn closed(ids: impl Iterator<Item = &'a str>) -> Self {
        let mut registry = Self::open(ids);
        registry.open = false;
        registry
    }

    /// Knows `ids` and takes others in as they come.
    pub(super) fn open(ids: impl Iterator<Item = &'a str>) -> Self {
        let mut registry = Self {
            ids: Vec::new(),
            table: vec![0; 64],
            open: true,
        };
        for id in ids {
            registry.insert(Cow::Borrowed(id));
        }
        registry
    }

    /// The ids by slot.
    pub(super) fn ids(&self) -> impl Iterator<Item = &str> {
        self.ids.iter().map(Cow::as_ref)
    }

    pub(super) const fn len(&self) -> usize {
        self.ids.len()
    }

    /// The slot of `id`, trying `guess` and what follows it before anything else.
    #[inline]
    pub(super) fn slot(&mut self, id: &str, guess: usize) -> Option<usize> {
        for slot in [guess, guess + 1, 0] {
            if self.ids.get(slot).is_some_and(|known| known == id) {
                return Some(slot);
            }
        }
        if let Some(slot) = self.find(id) {
            return Some(slot);
        }
        self.open.then(|| self.insert(Cow::Owned(id.to_owned())))
    }

    fn find(&self, id: &str) -> Option<usize> {
        let mut at = self.home(id);
        loop {
            let slot = self.table.get(at).copied().filter(|slot| *slot > 0)? as usize - 1;
            if self.ids.get(slot).is_some_and(|known| known == id) {
                return Some(slot);
            }
            at = (at + 1) & (self.table.len() - 1);
        }
    }

    fn insert(&mut self, id: Cow<'a, str>) -> usize {
        if let Some(slot) = self.find(&id) {
            return slot;
        }
        let slot = self.ids.len();
        self.ids.push(id);
        if self.ids.len() * 2 > self.table.len() {
            self.table = vec![0; self.table.len() * 2];
            for known in 0..=slot {
                self.place(known);
            }
        } else {
            self.place(slot);
        }
        slot
    }

    fn place(&mut self, slot: usize) {
        let mut at = self.ids.get(slot).map_or(0, |id| self.home(id));
        let mask = self.table.len() - 1;
        while self.table.get(at).is_some_and(|taken| *taken > 0) {
            at = (at + 1) & mask;
        }
        if let Some(empty) = self.table.get_mut(at) {
            *empty = u32::try_from(slot + 1).unwrap_or(u32::MAX);
        }
    }

    /// Where `id` belongs in the table.
    fn home(&self, id: &str) -> usize {
        const MIX: u64 = 0x517c_c1b7_2722_0a95;
        let mut hash = id.len() as u64;
        let (words, rest) = id.as_bytes().as_chunks::<8>();
        for word in words {
            hash = (hash.rotate_left(5) ^ u64::from_le_bytes(*word)).wrapping_mul(MIX);
        }
        for byte in rest {
            hash = (hash.rotate_left(5) ^ u64::from(*byte)).wrapping_mul(MIX);
        }
        // The high bits are the mixed ones.
        usize::try_from(hash >> 32).unwrap_or(0) & (self.table.len() - 1)
    }
}
