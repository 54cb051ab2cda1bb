//! The parts of a Rust file that only tests see, found in its tokens.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// What of a file belongs to its tests.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct TestParts {
    pub(super) regions: Vec<Region>,
    /// Attributes and `cfg!` that ask for tests without making an item one: they may change what a
    /// test sees of the code.
    pub(super) mentions: Vec<String>,
    /// `mod NAME;` of tests alone: modules of the file, then the name.
    pub(super) modules: Vec<Vec<String>>,
}

/// One item that is there for tests alone.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Region {
    /// Modules of the file down to the item's own name, where it is a module or a function that
    /// nothing outside can see; `None` where its reach is not known.
    pub(super) path: Option<Vec<String>>,
    /// Its tokens, comments left out.
    pub(super) text: String,
}

/// Reads a file; `None` where it cannot be taken into tokens.
pub(super) fn test_parts(source: &str) -> Option<TestParts> {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    // A first line `#!/...` is no token; `#![` is an attribute.
    let body = match source.strip_prefix("#!") {
        Some(rest) if !rest.trim_start().starts_with('[') => {
            rest.split_once('\n').map_or("", |(_, body)| body)
        }
        _ => source,
    };
    let tokens: TokenStream = body.parse().ok()?;
    let mut parts = TestParts::default();
    scan(tokens, Some(&[]), &mut parts);
    parts.regions.sort();
    parts.mentions.sort();
    Some(parts)
}

/// How an attribute speaks of tests.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Nothing,
    Mention,
    /// There for tests: `#[cfg(test)]`.
    ForTests,
    /// A test itself: `#[test]`.
    Test,
}

impl Kind {
    const fn is_region(self) -> bool {
        matches!(self, Self::ForTests | Self::Test)
    }
}

/// Looks through one level; `modules` are those around it, `None` inside anything but modules.
fn scan(tokens: TokenStream, modules: Option<&[String]>, parts: &mut TestParts) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if let Some((kind, inner, after)) = attribute(&tokens, at) {
            if kind.is_region() && inner {
                // `#![cfg(test)]`: everything on this level.
                let path = None;
                let text = render(&tokens);
                parts.regions.push(Region { path, text });
                return;
            }
            at = attributed(&tokens, at, (kind, after), modules, parts);
            continue;
        }
        if let (TokenTree::Ident(word), Some(modules)) = (token, modules)
            && word == "mod"
            && let Some(TokenTree::Ident(name)) = tokens.get(at + 1)
            && let Some(TokenTree::Group(body)) = tokens.get(at + 2)
            && body.delimiter() == Delimiter::Brace
        {
            let inside: Vec<String> = modules.iter().cloned().chain([name.to_string()]).collect();
            scan(body.stream(), Some(&inside), parts);
            at += 3;
            continue;
        }
        if let TokenTree::Ident(word) = token
            && (word == "cfg" || word == "cfg_if")
            && let (Some(TokenTree::Punct(bang)), Some(TokenTree::Group(body))) =
                (tokens.get(at + 1), tokens.get(at + 2))
            && bang.as_char() == '!'
            && speaks_of_tests(body.stream())
        {
            parts.mentions.push(body.to_string());
        }
        if let TokenTree::Group(body) = token {
            scan(body.stream(), None, parts);
        }
        at += 1;
    }
}

/// Reads the attributes from `at` on and the item behind them; the position after both.
fn attributed(
    tokens: &[TokenTree],
    at: usize,
    (mut kind, mut next): (Kind, usize),
    modules: Option<&[String]>,
    parts: &mut TestParts,
) -> usize {
    let mut mentions = Vec::new();
    let mut note = |kind: Kind, from: usize, to: usize| {
        if kind == Kind::Mention {
            mentions.push(render(tokens.get(from..to).unwrap_or_default()));
        }
    };
    note(kind, at, next);
    while let Some((more, _, after)) = attribute(tokens, next) {
        note(more, next, after);
        kind = kind.max(more);
        next = after;
    }
    if !kind.is_region() {
        parts.mentions.extend(mentions);
        return next;
    }
    let item = tokens.get(next..).unwrap_or_default();
    let length = item_length(item);
    let item = item.get(..length).unwrap_or_default();
    let text = render(tokens.get(at..next + length).unwrap_or_default());
    let path = modules
        .zip(name_of(item))
        .and_then(|(modules, (word, name))| {
            let path: Vec<String> = modules.iter().cloned().chain([name]).collect();
            let declared = word == "mod"
                && item.last().is_some_and(
                    |last| matches!(last, TokenTree::Punct(end) if end.as_char() == ';'),
                );
            if declared {
                parts.modules.push(path.clone());
            }
            // A private helper function is seen by everything in its module.
            let known = word == "mod" || kind == Kind::Test;
            (known && !declared && stays_inside(item)).then_some(path)
        });
    parts.regions.push(Region { path, text });
    next + length
}

