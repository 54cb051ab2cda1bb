//! Tickets: bound to one patch and one contract, signed by a person, dead at their expiry.
use differential_gate::{
    Approval, Contract, ContractDraft, ContractIdentity, DecisionFacts, DraftRefusal, Property,
    ReasonCode, Refusal, SweptState, TicketDate, approve, decide, draft, sweep, verify,
};

fn day(text: &str) -> TicketDate {
    text.parse().unwrap()
}

fn contract() -> Contract {
    let property = Property::new("t::a", "passes")
        .with_spec_hash("s")
        .with_fixture_closure_hash("f");
    ContractDraft::new("1".repeat(40), "2".repeat(40), vec![1, 2], vec![property])
        .build()
        .unwrap()
}

/// The decision over `parent` and `patch`: `p` or `f` a seed.
fn facts(parent: &str, patch: &str) -> DecisionFacts {
    let contract = contract();
    let rows = |side, outcomes: &str| {
        let mut bytes = Vec::new();
        for (seed, outcome) in [1, 2].into_iter().zip(outcomes.chars()) {
            let (status, witness) = match outcome {
                'p' => (differential_gate::Status::Pass, ""),
                _ => (differential_gate::Status::Fail, "t::a|E|x"),
            };
            let row = differential_gate::Row::new("t::a", seed, status, witness);
            differential_gate::write_row(&mut bytes, &contract, side, &row).unwrap();
        }
        bytes
    };
    let before = rows(differential_gate::Side::Parent, parent);
    let after = rows(differential_gate::Side::Patch, patch);
    let decision = decide(&contract, before.as_slice(), after.as_slice());
    let tool = differential_gate::wire::Tool {
        name: "t".to_owned(),
        version: "0".to_owned(),
        commit: "c".to_owned(),
    };
    let document = serde_json::to_vec(&decision.document(&tool)).unwrap();
    DecisionFacts::parse(&document).unwrap()
}

fn drafted() -> String {
    let identity = ContractIdentity::from(&contract());
    draft(&facts("pf", "fp"), &identity, day("2026-03-01")).unwrap()
}

fn approval(expires: &str, code: ReasonCode, reason: Option<&str>) -> Approval {
    Approval {
        reviewer: "ana".to_owned(),
        expires: day(expires),
        reason_code: code,
        reason: reason.map(str::to_owned),
    }
}

fn signed() -> String {
    let approval = approval("2026-03-31", ReasonCode::Randomness, None);
    approve(&drafted(), &approval, day("2026-03-02"))
        .unwrap()
        .unwrap()
}

#[track_caller]
fn refusals(ticket: &str, patch: &str, hash: &str, today: &str) -> Vec<Refusal> {
    verify(ticket, patch, hash, day(today)).unwrap().refusals
}

#[test]
fn only_a_proposal_makes_a_ticket() {
    let identity = ContractIdentity::from(&contract());
    let today = day("2026-03-01");
    for (parent, patch) in [("pp", "pp"), ("pp", "pf"), ("ff", "ff"), ("pf", "pp")] {
        let refused = draft(&facts(parent, patch), &identity, today);
        assert_eq!(refused, Err(DraftRefusal::NotPropose), "{parent} {patch}");
    }
    let other = ContractIdentity {
        contract_hash: format!("sha256:{}", "0".repeat(64)),
        ..identity
    };
    assert_eq!(
        draft(&facts("pf", "fp"), &other, today),
        Err(DraftRefusal::ContractMismatch)
    );
}

#[test]
fn a_draft_is_no_permission() {
    let hash = contract().hash().to_owned();
    let refused = refusals(&drafted(), &"2".repeat(40), &hash, "2026-03-01");
    assert!(refused.contains(&Refusal::NotApproved), "{refused:?}");
}

#[test]
fn a_signed_ticket_is_good_for_its_patch_and_contract_until_its_day() {
    let (patch, hash) = ("2".repeat(40), contract().hash().to_owned());
    for today in ["2026-03-02", "2026-03-31"] {
        assert_eq!(refusals(&signed(), &patch, &hash, today), [], "{today}");
    }
    assert_eq!(
        refusals(&signed(), &patch, &hash, "2026-04-01"),
        [Refusal::Expired]
    );
    assert_eq!(
        refusals(&signed(), &"3".repeat(40), &hash, "2026-03-02"),
        [Refusal::WrongPatch]
    );
    assert_eq!(
        refusals(&signed(), &patch, "sha256:00", "2026-03-02"),
        [Refusal::WrongContract]
    );
}

