//! package.json and lock files: which framework, which command, what to install, which versions.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::view::text;
use crate::{Below, Detection, FileView};

const DEPENDENCIES: [&str; 3] = ["devDependencies", "dependencies", "peerDependencies"];

pub(super) fn package(view: &dyn FileView) -> Value {
    serde_json::from_str(&text(view, "package.json")).unwrap_or_default()
}

/// Signs of `framework`, whose configuration files start with `config`.
pub(crate) fn detect(
    view: &dyn FileView,
    framework: &'static str,
    config: &str,
) -> Option<Detection> {
    let mut signs: Vec<(u8, String)> = Vec::new();
    let mut names = view.list("");
    names.sort();
    for name in names.iter().filter(|name| name.starts_with(config)) {
        signs.push((3, format!("file {name}")));
    }
    let package = package(view);
    if package.get(framework).is_some() {
        signs.push((3, format!("key `{framework}` in package.json")));
    }
    if let Some(script) = test_script(&package).filter(|script| uses(script, framework)) {
        signs.push((3, format!("script `test` in package.json: `{script}`")));
    }
    let depends = |list: &&str| {
        package
            .get(*list)
            .and_then(|list| list.get(framework))
            .is_some()
    };
    if DEPENDENCIES.iter().any(depends) {
        signs.push((
            2,
            format!("{framework} among the dependencies in package.json"),
        ));
    }
    let strength = signs.iter().map(|(strength, _)| *strength).max()?;
    Some(Detection {
        framework,
        signs: signs.into_iter().map(|(_, sign)| sign).collect(),
        strength,
    })
}

fn test_script(package: &Value) -> Option<&str> {
    package.get("scripts")?.get("test")?.as_str()
}

fn uses(script: &str, framework: &str) -> bool {
    script
        .split(|sign: char| sign.is_whitespace() || "/&|;".contains(sign))
        .any(|word| word == framework)
}

/// The repository's own script where options at its end reach the framework, else the framework.
pub(crate) fn default_command(view: &dyn FileView, framework: &str) -> Vec<String> {
    let package = package(view);
    let script = test_script(&package).unwrap_or_default();
    let last = script.rsplit(['&', '|', ';']).next().unwrap_or(script);
    let words: &[&str] = if uses(last, framework) && !last.contains(['#', '\'', '"']) {
        &["npm", "test", "--silent", "--"]
    } else {
        &["npx", "--no-install", framework]
    };
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// Installs what the lock file names; nothing without one, since both trees must get the same.
pub(crate) fn set_up(view: &dyn FileView, directory: &str) -> Vec<String> {
    const INSTALLERS: [(&str, &str); 5] = [
        ("package-lock.json", "npm ci --no-audit --no-fund"),
        ("npm-shrinkwrap.json", "npm ci --no-audit --no-fund"),
        ("pnpm-lock.yaml", "pnpm install --frozen-lockfile"),
        ("yarn.lock", "yarn install --frozen-lockfile"),
        ("bun.lock", "bun install --frozen-lockfile"),
    ];
    for folder in [crate::paths::join("", directory), String::new()] {
        let here = Below {
            view,
            folder: &folder,
        };
        let known = INSTALLERS.iter().find(|(lock, _)| here.exists(lock));
        if let Some((_, install)) = known {
            let quoted = folder.replace('\'', r"'\''");
            return vec![if matches!(folder.as_str(), "" | ".") {
                (*install).to_owned()
            } else {
                format!("cd '{quoted}' && {install}")
            }];
        }
    }
    Vec::new()
}

/// Packages of package-lock.json; where there is none, the ranges that package.json names.
pub(crate) fn locked(view: &dyn FileView, directory: &str) -> BTreeMap<String, String> {
    let folders = [crate::paths::join("", directory), String::new()];
    let mut versions = BTreeMap::new();
    for folder in &folders {
        for lock in ["package-lock.json", "npm-shrinkwrap.json"] {
            let path = crate::paths::join(folder, lock);
            if let Ok(lock) = serde_json::from_str::<Value>(&text(view, &path)) {
                of_lock(&lock, &mut versions);
                return versions;
            }
            if view.exists(&path) {
                return BTreeMap::from([(path.clone(), format!("unreadable @ {path}"))]);
            }
        }
    }
    for folder in &folders {
        let package = package(&Below { view, folder });
        for list in DEPENDENCIES {
            let entries = package.get(list).and_then(Value::as_object);
            for (name, range) in entries.into_iter().flatten() {
                let range = range.as_str().unwrap_or_default();
                let elsewhere = range.contains([':', '/']) && !range.starts_with("npm:");
                let entry = if elsewhere {
                    format!("? @ {range}")
                } else {
                    range.to_owned()
                };
                versions.entry(name.clone()).or_insert(entry);
            }
        }
    }
    versions
}

fn of_lock(lock: &Value, versions: &mut BTreeMap<String, String>) {
    let packages = lock.get("packages").and_then(Value::as_object);
    let old = lock.get("dependencies").and_then(Value::as_object);
    for (path, entry) in packages.or(old).into_iter().flatten() {
        let field = |name: &str| entry.get(name).and_then(Value::as_str).unwrap_or_default();
        let link = entry.get("link").and_then(Value::as_bool) == Some(true);
        // `""` and folders of workspaces are the project itself.
        let name = match path.rsplit_once("node_modules/") {
            Some((_, name)) => name,
            None if packages.is_none() => path,
            None => continue,
        };
        if link {
            continue;
        }
        let from = field("resolved");
        let registry = from.is_empty() || (from.starts_with("http") && from.contains("/-/"));
        let version = field("version");
        let entry = if registry {
            version.to_owned()
        } else {
            format!("{version} @ {from}")
        };
        versions
            .entry(name.to_owned())
            .and_modify(|known: &mut String| {
                known.push_str(", ");
                known.push_str(&entry);
            })
            .or_insert(entry);
    }
}
