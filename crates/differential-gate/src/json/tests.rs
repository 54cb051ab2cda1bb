//! The scanner against a second reader.
use proptest::prelude::*;

use super::{Node, Scanner};

proptest! {
    #[test]
    fn it_reads_what_serde_json_reads(text in "[\\[\\]{}\":,0-9.eE+\\-truefalsn\\\\u/ \u{e9}\t]{0,24}") {
        let mut scanner = Scanner::new(&text);
        let ours = scanner.skip(100).and_then(|_| scanner.end()).is_ok();
        let theirs = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
        prop_assert_eq!(ours, theirs, "{}", text);
        prop_assert_eq!(Node::from_json(&text).is_ok(), ours);
    }

    #[test]
    fn strings_read_back(value in any::<String>(), pad in 0..9_usize) {
        let mut text = " ".repeat(pad);
        super::write_text(&mut text, &value);
        prop_assert_eq!(Scanner::new(&text).string().unwrap(), value.as_str());
        let spelt = serde_json::to_string(&value).unwrap();
        prop_assert_eq!(Scanner::new(&spelt).string().unwrap(), value.as_str());
    }
}
