//! Referees a code patch when the test suite cannot be trusted: a verdict with evidence anyone can recompute.
