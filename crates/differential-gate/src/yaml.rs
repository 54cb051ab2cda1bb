//! Contracts in YAML, read so that no two readers can disagree about what they say.
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{DuplicateKeyPolicy, MergeKeyPolicy, NonFiniteFloatPolicy, Options, Spanned};

use crate::json::Node;

/// Nodes a contract in YAML may have.
const NODES: usize = 500_000;

/// Reads one YAML document; the error is the reader's own sentence.
pub(crate) fn read(text: &str) -> Result<Node, String> {
    let budget = serde_saphyr::budget! {
        max_anchors: 0,
        max_aliases: 0,
        max_merge_keys: 0,
        max_documents: 1,
        max_depth: Node::DEPTH,
        max_nodes: NODES,
    };
    let options: Options = serde_saphyr::options! {
        budget: budget,
        merge_keys: MergeKeyPolicy::Error,
        duplicate_keys: DuplicateKeyPolicy::PassThrough,
        strict_booleans: true,
        // Refused below, by the name of its key.
        non_finite_float_policy: NonFiniteFloatPolicy::PassThrough,
        with_snippet: false,
    };
    serde_saphyr::from_str_with_options::<Spanned<Value>>(text, options)
        .map_err(|error| error.to_string())
        .and_then(|value| resolve(value, text).map_err(str::to_owned))
}

/// A YAML value as the reader resolved it, each part with its place in the text.
enum Value {
    Null,
    Bool,
    Number,
    Text(String),
    Array(Vec<Spanned<Self>>),
    Object(Vec<(Spanned<Self>, Spanned<Self>)>),
}

/// Turns the reader's value into ours, looking at how each scalar was really written.
fn resolve(value: Spanned<Value>, text: &str) -> Result<Node, &'static str> {
    let written = written(&value, text).ok_or("a value has no place in the text")?;
    Ok(match value.value {
        Value::Null => Node::Null,
        Value::Bool => match plain(written) {
            "true" | "True" | "TRUE" => Node::Bool(true),
            "false" | "False" | "FALSE" => Node::Bool(false),
            other => Node::Refused(other.to_owned()),
        },
        Value::Number => number(plain(written)),
        Value::Text(found) => {
            if written.starts_with(['"', '\'', '|', '>']) {
                Node::Text(found)
            } else if written.starts_with(['!', '&', '*']) || is_ambiguous(&found) {
                Node::Refused(found)
            } else {
                Node::Text(found)
            }
        }
        Value::Array(items) => Node::Array(
            items
                .into_iter()
                .map(|item| resolve(item, text))
                .collect::<Result<_, _>>()?,
        ),
        Value::Object(entries) => {
            let mut resolved = Vec::with_capacity(entries.len());
            for (key, value) in entries {
                let Node::Text(key) = resolve(key, text)? else {
                    return Err("a key is not a text");
                };
                resolved.push((key, resolve(value, text)?));
            }
            Node::Object(resolved)
        }
    })
}

/// The text from the value's first character on.
fn written<'a>(value: &Spanned<Value>, text: &'a str) -> Option<&'a str> {
    let offset = usize::try_from(value.referenced.span().byte_offset()?).ok()?;
    text.get(offset..)
}

/// The plain scalar that `written` begins with.
fn plain(written: &str) -> &str {
    let end = written
        .find(|symbol: char| symbol.is_whitespace() || matches!(symbol, ',' | ']' | '}' | ':'))
        .unwrap_or(written.len());
    written.get(..end).unwrap_or(written)
}

/// A decimal integer; everything else that is a number is refused.
fn number(written: &str) -> Node {
    let unsigned = written.strip_prefix(['-', '+']).unwrap_or(written);
    let decimal = !unsigned.is_empty() && unsigned.bytes().all(|byte| byte.is_ascii_digit());
    let octal_looking = unsigned.len() > 1 && unsigned.starts_with('0');
    if decimal && !octal_looking {
        Node::integer(written.strip_prefix('+').unwrap_or(written))
    } else {
        Node::Refused(written.to_owned())
    }
}

/// Whether a plain text is a number or a truth value to readers of YAML 1.1.
fn is_ambiguous(text: &str) -> bool {
    const WORDS: [&str; 8] = ["y", "n", "yes", "no", "on", "off", "true", "false"];
    if WORDS.iter().any(|word| text.eq_ignore_ascii_case(word)) {
        return true;
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let based = unsigned
        .strip_prefix('0')
        .and_then(|rest| rest.strip_prefix(['x', 'X', 'o', 'O', 'b', 'B']))
        .is_some_and(|rest| {
            rest.bytes()
                .all(|byte| byte.is_ascii_hexdigit() || byte == b'_')
        });
    let digits = unsigned.starts_with(|symbol: char| symbol.is_ascii_digit())
        && unsigned
            .bytes()
            .all(|byte| byte.is_ascii_digit() || matches!(byte, b'_' | b':'));
    let fraction = unsigned.contains('_')
        && unsigned.starts_with(|symbol: char| symbol.is_ascii_digit())
        && unsigned.bytes().all(|byte| {
            byte.is_ascii_digit() || matches!(byte, b'_' | b'.' | b'e' | b'E' | b'+' | b'-')
        });
    based || digits || fraction
}

struct ValueVisitor;

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a plain YAML value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Value, E> {
        Ok(Value::Bool)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Value, E> {
        Ok(Value::Number)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Value, E> {
        Ok(Value::Number)
    }

    fn visit_i128<E>(self, _: i128) -> Result<Value, E> {
        Ok(Value::Number)
    }

    fn visit_u128<E>(self, _: u128) -> Result<Value, E> {
        Ok(Value::Number)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Value, E> {
        Ok(Value::Number)
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut found = Vec::new();
        while let Some(item) = items.next_element()? {
            found.push(item);
        }
        Ok(Value::Array(found))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut found = Vec::new();
        while let Some(entry) = entries.next_entry::<Spanned<Value>, Spanned<Value>>()? {
            if matches!(entry.0.value, Value::Array(_) | Value::Object(_)) {
                return Err(A::Error::custom("a key is not a text"));
            }
            found.push(entry);
        }
        Ok(Value::Object(found))
    }
}
