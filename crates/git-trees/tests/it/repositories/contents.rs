//! What trees hold: links, names, attributes, filters, pointers of large files.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::process::Stdio;

use git_trees::{GitErrorKind, Repository};
use test_support::{TestRepository, git_command};

use super::{by_us, each_git, not_checked, same_as_git, two_commits};

/// A commit of the given paths and contents, whatever the file system would say.
#[track_caller]
fn by_import(made: &TestRepository, program: &Path, files: &[(&[u8], &str, &[u8])]) -> String {
    use std::io::Write as _;
    let mut stream =
        b"commit refs/heads/imported\ncommitter A <a@example.com> 1767225600 +0000\ndata 1\nx\n"
            .to_vec();
    for (path, mode, content) in files {
        let name: String = path
            .iter()
            .map(|byte| match byte {
                b'"' | b'\\' => format!("\\{}", char::from(*byte)),
                0x20..0x7f => char::from(*byte).to_string(),
                _ => format!("\\{byte:03o}"),
            })
            .collect();
        stream.extend_from_slice(
            format!("M {mode} inline \"{name}\"\ndata {}\n", content.len()).as_bytes(),
        );
        stream.extend_from_slice(content);
        stream.push(b'\n');
    }
    let mut import = git_command(program, made.path())
        .args(["fast-import", "--quiet", "--force"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    import.stdin.take().unwrap().write_all(&stream).unwrap();
    assert!(import.wait().unwrap().success());
    made.git(&["rev-parse", "imported"])
}

#[test]
fn names_links_and_depths() {
    let long = [b'n'; 255];
    let deep = [b"deep/".repeat(300), b"file".to_vec()].concat();
    each_git(|program, made| {
        let files: Vec<(&[u8], &str, &[u8])> = vec![
            (b"Case.txt", "100644", b"upper"),
            (b"case.txt", "100644", b"lower"),
            (b"CASE/x", "100644", b"upper"),
            (b"Case/x", "100644", b"mixed"),
            ("caf\u{e9}".as_bytes(), "100644", b"composed"),
            ("cafe\u{301}".as_bytes(), "100644", b"decomposed"),
            (b"new\nline", "100644", b"x"),
            (b"tab\tand \"quote\"", "100644", b"x"),
            (b"back\\slash", "100644", b"x"),
            (b"not utf8 \xff\xfe", "100755", b"x"),
            (b" lead and trail ", "100644", b"x"),
            (b"-dash", "100644", b"x"),
            (b"con:colon*?<>|", "100644", b"x"),
            (b"aux", "100644", b"x"),
            (b"trailing.", "100644", b"x"),
            (&long, "100644", b"x"),
            (&deep, "100644", b"x"),
            (b"links/dangling", "120000", b"nowhere/at/all"),
            (b"links/absolute", "120000", b"/etc/passwd"),
            (b"links/out", "120000", b"../../../.."),
            (b"links/loop", "120000", b"loop"),
            (b"links/one", "120000", b"two"),
            (b"links/two", "120000", b"one"),
            (b"links/folder", "120000", b"../CASE"),
            (b"links/not utf8", "120000", b"\xff/\xfe"),
            (b".gitignore", "100644", b"*\n"),
            (b"crlf", "100644", b"a\r\nb\r\n"),
            (b"no end", "100644", b"x"),
            (b"nothing", "100644", b""),
        ];
        let id = by_import(&made, program, &files);
        same_as_git(&made, program, &id);
        let repository = Repository::discover_with_git(made.path(), program).unwrap();
        let commit = repository.resolve(&id).unwrap();
        let listed = repository.files(&commit).unwrap();
        assert_eq!(listed.len(), files.len());
        for (path, mode, content) in &files {
            let entry = listed.iter().find(|entry| {
                entry.path.as_bytes() == *path
                    || (entry.path.starts_with('"')
                        && repository
                            .read_file(&commit, &entry.path)
                            .unwrap()
                            .as_deref()
                            == Some(content))
            });
            let entry = entry.unwrap();
            if entry.path.as_bytes() == *path {
                assert_eq!(format!("{:o}", entry.mode), *mode);
            }
            let read = repository.read_file(&commit, &entry.path).unwrap();
            assert_eq!(read.unwrap(), *content, "{}", entry.path);
        }
    });
}

#[test]
fn names_that_git_will_not_write() {
    each_git(|program, made| {
        for path in [&b".git/hooks/x"[..], b"a/.GIT/config", b"a/../../x"] {
            // Git makes no such tree by itself: one is written by hand.
            let blob = made.git(&["rev-parse", "HEAD:plain.txt"]);
            let mut tree = None;
            for part in path.split(|byte| *byte == b'/').rev() {
                let name = std::str::from_utf8(part).unwrap();
                let (mode, kind, id) = match &tree {
                    None => ("100644", "blob", &blob),
                    Some(id) => ("040000", "tree", id),
                };
                made.write(".git/entry", format!("{mode} {kind} {id}\t{name}\n"));
                let input = std::fs::File::open(made.join(".git/entry")).unwrap();
                let output = git_command(program, made.path())
                    .arg("mktree")
                    .stdin(input)
                    .output()
                    .unwrap();
                assert!(output.status.success());
                tree = Some(String::from_utf8(output.stdout).unwrap().trim().to_owned());
            }
            made.remove(".git/entry");
            let id = made.git(&["commit-tree", "-m", "x", &tree.unwrap()]);
            let repository = Repository::discover_with_git(made.path(), program).unwrap();
            let commit = repository.resolve(&id).unwrap();
            let place = tempfile::tempdir().unwrap();
            let outcome = repository.add_worktree(&commit, &place.path().join("in/ours"));
            let error = outcome.unwrap_err();
            assert_eq!(error.kind(), GitErrorKind::GitFailed, "{error}");
            assert!(error.to_string().contains("invalid path"), "{error}");
            assert!(!place.path().join("in/x").exists() && !place.path().join("in/ours").exists());
            assert!(!made.join(".git/worktrees").exists());
        }
    });
}

#[test]
fn paths_longer_than_the_system_takes() {
    each_git(|program, made| {
        let path = [b"some/folder/".repeat(400), b"file".to_vec()].concat();
        let id = by_import(&made, program, &[(&path, "100644", b"x")]);
        let repository = Repository::discover_with_git(made.path(), program).unwrap();
        let commit = repository.resolve(&id).unwrap();
        let name = String::from_utf8(path).unwrap();
        assert_eq!(repository.read_file(&commit, &name).unwrap().unwrap(), b"x");
        let place = tempfile::tempdir().unwrap();
        let ours = place.path().join("ours");
        let error = repository.add_worktree(&commit, &ours).unwrap_err();
        assert!(error.to_string().contains("too long"), "{error}");
        assert!(!ours.exists() && !made.join(".git/worktrees").exists());
    });
}

#[test]
fn attributes_and_settings_together() {
    let contents: [(&str, &[u8]); 5] = [
        ("a.txt", b"one\ntwo\n$Id$\n$Format:%H$\n"),
        ("mixed.txt", b"one\r\ntwo\n"),
        ("deep/er/b.txt", b"one\r\ntwo\r\n"),
        ("c.bin", b"one\0\r\ntwo\n"),
        ("d.dat", b"words\n"),
    ];
    let attributes = [
        "",
        "* text=auto\n",
        "* text=auto eol=crlf\n",
        "*.txt text eol=crlf\nmixed.txt -text\n",
        "*.txt ident\n",
        "*.txt export-subst\n*.dat export-ignore\n",
        "*.dat filter=up\n",
        "*.dat filter=undefined\n",
        "*.dat filter=lfs diff=lfs merge=lfs -text\n",
        "*.dat text working-tree-encoding=UTF-16LE-BOM eol=crlf\n",
        "[attr]shout filter=up ident\n*.dat shout\n",
        "*.txt crlf=input\n*.dat -crlf\n",
        "\"a.txt\" eol=crlf\n!a.txt text\n",
    ];
    let settings: [&[(&str, &str)]; 5] = [
        &[],
        &[("core.autocrlf", "true")],
        &[("core.autocrlf", "input"), ("core.safecrlf", "true")],
        &[("core.eol", "crlf")],
        &[("core.symlinks", "false"), ("core.fileMode", "false")],
    ];
    each_git(|program, _| {
        for attributes in attributes {
            let made = two_commits(program, &[]);
            made.git(&["config", "filter.up.smudge", "tr a-z A-Z"]);
            made.git(&["config", "filter.up.clean", "tr A-Z a-z"]);
            for (name, content) in contents {
                made.write(name, content);
            }
            if attributes.contains("UTF-16") {
                let units = "\u{feff}gr\u{fc}\u{df}e\r\n".encode_utf16();
                made.write(
                    "d.dat",
                    units.flat_map(u16::to_le_bytes).collect::<Vec<u8>>(),
                );
            }
            made.write(".gitattributes", attributes);
            made.commit("attributes");
            // Each with each would take minutes: settings count where line ends or a filter are open.
            let open = ["", "* text=auto\n", "*.dat filter=up\n"].contains(&attributes);
            for settings in settings.iter().take(if open { 5 } else { 1 }) {
                for (key, value) in *settings {
                    made.git(&["config", key, value]);
                }
                same_as_git(&made, program, "HEAD");
                for (key, _) in *settings {
                    made.git(&["config", "--unset", key]);
                }
            }
        }
    });
}

#[test]
fn a_required_filter_that_is_missing_is_named() {
    each_git(|program, made| {
        made.write(".gitattributes", "*.dat filter=odd\n");
        made.write("d.dat", "words\n");
        made.commit("filtered");
        made.git(&["config", "filter.odd.smudge", "no-such-program-here %f"]);
        // Not required: the bytes as they are, as git leaves them.
        same_as_git(&made, program, "HEAD");
        made.git(&["config", "filter.odd.required", "true"]);
        let repository = Repository::discover_with_git(made.path(), program).unwrap();
        let head = repository.resolve("HEAD").unwrap();
        let place = tempfile::tempdir().unwrap();
        let ours = place.path().join("ours");
        let error = repository.add_worktree(&head, &ours).unwrap_err();
        assert_eq!(error.kind(), GitErrorKind::FilterFailed, "{error}");
        assert!(error.to_string().contains("d.dat"), "{error}");
        assert!(error.hint().unwrap().contains("`PATH`"), "{error}");
        assert!(!ours.exists() && !made.join(".git/worktrees").exists());
        // The other direction: the work tree cannot be taken up.
        made.git(&["config", "filter.odd.clean", "no-such-program-here %f"]);
        made.write("d.dat", "other\n");
        let error = repository.commit_work_tree(&head).unwrap_err();
        assert_eq!(error.kind(), GitErrorKind::FilterFailed, "{error}");
    });
}

const POINTER: &str = "version https://git-lfs.github.com/spec/v1\noid sha256:ef797c8118f02dfb649607dd5d3f8c7623048c9c063d532cc95c5ed7a898a64f\nsize 8\n";

#[test]
fn pointers_without_git_lfs_stay_pointers() {
    each_git(|program, made| {
        made.write("a.dat", POINTER);
        made.write("deep/b.dat", POINTER.replace("size 8", "size 9"));
        made.write("c.dat", "no pointer\n");
        made.commit("no attributes");
        made.write(
            ".gitattributes",
            "*.dat filter=lfs diff=lfs merge=lfs -text\n",
        );
        made.commit("pointers");
        same_as_git(&made, program, "HEAD");
        let repository = Repository::discover_with_git(made.path(), program).unwrap();
        let pointers = |rev: &str| {
            let commit = repository.resolve(rev).unwrap();
            repository.unfilled_pointers(&commit).unwrap()
        };
        assert_eq!(pointers("HEAD"), ["a.dat", "deep/b.dat"]);
        assert!(pointers("HEAD~1").is_empty());
        let ours = by_us(&repository, "HEAD", program);
        assert_eq!(ours[b"a.dat".as_slice()].1, POINTER.as_bytes());
        // Set up as `git lfs install` does, and the program is not there.
        made.git(&[
            "config",
            "filter.lfs.process",
            "/nowhere/git-lfs filter-process",
        ]);
        made.git(&[
            "config",
            "filter.lfs.smudge",
            "/nowhere/git-lfs smudge -- %f",
        ]);
        made.git(&["config", "filter.lfs.required", "true"]);
        let repository = Repository::discover_with_git(made.path(), program).unwrap();
        let head = repository.resolve("HEAD").unwrap();
        let place = tempfile::tempdir().unwrap();
        let error = repository
            .add_worktree(&head, &place.path().join("ours"))
            .unwrap_err();
        assert_eq!(error.kind(), GitErrorKind::FilterFailed, "{error}");
        assert!(error.hint().unwrap().contains("git-lfs"), "{error}");
    });
}

#[test]
fn pointers_with_git_lfs_are_filled() {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let installed = std::env::split_paths(&path).any(|folder| folder.join("git-lfs").is_file());
    if !installed {
        return not_checked("no `git-lfs` on `PATH`");
    }
    each_git(|program, made| {
        made.git(&["lfs", "install", "--local", "--skip-repo"]);
        made.git(&["lfs", "track", "*.dat"]);
        made.write("a.dat", [0, 1, 2, 255].repeat(1000));
        made.commit("large");
        let blob = made.git(&["cat-file", "blob", "HEAD:a.dat"]);
        assert!(blob.starts_with("version https://git-lfs"), "{blob}");
        let repository = Repository::discover_with_git(made.path(), program).unwrap();
        let head = repository.resolve("HEAD").unwrap();
        assert!(repository.unfilled_pointers(&head).unwrap().is_empty());
        let ours = by_us(&repository, "HEAD", program);
        let bytes = &ours[b"a.dat".as_slice()].1;
        assert_eq!(*bytes, [0, 1, 2, 255].repeat(1000));
        same_as_git(&made, program, "HEAD");
    });
}

#[test]
fn names_of_untracked_files_that_are_not_text() {
    each_git(|program, made| {
        for name in [
            &b"new\nline"[..],
            b"\xff\xfe",
            b"\"quoted\"",
            b"back\\slash",
        ] {
            std::fs::write(made.path().join(OsStr::from_bytes(name)), name).unwrap();
        }
        let repository = Repository::discover_with_git(made.path(), program).unwrap();
        let head = repository.resolve("HEAD").unwrap();
        let untracked = repository.work_tree_status().unwrap().untracked;
        assert_eq!(untracked.len(), 4);
        let commit = repository.commit_work_tree(&head).unwrap();
        for name in untracked {
            let bytes = repository.read_file(&commit, &name).unwrap().unwrap();
            assert!(std::fs::exists(made.path().join(OsStr::from_bytes(&bytes))).unwrap());
        }
        same_as_git(&made, program, commit.as_str());
    });
}
