//! The evidence folder: what anyone needs to recompute the verdict.
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use differential_gate::{Contract, GateDecision, Side, decide};
use git_trees::Repository;
use patch_verdict_core::Judgement;
use patch_verdict_core::wire::VerdictDocument;

use crate::execute::Executed;
use crate::files::write_atomically;
use crate::state::{Completed, hex};
use crate::{CheckError, CheckOptions};

const ROWS: [&str; 4] = ["contract.json", "parent.jsonl", "patch.jsonl", "runs.json"];

/// The tool's folder in a repository, before the contract is known.
#[derive(Debug)]
pub(crate) struct Review {
    root: PathBuf,
    reviews: PathBuf,
    pending: PathBuf,
    none: PathBuf,
    out: Option<PathBuf>,
    /// Whether the asked-for folder was not there before.
    made_out: bool,
}

impl Drop for Review {
    /// A check that gave no verdict leaves no folder behind.
    fn drop(&mut self) {
        fs::remove_dir_all(&self.pending).ok();
        if let Some(out) = self.made_out.then_some(self.out.as_ref()).flatten() {
            // Only where it is still empty.
            fs::remove_dir(out).ok();
        }
    }
}

/// Whether evidence may go to `out`, known before anything is run; makes the folder where it is not
/// there yet, and says whether it did.
fn take_out(out: &Path) -> Result<bool, CheckError> {
    let name = out.display();
    let missing = match fs::metadata(out) {
        Ok(found) if !found.is_dir() => {
            let message = format!("`{name}` of `--out` is no folder");
            return Err(CheckError::request(message).hint("name a folder that is new or empty"));
        }
        Ok(_) if holds_other_things(out) => {
            let message =
                format!("the folder `{name}` of `--out` holds other things than evidence");
            return Err(CheckError::request(message).hint(
                "name a folder that is new, empty, or holds the evidence of an earlier check",
            ));
        }
        Ok(_) => false,
        Err(_) => true,
    };
    let refused = |error: io::Error| {
        let why = error.kind();
        CheckError::request(format!(
            "cannot write into the folder `{name}` of `--out`: {why}"
        ))
        .hint("name a folder that you may write to")
    };
    if missing {
        fs::create_dir_all(out).map_err(refused)?;
    }
    tempfile::NamedTempFile::new_in(out).map_err(refused)?;
    Ok(missing)
}

/// Old evidence is cleared away before new evidence: in a folder of somebody else's that would be a loss.
fn holds_other_things(out: &Path) -> bool {
    let own = |name: &str| OWN_FILES.contains(&name) || matches!(name, "logs" | "segments");
    let evidence = ["contract.json", "verdict.json"];
    let mut entries = fs::read_dir(out).into_iter().flatten().flatten();
    !evidence.iter().any(|name| out.join(name).is_file())
        && entries.any(|entry| !own(&entry.file_name().to_string_lossy()))
}

/// Removes the logs of checks that were killed: nobody moves them any more.
fn remove_dead_logs(work: &Path) {
    for entry in fs::read_dir(work).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let process = name
            .strip_prefix("logs-")
            .filter(|text| text.parse::<u32>().is_ok());
        if process.is_some_and(|process| !Path::new("/proc").join(process).exists()) {
            fs::remove_dir_all(entry.path()).ok();
        }
    }
}

impl Review {
    pub(crate) fn open(
        repository: &Repository,
        options: &CheckOptions,
        patch: &str,
    ) -> Result<Self, CheckError> {
        let base = repository.root().unwrap_or_else(|| repository.common_dir());
        let root = base.join(".patch-verdict");
        let short = patch.get(..16).unwrap_or(patch);
        let out = options.out.clone().map(crate::check::absolute);
        let made_out = match &out {
            Some(out) => take_out(out)?,
            None => false,
        };
        let review = Self {
            reviews: root.join("reviews"),
            pending: root
                .join("work")
                .join(format!("logs-{}", std::process::id())),
            none: root.join("reviews").join(format!("none-{short}")),
            out,
            made_out,
            root,
        };
        if review.root.is_file() {
            let root = review.root.display();
            let message =
                format!("`{root}` is a file, and evidence and logs need a folder of that name");
            return Err(CheckError::request(message).hint("move that file away"));
        }
        remove_dead_logs(&review.work());
        for folder in [&review.reviews, &review.pending] {
            fs::create_dir_all(folder).map_err(|error| cannot("make", folder, error))?;
        }
        let ignore = review.root.join(".gitignore");
        if !ignore.exists() {
            // The folder ignores itself: checks leave no trace in `git status`.
            fs::write(&ignore, "*\n").map_err(|error| cannot("write", &ignore, error))?;
        }
        Ok(review)
    }

    pub(crate) fn work(&self) -> PathBuf {
        self.root.join("work")
    }

    /// Logs of this check, until they are moved beside the evidence.
    pub(crate) fn logs(&self) -> PathBuf {
        self.pending.clone()
    }

    pub(crate) fn for_contract(&self, hash: Option<&str>) -> Result<ReviewFiles, CheckError> {
        let folder = match (&self.out, hash) {
            (Some(out), _) => out.clone(),
            (None, Some(hash)) => {
                let digits = hash.trim_start_matches("sha256:");
                self.reviews.join(digits.get(..16).unwrap_or(digits))
            }
            (None, None) => self.none.clone(),
        };
        fs::create_dir_all(&folder).map_err(|error| cannot("make", &folder, error))?;
        Ok(ReviewFiles {
            folder,
            pending: self.pending.clone(),
        })
    }
}

/// The evidence folder of one contract.
#[derive(Debug)]
pub(crate) struct ReviewFiles {
    folder: PathBuf,
    pending: PathBuf,
}

