//! The request to the script, and its answer joined to one digest a test.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::{DigestError, Digests, EntryKind, Limits, SideView, TestDigest, TestRef};

#[derive(Serialize)]
struct Request<'a> {
    sides: [RequestSide<'a>; 2],
    blobs: Vec<(&'a str, usize)>,
    opaque: &'a BTreeSet<String>,
}

#[derive(Serialize)]
struct RequestSide<'a> {
    files: BTreeMap<&'a str, (&'static str, &'a str)>,
    tests: Vec<RequestTest<'a>>,
    plugins: &'a [String],
    testpaths: &'a [String],
    inifile: Option<&'a str>,
}

#[derive(Serialize)]
struct RequestTest<'a> {
    id: &'a str,
    file: &'a str,
    qualname: &'a str,
    params: Option<&'a str>,
    param_indices: Option<&'a BTreeMap<String, usize>>,
    bases: &'a [(String, String)],
}

#[derive(Deserialize)]
struct Answer {
    sides: [AnswerSide; 2],
    notes: Vec<String>,
}

#[derive(Deserialize)]
struct AnswerSide {
    tests: Vec<AnswerTest>,
    groups: Vec<BTreeMap<String, String>>,
    shared: String,
    differing: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct AnswerTest {
    id: String,
    spec: BTreeMap<String, String>,
    closure: BTreeMap<String, String>,
    group: usize,
    undefined: bool,
}

/// The request as bytes: its length, the JSON, then the contents one after the other.
pub(super) fn request(
    parent: &SideView<'_>,
    patch: &SideView<'_>,
    opaque: &BTreeSet<String>,
    limits: Limits,
) -> Vec<u8> {
    let mut contents: BTreeMap<&str, &[u8]> = BTreeMap::new();
    for entry in parent.files.values().chain(patch.files.values()) {
        if let Some(content) = entry.content
            && content.len() <= limits.max_file_bytes
            && entry.kind != EntryKind::Submodule
        {
            contents.insert(&entry.id, content);
        }
    }
    let request = Request {
        sides: [request_side(parent), request_side(patch)],
        blobs: contents
            .iter()
            .map(|(id, content)| (*id, content.len()))
            .collect(),
        opaque,
    };
    // Maps with text keys, texts and numbers: JSON can hold them all.
    let json = serde_json::to_vec(&request).unwrap_or_default();
    let mut bytes = format!("{}\n", json.len()).into_bytes();
    bytes.extend_from_slice(&json);
    for content in contents.values() {
        bytes.extend_from_slice(content);
    }
    bytes
}

fn request_side<'a>(side: &'a SideView<'_>) -> RequestSide<'a> {
    let kind = |kind| match kind {
        EntryKind::File => "file",
        EntryKind::Link => "link",
        EntryKind::Submodule => "submodule",
    };
    RequestSide {
        files: side
            .files
            .iter()
            .map(|(path, entry)| (path.as_str(), (kind(entry.kind), entry.id.as_str())))
            .collect(),
        tests: side.tests.iter().map(request_test).collect(),
        plugins: &side.plugins,
        testpaths: &side.testpaths,
        inifile: side.inifile.as_deref(),
    }
}

fn request_test(test: &TestRef) -> RequestTest<'_> {
    RequestTest {
        id: &test.id,
        file: &test.file,
        qualname: &test.qualname,
        params: test.params.as_deref(),
        param_indices: test.param_indices.as_ref(),
        bases: &test.bases,
    }
}

/// Joins the script's answer to digests, and refuses one that lacks a test.
pub(super) fn read(
    bytes: &[u8],
    parent: &SideView<'_>,
    patch: &SideView<'_>,
) -> Result<Digests, DigestError> {
    let answer: Answer = serde_json::from_slice(bytes).map_err(|error| DigestError::Answer {
        source: Box::new(error),
    })?;
    let [before, after] = answer.sides;
    Ok(Digests {
        parent: read_side(before, parent)?,
        patch: read_side(after, patch)?,
        notes: answer.notes,
    })
}

fn read_side(
    side: AnswerSide,
    view: &SideView<'_>,
) -> Result<BTreeMap<String, TestDigest>, DigestError> {
    let mut digests: BTreeMap<String, TestDigest> = BTreeMap::new();
    for test in side.tests {
        let group = side.groups.get(test.group);
        let Some(group) = group.filter(|_| !test.spec.is_empty()) else {
            return Err(DigestError::Missing { id: test.id });
        };
        let mut closure = group.clone();
        closure.extend(test.closure);
        let spec_hash = hash(&test.spec, "");
        let fixture_closure_hash = hash(&closure, &side.shared);
        let mut parts = test.spec;
        parts.extend(closure);
        for (name, value) in &side.differing {
            parts.entry(name.clone()).or_insert_with(|| value.clone());
        }
        let digest = TestDigest {
            spec_hash,
            fixture_closure_hash,
            parts,
            is_undefined: test.undefined,
        };
        let folded = match digests.remove(&test.id) {
            Some(other) => fold(other, digest),
            None => digest,
        };
        digests.insert(test.id, folded);
    }
    match view
        .tests
        .iter()
        .find(|test| !digests.contains_key(&test.id))
    {
        Some(test) => Err(DigestError::Missing {
            id: test.id.clone(),
        }),
        None => Ok(digests),
    }
}

/// Two tests of one id: whatever changes in either changes both.
fn fold(one: TestDigest, other: TestDigest) -> TestDigest {
    let join = |one: &str, other: &str| {
        let pair = BTreeMap::from([
            ("1".to_owned(), one.to_owned()),
            ("2".to_owned(), other.to_owned()),
        ]);
        hash(&pair, "")
    };
    let mut parts = one.parts;
    for (name, value) in other.parts {
        let joined = parts
            .get(&name)
            .map_or_else(|| value.clone(), |held| join(held, &value));
        parts.insert(name, joined);
    }
    TestDigest {
        spec_hash: join(&one.spec_hash, &other.spec_hash),
        fixture_closure_hash: join(&one.fixture_closure_hash, &other.fixture_closure_hash),
        parts,
        is_undefined: one.is_undefined && other.is_undefined,
    }
}

/// SHA-256 over the sorted lines `name TAB digest LF`, and one more digest.
fn hash(parts: &BTreeMap<String, String>, further: &str) -> String {
    let mut hasher = Sha256::new();
    for (name, value) in parts {
        hasher.update(format!("{name}\t{value}\n"));
    }
    hasher.update(further);
    let hex: Vec<String> = hasher
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("digest-1:{}", hex.concat())
}
