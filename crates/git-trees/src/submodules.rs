//! Submodules of a commit: whether their commits are here, and how a worktree gets them offline.

use std::path::{Component, Path, PathBuf};

use gix::bstr::{BString, ByteSlice as _};

use crate::objects::{Entry, entries_of};
use crate::path_text::to_text;
use crate::{CommitId, GitError, GitErrorKind, Repository};

/// Whether a submodule's commit can be checked out without a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SubmoduleState {
    /// The commit is here: worktrees get its files.
    Present,
    /// The submodule was never initialised here: worktrees get an empty folder, as from git.
    NotInitialised,
    /// The submodule is initialised, but this commit was not fetched: no worktree is made.
    CommitMissing,
}

/// A submodule of a commit, or of one of its submodules.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Submodule {
    /// The path from the top, with `/`; spelled as the crate's documentation says.
    pub path: String,
    /// The commit that it stands on.
    pub commit: String,
    /// Whether that commit is here.
    pub state: SubmoduleState,
}

/// A submodule with the git folder that holds its commit, where one does.
pub(crate) struct Found {
    pub(crate) path: BString,
    pub(crate) commit: gix::ObjectId,
    pub(crate) git_dir: Option<PathBuf>,
    initialised: bool,
}

/// A submodule's path and commit.
type Link = (BString, gix::ObjectId);

/// Where git keeps the submodules of one repository.
struct Places {
    /// Folders that hold `modules/NAME`.
    git_dirs: Vec<PathBuf>,
    /// The work tree, whose submodules may hold their git folder themselves.
    root: Option<PathBuf>,
}

impl Found {
    fn state(&self) -> SubmoduleState {
        match (&self.git_dir, self.initialised) {
            (Some(_), _) => SubmoduleState::Present,
            (None, true) => SubmoduleState::CommitMissing,
            (None, false) => SubmoduleState::NotInitialised,
        }
    }
}

impl Repository {
    /// The submodules of the commit and of its submodules as far as these are here, sorted by path.
    ///
    /// Their commits are sought where `git submodule update` puts them: `modules/NAME` of the git
    /// folder, or the folder of the submodule in the work tree. Nothing is fetched.
    ///
    /// # Errors
    /// `Shallow`, `NotFetched` or `Corrupt` when an object of this repository is not there.
    pub fn submodules(&self, commit: &CommitId) -> Result<Vec<Submodule>, GitError> {
        let found = self.found_submodules(&self.local(), commit)?;
        let mut listed: Vec<Submodule> = found
            .iter()
            .map(|found| Submodule {
                path: to_text(found.path.as_ref()),
                commit: found.commit.to_hex().to_string(),
                state: found.state(),
            })
            .collect();
        listed.sort_by(|one, two| one.path.cmp(&two.path));
        Ok(listed)
    }

    /// As `submodules`, the outer ones first.
    pub(crate) fn found_submodules(
        &self,
        local: &gix::Repository,
        commit: &CommitId,
    ) -> Result<Vec<Found>, GitError> {
        let links = gitlinks(self.entries(local, commit)?);
        if links.is_empty() {
            return Ok(Vec::new());
        }
        let places = Places {
            git_dirs: vec![self.git_dir().to_owned(), self.common_dir().to_owned()],
            root: self.root().map(Path::to_owned),
        };
        let declared = self.read_file(commit, ".gitmodules")?.unwrap_or_default();
        let mut found = Vec::new();
        collect(links, &declared, &places, &BString::default(), &mut found);
        Ok(found)
    }

    /// Refuses a commit one of whose submodules stands on a commit that was not fetched.
    pub(crate) fn have_commits(found: &[Found]) -> Result<(), GitError> {
        let missing = found
            .iter()
            .find(|found| found.state() == SubmoduleState::CommitMissing);
        let Some(missing) = missing else {
            return Ok(());
        };
        let path = to_text(missing.path.as_ref());
        let hint = format!(
            "run `git submodule update --init --recursive` on that commit, or `git -C {path} fetch`"
        );
        Err(GitError::new(
            GitErrorKind::SubmoduleMissing,
            "the commit of a submodule was not fetched:",
        )
        .with_rev(&missing.commit.to_hex().to_string())
        .with_path(Path::new(&path))
        .with_hint(hint))
    }

