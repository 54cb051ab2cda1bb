//! Where a repository stands, whose it is and what else is registered in it.

use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use git_trees::{Backend, GitErrorKind, Repository};
use test_support::TestRepository;

use super::{attempt, by_git, by_us, copy_of, each_git, footprint, not_checked, root, same_as_git};

#[test]
fn paths_of_every_kind() {
    let names: [&[u8]; 9] = [
        b"with a space",
        "\u{fc}n\u{ef} \u{1f40d}".as_bytes(),
        b"co:lon;and,comma",
        b"quote\"and'one",
        b"new\nline",
        b"not utf8 \xff",
        b"-dash",
        b"$HOME`id`",
        b"#hash%41*?[x]",
    ];
    each_git(|program, made| {
        let place = tempfile::tempdir().unwrap();
        for name in names {
            let path = place.path().join(std::ffi::OsStr::from_bytes(name));
            let copied = Command::new("cp")
                .args([Path::new("-a"), made.path(), &path])
                .status();
            assert!(copied.unwrap().success());
            let view = made.view(&path);
            view.write("plain.txt", "dirty\n");
            let repository = Repository::discover_with_git(&path.join("folder"), program).unwrap();
            let expected = by_git(&view, "HEAD");
            assert_eq!(by_us(&repository, "HEAD", program), expected);
            view.write(".git/info/attributes", "* ident\n");
            assert_eq!(by_us(&repository, "HEAD", program), expected);
            view.remove(".git/info/attributes");
            let head = repository.resolve("HEAD").unwrap();
            let commit = repository.commit_work_tree(&head).unwrap();
            let read = repository.read_file(&commit, "plain.txt").unwrap();
            assert_eq!(read.unwrap(), b"dirty\n");
            // The worktree in such a place.
            let worktree = repository
                .add_worktree(&head, &path.join("ours").join("tree"))
                .unwrap();
            assert_eq!(crate::setup::listing(worktree.path()), expected);
            assert_eq!(
                repository.leftover_worktrees(&path).unwrap(),
                [worktree.path()]
            );
            worktree.remove().unwrap();
        }
    });
}

#[test]
fn git_folders_elsewhere() {
    each_git(|program, made| {
        let place = tempfile::tempdir().unwrap();
        let expected = by_git(&made, "HEAD");
        // A `.git` file that names the folder, and a `.git` that is a link.
        let apart = place.path().join("apart");
        std::fs::rename(made.join(".git"), &apart).unwrap();
        made.write(".git", format!("gitdir: {}\n", apart.display()));
        let repository = Repository::discover_with_git(made.path(), program).unwrap();
        assert_eq!(by_us(&repository, "HEAD", program), expected);
        made.remove(".git");
        std::os::unix::fs::symlink(&apart, made.join(".git")).unwrap();
        let repository = Repository::discover_with_git(made.path(), program).unwrap();
        assert_eq!(by_us(&repository, "HEAD", program), expected);
        // Configured the other way round.
        made.remove(".git");
        made.write(".git", format!("gitdir: {}\n", apart.display()));
        made.git(&["config", "core.worktree", made.path().to_str().unwrap()]);
        let repository = Repository::discover_with_git(made.path(), program).unwrap();
        assert_eq!(
            repository.root(),
            Some(made.path().canonicalize().unwrap().as_path())
        );
        assert_eq!(by_us(&repository, "HEAD", program), expected);
    });
}

#[test]
fn linked_worktrees_and_their_own_configuration() {
    each_git(|program, made| {
        let place = tempfile::tempdir().unwrap();
        let linked = place.path().join("linked");
        let text = linked.to_str().unwrap();
        made.git(&["worktree", "add", "--quiet", "-b", "side", text, "HEAD~1"]);
        let view = made.view(&linked);
        view.write("plain.txt", "dirty here\n");
        for configured in [false, true] {
            if configured {
                made.git(&["config", "extensions.worktreeConfig", "true"]);
                view.git(&["config", "--worktree", "core.autocrlf", "true"]);
                view.git(&["sparse-checkout", "set", "--no-cone", "/plain.txt"]);
            }
            let repository = Repository::discover_with_git(&linked, program).unwrap();
            let head = repository.resolve("HEAD").unwrap();
            assert_eq!(head.as_str(), made.git(&["rev-parse", "main~1"]));
            assert_eq!(
                repository.work_tree_status().unwrap().changed,
                ["plain.txt"]
            );
            let before = footprint(repository.common_dir());
            let commit = repository.commit_work_tree(&head).unwrap();
            assert_eq!(footprint(repository.common_dir()), before);
            assert_eq!(
                repository.read_file(&commit, "plain.txt").unwrap().unwrap(),
                b"dirty here\n"
            );
            let files = repository.files(&commit).unwrap();
            assert!(files.iter().any(|file| file.path == "folder/inner.txt"));
            let ours = by_us(&repository, "HEAD", program);
            assert_eq!(ours, by_git(&view, "HEAD"));
            assert!(ours.contains_key(b"folder/inner.txt".as_slice()));
        }
        assert!(linked.join("plain.txt").exists());
    });
}

