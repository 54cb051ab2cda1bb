//! How test frameworks are detected, seeded, listed, selected and read: one trait, one adapter each.
