//! Opening, resolving, merge bases and what commits say.

use std::path::Path;

use git_trees::{GitErrorKind, Repository};
use test_support::TestRepository;

use crate::setup::open;

fn three_commits(made: &TestRepository) -> Vec<String> {
    ["one", "two", "three"]
        .map(|name| {
            made.write(&format!("{name}.txt"), name);
            made.commit(name)
        })
        .to_vec()
}

#[test]
fn revisions() {
    let made = TestRepository::new();
    let ids = three_commits(&made);
    made.git(&["tag", "--annotate", "-m", "note", "v1", "HEAD~1"]);
    made.git(&["tag", "light", "HEAD~2"]);
    let repository = open(&made);
    for (rev, expected) in [
        ("HEAD", 2),
        ("@", 2),
        ("main", 2),
        ("refs/heads/main", 2),
        ("HEAD~1", 1),
        ("HEAD^", 1),
        ("HEAD~2", 0),
        ("v1", 1),
        ("v1^{}", 1),
        ("v1~1", 0),
        ("light", 0),
        (&ids[1], 1),
        (ids[1].get(..10).unwrap(), 1),
        (&ids[1].to_uppercase(), 1),
    ] {
        assert_eq!(
            repository.resolve(rev).unwrap().as_str(),
            ids[expected],
            "{rev}"
        );
    }
    for rev in [
        "nothing",
        "HEAD~3",
        "",
        "main..v1",
        "--all",
        "HEAD:one.txt",
        "main:",
        "0000000000000000000000000000000000000000",
        "zzzz",
    ] {
        let error = repository.resolve(rev).unwrap_err();
        assert_eq!(
            error.kind(),
            GitErrorKind::UnknownRevision,
            "{rev}: {error}"
        );
        assert_eq!(error.rev(), Some(rev));
    }
    let head = repository.resolve("HEAD").unwrap();
    assert_eq!(repository.subject(&head).unwrap(), "three");
    assert_eq!(repository.commit_time(&head).unwrap(), 1_767_225_600);
    assert_eq!(
        repository.parents(&head).unwrap(),
        [repository.resolve("HEAD~1").unwrap()]
    );
    assert_eq!(
        repository.tree_of(&head).unwrap(),
        made.git(&["rev-parse", "HEAD^{tree}"])
    );
}

#[test]
fn merge_bases() {
    let made = TestRepository::new();
    let ids = three_commits(&made);
    made.git(&["checkout", "--quiet", "-b", "side", &ids[0]]);
    made.write("side.txt", "side");
    made.commit("side");
    made.git(&["checkout", "--quiet", "--orphan", "alone"]);
    made.commit("alone");
    let repository = open(&made);
    let [main, side, alone, root] =
        ["main", "side", "alone", &ids[0]].map(|rev| repository.resolve(rev).unwrap());
    assert_eq!(
        repository.merge_base(&main, &side).unwrap(),
        Some(root.clone())
    );
    assert_eq!(
        repository.merge_base(&side, &main).unwrap(),
        Some(root.clone())
    );
    assert_eq!(
        repository.merge_base(&main, &main).unwrap(),
        Some(main.clone())
    );
    assert_eq!(repository.merge_base(&main, &alone).unwrap(), None);
    assert!(repository.is_ancestor(&root, &main).unwrap());
    assert!(!repository.is_ancestor(&main, &root).unwrap());
    assert!(!repository.is_ancestor(&side, &main).unwrap());
    assert!(!repository.is_ancestor(&alone, &main).unwrap());
}

#[test]
fn shallow_clones_say_so() {
    let made = TestRepository::new();
    let ids = three_commits(&made);
    made.git(&["checkout", "--quiet", "-b", "side", &ids[0]]);
    made.write("side.txt", "side");
    made.commit("side");
    made.git(&["checkout", "--quiet", "main"]);
    let clone = made.clone_with(&["--depth=1", "--no-single-branch"]);
    let repository = open(&clone);
    assert!(repository.is_shallow());
    let head = repository.resolve("HEAD").unwrap();
    assert_eq!(head.as_str(), ids[2]);
    for rev in [
        "HEAD~1",
        "HEAD^",
        &ids[0],
        ids[0].get(..12).unwrap(),
        "nothing",
    ] {
        let error = repository.resolve(rev).unwrap_err();
        assert_eq!(error.kind(), GitErrorKind::Shallow, "{rev}: {error}");
        let hint = error.hint().unwrap();
        assert!(
            hint.contains("fetch-depth: 2") && hint.contains("git fetch --deepen"),
            "{hint}"
        );
    }
    let parent = repository.parents(&head).unwrap().remove(0);
    assert_eq!(parent.as_str(), ids[1]);
    assert_eq!(
        repository.tree_of(&parent).unwrap_err().kind(),
        GitErrorKind::Shallow
    );
    let side = repository.resolve("origin/side").unwrap();
    let error = repository.merge_base(&head, &side).unwrap_err();
    assert_eq!(error.kind(), GitErrorKind::Shallow, "{error}");
}

