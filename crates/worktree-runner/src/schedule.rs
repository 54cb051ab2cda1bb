//! The order in which both sides run their seeds.

use differential_gate::Side;

/// Every seed on both sides, in the order parent, patch, patch, parent …, so that a drift of load,
/// temperature or clock hits both sides alike.
///
/// ```
/// use differential_gate::Side::{Parent, Patch};
/// assert_eq!(
///     worktree_runner::abba(&[7, 3]),
///     [(Parent, 7), (Patch, 7), (Patch, 3), (Parent, 3)]
/// );
/// ```
pub fn abba(seeds: &[i64]) -> Vec<(Side, i64)> {
    let mut order = Vec::with_capacity(seeds.len().saturating_mul(2));
    for (index, seed) in seeds.iter().enumerate() {
        let sides = if index % 2 == 0 {
            Side::BOTH
        } else {
            [Side::Patch, Side::Parent]
        };
        order.extend(sides.map(|side| (side, *seed)));
    }
    order
}
