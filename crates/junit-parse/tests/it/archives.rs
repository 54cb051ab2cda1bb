//! Archives as tools and attackers make them; each bad entry is refused alone.
use std::io::{Cursor, Write as _};
use std::ops::ControlFlow;

use flate2::Compression;
use flate2::write::GzEncoder;
use junit_parse::{
    ArchiveEntry, ArchiveError, ArchiveErrorKind, ArchiveFormat, ArchiveLimits, visit_archive,
};
use tar::EntryType;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const GREEN: &[u8] = b"<testsuite name='s'><testcase name='a'/></testsuite>";
const RED: &[u8] = b"<testsuite name='s'><testcase name='b'><failure/></testcase></testsuite>";

/// What came of an entry: counts of cases and failures, or the word of the error.
type What = Result<(u64, u64), &'static str>;

/// Path and what came of it.
type Line = (String, What);

fn read(
    bytes: &[u8],
    format: ArchiveFormat,
    limits: &ArchiveLimits,
) -> (Vec<Line>, Result<(), ArchiveError>) {
    let mut lines = Vec::new();
    let end = visit_archive(Cursor::new(bytes), format, limits, |entry: ArchiveEntry| {
        let what = match &entry.report {
            Ok(report) => Ok((report.counts().cases, report.counts().failed)),
            Err(error) => Err(error.kind().as_str()),
        };
        lines.push((entry.path, what));
        ControlFlow::<()>::Continue(())
    });
    (lines, end.map(|_| ()))
}

#[track_caller]
fn check(bytes: &[u8], format: ArchiveFormat, expected: &[(&str, What)]) {
    let (lines, end) = read(bytes, format, &ArchiveLimits::default());
    let expected: Vec<Line> = expected
        .iter()
        .map(|(path, what)| ((*path).to_owned(), *what))
        .collect();
    assert_eq!(lines, expected);
    assert_eq!(end, Ok(()));
}

#[track_caller]
fn fails(
    bytes: &[u8],
    format: ArchiveFormat,
    limits: &ArchiveLimits,
    kind: ArchiveErrorKind,
) -> Vec<Line> {
    let (lines, end) = read(bytes, format, limits);
    assert_eq!(end.unwrap_err().kind(), kind, "{lines:?}");
    lines
}

fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        writer
            .start_file(*name, SimpleFileOptions::default())
            .unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A header whose path is as given, however bad.
fn header(path: &str, size: usize, kind: EntryType) -> tar::Header {
    let mut header = tar::Header::new_ustar();
    header.as_mut_bytes()[..path.len()].copy_from_slice(path.as_bytes());
    header.set_size(size.try_into().unwrap());
    header.set_entry_type(kind);
    header.set_mode(0o644);
    header.set_cksum();
    header
}

