//! Round trips of file names.

use super::{to_bytes, to_text};
use gix::bstr::BStr;

#[track_caller]
fn check(name: &[u8], text: &str) {
    assert_eq!(to_text(BStr::new(name)), text);
    assert_eq!(to_bytes(text).as_deref(), Some(name));
}

#[test]
fn names_survive() {
    check(b"src/a b.txt", "src/a b.txt");
    check("grüße\n.txt".as_bytes(), "grüße\n.txt");
    check(b"caf\xe9.txt", r#""caf\351.txt""#);
    check(b"\"quoted\"", r#""\"quoted\"""#);
    check(b"\\\xff", r#""\\\377""#);
    check(b"back\\slash", "back\\slash");
}

#[test]
fn broken_quotes_are_refused() {
    for text in ["\"", "\"a", "\"\\9\"", "\"\\37\"", "\"\\\""] {
        assert_eq!(to_bytes(text), None, "{text}");
    }
}

proptest::proptest! {
    #[test]
    fn any_name_survives(name in proptest::collection::vec(1_u8..=255, 0..40)) {
        let text = to_text(BStr::new(&name));
        proptest::prop_assert_eq!(to_bytes(&text), Some(name));
    }
}
