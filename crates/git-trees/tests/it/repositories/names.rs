//! Names of references: git's own choice among several, and names that mean one thing only.

use git_trees::Repository;

use super::{attempt, each_git};

#[test]
fn odd_names_mean_what_git_takes_them_for() {
    each_git(|program, made| {
        let id = made.git(&["rev-parse", "HEAD~1"]);
        let names = [
            "refs/heads/plain.txt",
            "refs/heads/HEAD",
            "refs/tags/HEAD",
            "refs/heads/main/../x",
            "refs/heads/-dash",
            "refs/heads/ünï/çødé",
            "refs/heads/quote\"and'one",
            "refs/heads/a{b",
            "refs/heads/x@y",
            "refs/heads/%41",
            "refs/heads/(a|b)&c;d$e",
            "refs/heads/refs/heads/main",
            "refs/heads/origin/main",
            "refs/tags/main",
            "refs/heads/deadbeef",
            "refs/heads/v1-3-gabcdef0",
            "refs/pull/1/merge",
            "refs/stash",
            "refs/heads/head",
            "refs/tags/heads/main",
            "ORIG_HEAD",
            &format!("refs/heads/{id}"),
            &format!("refs/heads/{}", id.get(..9).unwrap()),
        ];
        let mut revs = vec!["@".to_owned(), "main".to_owned(), id.clone()];
        for (number, name) in names.iter().enumerate() {
            // Each on a commit of its own, so that a wrong choice is seen.
            let commit = made.git(&[
                "commit-tree",
                "-m",
                &format!("{number}"),
                "-p",
                "HEAD",
                "HEAD^{tree}",
            ]);
            let done = attempt(program, made.path(), &["update-ref", name, &commit]);
            if !done.status.success() {
                continue; // No name for git either.
            }
            let mut rest = *name;
            revs.push(rest.to_owned());
            while let Some((_, tail)) = rest.split_once('/') {
                revs.push(tail.to_owned());
                rest = tail;
            }
        }
        for packed in [false, true] {
            if packed {
                made.git(&["pack-refs", "--all"]);
            }
            let repository = Repository::discover_with_git(made.path(), program).unwrap();
            for rev in &revs {
                let spec = format!("{rev}^{{commit}}");
                let arguments = [
                    "rev-parse",
                    "--verify",
                    "--quiet",
                    "--end-of-options",
                    &spec,
                ];
                let asked = attempt(program, made.path(), &arguments);
                let text = String::from_utf8(asked.stdout).unwrap();
                let theirs = text.lines().last().filter(|_| asked.status.success());
                let ours = repository.resolve(rev).ok();
                assert_eq!(ours.as_ref().map(AsRef::as_ref), theirs, "{rev}");
            }
        }
    });
}

#[test]
fn the_default_branch_is_not_mistaken_for_another() {
    each_git(|program, made| {
        let main = made.git(&["rev-parse", "main"]);
        let clone = made.clone_with(&[]);
        clone.git(&[
            "checkout",
            "--quiet",
            "-b",
            "topic",
            "--track",
            "origin/main",
        ]);
        clone.write("new.txt", "new\n");
        let topic = clone.commit("topic");
        let look = || Repository::discover_with_git(clone.path(), program).unwrap();
        let named = |repository: &Repository| {
            [repository.default_branch(), repository.upstream_of_head()].map(Option::unwrap)
        };
        assert_eq!(named(&look()), ["origin/main", "origin/main"]);
        for name in [
            "refs/tags/origin/main",
            "refs/heads/origin/main",
            "refs/tags/remotes/origin/main",
            "refs/origin/main",
        ] {
            // What was pushed as a tag or a branch of this name is no base.
            clone.git(&["update-ref", name, &topic]);
            let repository = look();
            for branch in named(&repository) {
                assert_eq!(
                    repository.resolve(&branch).unwrap().as_str(),
                    main,
                    "{name}: {branch}"
                );
            }
            let branch = repository.branch_of_remote("origin", "main").unwrap();
            assert_eq!(repository.resolve(&branch).unwrap().as_str(), main);
            assert_eq!(repository.branch_of_remote("origin", "nothing"), None);
        }
        // Without a remote.
        made.git(&["tag", "main", "HEAD~1"]);
        let repository = Repository::discover_with_git(made.path(), program).unwrap();
        let branch = repository.default_branch().unwrap();
        assert_eq!(repository.resolve(&branch).unwrap().as_str(), main);
        assert_eq!(repository.local_branch("main").unwrap(), branch);
    });
}
