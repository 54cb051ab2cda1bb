//! A tree of files as adapters see it, wherever the caller keeps it.

/// A tree of the repository. Paths are relative to its root, with `/`; the root itself is `""`.
pub trait FileView {
    /// The bytes of a file; `None` where there is no such file.
    fn read(&self, path: &str) -> Option<Vec<u8>>;
    /// Whether a file or folder is there.
    fn exists(&self, path: &str) -> bool;
    /// The names (not paths) directly in a folder, in any order; empty where there is no such folder.
    fn list(&self, folder: &str) -> Vec<String>;
}
