//! The contract of a check: what both sides run, fixed before the first scored run.
use std::collections::BTreeMap;

use differential_gate::{Contract, ContractDraft, Property};
use patch_verdict_core::{Buckets, NetworkConfig, TestId};
use serde_json::json;

use crate::explore::{Exploration, SideExploration};
use crate::prepare::Prepared;
use crate::state::hex;
use crate::{CheckError, CheckOptions};

/// What a contract is made of.
pub(crate) struct ContractParts<'a> {
    pub(crate) prepared: &'a Prepared,
    pub(crate) options: &'a CheckOptions,
    pub(crate) buckets: &'a Buckets,
    pub(crate) hashes: &'a BTreeMap<TestId, (String, String)>,
    pub(crate) exploration: &'a Exploration,
}

/// The contract; `None` when no property is left.
pub(crate) fn contract(parts: &ContractParts<'_>) -> Result<Option<Contract>, CheckError> {
    if parts.buckets.properties.is_empty() {
        return Ok(None);
    }
    let prepared = parts.prepared;
    let properties = parts.buckets.properties.iter().map(|id| {
        // A folded id has no single source: its hash is that of its own text on both sides.
        let own = || format!("sha256:{}", hex(id.as_str().as_bytes()));
        let (spec, closure) = parts
            .hashes
            .get(id)
            .cloned()
            .unwrap_or_else(|| (own(), own()));
        Property::new(id.as_str(), "passes")
            .with_spec_hash(spec)
            .with_fixture_closure_hash(closure)
    });
    let suite = &prepared.suite;
    let scope = json!({
        "kind": prepared.scope.kind(),
        "suite": suite.config.name,
        "framework": suite.framework.name(),
        "command": suite.command,
        "directory": suite.config.directory,
        "setup": suite.config.setup,
        "not_judged": parts.buckets.out_of_scope.len(),
        "excluded": parts.buckets.excluded.keys().collect::<Vec<_>>(),
        "new": parts.buckets.new.iter().collect::<Vec<_>>(),
    });
    let network = match suite.config.network {
        NetworkConfig::Off => "off",
        NetworkConfig::Host => "host",
    };
    let services = prepared.config.service.iter();
    let services: Vec<_> = services
        .map(|service| json!({ "start": service.start, "ready": service.ready }))
        .collect();
    let environment = json!({
        "set": prepared.config.env.set,
        "pass": passed(parts),
        "parent": environment_digest(&parts.exploration.parent),
        "patch": environment_digest(&parts.exploration.patch),
        "network": network,
        "services": services,
        "clock": "real",
    });
    ContractDraft::new(
        prepared.revisions.parent.as_str(),
        prepared.revisions.patch.as_str(),
        prepared.seeds.clone(),
        properties.collect(),
    )
    .further_json("scope", scope.to_string())
    .further_json("environment", environment.to_string())
    .build()
    .map(Some)
    .map_err(|error| CheckError::request(format!("the contract is not valid: {error}")))
}

/// Values that are handed through enter as digests: they may be secrets.
fn passed(parts: &ContractParts<'_>) -> BTreeMap<String, Option<String>> {
    let value = |name: &String| {
        let value = parts.options.environment.get(name)?;
        Some(format!("sha256:{}", hex(value.as_bytes())))
    };
    let names = &parts.prepared.config.env.pass;
    names
        .iter()
        .map(|name| (name.clone(), value(name)))
        .collect()
}

/// A digest of everything that is installed on one side.
pub(crate) fn environment_digest(side: &SideExploration) -> String {
    let versions = side
        .inventory
        .iter()
        .flat_map(|inventory| &inventory.versions);
    let text: Vec<String> = versions
        .map(|(name, version)| format!("{name}\t{version}\n"))
        .collect();
    format!("sha256:{}", hex(text.concat().as_bytes()))
}
