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

/// A folder of a tree, as a tree of its own.
#[derive(Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "a view and a folder")]
pub struct Below<'a> {
    /// The whole tree.
    pub view: &'a dyn FileView,
    /// The folder, relative to the tree's root; the root is `""` or `"."`.
    pub folder: &'a str,
}

impl std::fmt::Debug for Below<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Below")
            .field("folder", &self.folder)
            .finish_non_exhaustive()
    }
}

impl FileView for Below<'_> {
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        self.view.read(&crate::paths::join(self.folder, path))
    }

    fn exists(&self, path: &str) -> bool {
        self.view.exists(&crate::paths::join(self.folder, path))
    }

    fn list(&self, folder: &str) -> Vec<String> {
        self.view.list(&crate::paths::join(self.folder, folder))
    }
}

/// The text of a file; empty where there is none.
pub(crate) fn text(view: &dyn FileView, path: &str) -> String {
    let bytes = view.read(path).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Every file below `folder` for which `wanted` holds; folders that hold what was installed or built
/// are left out.
pub(crate) fn walk(
    view: &dyn FileView,
    folder: &str,
    wanted: &dyn Fn(&str) -> bool,
) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![(folder.to_owned(), 0_u8)];
    while let Some((folder, depth)) = folders.pop() {
        let mut names = view.list(&folder);
        names.sort();
        for name in names {
            let path = crate::paths::join(&folder, &name);
            if wanted(&path) {
                found.push(path);
            } else if !matches!(name.as_str(), "node_modules" | "target" | ".git")
                && !name.contains('.')
                && depth < 24
            {
                folders.push((path, depth + 1));
            }
        }
    }
    found.sort();
    found
}
