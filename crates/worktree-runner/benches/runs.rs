//! What one run costs beside starting the same command, and a pristine tree beside `git worktree add`.
//!
//! Everything is measured in turns, round after round, so that a drift of load hits all alike.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a benchmark measures, prints and stops at the first surprise"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use differential_gate::Side;
use git_trees::Repository;
use worktree_runner::{
    CancelFlag, Containment, Pristine, RunRequest, Silent, Workspace, WorkspaceOptions, supervisor,
};

const STARTS: usize = 200;
const TREES: usize = 21;
const FOLDERS: usize = 40;
const FILES: usize = 50;

fn main() {
    supervisor::enter();
    starts();
    trees();
}

/// `true`, started in every way.
fn starts() {
    let place = Place::new(1, 3);
    let mut subreaper = place.workspace("subreaper", Containment::Subreaper, Pristine::Copies);
    let mut copies = place.workspace("copies", Containment::PidNamespace, Pristine::Copies);
    let mut overlay = place.workspace("overlay", Containment::PidNamespace, Pristine::Overlay);
    let mut times = [const { Vec::new() }; 4];
    for _ in 0..STARTS {
        let [floor, by_subreaper, by_copies, by_overlay] = &mut times;
        floor.push(time(|| {
            let null = [Stdio::null(), Stdio::null(), Stdio::null()];
            let [input, output, errors] = null;
            let mut command = Command::new("/bin/true");
            command.stdin(input).stdout(output).stderr(errors);
            assert!(command.status().unwrap().success());
        }));
        by_subreaper.push(time(|| run(&mut subreaper)));
        by_copies.push(time(|| run(&mut copies)));
        by_overlay.push(time(|| run(&mut overlay)));
    }
    let [floor, by_subreaper, by_copies, by_overlay] = times.map(median);
    println!("`true`, median of {STARTS}");
    let line = |name: &str, time: f64| println!("  {name:44} {time:7.2} ms  {:5.2}", time / floor);
    line("posix_spawn and wait", floor);
    line(&format!("a run: {}", words(&subreaper)), by_subreaper);
    line(&format!("a run: {}", words(&copies)), by_copies);
    line(&format!("a run: {}", words(&overlay)), by_overlay);
}

/// The tree of a repository of some two thousand files.
fn trees() {
    let place = Place::new(FOLDERS, FILES);
    let mut copies = place.workspace("copies", Containment::PidNamespace, Pristine::Copies);
    let mut overlay = place.workspace("overlay", Containment::PidNamespace, Pristine::Overlay);
    run(&mut copies); // the copies themselves are made before the first run
    let again = place.folder.path().join("copy");
    let added = place.folder.path().join("added");
    let mut times = [const { Vec::new() }; 4];
    for _ in 0..TREES {
        let [by_git, by_cp, by_copies, by_overlay] = &mut times;
        by_git.push(time(|| {
            place.git(&[
                "worktree",
                "add",
                "-q",
                "--detach",
                &added.display().to_string(),
                "HEAD",
            ]);
        }));
        by_cp.push(time(|| {
            let mut command = Command::new("cp");
            command.arg("-a").arg(&added).arg(&again);
            assert!(command.status().unwrap().success());
        }));
        fs::remove_dir_all(&again).unwrap();
        place.git(&[
            "worktree",
            "remove",
            "--force",
            &added.display().to_string(),
        ]);
        by_copies.push(time(|| run(&mut copies)));
        by_overlay.push(time(|| run(&mut overlay)));
    }
    let [by_git, by_cp, by_copies, by_overlay] = times.map(median);
    println!(
        "a pristine tree of {} files, median of {TREES}",
        FOLDERS * FILES
    );
    let line = |name: &str, time: f64| println!("  {name:44} {time:7.2} ms  {:5.2}", time / by_git);
    line("git worktree add", by_git);
    line("cp -a of a worktree", by_cp);
    line(
        &format!("a whole run of `true`: {}", words(&copies)),
        by_copies,
    );
    line(
        &format!("a whole run of `true`: {}", words(&overlay)),
        by_overlay,
    );
}

fn run(workspace: &mut Workspace<'_>) {
    let outcome = workspace
        .run(&RunRequest::new(Side::Patch, vec!["/bin/true".to_owned()]))
        .unwrap();
    assert!(outcome.exit.success(), "{:?}", outcome.exit);
}

fn words(workspace: &Workspace<'_>) -> String {
    let isolation = workspace.isolation();
    format!("{:?}, {:?}", isolation.containment, isolation.mount)
}

fn time(act: impl FnOnce()) -> Duration {
    let started = Instant::now();
    act();
    started.elapsed()
}

/// In milliseconds.
fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1000.0
}

/// A repository of two commits.
struct Place {
    folder: tempfile::TempDir,
    repository: Repository,
}

impl Place {
    fn new(folders: usize, files: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("repo");
        for one in 0..folders {
            let inside = root.join(format!("folder-{one}"));
            fs::create_dir_all(&inside).unwrap();
            for other in 0..files {
                let text = format!("line {one} of {other}\n").repeat(100 + 7 * other);
                fs::write(inside.join(format!("file-{other}.py")), text).unwrap();
            }
        }
        git(&root, &["init", "-q", "-b", "main"]);
        git(&root, &["add", "."]);
        git(&root, &["commit", "-q", "-m", "parent"]);
        fs::write(root.join("folder-0/file-0.py"), "changed\n").unwrap();
        git(&root, &["commit", "-q", "-a", "-m", "patch"]);
        let repository = Repository::discover(&root).unwrap();
        Self { folder, repository }
    }

    fn git(&self, arguments: &[&str]) {
        git(&self.folder.path().join("repo"), arguments);
    }

    fn workspace(
        &self,
        name: &str,
        containment: Containment,
        pristine: Pristine,
    ) -> Workspace<'static> {
        let commits = ["HEAD~1", "HEAD"].map(|rev| self.repository.resolve(rev).unwrap());
        let [parent, patch] = &commits;
        let own: PathBuf = self.folder.path().join(name);
        let mut options = WorkspaceOptions::new(own.join("state"), own.join("logs"));
        options.containment = containment;
        options.pristine = pristine;
        let commits = (parent, patch);
        Workspace::create(
            &self.repository,
            commits,
            options,
            &Silent,
            &CancelFlag::new(),
        )
        .unwrap()
    }
}

fn git(root: &Path, arguments: &[&str]) {
    let output = Command::new("git")
        .arg("-C")
        .arg(root)
        .args(["-c", "user.name=a", "-c", "user.email=a@example.org"])
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
}
