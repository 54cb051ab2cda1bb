//! The environment of a run: cleared, then pinned; nothing in it tells the side.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::options::{EnvironmentPlan, RunPaths};

/// Passed through because tools are found by them; the same for both sides.
const TOOLCHAINS: [&str; 22] = [
    "ASDF_DATA_DIR",
    "ASDF_DIR",
    "CARGO_HOME",
    "GOMODCACHE",
    "GOPATH",
    "GOROOT",
    "JAVA_HOME",
    "LOGNAME",
    "MISE_DATA_DIR",
    "NVM_DIR",
    "PNPM_HOME",
    "PYENV_ROOT",
    "PYENV_VERSION",
    "RBENV_ROOT",
    "RBENV_VERSION",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "SDKMAN_DIR",
    "USER",
    "UV_PYTHON_INSTALL_DIR",
    "VOLTA_HOME",
    "PATH",
];

/// Homes that a fresh `HOME` would hide: variable and folder below the real home.
const HOMES: [(&str, &str); 3] = [
    ("CARGO_HOME", ".cargo"),
    ("RUSTUP_HOME", ".rustup"),
    ("PYENV_ROOT", ".pyenv"),
];

/// How set-up reaches package servers; scored runs do not get these.
const FETCHING: [&str; 24] = [
    "ALL_PROXY",
    "CURL_CA_BUNDLE",
    "GIT_SSL_CAINFO",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "NODE_EXTRA_CA_CERTS",
    "NO_PROXY",
    "PIP_CERT",
    "PIP_CONFIG_FILE",
    "PIP_CONSTRAINT",
    "PIP_DEFAULT_TIMEOUT",
    "PIP_EXTRA_INDEX_URL",
    "PIP_FIND_LINKS",
    "PIP_INDEX_URL",
    "PIP_NO_INDEX",
    "PIP_TRUSTED_HOST",
    "REQUESTS_CA_BUNDLE",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "UV_INDEX_URL",
    "UV_DEFAULT_INDEX",
    "UV_FIND_LINKS",
    "npm_config_registry",
    "npm_config_cafile",
];

/// Configuration files that set-up needs although its `HOME` is fresh.
const FETCHING_FILES: [(&str, &str); 3] = [
    ("PIP_CONFIG_FILE", ".config/pip/pip.conf"),
    ("PIP_CONFIG_FILE", ".pip/pip.conf"),
    ("NPM_CONFIG_USERCONFIG", ".npmrc"),
];

/// What the environment is made for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Purpose<'a> {
    SetUp,
    Run {
        seed: i64,
        extra: &'a BTreeMap<String, String>,
    },
}

/// Makes the whole environment out of the caller's.
pub(crate) fn pinned(
    caller: &BTreeMap<String, String>,
    plan: &EnvironmentPlan,
    paths: &RunPaths,
    source_date_epoch: i64,
    purpose: Purpose<'_>,
) -> BTreeMap<String, String> {
    let mut environment = BTreeMap::new();
    pass_tools(caller, &mut environment);
    pin(paths, source_date_epoch, &mut environment);
    match purpose {
        Purpose::SetUp => pass_fetching(caller, &mut environment),
        Purpose::Run { seed, .. } => {
            environment.insert("PATCH_VERDICT_SEED".into(), seed.to_string());
            environment.insert("PYTHONHASHSEED".into(), hash_seed(seed).to_string());
            let report = text(&paths.control.join("junit.xml"));
            environment.insert("PATCH_VERDICT_JUNIT".into(), report);
        }
    }
    for name in &plan.pass {
        if let Some(value) = caller.get(name) {
            environment.insert(name.clone(), value.clone());
        }
    }
    environment.extend(plan.set.clone());
    if let Purpose::Run { extra, .. } = purpose {
        environment.extend(extra.clone());
    }
    environment
}

/// `PYTHONHASHSEED` takes 32 bits; 0 would switch hashing's randomness off altogether, which is as
/// fixed as any other value.
fn hash_seed(seed: i64) -> i64 {
    seed.rem_euclid(1 << 32)
}

fn pass_tools(caller: &BTreeMap<String, String>, environment: &mut BTreeMap<String, String>) {
    for name in TOOLCHAINS {
        if let Some(value) = caller.get(name) {
            environment.insert(name.into(), value.clone());
        }
    }
    environment
        .entry("PATH".into())
        .or_insert_with(|| "/usr/local/bin:/usr/bin:/bin".into());
    if let Some(home) = caller.get("HOME") {
        for (name, folder) in HOMES {
            let place = Path::new(home).join(folder);
            if place.is_dir() {
                environment
                    .entry(name.into())
                    .or_insert_with(|| text(&place));
            }
        }
    }
    let in_path = |folder: &Path| {
        caller
            .get("PATH")
            .is_some_and(|path| std::env::split_paths(path).any(|one| one == folder))
    };
    if let Some(active) = caller.get("VIRTUAL_ENV")
        && in_path(&Path::new(active).join("bin"))
    {
        environment.insert("VIRTUAL_ENV".into(), active.clone());
    }
}

fn pin(paths: &RunPaths, source_date_epoch: i64, environment: &mut BTreeMap<String, String>) {
    let home = &paths.home;
    let folders: [(&str, PathBuf); 9] = [
        ("HOME", home.clone()),
        ("XDG_CACHE_HOME", home.join(".cache")),
        ("XDG_CONFIG_HOME", home.join(".config")),
        ("XDG_DATA_HOME", home.join(".local/share")),
        ("XDG_STATE_HOME", home.join(".local/state")),
        ("XDG_RUNTIME_DIR", paths.temp.clone()),
        ("TMPDIR", paths.temp.clone()),
        ("TEMP", paths.temp.clone()),
        ("TMP", paths.temp.clone()),
    ];
    environment.extend(folders.map(|(name, folder)| (name.to_owned(), text(&folder))));
    let values = [
        ("TZ", "UTC"),
        ("LC_ALL", "C.UTF-8"),
        ("LANG", "C.UTF-8"),
        ("NO_COLOR", "1"),
        ("TERM", "dumb"),
        ("SHELL", "/bin/sh"),
        ("PYTHONDONTWRITEBYTECODE", "1"),
    ];
    environment.extend(values.map(|(name, value)| (name.to_owned(), value.to_owned())));
    environment.insert("SOURCE_DATE_EPOCH".into(), source_date_epoch.to_string());
}

fn pass_fetching(caller: &BTreeMap<String, String>, environment: &mut BTreeMap<String, String>) {
    for name in FETCHING {
        for name in [name.to_owned(), name.to_lowercase()] {
            if let Some(value) = caller.get(&name) {
                environment.insert(name, value.clone());
            }
        }
    }
    if let Some(home) = caller.get("HOME") {
        for (name, file) in FETCHING_FILES {
            let place = Path::new(home).join(file);
            if place.is_file() {
                environment
                    .entry(name.into())
                    .or_insert_with(|| text(&place));
            }
        }
    }
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// The caller's environment; what is not UTF-8 is left out.
pub(crate) fn of_caller() -> BTreeMap<String, String> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}

#[cfg(test)]
mod tests;
