//! The patches of the sample repository, and what is true about each.
use patch_verdict_core::Verdict;

const LEDGER: &str = include_str!("sample/ledger.py");
const TEST_MONEY: &str = include_str!("sample/test_money.py");
const TEST_LEDGER: &str = include_str!("sample/test_ledger.py");
const TEST_ORDER: &str = include_str!("sample/test_order.py");

/// One patch: what it does, and the verdict it deserves.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Scenario {
    /// The branch that holds the patch.
    pub branch: &'static str,
    /// The branch it is based on.
    pub base: &'static str,
    /// The subject of its commit.
    pub subject: &'static str,
    /// What a person should know before reading the verdict.
    pub story: &'static str,
    /// The verdict it deserves.
    pub verdict: Verdict,
    /// The reason it deserves it for.
    pub reason: &'static str,
    /// Files of the base: path and content.
    pub(crate) before: Vec<(&'static str, String)>,
    /// Files that the patch writes.
    pub(crate) after: Vec<(&'static str, String)>,
}

fn sample() -> Vec<(&'static str, String)> {
    vec![
        ("ledger.py", LEDGER.to_owned()),
        ("tests/test_money.py", TEST_MONEY.to_owned()),
        ("tests/test_ledger.py", TEST_LEDGER.to_owned()),
        (
            "pyproject.toml",
            "[tool.pytest.ini_options]\ntestpaths = [\"tests\"]\npythonpath = [\".\"]\n".to_owned(),
        ),
        (
            ".gitignore",
            "__pycache__/\n.hypothesis/\n.pytest_cache/\n.patch-verdict/\n".to_owned(),
        ),
    ]
}

/// All scenarios, in the order in which the demo shows them.
#[expect(clippy::too_many_lines, reason = "a table, one entry a patch")]
pub fn scenarios() -> Vec<Scenario> {
    let broken_show = LEDGER.replace("{abs(cents) % 100:02d}", "{abs(cents) % 100}");
    let tidy_split = LEDGER.replace(
        "    share, rest = divmod(cents, people)\n    return [share + 1] * rest + [share] * (people - rest)\n",
        "    share, rest = divmod(cents, people)\n    return [share + (index < rest) for index in range(people)]\n",
    );
    let balance = "        return sum(cents for name, cents in self.entries if name == account)\n";
    let no_account = "        booked = [cents for name, cents in self.entries if name == account]\n        return sum(booked) if booked else None\n";
    let balance_or_none = LEDGER.replace(balance, no_account);
    let weaker = TEST_LEDGER.replace(
        "balance(\"nobody\") == 0",
        "balance(\"nobody\") in (0, None)",
    );
    let overdrawn = "\n\ndef test_overdrawn_account():\n    ledger = Ledger()\n    ledger.book(\"ana\", -100)\n    assert ledger.balance(\"ana\") == 0\n";
    let mut with_flake = sample();
    with_flake.push(("tests/test_order.py", TEST_ORDER.to_owned()));
    let mut with_bug = sample();
    with_bug.retain(|(path, _)| *path != "ledger.py");
    with_bug.push(("ledger.py", broken_show.clone()));
    vec![
        Scenario {
            branch: "clean",
            base: "main",
            subject: "ledger: split in one expression",
            story: "a refactoring that changes no behaviour",
            verdict: Verdict::Accept,
            reason: "both_pass",
            before: sample(),
            after: vec![("ledger.py", tidy_split.clone())],
        },
        Scenario {
            branch: "regression",
            base: "main",
            subject: "ledger: simpler formatting",
            story: "the patch loses the zero of `12.05`",
            verdict: Verdict::Reject,
            reason: "regression",
            before: sample(),
            after: vec![("ledger.py", broken_show)],
        },
        Scenario {
            branch: "shared-flake",
            base: "flaky-main",
            subject: "ledger: split in one expression",
            story: "a test that shuffles fails now and then, before and after the patch",
            verdict: Verdict::ProposeFreeze,
            reason: "shared_variant_fail",
            before: with_flake,
            after: vec![("ledger.py", tidy_split)],
        },
        Scenario {
            branch: "cleared-failure",
            base: "broken-main",
            subject: "ledger: two digits for cents",
            story: "the base is red; the patch mends it",
            verdict: Verdict::Accept,
            reason: "parent_fail_cleared",
            before: with_bug,
            after: vec![("ledger.py", LEDGER.to_owned())],
        },
        Scenario {
            branch: "changed-test",
            base: "main",
            subject: "ledger: no balance without an account",
            story: "the patch breaks a promise, and rewrote the one test that would show it",
            verdict: Verdict::SpecReview,
            reason: "changed",
            before: sample(),
            after: vec![
                ("ledger.py", balance_or_none),
                ("tests/test_ledger.py", weaker),
            ],
        },
        Scenario {
            branch: "new-failing-test",
            base: "main",
            subject: "ledger: an overdrawn account is empty",
            story: "the patch adds a test that does not pass",
            verdict: Verdict::Reject,
            reason: "new_test_failed",
            before: sample(),
            after: vec![("tests/test_ledger.py", format!("{TEST_LEDGER}{overdrawn}"))],
        },
    ]
}