#[test]
fn no_repository_and_no_commit() {
    let folder = tempfile::tempdir().unwrap();
    let error = Repository::discover(folder.path()).unwrap_err();
    assert_eq!(error.kind(), GitErrorKind::NotARepository);
    assert_eq!(error.path(), Some(folder.path()));
    let error = Repository::discover(Path::new("/nowhere/at/all")).unwrap_err();
    assert_eq!(error.kind(), GitErrorKind::NotARepository);
    let made = TestRepository::new();
    let repository = open(&made);
    for rev in ["HEAD", "HEAD~1", "@"] {
        let error = repository.resolve(rev).unwrap_err();
        assert_eq!(error.kind(), GitErrorKind::NoCommits, "{rev}: {error}");
    }
    let error = repository.resolve("main").unwrap_err();
    assert_eq!(error.kind(), GitErrorKind::UnknownRevision);
}

#[test]
fn short_ids_of_several_commits() {
    use std::fmt::Write as _;
    let made = TestRepository::new();
    let mut stream = String::new();
    for number in 0..800 {
        let author = "A <a@example.com> 1767225600 +0000";
        let text = format!("commit {number}");
        write!(
            stream,
            "commit refs/heads/main\ncommitter {author}\ndata {}\n{text}\n",
            text.len()
        )
        .unwrap();
    }
    made.write("stream", &stream);
    let input = std::fs::File::open(made.join("stream")).unwrap();
    let import = test_support::git_command(Path::new("git"), made.path())
        .args(["fast-import", "--quiet"])
        .stdin(input)
        .status();
    assert!(import.unwrap().success());
    let listed = made.git(&["rev-list", "main"]);
    let mut ids: Vec<_> = listed.lines().collect();
    ids.sort_unstable();
    let shorts: Vec<_> = ids.iter().filter_map(|id| id.get(..4)).collect();
    let twins = shorts.windows(2).find(|pair| pair.first() == pair.last());
    let short = *twins.and_then(<[_]>::first).unwrap();
    let repository = open(&made);
    for rev in [short.to_owned(), format!("{short}~1")] {
        let error = repository.resolve(&rev).unwrap_err();
        assert_eq!(
            error.kind(),
            GitErrorKind::AmbiguousRevision,
            "{rev}: {error}"
        );
        assert!(error.hint().is_some());
    }
    let error = repository.resolve(&format!("{short}-branch")).unwrap_err();
    assert_eq!(error.kind(), GitErrorKind::UnknownRevision);
    // A branch of that name wins, as in git.
    made.git(&["branch", short, "main~5"]);
    assert_eq!(
        repository.resolve(short).unwrap(),
        repository.resolve("main~5").unwrap()
    );
    // Of a tag and a branch with one name, the tag.
    made.git(&["branch", "twice", "main~1"]);
    made.git(&["tag", "twice", "main~2"]);
    assert_eq!(
        repository.resolve("twice").unwrap(),
        repository.resolve("main~2").unwrap()
    );
    assert_eq!(repository.resolve(":/commit 42").unwrap().as_str(), {
        made.git(&["rev-parse", ":/commit 42"])
    });
}

#[test]
fn references_in_another_storage() {
    let folder = tempfile::tempdir().unwrap();
    let made = test_support::git_command(Path::new("git"), folder.path())
        .args(["init", "--quiet", "--ref-format=reftable", "."])
        .output()
        .unwrap();
    if !made.status.success() {
        return; // This git is older than that format.
    }
    let error = Repository::discover(folder.path()).unwrap_err();
    assert_eq!(error.kind(), GitErrorKind::Unsupported, "{error}");
    assert!(error.hint().unwrap().contains("git refs migrate"));
}
