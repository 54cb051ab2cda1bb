//! The strip level of headers as tools write them.

use super::strip_level;

#[track_caller]
fn check(patch: &str, level: usize) {
    assert_eq!(strip_level(patch.as_bytes()), level, "{patch}");
}

#[test]
fn levels() {
    check("diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n", 1);
    check("diff --git x.py x.py\n--- x.py\n+++ x.py\n", 0);
    check(
        "diff --git src/x.py src/x.py\n--- src/x.py\n+++ src/x.py\n",
        0,
    );
    check("diff --git i/src/x.py w/src/x.py\n", 1);
    check("diff --git a/a b.py b/a b.py\n", 1);
    check("diff --git \"a/\\303\\274\" \"b/\\303\\274\"\n", 1);
    check(
        "diff --git a/old name b/new other name\nrename from old name\n",
        1,
    );
    check(
        "--- old/x.py\t2026-01-01\n+++ new/x.py\t2026-01-02\n@@ -1 +1 @@\n",
        1,
    );
    check(
        "--- x.py\t2026-01-01\n+++ x.py\t2026-01-02\n@@ -1 +1 @@\n",
        0,
    );
    check("--- src/x.py\n+++ src/x.py\n@@ -1 +1 @@\n", 0);
    check("--- /dev/null\n+++ b/x.py\n", 1);
    check("--- /dev/null\n+++ src/x.py\n", 0);
    check("--- a/src/x.py\n+++ /dev/null\n", 1);
    check(
        "--- /dev/null\n+++ new/x.py\n--- old/y.py\n+++ new/y.py\n",
        1,
    );
    check(
        "From 1234\nSubject: x\n---\n x | 1 +\n\ndiff --git a/x b/x\n",
        1,
    );
    check("", 1);
}