#[test]
fn worktrees_of_others_stay_registered() {
    each_git(|program, made| {
        let place = tempfile::tempdir().unwrap();
        let [locked, gone, moved] = ["locked", "gone", "moved"].map(|name| place.path().join(name));
        for path in [&locked, &gone, &moved] {
            let text = path.to_str().unwrap();
            made.git(&["worktree", "add", "--quiet", "--detach", text]);
        }
        made.git(&[
            "worktree",
            "lock",
            "--reason",
            "mine",
            locked.to_str().unwrap(),
        ]);
        std::fs::remove_dir_all(&gone).unwrap();
        std::fs::remove_dir_all(&locked).unwrap();
        // Long gone: what `git worktree prune` and `git gc` would take.
        made.git(&["config", "gc.worktreePruneExpire", "now"]);
        made.git(&["config", "gc.auto", "1"]);
        let before = made.git(&["worktree", "list", "--porcelain"]);
        same_as_git(&made, program, "HEAD");
        let repository = Repository::discover_with_git(made.path(), program).unwrap();
        let head = repository.resolve("HEAD").unwrap();
        made.write("new.txt", "x");
        repository.commit_work_tree(&head).unwrap();
        for path in [&gone, &locked] {
            // A place that is taken by one that is gone: refused, with the next step.
            let error = repository.add_worktree(&head, path).unwrap_err();
            assert_eq!(error.kind(), GitErrorKind::Exists, "{error}");
            assert!(error.hint().unwrap().contains("git worktree prune"));
        }
        assert_eq!(made.git(&["worktree", "list", "--porcelain"]), before);
    });
}

#[test]
fn relative_links_between_worktrees() {
    each_git(|program, made| {
        made.git(&["config", "worktree.useRelativePaths", "true"]);
        same_as_git(&made, program, "HEAD");
        let output = attempt(
            program,
            made.path(),
            &["config", "extensions.relativeWorktrees"],
        );
        if !output.status.success() {
            not_checked(&format!("{}: no relative worktrees", program.display()));
        }
    });
}

/// Runs `test` where the user may not write into `folder`; root may always.
fn read_only(folder: &Path, test: impl FnOnce()) {
    if root() {
        not_checked("root may write everywhere: made again as another user");
        return;
    }
    let set = |mode: u32| {
        let mut waiting = vec![folder.to_owned()];
        let mut all = Vec::new();
        while let Some(next) = waiting.pop() {
            for entry in std::fs::read_dir(&next).unwrap().flatten() {
                if entry.file_type().unwrap().is_dir() {
                    waiting.push(entry.path());
                }
            }
            all.push(next);
        }
        for path in all {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
        }
    };
    set(0o555);
    test();
    set(0o755);
}

#[test]
fn a_repository_that_cannot_be_written() {
    each_git(|program, made| {
        made.write("plain.txt", "dirty\n");
        read_only(&made.join(".git"), || {
            let repository = Repository::discover_with_git(made.path(), program).unwrap();
            let head = repository.resolve("HEAD").unwrap();
            assert!(repository.work_tree_status().unwrap().dirty);
            assert!(!repository.files(&head).unwrap().is_empty());
            let place = tempfile::tempdir().unwrap();
            let path = place.path().join("ours");
            let errors = [
                repository.add_worktree(&head, &path).unwrap_err(),
                repository.commit_work_tree(&head).unwrap_err(),
                repository
                    .commit_patch(
                        &head,
                        b"--- a/second.txt\n+++ b/second.txt\n@@ -1 +1 @@\n-two\n+2\n",
                    )
                    .unwrap_err(),
            ];
            for error in errors {
                assert_eq!(error.kind(), GitErrorKind::ReadOnly, "{error}");
                assert!(error.to_string().contains(".git"), "{error}");
                assert!(error.hint().unwrap().contains("git clone"), "{error}");
            }
            assert!(!path.exists());
        });
    });
}

