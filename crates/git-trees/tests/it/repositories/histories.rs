//! Shapes of history: git's merge bases and parents, or a clear refusal.

use std::path::Path;

use git_trees::{GitErrorKind, Repository};
use test_support::TestRepository;

use super::{attempt, each_git, same_as_git};

/// Every pair of the revisions: the merge bases git lists, and the one it names.
#[track_caller]
fn check(made: &TestRepository, program: &Path, revs: &[&str]) {
    let repository = Repository::discover_with_git(made.path(), program).unwrap();
    for one in revs {
        for two in revs {
            let [a, b] = [one, two].map(|rev| repository.resolve(rev).unwrap());
            let asked = attempt(
                program,
                made.path(),
                &["merge-base", "--all", a.as_str(), b.as_str()],
            );
            let text = String::from_utf8(asked.stdout).unwrap();
            let mut theirs: Vec<&str> = text.lines().collect();
            theirs.sort_unstable();
            let found = repository.merge_bases(&a, &b).unwrap();
            let mut ours: Vec<&str> = found.iter().map(AsRef::as_ref).collect();
            ours.sort_unstable();
            assert_eq!(ours, theirs, "{one} {two}");
            let first = attempt(
                program,
                made.path(),
                &["merge-base", a.as_str(), b.as_str()],
            );
            let first = String::from_utf8(first.stdout).unwrap();
            let base = repository.merge_base(&a, &b).unwrap();
            assert_eq!(
                base.as_ref().map_or("", |id| id.as_str()),
                first.trim(),
                "{one} {two}"
            );
            let before = attempt(
                program,
                made.path(),
                &["merge-base", "--is-ancestor", a.as_str(), b.as_str()],
            );
            assert_eq!(
                repository.is_ancestor(&a, &b).unwrap(),
                before.status.success(),
                "{one} {two}"
            );
        }
        let parents = made.git(&[
            "show",
            "--no-patch",
            "--format=%P",
            &format!("{one}^{{commit}}"),
        ]);
        let id = repository.resolve(one).unwrap();
        let ours = repository.parents(&id).unwrap();
        let ours: Vec<&str> = ours.iter().map(AsRef::as_ref).collect();
        assert_eq!(ours.join(" "), parents, "{one}");
    }
}

fn step(made: &TestRepository, branch: &str, from: &str) {
    made.git(&["checkout", "--quiet", "-B", branch, from]);
    made.write(&format!("{branch}.txt"), format!("{branch} from {from}\n"));
    made.commit(branch);
}

/// `one` and `two` merge each other's first commit, so that both of these are merge bases.
fn criss_cross(made: &TestRepository) {
    step(made, "one", "main");
    step(made, "two", "main");
    made.git(&["branch", "first-one", "one"]);
    made.git(&["branch", "first-two", "two"]);
    made.git(&["checkout", "--quiet", "one"]);
    made.git(&["merge", "--quiet", "-m", "two into one", "first-two"]);
    made.git(&["checkout", "--quiet", "two"]);
    made.git(&["merge", "--quiet", "-m", "one into two", "first-one"]);
    for branch in ["one", "two"] {
        made.git(&["checkout", "--quiet", branch]);
        made.write(&format!("{branch}-last.txt"), "x");
        made.commit("last");
    }
}

#[test]
fn merges_that_cross_and_merges_of_many() {
    each_git(|program, made| {
        criss_cross(&made);
        let names = ["a", "b", "c", "d"];
        for name in names {
            step(&made, name, "main");
        }
        made.git(&["checkout", "--quiet", "-B", "many", "main"]);
        made.git(&["merge", "--quiet", "-m", "many", "a", "b", "c", "d"]);
        made.git(&["checkout", "--quiet", "--orphan", "alone"]);
        made.commit("alone");
        made.git(&["checkout", "--quiet", "-b", "joined", "main"]);
        made.git(&[
            "merge",
            "--quiet",
            "--allow-unrelated-histories",
            "-s",
            "ours",
            "-m",
            "joined",
            "alone",
        ]);
        let revs = ["main", "one", "two", "a", "d", "many", "alone", "joined"];
        check(&made, program, &revs);
        // The same answers by a graph file, and by one that no longer fits all commits.
        made.git(&["commit-graph", "write", "--reachable"]);
        check(&made, program, &revs);
        step(&made, "later", "many");
        check(&made, program, &["later", "two", "many", "alone"]);
        for rev in ["many", "joined", "two"] {
            same_as_git(&made, program, rev);
        }
    });
}

