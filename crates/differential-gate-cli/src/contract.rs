//! `differential-gate contract`: write, hash or check a contract.
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use differential_gate::{Contract, ContractDraft, Property};
use verdict_terminal::{Exit, OrExit as _, Streams};

use crate::input::ContractFile;

/// Write, hash or check a contract
#[derive(Debug, Clone, clap::Args)]
#[non_exhaustive]
pub struct Args {
    /// What to do
    #[command(subcommand)]
    pub action: Action,
}

/// What to do with a contract.
#[derive(Debug, Clone, clap::Subcommand)]
#[non_exhaustive]
pub enum Action {
    /// Print a new contract as JSON
    New(Box<New>),
    /// Print the contract hash
    Hash(One),
    /// Say what a contract fixes, or why it is none (exit 1)
    Check(One),
}

/// What a new contract fixes.
#[derive(Debug, Clone, clap::Args)]
#[non_exhaustive]
pub struct New {
    /// The commit before the patch
    #[arg(long, value_name = "SHA")]
    pub parent_sha: String,
    /// The commit with the patch
    #[arg(long, value_name = "SHA")]
    pub patch_sha: String,
    /// The seeds in order, separated by commas
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        required = true,
        allow_negative_numbers = true
    )]
    pub seeds: Vec<i64>,
    /// Id of a property (repeatable)
    #[arg(long, value_name = "ID", required = true)]
    pub property: Vec<String>,
    /// What must hold of every property
    #[arg(long, value_name = "TEXT", default_value = "passes")]
    pub oracle: String,
    /// Hash of what the properties assert
    #[arg(long, value_name = "HASH")]
    pub spec_hash: String,
    /// Hash of everything the properties are fed
    #[arg(long, value_name = "HASH")]
    pub fixture_closure_hash: String,
}

/// One contract file.
#[derive(Debug, Clone, clap::Args)]
#[non_exhaustive]
pub struct One {
    /// The contract, JSON or (by its name) YAML
    pub file: PathBuf,
}

/// Runs the action.
///
/// # Errors
/// A file that cannot be read; for `new` and `hash` also one that is no contract.
pub fn run(args: &Args, streams: &mut Streams<'_>) -> anyhow::Result<Exit> {
    match &args.action {
        Action::New(args) => new(args, streams),
        Action::Hash(args) => hash(&args.file, streams),
        Action::Check(args) => check(&args.file, streams),
    }
}

fn new(args: &New, streams: &mut Streams<'_>) -> anyhow::Result<Exit> {
    let properties = args.property.iter();
    let properties = properties
        .map(|id| Property::new(id, &args.oracle))
        .collect();
    let seeds = args.seeds.clone();
    let mut draft = ContractDraft::new(&args.parent_sha, &args.patch_sha, seeds, properties);
    draft.spec_hash = Some(args.spec_hash.clone());
    draft.fixture_closure_hash = Some(args.fixture_closure_hash.clone());
    let contract = draft
        .build()
        .or_exit(Exit::Usage, "cannot write a contract")?;
    write!(streams.out, "{}", contract.to_json()).context("cannot write the contract")?;
    Ok(Exit::Good)
}

fn hash(file: &Path, streams: &mut Streams<'_>) -> anyhow::Result<Exit> {
    let contract = ContractFile::open(file)?
        .contract()
        .or_exit(Exit::Usage, format!("`{}`", file.display()))?;
    writeln!(streams.out, "{}", contract.hash()).context("cannot write the hash")?;
    Ok(Exit::Good)
}

fn check(file: &Path, streams: &mut Streams<'_>) -> anyhow::Result<Exit> {
    let contract = match ContractFile::open(file)?.contract() {
        Ok(contract) => contract,
        Err(error) => {
            writeln!(
                streams.out,
                "{}: {error} ({})",
                file.display(),
                error.detail()
            )
            .context("cannot write the answer")?;
            return Ok(Exit::Bad);
        }
    };
    let faults = inconsistencies(&contract);
    let lines = [
        format!("contract    {}", contract.hash()),
        format!("parent      {}", contract.parent_sha()),
        format!("patch       {}", contract.patch_sha()),
        format!("properties  {}", contract.properties().len()),
        format!("seeds       {}", contract.seeds().len()),
    ];
    for line in lines.iter().chain(&faults) {
        writeln!(streams.out, "{line}").context("cannot write the answer")?;
    }
    if contract.seeds().len() < 2 {
        let warning = "warning: one seed cannot show a flake; two or more can";
        writeln!(streams.err, "{warning}").context("cannot write the warning")?;
    }
    Ok(if faults.is_empty() {
        Exit::Good
    } else {
        Exit::Bad
    })
}

/// Where the whole is not what the parts add up to.
fn inconsistencies(contract: &Contract) -> Vec<String> {
    let pairs = [
        (
            "spec_hash",
            contract.spec_hash(),
            contract.spec_hash_of_properties(),
        ),
        (
            "fixture_closure_hash",
            contract.fixture_closure_hash(),
            contract.fixture_closure_hash_of_properties(),
        ),
    ];
    let mut faults = Vec::new();
    for (key, stated, computed) in pairs {
        if let Some(computed) = computed.filter(|computed| computed != stated) {
            faults.push(format!(
                "`{key}` is {stated}, but the properties add up to {computed}"
            ));
        }
    }
    faults
}
