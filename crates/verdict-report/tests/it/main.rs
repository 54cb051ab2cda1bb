//! Integration tests of `verdict-report`, through its public interface.
