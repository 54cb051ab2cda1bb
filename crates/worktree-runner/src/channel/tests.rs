//! The pipe without a run.

use std::fs::File;
use std::io::Write as _;

use super::{Channel, Streamed};

fn streamed(write: impl FnOnce(&std::path::Path)) -> Streamed {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pipe");
    let channel = Channel::open(&path).unwrap();
    write(&path);
    channel.finish().unwrap()
}

#[test]
fn more_than_a_pipe_holds_comes_whole() {
    let bytes = vec![b'x'; 1_000_000];
    let all = streamed(|path| {
        let mut file = File::options().write(true).open(path).unwrap();
        file.write_all(&bytes).unwrap();
    });
    assert_eq!((all.bytes.len(), all.dropped_bytes), (1_000_000, 0));
}

#[test]
fn several_writers_and_none() {
    assert_eq!(streamed(|_| ()), Streamed::default());
    let all = streamed(|path| {
        for text in [b"a", b"b"] {
            let mut file = File::options().write(true).open(path).unwrap();
            file.write_all(text).unwrap();
        }
        std::fs::remove_file(path).unwrap();
    });
    assert_eq!(all.bytes, b"ab");
}

#[test]
fn beyond_the_limit_it_is_counted() {
    let (reader, writer) = rustix::pipe::pipe().unwrap();
    rustix::io::ioctl_fionbio(&reader, true).unwrap();
    let (stopped, stop) = rustix::pipe::pipe().unwrap();
    rustix::io::write(&writer, b"abcdef").unwrap();
    drop(stop);
    let all = super::read(&reader, &stopped, 4);
    assert_eq!((all.bytes.as_slice(), all.dropped_bytes), (&b"abcd"[..], 2));
}