#[test]
fn replaced_commits_count_as_git_counts_them() {
    each_git(|program, made| {
        step(&made, "one", "main");
        step(&made, "two", "one");
        step(&made, "other", "main");
        made.git(&["commit-graph", "write", "--reachable"]);
        made.git(&["replace", "one", "other"]);
        check(&made, program, &["main", "one", "two", "other"]);
        same_as_git(&made, program, "one");
        made.git(&["replace", "--graft", "two", "main"]);
        check(&made, program, &["main", "one", "two", "other"]);
        made.git(&["config", "core.useReplaceRefs", "false"]);
        check(&made, program, &["main", "one", "two", "other"]);
        same_as_git(&made, program, "one");
    });
}

#[test]
fn grafts_are_refused_with_the_remedy() {
    each_git(|program, made| {
        let [head, first] = ["HEAD", "HEAD~1"].map(|rev| made.git(&["rev-parse", rev]));
        made.write(".git/info/grafts", "# nothing\n\n");
        Repository::discover_with_git(made.path(), program).unwrap();
        made.write(".git/info/grafts", format!("{head}\n"));
        let error = Repository::discover_with_git(made.path(), program).unwrap_err();
        assert_eq!(error.kind(), GitErrorKind::Unsupported, "{error}");
        assert!(error.to_string().contains("info/grafts"), "{error}");
        let hint = error.hint().unwrap();
        assert!(hint.contains("git replace --convert-graft-file"), "{hint}");
        made.git(&["replace", "--convert-graft-file"]);
        check(&made, program, &[&head, &first]);
    });
}

#[test]
fn clones_that_end_early() {
    each_git(|program, made| {
        step(&made, "topic", "main");
        step(&made, "topic", "topic");
        let whole = made.git(&["rev-parse", "topic"]);
        for (depth, first_missing) in [(1, "HEAD~1"), (2, "HEAD~2")] {
            let depth = format!("--depth={depth}");
            let clone = made.clone_with(&[&depth, "--branch=topic", "--no-single-branch"]);
            let repository = Repository::discover_with_git(clone.path(), program).unwrap();
            assert_eq!(repository.resolve("HEAD").unwrap().as_str(), whole);
            let error = repository.resolve(first_missing).unwrap_err();
            assert_eq!(error.kind(), GitErrorKind::Shallow, "{error}");
            let hint = error.hint().unwrap();
            assert!(hint.contains("fetch-depth: 2"), "{hint}");
            assert!(hint.contains("git fetch --deepen"), "{hint}");
            let [head, main] = ["HEAD", "origin/main"].map(|rev| repository.resolve(rev).unwrap());
            // A parent beyond the boundary counts where another branch brought it: the true answer or none.
            match repository.merge_base(&main, &head) {
                Ok(base) => assert_eq!(base.unwrap().as_str(), made.git(&["rev-parse", "main"])),
                Err(error) => assert_eq!(error.kind(), GitErrorKind::Shallow, "{error}"),
            }
            same_as_git(&clone, program, "HEAD");
        }
        let clone = made.clone_with(&["--depth=3", "--branch=topic", "--no-single-branch"]);
        check(&clone, program, &["HEAD", "origin/main", "HEAD~1"]);
        same_as_git(&clone, program, "HEAD~1");
    });
}

#[test]
fn tags_of_every_kind() {
    each_git(|program, made| {
        made.git(&["tag", "-a", "-m", "note", "inner", "HEAD~1"]);
        made.git(&["tag", "-a", "-m", "note", "outer", "inner"]);
        made.git(&["tag", "-a", "-m", "note", "outermost", "outer"]);
        made.git(&["tag", "-a", "-m", "note", "tree", "HEAD^{tree}"]);
        made.git(&["tag", "-a", "-m", "note", "blob", "HEAD:plain.txt"]);
        check(&made, program, &["inner", "outer", "outermost", "main"]);
        same_as_git(&made, program, "outermost");
        let repository = Repository::discover_with_git(made.path(), program).unwrap();
        for rev in ["tree", "blob", "HEAD^{tree}", "HEAD:plain.txt"] {
            let error = repository.resolve(rev).unwrap_err();
            assert_eq!(error.kind(), GitErrorKind::UnknownRevision, "{error}");
            assert_eq!(error.rev(), Some(rev));
        }
        // The id of a tag object, whole and short.
        let id = made.git(&["rev-parse", "outer"]);
        let first = made.git(&["rev-parse", "HEAD~1"]);
        for rev in [id.as_str(), id.get(..12).unwrap()] {
            assert_eq!(repository.resolve(rev).unwrap().as_str(), first);
        }
    });
}
