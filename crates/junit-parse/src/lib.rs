//! Reads JUnit XML reports as tools really write them: recovery, attempts, limits, encodings.
