//! Names of files as text that loses nothing.

use gix::bstr::{BStr, ByteSlice};

/// The name as text: itself, or quoted as git does when it is not UTF-8 or begins with a quotation mark.
pub(crate) fn to_text(name: &BStr) -> String {
    match name.to_str() {
        Ok(text) if !text.starts_with('"') => text.to_owned(),
        _ => quote(name),
    }
}

/// The name's bytes; `None` for quoted text that is not well formed.
pub(crate) fn to_bytes(text: &str) -> Option<Vec<u8>> {
    match text.strip_prefix('"') {
        None => Some(text.as_bytes().to_vec()),
        Some(rest) => unquote(rest.strip_suffix('"')?),
    }
}

fn quote(name: &[u8]) -> String {
    let mut text = String::from("\"");
    for chunk in name.utf8_chunks() {
        for letter in chunk.valid().chars() {
            match letter {
                '"' => text.push_str("\\\""),
                '\\' => text.push_str("\\\\"),
                _ => text.push(letter),
            }
        }
        for byte in chunk.invalid() {
            text.push('\\');
            text.extend([6, 3, 0].map(|shift| char::from(b'0' + ((byte >> shift) & 7))));
        }
    }
    text.push('"');
    text
}

fn unquote(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        match rest.next()? {
            escaped @ (b'"' | b'\\') => bytes.push(escaped),
            high @ b'0'..=b'3' => {
                let mut value = high - b'0';
                for _ in 0..2 {
                    match rest.next()? {
                        digit @ b'0'..=b'7' => value = value * 8 + (digit - b'0'),
                        _ => return None,
                    }
                }
                bytes.push(value);
            }
            _ => return None,
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests;
