//! Turns a verdict into human text, Markdown and JSON.
