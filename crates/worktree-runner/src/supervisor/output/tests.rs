//! Head and tail of an output, and what is said about the middle.

use std::io::{Read, Seek};

use super::CappedLog;

fn logged(limit: u64, pieces: &[&str]) -> (String, u64) {
    let mut file = tempfile::tempfile().unwrap();
    let mut log = CappedLog::new(file.try_clone().unwrap(), limit);
    for piece in pieces {
        log.push(piece.as_bytes());
    }
    let (dropped, error) = log.finish();
    assert_eq!(error, None);
    file.rewind().unwrap();
    let mut text = String::new();
    file.read_to_string(&mut text).unwrap();
    (text, dropped)
}

#[test]
fn up_to_the_limit_nothing_is_cut() {
    assert_eq!(logged(8, &["abcd", "efgh"]), ("abcdefgh".to_owned(), 0));
    assert_eq!(logged(8, &["abcdefgh"]), ("abcdefgh".to_owned(), 0));
    assert_eq!(logged(8, &[]), (String::new(), 0));
}

#[test]
fn beyond_it_head_and_tail_stay() {
    let expected = "abcd\n[... 2 bytes of output left out here ...]\nghij".to_owned();
    assert_eq!(logged(8, &["abcdefghij"]), (expected.clone(), 2));
    assert_eq!(logged(8, &["ab", "cde", "f", "ghij"]), (expected, 2));
}

#[test]
fn a_full_disk_is_remembered() {
    let Ok(full) = std::fs::File::options().write(true).open("/dev/full") else {
        return;
    };
    let mut log = CappedLog::new(full, 8);
    log.push(b"abc");
    assert_eq!(log.finish(), (0, Some(28)));
}
