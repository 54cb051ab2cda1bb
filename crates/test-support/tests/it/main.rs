//! Integration tests of `test-support`, through its public interface.

use test_support::{TestRepository, cases};

#[test]
fn ids_are_the_same_everywhere() {
    let made = || {
        let repository = TestRepository::new();
        repository.write("a.txt", "one\n");
        repository.commit("first")
    };
    assert_eq!(made(), "e45708ff9cbc6a74f39f3d25c1b572eade4bf60c");
    assert_eq!(made(), made());
}

#[test]
fn the_machine_changes_nothing() {
    let repository = TestRepository::new();
    let listed = repository.git(&["config", "--list", "--show-scope"]);
    assert!(
        listed.lines().all(|line| line.starts_with("local")),
        "{listed}"
    );
    assert_eq!(repository.git(&["branch", "--show-current"]), "main");
}

#[test]
fn clones_and_views() {
    let repository = TestRepository::new();
    repository.write("a.txt", "one\n");
    repository.commit("first");
    repository.commit("second");
    let clone = repository.clone_with(&["--depth=1"]);
    assert_eq!(clone.git(&["rev-list", "--count", "HEAD"]), "1");
    assert_eq!(
        repository
            .view(clone.path())
            .git(&["rev-list", "--count", "HEAD"]),
        "1"
    );
}

#[test]
fn cases_are_sorted_by_name() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["b", "a.json", ".hidden", "c"] {
        std::fs::write(folder.path().join(name), "").unwrap();
    }
    let names: Vec<_> = cases(folder.path())
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    assert_eq!(names, ["a.json", "b", "c"]);
}
