//! Landlock, where namespaces are refused: the calling process and what it starts can write a few
//! folders only, and connect to few TCP ports.

use std::fs;

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, CompatLevel, Compatible as _, NetPort, Ruleset,
    RulesetAttr as _, RulesetCreatedAttr as _, RulesetError, RulesetStatus, Scope,
    path_beneath_rules,
};

use crate::isolation::{Confined, Confinement};
use crate::plan::LandlockPlan;

/// Versions whose rules were thought through, newest first; what a newer kernel could refuse stays open.
/// The first version forbids every move between folders, which no suite survives.
const VERSIONS: [ABI; 5] = [ABI::V6, ABI::V5, ABI::V4, ABI::V3, ABI::V2];

/// The ports of servers that ask for any, where the system does not tell.
const SERVER_PORTS: (u16, u16) = (32_768, 60_999);

/// Confines the calling, single-threaded process for ever.
pub(super) fn restrict(plan: &LandlockPlan) -> Result<Confinement, String> {
    let mut refusal = String::new();
    for version in VERSIONS {
        // A version that the kernel does not know is refused before anything is in force.
        match enforce(plan, version) {
            Ok(RulesetStatus::FullyEnforced) => return Ok(confinement(version, plan.cut_network)),
            Ok(_) => return Err("landlock: not all of it was enforced".to_owned()),
            Err(error) => refusal = format!("landlock: {}", with_causes(&error)),
        }
    }
    Err(refusal)
}

fn enforce(plan: &LandlockPlan, version: ABI) -> Result<RulesetStatus, RulesetError> {
    let writes = AccessFs::from_write(version);
    let cut = plan.cut_network && version >= ABI::V4;
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(writes)?;
    if cut {
        rules = rules.handle_access(AccessNet::ConnectTcp)?;
    }
    if version >= ABI::V6 {
        rules = rules.scope(Scope::from_all(version))?;
    }
    let mut rules = rules
        .create()?
        .add_rules(path_beneath_rules(&plan.writable, writes))?;
    if cut {
        let (first, last) = server_ports();
        for port in first..=last {
            rules = rules.add_rule(NetPort::new(port, AccessNet::ConnectTcp))?;
        }
    }
    Ok(rules.restrict_self()?.ruleset)
}

/// What such a version refuses, and what it does not.
fn confinement(version: ABI, cut_network: bool) -> Confinement {
    let (mut refused, mut open) = (Vec::new(), Vec::new());
    for (what, is_refused) in [
        (Confined::Writes, true),
        (Confined::Truncation, version >= ABI::V3),
        (Confined::OtherProcesses, true),
        (Confined::Signals, version >= ABI::V6),
        (Confined::AbstractSockets, version >= ABI::V6),
        (Confined::FileSockets, false),
        (Confined::Tcp, cut_network && version >= ABI::V4),
        (Confined::Udp, false),
    ] {
        if is_refused { &mut refused } else { &mut open }.push(what);
    }
    Confinement::new(refused, open)
}

/// Ports that a test's own server gets: rules of landlock know ports, not addresses.
fn server_ports() -> (u16, u16) {
    let text = fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range").unwrap_or_default();
    let mut words = text.split_whitespace().map(str::parse::<u16>);
    match (words.next(), words.next()) {
        (Some(Ok(first)), Some(Ok(last))) if first >= 1024 && first <= last => (first, last),
        _ => SERVER_PORTS,
    }
}

fn with_causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let more = cause.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        next = cause.source();
    }
    text
}
