//! The junit-parse program: JUnit XML reports to tables, JSON or JSON Lines.
