//! The schedule of seeds: derived from both trees, never drawn at will.
use sha2::{Digest as _, Sha256};

/// Seeds 1 to `count` for a pair of trees, distinct, between 0 and 2^31 - 1.
///
/// Seed i depends on both tree ids and i alone, so that a longer schedule extends a shorter one
/// (RULES §2). 31 bits fit every generator that is seeded from them (numpy refuses more than 32).
pub fn derive_seeds(parent_tree: &str, patch_tree: &str, count: usize) -> Vec<i64> {
    let mut seeds: Vec<i64> = Vec::with_capacity(count);
    for index in 1..=count {
        let mut attempt = 0_u32;
        let seed = loop {
            let seed = derive(parent_tree, patch_tree, index, attempt);
            if !seeds.contains(&seed) {
                break seed;
            }
            attempt += 1;
        };
        seeds.push(seed);
    }
    seeds
}

fn derive(parent_tree: &str, patch_tree: &str, index: usize, attempt: u32) -> i64 {
    let text = format!("patch-verdict seed 1\n{parent_tree}\n{patch_tree}\n{index}\n{attempt}\n");
    let digest = Sha256::digest(text.as_bytes());
    let value = digest
        .iter()
        .take(4)
        .fold(0_u32, |value, byte| (value << 8) | u32::from(*byte));
    i64::from(value & 0x7fff_ffff)
}