fn tar(entries: &[(&str, &[u8], EntryType)]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (path, bytes, kind) in entries {
        builder
            .append(&header(path, bytes.len(), *kind), *bytes)
            .unwrap();
    }
    builder.into_inner().unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

const FILE: EntryType = EntryType::Regular;

#[test]
fn reports_are_found_and_the_rest_is_passed_over() {
    let entries: [(&str, &[u8]); 5] = [
        ("out/", b""),
        ("out/a.xml", GREEN),
        ("out/notes.txt", b"no"),
        ("__MACOSX/out/._a.xml", b"\0\x05"),
        ("b.XML", RED),
    ];
    let expected = [("out/a.xml", Ok((1, 0))), ("b.XML", Ok((1, 1)))];
    check(&zip(&entries), ArchiveFormat::Zip, &expected);
    let tape: Vec<_> = entries[1..]
        .iter()
        .map(|(path, bytes)| (*path, *bytes, FILE))
        .collect();
    check(&tar(&tape), ArchiveFormat::Tar, &expected);
    check(&gzip(&tar(&tape)), ArchiveFormat::Gzip, &expected);
    check(&gzip(RED), ArchiveFormat::Gzip, &[("", Ok((1, 1)))]);
}

#[test]
fn one_bad_entry_does_not_sink_the_others() {
    let entries: [(&str, &[u8]); 4] = [
        ("a.xml", b""),
        ("b.xml", b"<html/>"),
        ("c.xml", b"<testsuite name='s'><testcase name='x'>"),
        ("d.xml", RED),
    ];
    let expected = [
        ("a.xml", Err("empty")),
        ("b.xml", Err("not_junit")),
        ("c.xml", Ok((0, 0))),
        ("d.xml", Ok((1, 1))),
    ];
    check(&zip(&entries), ArchiveFormat::Zip, &expected);
    let tape: Vec<_> = entries
        .iter()
        .map(|(path, bytes)| (*path, *bytes, FILE))
        .collect();
    check(&tar(&tape), ArchiveFormat::Tar, &expected);
}

#[test]
fn paths_that_lead_elsewhere_are_refused() {
    let paths = [
        "/etc/a.xml",
        "../a.xml",
        "x/../../a.xml",
        "C:/a.xml",
        "x\\..\\a.xml",
    ];
    for path in paths {
        let expected = [(path, Err("unsafe_path")), ("ok.xml", Ok((1, 0)))];
        check(
            &zip(&[(path, GREEN), ("ok.xml", GREEN)]),
            ArchiveFormat::Zip,
            &expected,
        );
        check(
            &tar(&[(path, GREEN, FILE), ("ok.xml", GREEN, FILE)]),
            ArchiveFormat::Tar,
            &expected,
        );
    }
}

#[test]
fn links_and_devices_are_refused() {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer
        .add_symlink("a.xml", "/etc/passwd", SimpleFileOptions::default())
        .unwrap();
    let bytes = writer.finish().unwrap().into_inner();
    check(&bytes, ArchiveFormat::Zip, &[("a.xml", Err("not_a_file"))]);
    for kind in [
        EntryType::Symlink,
        EntryType::Link,
        EntryType::Fifo,
        EntryType::Char,
        EntryType::GNUSparse,
    ] {
        let (lines, _) = read(
            &tar(&[("a.xml", b"", kind)]),
            ArchiveFormat::Tar,
            &ArchiveLimits::default(),
        );
        assert!(
            lines.iter().all(|(_, what)| *what == Err("not_a_file")),
            "{kind:?} {lines:?}"
        );
    }
}

#[test]
fn nested_archives_are_told_and_not_opened() {
    let inner = zip(&[("b.xml", RED)]);
    for name in ["in.zip", "in.tar", "in.tar.gz", "in.TGZ"] {
        let expected = [(name, Err("nested_archive")), ("a.xml", Ok((1, 0)))];
        check(
            &zip(&[(name, &inner), ("a.xml", GREEN)]),
            ArchiveFormat::Zip,
            &expected,
        );
        check(
            &tar(&[(name, &inner, FILE), ("a.xml", GREEN, FILE)]),
            ArchiveFormat::Tar,
            &expected,
        );
    }
    // One that hides behind another name is no report.
    check(
        &zip(&[("in.xml", &inner)]),
        ArchiveFormat::Zip,
        &[("in.xml", Err("not_junit"))],
    );
}

#[test]
fn of_two_entries_with_one_path_the_second_is_refused() {
    let tape = tar(&[
        ("a.xml", GREEN, FILE),
        ("./a.xml", RED, FILE),
        ("b.xml", RED, FILE),
    ]);
    let expected = [
        ("a.xml", Ok((1, 0))),
        ("./a.xml", Err("duplicate_entry")),
        ("b.xml", Ok((1, 1))),
    ];
    check(&tape, ArchiveFormat::Tar, &expected);
    // A zip whose second name was changed into the first.
    let mut bytes = zip(&[("a.xml", GREEN), ("b.xml", RED)]);
    rename(&mut bytes, b"b.xml", b"a.xml");
    check(
        &bytes,
        ArchiveFormat::Zip,
        &[("a.xml", Ok((1, 0))), ("a.xml", Err("duplicate_entry"))],
    );
}

fn rename(bytes: &mut [u8], from: &[u8], to: &[u8]) -> usize {
    let places: Vec<usize> = (0..bytes.len() - from.len())
        .filter(|at| bytes[*at..].starts_with(from))
        .collect();
    for at in &places {
        bytes[*at..*at + to.len()].copy_from_slice(to);
    }
    places.len()
}

/// The central directory's entry of `name`.
fn central(bytes: &[u8], name: &[u8]) -> usize {
    let found = (0..bytes.len())
        .rev()
        .find(|at| bytes[*at..].starts_with(name));
    found.unwrap() - 46
}

#[test]
fn headers_that_lie_are_refused() {
    let good = zip(&[("a.xml", GREEN), ("b.xml", RED)]);
    let expected = [("a.xml", Err("corrupt")), ("b.xml", Ok((1, 1)))];
    // The checksum.
    let mut bytes = good.clone();
    let at = central(&bytes, b"a.xml");
    bytes[at + 16] ^= 1;
    check(&bytes, ArchiveFormat::Zip, &expected);
    // The size.
    let mut bytes = good.clone();
    bytes[at + 24] += 1;
    check(&bytes, ArchiveFormat::Zip, &expected);
    // The name.
    let mut bytes = good.clone();
    bytes[at + 46] = b'x';
    check(
        &bytes,
        ArchiveFormat::Zip,
        &[("x.xml", Err("corrupt")), ("b.xml", Ok((1, 1)))],
    );
    // The content.
    let mut bytes = good;
    bytes[35 + 6] ^= 0x55;
    check(&bytes, ArchiveFormat::Zip, &expected);
}

#[test]
fn what_unpacks_to_too_much_is_refused() {
    let big = [
        b"<testsuite>".as_slice(),
        &b" ".repeat(3_000_000),
        b"</testsuite>",
    ]
    .concat();
    let mut limits = ArchiveLimits::default();
    limits.report.max_bytes = 1_000_000;
    let both: [(&str, &[u8]); 2] = [("a.xml", &big), ("b.xml", RED)];
    let (lines, end) = read(&zip(&both), ArchiveFormat::Zip, &limits);
    assert_eq!(lines[0].1, Err("too_large"));
    assert_eq!((lines[1].1, end), (Ok((1, 1)), Ok(())));
    // A bomb: the archive is small, the sum is not.
    let mut limits = ArchiveLimits::default();
    limits.max_archive_bytes = 5_000_000;
    let bomb: [(&str, &[u8]); 3] = [("a.xml", &big), ("b.xml", &big), ("c.xml", RED)];
    let lines = fails(
        &zip(&bomb),
        ArchiveFormat::Zip,
        &limits,
        ArchiveErrorKind::TooLarge,
    );
    assert_eq!(lines.len(), 1);
    let tape: Vec<_> = bomb
        .iter()
        .map(|(path, bytes)| (*path, *bytes, FILE))
        .collect();
    fails(
        &gzip(&tar(&tape)),
        ArchiveFormat::Gzip,
        &limits,
        ArchiveErrorKind::TooLarge,
    );
    limits.max_archive_bytes = 2_000_000;
    fails(
        &gzip(&big),
        ArchiveFormat::Gzip,
        &limits,
        ArchiveErrorKind::TooLarge,
    );
    fails(
        &tar(&tape),
        ArchiveFormat::Tar,
        &limits,
        ArchiveErrorKind::TooLarge,
    );
    // Passed-over entries count too.
    let noise = tar(&[("noise.bin", &big, FILE), ("a.xml", GREEN, FILE)]);
    fails(
        &gzip(&noise),
        ArchiveFormat::Gzip,
        &limits,
        ArchiveErrorKind::TooLarge,
    );
}

#[test]
fn too_many_entries_are_refused() {
    let mut limits = ArchiveLimits::default();
    limits.max_entries = 2;
    let bytes = zip(&[("a.xml", GREEN), ("n.txt", b""), ("b.xml", RED)]);
    fails(
        &bytes,
        ArchiveFormat::Zip,
        &limits,
        ArchiveErrorKind::TooManyEntries,
    );
}

#[test]
fn a_cut_archive_is_never_whole() {
    let zipped = zip(&[("a.xml", GREEN), ("b.xml", RED)]);
    let tape = tar(&[("a.xml", GREEN, FILE), ("b.xml", RED, FILE)]);
    let packed = gzip(&tape);
    let limits = ArchiveLimits::default();
    for (bytes, format, step) in [
        (&zipped, ArchiveFormat::Zip, 1),
        (&packed, ArchiveFormat::Gzip, 1),
    ] {
        for cut in (0..bytes.len()).step_by(step) {
            let (_, end) = read(&bytes[..cut], format, &limits);
            assert!(end.is_err(), "{format:?} cut at {cut}");
        }
    }
    // The content of `b.xml` ends at 1,536 + its size; the end mark needs one block of zeros.
    for cut in (0..2_560).step_by(64) {
        let (lines, end) = read(&tape[..cut], ArchiveFormat::Tar, &limits);
        let is_told = end.is_err() || lines.iter().any(|(_, what)| what.is_err());
        assert!(is_told, "cut at {cut}: {lines:?}");
    }
    let hidden = [tape.as_slice(), &tape].concat();
    fails(
        &hidden,
        ArchiveFormat::Tar,
        &limits,
        ArchiveErrorKind::Corrupt,
    );
}

#[test]
fn an_archive_without_reports_is_an_error() {
    let limits = ArchiveLimits::default();
    fails(
        &zip(&[("a.txt", b"")]),
        ArchiveFormat::Zip,
        &limits,
        ArchiveErrorKind::NoReports,
    );
    fails(
        &tar(&[]),
        ArchiveFormat::Tar,
        &limits,
        ArchiveErrorKind::NoReports,
    );
    for format in [ArchiveFormat::Zip, ArchiveFormat::Tar, ArchiveFormat::Gzip] {
        for bytes in [b"".as_slice(), b"no archive", &[0; 300], &[0xFF; 2_000]] {
            let (lines, end) = read(bytes, format, &limits);
            assert!(lines.is_empty() && end.is_err(), "{format:?} {bytes:?}");
        }
    }
}

#[test]
fn formats_are_known_by_name_and_by_content() {
    let of = ArchiveFormat::of_name;
    assert_eq!(of("a.ZIP"), Some(ArchiveFormat::Zip));
    assert_eq!(of("a.tar.gz"), Some(ArchiveFormat::Gzip));
    assert_eq!(of("a.tgz"), Some(ArchiveFormat::Gzip));
    assert_eq!((of("a.xml"), of("zip")), (None, None));
    let tape = tar(&[("a.xml", GREEN, FILE)]);
    assert_eq!(
        ArchiveFormat::of_head(&zip(&[("a.xml", GREEN)])),
        Some(ArchiveFormat::Zip)
    );
    assert_eq!(
        ArchiveFormat::of_head(&gzip(&tape)),
        Some(ArchiveFormat::Gzip)
    );
    assert_eq!(ArchiveFormat::of_head(&tape), Some(ArchiveFormat::Tar));
    assert_eq!(ArchiveFormat::of_head(GREEN), None);
}
