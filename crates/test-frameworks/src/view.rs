//! A tree of a repository, seen without touching a disk.

/// Files of one commit; paths are relative to its root, with `/`.
pub trait FileView {
    /// The bytes of a file; `None` where there is none.
    fn read(&self, path: &str) -> Option<Vec<u8>>;

    /// Whether a file or folder is there.
    fn exists(&self, path: &str) -> bool;

    /// Names of files and folders directly in `folder` (empty for the root), sorted.
    fn list(&self, folder: &str) -> Vec<String>;
}
