//! Integration tests of `verdict-terminal`, through its public interface.
