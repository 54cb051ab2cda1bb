//! How many leading folders the paths of a patch file carry.

/// The `-p` value for `git apply`: 1 for `a/x` and `b/x` or two different first folders, 0 for bare paths
/// (`git diff --no-prefix`, `diff -u x x`).
pub(crate) fn strip_level(patch: &[u8]) -> usize {
    let mut lines = patch.split(|byte| *byte == b'\n').peekable();
    let mut one_sided = None;
    while let Some(line) = lines.next() {
        let (old, new) = if let Some(names) = line.strip_prefix(b"diff --git ") {
            match git_header(names) {
                Some(pair) => pair,
                None => continue,
            }
        } else if let (Some(old), Some(new)) = (
            line.strip_prefix(b"--- "),
            lines.peek().and_then(|next| next.strip_prefix(b"+++ ")),
        ) {
            (name(old), name(new))
        } else {
            continue;
        };
        match (old == b"/dev/null", new == b"/dev/null") {
            (false, false) => return level_of_pair(old, new),
            (true, false) => one_sided = one_sided.or(Some(level_of_one(new))),
            (false, true) => one_sided = one_sided.or(Some(level_of_one(old))),
            (true, true) => {}
        }
    }
    one_sided.unwrap_or(1)
}

/// Both names of a `diff --git` line. They are equal but for their prefix unless the file was renamed, so
/// the middle blank parts them; otherwise the first blank does well enough to see the first folders.
fn git_header(names: &[u8]) -> Option<(&[u8], &[u8])> {
    let names = names.trim_ascii_end();
    let middle = names.len() / 2;
    let at = if names.get(middle) == Some(&b' ') {
        middle
    } else {
        names.iter().position(|byte| *byte == b' ')?
    };
    let (old, new) = names.split_at_checked(at)?;
    Some((unquoted(old), unquoted(new.get(1..)?)))
}

/// The name before a time stamp, without the opening quotation mark.
fn name(text: &[u8]) -> &[u8] {
    let text = text.split(|byte| *byte == b'\t').next().unwrap_or(text);
    unquoted(text.trim_ascii_end())
}

fn unquoted(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\"").unwrap_or(text)
}

fn first_folder(name: &[u8]) -> Option<&[u8]> {
    let at = name.iter().position(|byte| *byte == b'/')?;
    name.get(..at)
}

fn level_of_pair(old: &[u8], new: &[u8]) -> usize {
    match (first_folder(old), first_folder(new)) {
        // Two different first folders are the two sides; `a/x a/x` is a folder named `a`.
        (Some(one), Some(two)) if one != two => 1,
        _ => 0,
    }
}

fn level_of_one(name: &[u8]) -> usize {
    let known: [&[u8]; 6] = [b"a", b"b", b"c", b"i", b"o", b"w"];
    usize::from(first_folder(name).is_some_and(|folder| known.contains(&folder)))
}

#[cfg(test)]
mod tests;
