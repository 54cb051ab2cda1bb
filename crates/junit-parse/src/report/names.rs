//! Names that many cases share are kept once.
use std::sync::Arc;

use crate::RawText;

/// Names seen lately, each in the place its bytes choose.
pub(super) struct Names {
    seen: Vec<Option<Arc<str>>>,
    nothing: Arc<str>,
}

const PLACES: usize = 1_024;

impl Names {
    pub(super) fn new() -> Self {
        Self {
            seen: vec![None; PLACES],
            nothing: Arc::from(""),
        }
    }

    pub(super) fn nothing(&self) -> Arc<str> {
        Arc::clone(&self.nothing)
    }

    /// The decoded name, shared with an earlier one where that is remembered.
    pub(super) fn shared(&mut self, name: RawText<'_>) -> Arc<str> {
        let raw = name.raw();
        let Some(place) = self.seen.get_mut(place_of(raw)) else {
            return Arc::from(name.decode());
        };
        if let Some(known) = place
            && known.as_bytes() == raw
        {
            return Arc::clone(known);
        }
        let decoded = name.decode();
        let shared: Arc<str> = Arc::from(&*decoded);
        // One that decoding changed would never be found by its bytes.
        if shared.as_bytes() == raw {
            *place = Some(Arc::clone(&shared));
        }
        shared
    }
}

fn place_of(raw: &[u8]) -> usize {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let (words, rest) = raw.as_chunks::<8>();
    let mut hash = FACTOR ^ u64::try_from(raw.len()).unwrap_or(0);
    for word in words {
        hash = (hash.rotate_left(5) ^ u64::from_le_bytes(*word)).wrapping_mul(FACTOR);
    }
    for byte in rest {
        hash = (hash.rotate_left(5) ^ u64::from(*byte)).wrapping_mul(FACTOR);
    }
    usize::try_from(hash >> 54).unwrap_or(0) % PLACES
}
