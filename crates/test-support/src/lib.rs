//! Temporary repositories, corpus walker and output filters for our own tests.