    /// Checks the submodules out below `top`, each as a repository of its own that borrows the objects of
    /// the user's one. Nothing of the user's repository changes.
    pub(crate) fn fill_submodules(&self, found: &[Found], top: &Path) -> Result<(), GitError> {
        for submodule in found {
            let Some(git_dir) = &submodule.git_dir else {
                continue;
            };
            let folder = real_folder(top, submodule.path.as_ref())?;
            let hash = match submodule.commit.kind() {
                gix::hash::Kind::Sha256 => "sha256",
                _ => "sha1",
            };
            let what = "cannot check out the submodule";
            let named = |error: GitError| error.with_path(&folder);
            self.git_in(&folder)
                .args(&["-c", "init.defaultRefFormat=files", "init", "--quiet"])
                .args(&["--template=", &format!("--object-format={hash}")])
                .run(what)
                .map_err(named)?;
            borrow(git_dir, &folder.join(".git")).map_err(|error| {
                GitError::io("cannot write a submodule's git folder in", &folder, &error)
            })?;
            self.git_in(&folder)
                .args(&[
                    "-c",
                    "core.sparseCheckout=false",
                    "-c",
                    "advice.detachedHead=false",
                ])
                .args(&["checkout", "--quiet", "--force", "--detach"])
                .arg(submodule.commit.to_hex().to_string())
                .run(what)
                .map_err(named)?;
        }
        Ok(())
    }
}

fn gitlinks(entries: Vec<Entry>) -> Vec<Link> {
    entries
        .into_iter()
        .filter(|(_, _, mode)| *mode == 0o160_000)
        .map(|(path, id, _)| (path, id))
        .collect()
}

fn collect(
    links: Vec<Link>,
    declared: &[u8],
    places: &Places,
    prefix: &BString,
    found: &mut Vec<Found>,
) {
    for (path, commit) in links {
        let mut whole = prefix.clone();
        whole.extend_from_slice(&path);
        let candidates = places.of(&path, name_of(declared, &path));
        let opened = candidates
            .iter()
            .find_map(|git_dir| Some((git_dir, holding(git_dir, commit)?)));
        found.push(Found {
            path: whole.clone(),
            commit,
            git_dir: opened.as_ref().map(|(git_dir, _)| (*git_dir).clone()),
            initialised: !candidates.is_empty(),
        });
        let Some((git_dir, inner)) = opened else {
            continue;
        };
        let Some((links, declared)) = contents(&inner, commit) else {
            continue;
        };
        let places = Places {
            git_dirs: vec![git_dir.clone()],
            root: places
                .root
                .as_ref()
                .and_then(|root| Some(root.join(path.to_path().ok()?))),
        };
        whole.push(b'/');
        collect(links, &declared, &places, &whole, found);
    }
}

/// What the submodule's own tree says about further submodules.
fn contents(inner: &gix::Repository, commit: gix::ObjectId) -> Option<(Vec<Link>, Vec<u8>)> {
    let tree = inner.find_commit(commit).ok()?.tree().ok()?;
    let links = gitlinks(entries_of(&tree).ok()?);
    let declared = tree
        .lookup_entry_by_path(".gitmodules")
        .ok()?
        .and_then(|entry| inner.find_blob(entry.object_id()).ok())
        .map(|mut blob| blob.take_data());
    Some((links, declared.unwrap_or_default()))
}

/// The name that a `.gitmodules` file gives to the submodule at this path.
fn name_of(declared: &[u8], path: &BString) -> Option<String> {
    // A file that cannot be read names nothing: the folder stays empty, as with git.
    let file = gix::config::File::try_from(declared.as_bstr()).ok()?;
    let sections = file.sections_by_name("submodule")?;
    sections
        .filter(|section| section.value("path").is_some_and(|value| &*value == path))
        .filter_map(|section| {
            let name = section.header().subsection_name()?;
            Some(name.to_str().ok()?.to_owned())
        })
        .last()
}

