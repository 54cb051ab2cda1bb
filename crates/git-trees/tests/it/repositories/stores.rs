//! Where objects and references are kept: alternates, packs, partial clones, other formats.

use git_trees::{GitErrorKind, Repository};

use super::{attempt, by_git, by_us, each_git, same_as_git, too_old, two_commits};

#[test]
fn plain_bare_packed_and_sha256() {
    each_git(|program, made| {
        same_as_git(&made, program, "HEAD");
        same_as_git(&made, program, "HEAD~1");
        same_as_git(&made.clone_with(&["--bare"]), program, "HEAD~1");
        same_as_git(&made.clone_with(&["--mirror"]), program, "HEAD");
        made.git(&["repack", "-adq"]);
        made.git(&["multi-pack-index", "write"]);
        made.git(&["pack-refs", "--all"]);
        same_as_git(&made, program, "HEAD~1");
        let other = two_commits(program, &["--object-format=sha256"]);
        same_as_git(&other, program, "HEAD~1");
        same_as_git(&other.clone_with(&["--bare", "--depth=1"]), program, "HEAD");
    });
}

#[test]
fn objects_borrowed_from_another_repository() {
    each_git(|program, made| {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("borrower, \u{fc}");
        let text = path.to_str().unwrap();
        made.git(&["clone", "--quiet", "--shared", ".", text]);
        let clone = made.view(&path);
        same_as_git(&clone, program, "HEAD~1");
        // Once more over a step, by a relative path.
        let second = place.path().join("second");
        clone.git(&[
            "clone",
            "--quiet",
            "--shared",
            ".",
            second.to_str().unwrap(),
        ]);
        let second = made.view(&second);
        second.write(
            ".git/objects/info/alternates",
            format!("../../../{}/.git/objects\n", "borrower, \u{fc}"),
        );
        same_as_git(&second, program, "HEAD~1");
        second.write("plain.txt", "dirty\n");
        let repository = Repository::discover_with_git(second.path(), program).unwrap();
        let head = repository.resolve("HEAD").unwrap();
        let commit = repository.commit_work_tree(&head).unwrap();
        same_as_git(&second, program, commit.as_str());
        std::fs::rename(&path, place.path().join("away")).unwrap();
        let repository = Repository::discover_with_git(second.path(), program).unwrap();
        assert!(repository.resolve("HEAD").is_err());
    });
}

#[test]
fn partial_clones_and_a_remote_that_is_gone() {
    each_git(|program, made| {
        made.git(&["config", "uploadpack.allowFilter", "true"]);
        made.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
        let expected = by_git(&made, "HEAD~1");
        for filter in ["blob:none", "tree:0", "blob:limit=2"] {
            let clone = made.clone_with(&[&format!("--filter={filter}"), "--no-checkout"]);
            let repository = Repository::discover_with_git(clone.path(), program).unwrap();
            let [first, head] = ["HEAD~1", "HEAD"].map(|rev| repository.resolve(rev).unwrap());
            // Each question on an untouched clone would fetch; in any order all are answered.
            assert_eq!(
                repository.tree_of(&first).unwrap(),
                made.git(&["rev-parse", "HEAD~1^{tree}"])
            );
            let changes = repository.diff(&first, &head).unwrap();
            let plain = Repository::discover_with_git(made.path(), program).unwrap();
            assert_eq!(changes, plain.diff(&first, &head).unwrap(), "{filter}");
            assert_eq!(
                repository.files(&first).unwrap(),
                plain.files(&first).unwrap()
            );
            assert_eq!(
                repository.read_file(&first, "plain.txt").unwrap().unwrap(),
                b"one\n"
            );
            assert_eq!(by_us(&repository, "HEAD~1", program), expected, "{filter}");
            let gone = made.clone_with(&[&format!("--filter={filter}"), "--no-checkout"]);
            gone.git(&["remote", "set-url", "origin", "file:///nowhere/at/all"]);
            let repository = Repository::discover_with_git(gone.path(), program).unwrap();
            let place = tempfile::tempdir().unwrap();
            let path = place.path().join("ours");
            let mut errors = vec![repository.add_worktree(&first, &path).unwrap_err()];
            if filter == "tree:0" {
                errors.push(repository.files(&first).unwrap_err());
                errors.push(repository.diff(&first, &head).unwrap_err());
            }
            errors.push(repository.read_file(&first, "plain.txt").unwrap_err());
            for error in errors {
                assert_eq!(error.kind(), GitErrorKind::NotFetched, "{filter}: {error}");
                assert!(error.hint().unwrap().contains("remote"), "{error}");
            }
            assert!(!path.exists() && !gone.join(".git/worktrees").exists());
        }
    });
}

#[test]
fn references_in_tables() {
    each_git(|program, _| {
        let folder = tempfile::tempdir().unwrap();
        let arguments = ["init", "--quiet", "--ref-format=reftable", "."];
        if too_old(program, &attempt(program, folder.path(), &arguments)) {
            return;
        }
        let error = Repository::discover_with_git(folder.path(), program).unwrap_err();
        assert_eq!(error.kind(), GitErrorKind::Unsupported, "{error}");
        assert!(error.hint().unwrap().contains("git refs migrate"));
    });
}

#[test]
fn extensions_that_nobody_knows_are_refused() {
    each_git(|program, made| {
        made.git(&["config", "core.repositoryFormatVersion", "1"]);
        made.git(&["config", "extensions.fromTheFuture", "true"]);
        let theirs = attempt(program, made.path(), &["rev-parse", "HEAD"]);
        assert!(!theirs.status.success());
        let opened = Repository::discover_with_git(made.path(), program);
        let refused = opened.and_then(|repository| {
            let head = repository.resolve("HEAD")?;
            let place = tempfile::tempdir().unwrap();
            repository.add_worktree(&head, &place.path().join("ours"))
        });
        let error = refused.unwrap_err();
        assert!(error.to_string().contains("fromthefuture"), "{error}");
    });
}
