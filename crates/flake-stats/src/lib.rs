//! Exact statistics for flaky tests: intervals, zero-failure bounds, Fisher tests.