#[test]
fn an_approval_is_checked_before_it_is_written() {
    let today = day("2026-03-02");
    let check = |approval: &Approval, wanted: Refusal| {
        assert_eq!(approve(&drafted(), approval, today).unwrap(), Err(wanted));
    };
    check(
        &approval("2026-03-02", ReasonCode::Time, None),
        Refusal::ExpiresOutOfRange,
    );
    check(
        &approval("2026-06-01", ReasonCode::Time, None),
        Refusal::ExpiresOutOfRange,
    );
    check(
        &approval("2026-03-31", ReasonCode::Other, None),
        Refusal::NoReason,
    );
    check(
        &approval("2026-03-31", ReasonCode::Other, Some("  ")),
        Refusal::NoReason,
    );
    let nobody = Approval {
        reviewer: " ".to_owned(),
        ..approval("2026-03-31", ReasonCode::Time, None)
    };
    check(&nobody, Refusal::NoReviewer);
    let again = approval("2026-03-31", ReasonCode::Time, None);
    assert_eq!(
        approve(&signed(), &again, today).unwrap(),
        Err(Refusal::AlreadyApproved)
    );
}

#[test]
fn an_approval_keeps_comments_and_unknown_keys() {
    let text = format!("{}# ours\nteam = \"blue\"\n", drafted());
    let approval = approval("2026-03-31", ReasonCode::Order, Some("a \"quoted\" word"));
    let signed = approve(&text, &approval, day("2026-03-02"))
        .unwrap()
        .unwrap();
    assert!(signed.contains("# ours\nteam = \"blue\""), "{signed}");
    assert!(signed.starts_with("# A review ticket"), "{signed}");
}

#[test]
fn what_is_no_ticket_is_said() {
    for text in [
        "",
        "approved = true",
        "= x",
        &drafted().replace("approved = false", "approved = 1"),
    ] {
        assert!(verify(text, "a", "b", day("2026-03-02")).is_err(), "{text}");
    }
}

#[test]
fn a_sweep_tells_dead_tickets_from_living_ones() {
    let (live, open) = (signed(), drafted());
    let tickets = [
        ("live", live.as_str()),
        ("open", open.as_str()),
        ("other", "x = 1"),
    ];
    let states = |today| -> Vec<String> {
        let swept = sweep(tickets, day(today));
        swept
            .into_iter()
            .map(|ticket| match ticket.state {
                SweptState::Expired(_) => "expired".to_owned(),
                SweptState::Live(_) => "live".to_owned(),
                SweptState::Open => "open".to_owned(),
                other => format!("{other:?}").chars().take(10).collect(),
            })
            .collect()
    };
    assert_eq!(states("2026-03-31"), ["live", "open", "Unreadable"]);
    assert_eq!(states("2026-04-01"), ["expired", "open", "Unreadable"]);
}

#[test]
fn days_are_written_one_way() {
    for text in [
        "2026-3-1",
        "2026-02-30",
        "20260301",
        "2026-03-01T00:00",
        "+2026-03-1",
        "",
    ] {
        assert!(text.parse::<TicketDate>().is_err(), "{text}");
    }
}

#[test]
fn the_note_has_four_lines_or_is_refused() {
    let note = differential_gate::note(&facts("pf", "fp")).unwrap();
    let hash = contract().hash().to_owned();
    let wanted = format!(
        "contract: {hash}\ndecision: propose_freeze (shared_variant_fail)\n\
         reasons: t::a shared_variant_fail\n\
         rows: parent 2 lines, 0 ignored, 1 pass, 1 fail; patch 2 lines, 0 ignored, 1 pass, 1 fail\n"
    );
    assert_eq!(note, wanted);
    let strip = |change: fn(&mut DecisionFacts)| {
        let mut facts = facts("pf", "fp");
        change(&mut facts);
        differential_gate::note(&facts).unwrap_err().to_string()
    };
    assert!(strip(|facts| facts.contract_hash = None).contains("contract hash"));
    assert!(strip(|facts| facts.bound = false).contains("contract hash"));
    assert!(strip(|facts| facts.decision = Some("accept".to_owned())).contains("decision"));
    assert!(strip(|facts| facts.results.clear()).contains("decision"));
    assert!(strip(|facts| facts.patch = None).contains("row counts"));
}