#[test]
fn a_place_that_cannot_be_written_is_another_matter() {
    each_git(|program, made| {
        let place = tempfile::tempdir().unwrap();
        std::fs::create_dir(place.path().join("shut")).unwrap();
        read_only(&place.path().join("shut"), || {
            let repository = Repository::discover_with_git(made.path(), program).unwrap();
            let head = repository.resolve("HEAD").unwrap();
            let path = place.path().join("shut/ours");
            let error = repository.add_worktree(&head, &path).unwrap_err();
            assert_ne!(error.kind(), GitErrorKind::ReadOnly, "{error}");
            assert!(error.to_string().contains("shut/ours"), "{error}");
            assert!(!made.join(".git/worktrees").exists());
        });
    });
}

/// Makes the folder given away and the one to open.
type Place = fn(&TestRepository) -> (PathBuf, PathBuf);

/// Gives a path, not what is below it, to another user.
fn give(path: &Path) {
    let done = Command::new("chown")
        .args(["--no-dereference", "65534"])
        .arg(path)
        .status();
    assert!(done.unwrap().success());
}

#[test]
fn whatever_git_finds_dubious_is_refused() {
    if !root() {
        return not_checked("only root can give a folder away");
    }
    each_git(|program, made| {
        let settings = tempfile::tempdir().unwrap();
        let strict = settings.path().join("git");
        let script = format!(
            "#!/bin/sh\nHOME=/nowhere GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 exec {} \"$@\"\n",
            program.display()
        );
        std::fs::write(&strict, script).unwrap();
        std::fs::set_permissions(&strict, std::fs::Permissions::from_mode(0o755)).unwrap();
        let places: [Place; 4] = [
            |made| (made.path().to_owned(), made.path().to_owned()),
            |made| (made.join(".git"), made.path().to_owned()),
            |made| {
                let linked = made.join("../linked");
                let text = linked.to_str().unwrap();
                made.git(&["worktree", "add", "--quiet", "--detach", text]);
                (linked.join(".git"), linked)
            },
            |made| {
                let bare = made.join("../bare.git");
                made.git(&["clone", "--quiet", "--bare", ".", bare.to_str().unwrap()]);
                (bare.clone(), bare)
            },
        ];
        for place in places {
            let (_kept, copy) = copy_of(&made);
            let (given, opened) = place(&copy);
            give(&given);
            let theirs = attempt(program, &opened, &["rev-parse", "--git-dir"]);
            let ours = Repository::discover_with_git(&opened, &strict);
            assert_eq!(theirs.status.success(), ours.is_ok(), "{}", given.display());
            if let Err(error) = ours {
                assert_eq!(error.kind(), GitErrorKind::NotTrusted, "{error}");
                assert!(error.hint().unwrap().contains("safe.directory"), "{error}");
            }
        }
    });
}

#[test]
fn another_users_bare_repository_by_permission() {
    if !root() {
        return not_checked("only root can give a folder away");
    }
    each_git(|program, made| {
        let bare = made.clone_with(&["--bare"]);
        let expected = by_git(&made, "HEAD");
        let done = Command::new("chown")
            .args(["-R", "65534"])
            .arg(bare.path())
            .status();
        assert!(done.unwrap().success());
        let settings = tempfile::tempdir().unwrap();
        let permitting = settings.path().join("git");
        let script = format!(
            "#!/bin/sh\nexport GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*'\nexec {} \"$@\"\n",
            program.display()
        );
        std::fs::write(&permitting, script).unwrap();
        std::fs::set_permissions(&permitting, std::fs::Permissions::from_mode(0o755)).unwrap();
        let repository = Repository::discover_with_git(bare.path(), &permitting).unwrap();
        assert!(!repository.is_owned() && repository.is_bare());
        let head = repository.resolve("HEAD").unwrap();
        let worktree = repository
            .add_worktree(&head, &settings.path().join("ours"))
            .unwrap();
        assert_eq!(worktree.backend(), Backend::Git);
        assert_eq!(crate::setup::listing(worktree.path()), expected);
        worktree.remove().unwrap();
    });
}
