//! Every run finds the tree as set-up left it.

use serde_json::json;

use crate::drive::{Place, sh};

const LOOK: &str = "cat value sub/inner; find . -path ./.git -prune -o -print | sort; cat kept build/x.o; readlink link; stat -c %a exec";
const SPOIL: &str = "echo spoilt > value; rm -r sub; mkdir -p new/deep; echo x > new/deep/file; echo y > kept; \
    rm build/x.o; ln -sf elsewhere link; chmod 600 exec; rm .gitignore; mkdir .gitignore; chmod 000 new/deep; echo z >> .git";

#[test]
fn what_a_run_changed_is_brought_back_and_set_up_stays() {
    for (containment, pristine) in [
        ("pid_namespace", "overlay"),
        ("pid_namespace", "copies"),
        ("process_group", "copies"),
    ] {
        let place = Place::new();
        let set_up = "mkdir build; echo made > build/x.o; echo made > kept; ln -s here link; echo '#' > exec; chmod 755 exec";
        let runs = place.runs(&json!({
            "containment": containment, "pristine": pristine, "set_up": [set_up],
            "runs": [sh("parent", LOOK), sh("parent", SPOIL), sh("parent", LOOK), sh("patch", LOOK)],
        }));
        assert_eq!(runs[0]["log"], runs[2]["log"]);
        assert!(runs[0]["log"].as_str().unwrap().contains("./build/x.o"));
        assert_eq!(runs[0]["restored"], json!([]));
        let restored = runs[1]["restored"].to_string();
        for name in [
            "value",
            "sub",
            "new",
            "kept",
            "build/x.o",
            "link",
            "exec",
            ".gitignore",
            "\".git\"",
        ] {
            assert!(restored.contains(name), "{name}: {restored}");
        }
        assert!(
            runs[3]["log"]
                .as_str()
                .unwrap()
                .starts_with("patch\ninner\n")
        );
    }
}

#[test]
fn a_rewrite_with_an_old_time_is_seen() {
    let place = Place::new();
    let runs = place.runs(&json!({ "pristine": "copies", "runs": [
        sh("parent", "cp -p value /tmp/../$TMPDIR/old; printf 'PARENT\\n' > value; touch -r $TMPDIR/old value; cat value"),
        sh("parent", "cat value"),
    ]}));
    assert_eq!(runs[0]["log"], "PARENT\n");
    assert_eq!(runs[1]["log"], "parent\n");
}

#[test]
fn a_changed_file_over_the_keep_limit_is_an_error_never_a_dirty_run() {
    let place = Place::new();
    let set_up = "head -c 100000 /dev/zero > large.o; echo small > small.o";
    let lines = place.drive(&json!({
        "pristine": "copies", "keep": 50_000, "set_up": [set_up],
        "runs": [sh("parent", "echo > small.o"), sh("parent", "echo >> large.o"), sh("parent", "true")],
    }));
    let error = lines.last().unwrap();
    assert_eq!(error["kind"], "NotRestorable", "{lines:?}");
    assert!(error["error"].as_str().unwrap().contains("large.o"));
    assert_eq!(
        lines.iter().filter(|line| line["run"].is_string()).count(),
        1
    );
    place.assert_clean();
}

#[test]
fn after_an_error_no_run_is_made_in_a_dirty_tree() {
    use worktree_runner::{
        CancelFlag, RunErrorKind, RunRequest, Silent, Workspace, WorkspaceOptions,
    };
    let place = Place::new();
    let repository = git_trees::Repository::discover(&place.repo()).unwrap();
    let commits = ["HEAD~1", "HEAD"].map(|rev| repository.resolve(rev).unwrap());
    let mut options = WorkspaceOptions::new(place.state(), place.folder.path().join("logs"));
    options.keep_limit_bytes = 0;
    let cancel = CancelFlag::new();
    let commits = (&commits[0], &commits[1]);
    let mut workspace = Workspace::create(&repository, commits, options, &Silent, &cancel).unwrap();
    let request = |line: &str| {
        let argv = ["sh", "-c", line].map(str::to_owned).to_vec();
        RunRequest::new(differential_gate::Side::Parent, argv)
    };
    workspace.run(&request("cat value")).unwrap();
    for line in ["echo spoilt > value", "true"] {
        let error = workspace.run(&request(line)).unwrap_err();
        assert_eq!(error.kind(), RunErrorKind::NotRestorable, "{line}");
    }
    workspace.finish().unwrap();
    place.assert_clean();
}
