//! Decoding and places.
use super::*;

#[track_caller]
fn decoded(bytes: &[u8]) -> Document<'_> {
    Document::decode(bytes, &Limits::default()).unwrap()
}

fn kinds(document: &Document<'_>) -> Vec<&'static str> {
    document
        .notes
        .iter()
        .map(|note| note.kind.as_str())
        .collect()
}

#[test]
fn byte_order_marks_and_shapes_choose_the_encoding() {
    let utf16 = |text: &str, little: bool, mark: bool| -> Vec<u8> {
        let text = if mark {
            format!("\u{FEFF}{text}")
        } else {
            text.to_owned()
        };
        text.encode_utf16()
            .flat_map(|unit| {
                if little {
                    unit.to_le_bytes()
                } else {
                    unit.to_be_bytes()
                }
            })
            .collect()
    };
    for little in [true, false] {
        for mark in [true, false] {
            let bytes = utf16("<a b='é😀'/>", little, mark);
            assert_eq!(decoded(&bytes).text(), "<a b='é😀'/>", "{little} {mark}");
        }
    }
    assert_eq!(decoded(b"\xEF\xBB\xBF<a/>").text(), "<a/>");
}

#[test]
fn declared_encodings_are_used_and_doubted() {
    let check = |bytes: &[u8], text: &str, expected: &[&str]| {
        let document = decoded(bytes);
        assert!(document.text().ends_with(text), "{:?}", document.text());
        assert_eq!(kinds(&document), expected);
    };
    check(b"<?xml encoding='iso-8859-1'?>\xE9", "é", &[]);
    check(b"<?xml encoding=\"windows-1251\"?>\xF3", "у", &[]);
    check(b"<?xml encoding='utf8'?>\xC3\xA9", "é", &[]);
    check(
        b"<?xml encoding='utf-16'?>\xC3\xA9",
        "é",
        &["encoding_mismatch"],
    );
    check(b"<?xml encoding='klingon'?>a", "a", &["unknown_encoding"]);
    check(
        b"<?xml encoding='utf-8'?>a\xE9b",
        "a\u{FFFD}b",
        &["undecodable_bytes", "encoding_mismatch"],
    );
    check(
        b"\xEF\xBB\xBF<?xml encoding='latin1'?>\xC3\xA9",
        "é",
        &["encoding_mismatch"],
    );
}

#[test]
fn places_are_those_of_the_bytes() {
    let check = |bytes: &[u8], needle: char, offset: u64, line: u64| {
        let document = decoded(bytes);
        let at = document.text().find(needle).unwrap();
        assert_eq!(document.places().find(at), (offset, line), "{bytes:?}");
    };
    check(b"<a>\n!", '!', 4, 2);
    check(b"\xEF\xBB\xBF<a>\n!", '!', 7, 2);
    check(b"<\xFF\xFFa>\n!", '!', 6, 2);
    check(b"\xFF\xFE<\0\xE9\0\n\0!\0", '!', 8, 2);
    check(b"<?xml encoding='latin1'?>\xE9\n!", '!', 27, 2);
}

#[test]
fn forbidden_characters_are_found_wherever_they_stand() {
    for before in [0, 1, 255, 256, 1000] {
        let text = format!("{}\u{1B}é\u{FFFF}\u{FEFF}", "é".repeat(before));
        let found: Vec<char> = characters::IllegalCharacters::new(text.as_bytes(), 0)
            .map(|(_, c)| c)
            .collect();
        assert_eq!(found, ['\u{1B}', '\u{FFFF}'], "{before}");
    }
}