impl Places {
    /// The git folders of the submodule that are there.
    fn of(&self, path: &BString, name: Option<String>) -> Vec<PathBuf> {
        // A name is a path below `modules` and nothing that leads out of it.
        let inside = |name: &String| {
            let mut parts = Path::new(name).components();
            !name.is_empty() && parts.all(|part| matches!(part, Component::Normal(_)))
        };
        let mut found: Vec<PathBuf> = Vec::new();
        if let Some(name) = name.filter(inside) {
            found.extend(
                self.git_dirs
                    .iter()
                    .map(|folder| folder.join("modules").join(&name)),
            );
        }
        if let Some(root) = &self.root
            && let Ok(path) = path.to_path()
        {
            let folder = root.join(path);
            let mark = folder.join(".git");
            match std::fs::read(&mark) {
                Ok(text) => found.extend(
                    text.strip_prefix(b"gitdir: ")
                        .and_then(|target| target.trim_ascii_end().to_path().ok())
                        .map(|target| folder.join(target)),
                ),
                Err(_) => found.push(mark),
            }
        }
        found.retain(|folder| folder.join("objects").is_dir());
        found
    }
}

/// The repository of a git folder, if it holds the commit.
fn holding(git_dir: &Path, commit: gix::ObjectId) -> Option<gix::Repository> {
    let options = gix::open::Options::isolated()
        .open_path_as_is(true)
        .with(gix::sec::Trust::Full);
    let inner = options.open(git_dir).ok()?.to_thread_local();
    inner
        .find_commit(commit)
        .is_ok_and(|commit| commit.tree_id().is_ok_and(|tree| inner.has_object(tree)))
        .then_some(inner)
}

/// The empty folder that stands for a submodule, reached through folders alone: a link on the way would
/// lead the checkout elsewhere.
fn real_folder(top: &Path, path: &gix::bstr::BStr) -> Result<PathBuf, GitError> {
    let wrong = |folder: &Path| {
        GitError::new(
            GitErrorKind::Unsupported,
            "no empty folder stands where a submodule should be checked out:",
        )
        .with_path(folder)
    };
    let mut folder = top.to_owned();
    for part in path.split_str("/") {
        folder.push(part.to_path().map_err(|_| wrong(&folder))?);
        let is_folder = folder.symlink_metadata().is_ok_and(|meta| meta.is_dir());
        if !is_folder {
            return Err(wrong(&folder));
        }
    }
    match std::fs::read_dir(&folder).map(|mut entries| entries.next().is_none()) {
        Ok(true) => Ok(folder),
        _ => Err(wrong(&folder)),
    }
}

/// Has the new git folder read the objects of another one, up to where that one ends.
fn borrow(from: &Path, to: &Path) -> std::io::Result<()> {
    use std::io::Write as _;
    let objects = std::fs::canonicalize(from.join("objects"))?;
    let info = to.join("objects/info");
    std::fs::create_dir_all(&info)?;
    let mut alternates = std::fs::File::create(info.join("alternates"))?;
    alternates.write_all(&quoted(objects.as_os_str().as_encoded_bytes()))?;
    alternates.write_all(b"\n")?;
    match std::fs::read(from.join("shallow")) {
        Ok(boundary) => std::fs::write(to.join("shallow"), boundary),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// A path as a line of `objects/info/alternates`: quoted as in C where it would be read as something else.
fn quoted(path: &[u8]) -> Vec<u8> {
    if !path.contains(&b'\n') {
        return path.to_vec();
    }
    let mut text = vec![b'"'];
    for byte in path {
        match byte {
            b'\n' => text.extend_from_slice(b"\\n"),
            b'"' | b'\\' => text.extend_from_slice(&[b'\\', *byte]),
            _ => text.push(*byte),
        }
    }
    text.push(b'"');
    text
}