/// The attribute at `at`: how it speaks of tests, whether it is an inner one, where it ends.
fn attribute(tokens: &[TokenTree], at: usize) -> Option<(Kind, bool, usize)> {
    let is = |index: usize, sign: char| matches!(tokens.get(index), Some(TokenTree::Punct(found)) if found.as_char() == sign);
    if !is(at, '#') {
        return None;
    }
    let inner = is(at + 1, '!');
    let at = at + 1 + usize::from(inner);
    let Some(TokenTree::Group(body)) = tokens.get(at) else {
        return None;
    };
    (body.delimiter() == Delimiter::Bracket).then(|| (kind_of(body.stream()), inner, at + 1))
}

fn kind_of(attribute: TokenStream) -> Kind {
    let mut path = Vec::new();
    let mut arguments = TokenStream::new();
    for token in attribute {
        match token {
            TokenTree::Ident(word) => path.push(word.to_string()),
            TokenTree::Punct(sign) if sign.as_char() == ':' => {}
            TokenTree::Group(group) => {
                arguments = group.stream();
                break;
            }
            _ => break,
        }
    }
    let last = path.last().map(String::as_str).unwrap_or_default();
    match last {
        "cfg" if holds_for_tests(arguments.clone()) => Kind::ForTests,
        "cfg" | "cfg_attr" if speaks_of_tests(arguments.clone()) => Kind::Mention,
        "cfg" | "cfg_attr" | "doc" => Kind::Nothing,
        name if crate::paths::belongs_to_tests(name)
            || matches!(name, "rstest" | "bench" | "quickcheck") =>
        {
            Kind::Test
        }
        _ => Kind::Nothing,
    }
}

/// `test` outside any `not(..)`.
fn holds_for_tests(arguments: TokenStream) -> bool {
    let mut negated = false;
    for token in arguments {
        match token {
            TokenTree::Ident(word) if word == "test" => return true,
            TokenTree::Ident(word) => negated = word == "not",
            TokenTree::Group(group) if !negated && holds_for_tests(group.stream()) => return true,
            _ => negated = false,
        }
    }
    false
}

fn speaks_of_tests(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(word) => word == "test",
        TokenTree::Group(group) => speaks_of_tests(group.stream()),
        _ => false,
    })
}

const ITEMS: [&str; 17] = [
    "fn",
    "mod",
    "impl",
    "struct",
    "enum",
    "trait",
    "union",
    "unsafe",
    "async",
    "extern",
    "const",
    "static",
    "use",
    "type",
    "macro_rules",
    "let",
    "pub",
];

/// How many tokens the item takes: to its `;` or its body, and for a field or an arm to its comma.
fn item_length(item: &[TokenTree]) -> usize {
    let words: Vec<String> = item
        .iter()
        .map_while(|token| match token {
            TokenTree::Ident(word) => Some(word.to_string()),
            _ => None,
        })
        .collect();
    let is_item = words
        .first()
        .is_some_and(|word| ITEMS.contains(&word.as_str()));
    let function = words.iter().any(|word| word == "fn");
    let to_semicolon = !function
        && words
            .iter()
            .any(|word| matches!(word.as_str(), "const" | "static" | "let" | "use" | "type"));
    for (index, token) in item.iter().enumerate() {
        let ends = match token {
            TokenTree::Punct(sign) => sign.as_char() == ';' || (sign.as_char() == ',' && !is_item),
            TokenTree::Group(body) => body.delimiter() == Delimiter::Brace && !to_semicolon,
            _ => false,
        };
        if ends {
            return index + 1;
        }
    }
    item.len()
}