impl ReviewFiles {
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// What a completed contract left here, if every file still has the digest that was remembered.
    pub(crate) fn kept(&self, completed: &Completed) -> Option<Executed> {
        let intact = completed.files.iter().all(|(name, digest)| {
            fs::read(self.folder.join(name)).is_ok_and(|bytes| hex(&bytes) == *digest)
        });
        if !intact || !ROWS.iter().all(|name| completed.files.contains_key(*name)) {
            return None;
        }
        let bytes = fs::read(self.folder.join("runs.json")).ok()?;
        let mut executed: Executed = serde_json::from_slice(&bytes).ok()?;
        executed.unscored = fs::read(self.folder.join("unscored.jsonl")).ok()?;
        Some(executed)
    }

    /// Makes room for a new execution: rows of an interrupted or doubted one are removed.
    pub(crate) fn start(&self, contract: Option<&Contract>) -> Result<(), CheckError> {
        for name in ["segments", "logs"] {
            let folder = self.folder.join(name);
            remove(fs::remove_dir_all(&folder)).map_err(|error| cannot("clear", &folder, error))?;
        }
        for name in OWN_FILES {
            let path = self.folder.join(name);
            remove(fs::remove_file(&path)).map_err(|error| cannot("clear", &path, error))?;
        }
        match contract {
            Some(contract) => self.write("contract.json", contract.to_json().as_bytes()),
            None => Ok(()),
        }
    }

    pub(crate) fn write_runs(&self, executed: &Executed) -> Result<(), CheckError> {
        let runs = serde_json::to_vec(executed)
            .map_err(|error| CheckError::surroundings("the runs cannot be written", error))?;
        self.write("runs.json", &runs)?;
        self.write("unscored.jsonl", &executed.unscored)
    }

    /// The gate's decision over the rows on disk: they are the evidence, memory is not.
    pub(crate) fn decide(&self, contract: &Contract) -> Result<GateDecision, CheckError> {
        let open = |side: Side| {
            let path = self.folder.join(format!("{}.jsonl", side.name()));
            File::open(&path)
                .map(BufReader::new)
                .map_err(|error| cannot("read", &path, error))
        };
        Ok(decide(contract, open(Side::Parent)?, open(Side::Patch)?))
    }

    pub(crate) fn completed(
        &self,
        hash: &str,
        judgement: &Judgement,
        seeds: &[i64],
    ) -> Result<Completed, CheckError> {
        let mut files = BTreeMap::new();
        for name in ROWS.iter().chain(&["unscored.jsonl"]) {
            let path = self.folder.join(name);
            let bytes = fs::read(&path).map_err(|error| cannot("read", &path, error))?;
            files.insert((*name).to_owned(), hex(&bytes));
        }
        Ok(Completed {
            contract_hash: hash.to_owned(),
            verdict: judgement.verdict,
            reason: judgement.reason.clone(),
            seeds: seeds.to_vec(),
            files,
        })
    }

    /// Writes verdict, decision and note; moves the logs here. The verdict is written last.
    pub(crate) fn finish(
        &self,
        mut document: VerdictDocument,
        gate: (Option<&Contract>, Option<&GateDecision>),
        options: &CheckOptions,
    ) -> Result<VerdictDocument, CheckError> {
        self.move_logs()?;
        let (contract, decision) = gate;
        if let Some(decision) = decision {
            crate::packet::write(self, contract, decision, &document, options)?;
        }
        self.write("guard.json", format!("{}\n", document.guard).as_bytes())?;
        document.review_dir = Some(self.folder.display().to_string());
        let text = verdict_report::json(&document)
            .map_err(|error| CheckError::surroundings("the verdict cannot be written", error))?;
        self.write("verdict.json", text.as_bytes())?;
        Ok(document)
    }

    /// The log of the run `label`, as it is called beside the evidence.
    pub(crate) fn log_of(&self, label: &str) -> Option<String> {
        let end = format!("-{label}.log");
        let folders = [self.pending.clone(), self.folder.join("logs")];
        let entries = folders.iter().flat_map(fs::read_dir).flatten().flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let found = names.into_iter().find(|name| name.ends_with(&end));
        found.map(|name| format!("logs/{name}"))
    }

    fn move_logs(&self) -> Result<(), CheckError> {
        let logs = self.folder.join("logs");
        fs::create_dir_all(&logs).map_err(|error| cannot("make", &logs, error))?;
        let Ok(entries) = fs::read_dir(&self.pending) else {
            return Ok(());
        };
        for entry in entries.flatten() {
            let target = logs.join(entry.file_name());
            let moved = fs::rename(entry.path(), &target)
                .or_else(|_| fs::copy(entry.path(), &target).map(|_| ()));
            moved.map_err(|error| cannot("move a log to", &target, error))?;
        }
        fs::remove_dir_all(&self.pending).map_err(|error| cannot("clear", &self.pending, error))
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), CheckError> {
        let path = self.folder.join(name);
        write_atomically(&path, bytes).map_err(|error| cannot("write", &path, error))
    }
}

const OWN_FILES: [&str; 10] = [
    "contract.json",
    "parent.jsonl",
    "patch.jsonl",
    "unscored.jsonl",
    "runs.json",
    "decision.json",
    "verdict.json",
    "guard.json",
    "ticket.toml",
    "note.txt",
];

fn remove(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

fn cannot(doing: &str, path: &Path, error: io::Error) -> CheckError {
    let full = error.kind() == io::ErrorKind::StorageFull;
    let wrapped = CheckError::surroundings(format!("cannot {doing} `{}`", path.display()), error);
    if full {
        wrapped.hint("the disk is full: free some space and check again")
    } else {
        wrapped
    }
}
