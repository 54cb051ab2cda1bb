//! What a person does with a verdict.
use patch_verdict_core::Verdict;
use patch_verdict_core::wire::VerdictDocument;

/// One or two sentences: the next step.
pub(crate) fn next_step(document: &VerdictDocument) -> String {
    let text = match (document.verdict, document.reason.as_str()) {
        (Verdict::Accept, _) if document.scope.narrowed => {
            "only part of the suite was judged: run `patch-verdict check` without a scope before merging"
        }
        (Verdict::Accept, "parent_fail_cleared") => {
            "merge as usual; a failure went away, so look that its test still proves the same"
        }
        (Verdict::Accept, _) => "merge as usual",
        (Verdict::ProposeFreeze, _) => {
            "the failure was there before, and this is not yet leave to merge: \
             give the flaky test an owner, and have a person sign the ticket"
        }
        (Verdict::SpecReview, "harness_changed") => {
            "a person compares the test tools of both sides (named above) before merging"
        }
        (Verdict::SpecReview, "no_property_left") => {
            "nothing could be compared: a person reads patch and tests before merging"
        }
        (Verdict::SpecReview, "uncollectable") => {
            "those files have no baseline: mend them on the base, or a person reads their tests before merging"
        }
        (Verdict::SpecReview, "unjudged_failure") => {
            "run `patch-verdict check` without a scope: it tells whether these failures are new"
        }
        (Verdict::SpecReview, "frozen_failed") => {
            "the freeze hides a test that this patch may have broken: a person looks before merging"
        }
        (Verdict::SpecReview, _) => {
            "a person reads what the patch did to the tests named above before merging"
        }
        (Verdict::NotApplicable, "foreign_code") => {
            "give each tree its own environment: a `setup` command in patch-verdict.toml, \
             or PYTHONPATH in `[env] set`"
        }
        (Verdict::NotApplicable, "setup_failed") => {
            "mend the set-up on the parent (log below), then check again"
        }
        (Verdict::NotApplicable, _) => "mend what is named above, then check again",
        (Verdict::Reject, "uniform_fail") => {
            "the tests fail with and without this patch: mend them on the base, or judge the patch by others"
        }
        (Verdict::Reject, "missing_seed") => {
            "see the log of the run that lacks results; a crash or a timeout is a failure of the patch until shown otherwise"
        }
        (Verdict::Reject, "not_isolated") => {
            "run where namespaces are allowed (`patch-verdict doctor` says what is missing)"
        }
        (Verdict::Reject, "setup_failed") => "the patch breaks the set-up: see its log",
        (Verdict::Reject, "uncollectable") => {
            "mend the files named above: a test that cannot be loaded cannot pass"
        }
        (Verdict::Reject, "exit_mismatch") => {
            "see that run's log: the command ended in a way its report does not explain"
        }
        (Verdict::Reject, "incomplete_contract") => {
            "see the logs: without results on both sides nothing can be compared"
        }
        (Verdict::Reject, "freeze_expired") => {
            "the freeze manifest is past its date: sweep again, or delete the entries"
        }
        (Verdict::Reject, _) => "mend the patch; a rerun answers nothing",
    };
    text.to_owned()
}

/// The command of the next step, where there is one: ready to be copied into a shell.
pub(crate) fn next_command(document: &VerdictDocument) -> Option<String> {
    let folder = document.review_dir.as_ref()?;
    (document.verdict == Verdict::ProposeFreeze).then(|| {
        let ticket = quoted(&format!("{}/ticket.toml", folder.trim_end_matches('/')));
        format!("patch-verdict gate ticket approve {ticket}")
    })
}

/// A path as one word of a shell.
fn quoted(path: &str) -> String {
    let plain = |character: char| character.is_alphanumeric() || "/._-+:@,".contains(character);
    if path.chars().all(plain) {
        return path.to_owned();
    }
    format!("'{}'", path.replace('\'', r"'\''"))
}