/// `mod NAME` or `fn NAME` of an item.
fn name_of(item: &[TokenTree]) -> Option<(String, String)> {
    let mut word = None::<String>;
    for token in item {
        match (word.take(), token) {
            (Some(word), TokenTree::Ident(name)) => return Some((word, name.to_string())),
            (None, TokenTree::Ident(found)) if found == "mod" || found == "fn" => {
                word = Some(found.to_string());
            }
            (None, TokenTree::Ident(found)) if ITEMS.contains(&found.to_string().as_str()) => {}
            _ => return None,
        }
    }
    None
}

/// Whether nothing of the item can be seen or felt outside it: no `pub`, no `impl`, no macro.
fn stays_inside(item: &[TokenTree]) -> bool {
    item.iter().all(|token| match token {
        TokenTree::Ident(word) => word != "pub" && word != "impl" && word != "macro_rules",
        TokenTree::Group(group) => {
            let inside: Vec<TokenTree> = group.stream().into_iter().collect();
            stays_inside(&inside)
        }
        _ => true,
    })
}

fn render(tokens: &[TokenTree]) -> String {
    tokens.iter().cloned().collect::<TokenStream>().to_string()
}

#[cfg(test)]
mod tests {
    use super::test_parts;

    /// Paths of the regions (`*` where the reach is not known), then the mentions.
    #[track_caller]
    fn check(source: &str, wanted: &str) {
        let parts = test_parts(source).unwrap_or_default();
        let path = |path: &Option<Vec<String>>| {
            path.as_ref()
                .map_or_else(|| "*".to_owned(), |path| path.join("::"))
        };
        let mut found: Vec<String> = parts
            .regions
            .iter()
            .map(|region| path(&region.path))
            .collect();
        found.push(format!("{} mentions", parts.mentions.len()));
        assert_eq!(found.join(" "), wanted, "{source}");
    }

    #[test]
    fn what_belongs_to_tests() {
        check("fn a() {}", "0 mentions");
        check("#[cfg(test)] mod tests { fn a() {} }", "tests 0 mentions");
        check(
            "mod x { #[cfg(test)] mod tests { #[test] fn a() {} } }",
            "x::tests 0 mentions",
        );
        check(
            "#[cfg(test)] mod tests { pub fn help() {} }",
            "* 0 mentions",
        );
        check(
            "#[cfg(test)] mod tests { struct A; impl Drop for A {} }",
            "* 0 mentions",
        );
        check("#[cfg(test)] mod tests;", "* 0 mentions");
        check("#[test] fn a() {} fn b() {}", "a 0 mentions");
        check("#[tokio::test] async fn a() {}", "a 0 mentions");
        check("#[cfg(test)] fn help() {}", "* 0 mentions");
        check(
            "#[cfg(any(test, feature = \"x\"))] mod a {}",
            "a 0 mentions",
        );
        check("#[cfg(all(test, not(miri)))] mod a {}", "a 0 mentions");
        check("#[cfg(not(test))] fn a() {}", "1 mentions");
        check("#[cfg_attr(test, derive(Debug))] struct A;", "1 mentions");
        check("fn a() -> bool { cfg!(test) }", "1 mentions");
        check(
            "struct A { #[cfg(test)] calls: u32, b: u32 }",
            "* 0 mentions",
        );
        check(
            "fn a() { #[cfg(test)] let x = match 1 { _ => 2 } + 1; b(); }",
            "* 0 mentions",
        );
        check("#![cfg(test)] fn a() {}", "* 0 mentions");
        check("proptest! { #[test] fn a(x in 0..1) {} }", "* 0 mentions");
        check("/// A test.\nfn a() {}", "0 mentions");
    }

    #[test]
    fn production_leaves_the_tests_as_they_are() {
        let tests = "#[cfg(test)] mod tests { #[test] fn a() { assert!(super::f()); } }";
        let [one, two] = [
            "fn f() -> bool { true }",
            "fn f() -> bool { 1 > 0 } // comment",
        ]
        .map(|code| test_parts(&format!("{code}\n{tests}")));
        assert_eq!(one, two);
    }

    #[test]
    fn what_is_no_rust_has_no_parts() {
        assert_eq!(test_parts("fn a( {"), None);
    }
}
