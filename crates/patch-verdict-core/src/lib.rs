//! The model of a verdict: test identity, buckets, seeds, configuration, CI environment and how findings fold into one answer.
