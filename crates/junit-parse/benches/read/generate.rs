//! Reports for the benchmark, the same on every machine: many small cases, many failures, much output.
use std::fmt::Write as _;

/// Which report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Passing cases, as pytest writes them.
    Small,
    /// Failures with long traces, half escaped, half CDATA.
    Failures,
    /// Outputs of log lines, half escaped, half CDATA.
    Sysout,
    /// The same with text that is not ASCII.
    Unicode,
}

impl Kind {
    pub(crate) const ALL: [Self; 4] = [Self::Small, Self::Failures, Self::Sysout, Self::Unicode];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Small => "small",
            Self::Failures => "failures",
            Self::Sysout => "sysout",
            Self::Unicode => "unicode",
        }
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }

    fn word(&mut self) -> &'static str {
        let index = usize::try_from(self.below(24)).unwrap();
        WORDS[index]
    }
}

const WORDS: [&str; 24] = [
    "cache", "ledger", "order", "refund", "index", "merge", "token", "session", "upload", "parser",
    "queue", "retry", "shard", "worker", "metric", "policy", "ticket", "branch", "commit",
    "filter", "window", "cursor", "digest", "lease",
];

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

fn title(word: &str) -> String {
    format!("{}{}", word[..1].to_uppercase(), &word[1..])
}

/// A report of at least `bytes` bytes.
pub(crate) fn report(kind: Kind, bytes: usize) -> String {
    let mut xml =
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<testsuites name=\"bench\">\n".to_owned();
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut number = 0;
    while xml.len() < bytes {
        match kind {
            Kind::Small => small(&mut xml, &mut random, &mut number),
            Kind::Failures => failures(&mut xml, &mut random),
            Kind::Sysout => outputs(&mut xml, &mut random, ""),
            Kind::Unicode => outputs(&mut xml, &mut random, "Übergröße 検証 → "),
        }
        xml.push_str("</testsuite>\n");
    }
    xml.push_str("</testsuites>\n");
    xml
}

fn small(xml: &mut String, random: &mut Random, number: &mut u64) {
    let (millis, host) = (random.below(1000), random.below(64));
    write!(xml, "<testsuite name=\"pytest\" errors=\"0\" failures=\"0\" skipped=\"0\" tests=\"500\" time=\"12.{millis:03}\" timestamp=\"2026-01-02T03:04:05.678901+00:00\" hostname=\"ci-{host}\">").unwrap();
    for _ in 0..500 {
        let (a, b) = (random.word(), random.word());
        let name = match random.below(10) {
            0..6 => format!("test_{a}_{b}_{number}"),
            6..9 => format!("test_{a}_{b}[{}-&quot;{b}&quot;]", random.below(9999)),
            _ => format!("test_{a}[a&lt;b&amp;c&gt;{number}]"),
        };
        let class = title(b);
        let millis = random.below(1000);
        write!(xml, "<testcase classname=\"tests.{a}.test_{b}.Test{class}\" name=\"{name}\" time=\"0.{millis:03}\" />").unwrap();
        *number += 1;
    }
}

fn trace(random: &mut Random, number: u64) -> String {
    let mut text = format!(
        "java.lang.AssertionError: expected:<{}> but was:<{}> & ref \"{}\"",
        random.below(1000),
        random.below(1000),
        random.word()
    );
    for _ in 0..25 + random.below(40) {
        let (a, b, c) = (random.word(), title(random.word()), title(random.word()));
        let line = random.below(900);
        write!(
            text,
            "\n\tat com.example.{a}.{b}Service$Inner.<init>({c}.java:{line})"
        )
        .unwrap();
    }
    let word = random.word();
    write!(
        text,
        "\nCaused by: com.example.Boom: left && right, List<Map<String, {word}>> at {number}"
    )
    .unwrap();
    for _ in 0..8 {
        let (a, b, line) = (random.word(), title(random.word()), random.below(900));
        write!(text, "\n\tat app//com.example.{a}.run({b}.java:{line})").unwrap();
    }
    text
}

fn failures(xml: &mut String, random: &mut Random) {
    let suite = random.word();
    let class = format!("com.example.{suite}.{}Test", title(suite));
    writeln!(
        xml,
        "<testsuite name=\"{class}\" tests=\"40\" time=\"1.5\">"
    )
    .unwrap();
    for number in 0..40 {
        let (choice, millis) = (random.below(20), random.below(1000));
        write!(
            xml,
            "  <testcase name=\"case{number}\" classname=\"{class}\" time=\"0.{millis:03}\""
        )
        .unwrap();
        if choice == 0 {
            xml.push_str("/>\n");
            continue;
        }
        if choice == 1 {
            xml.push_str("><skipped message=\"later\"/></testcase>\n");
            continue;
        }
        let trace = trace(random, number);
        let tag = if choice < 6 { "error" } else { "failure" };
        let message = escaped(trace.lines().next().unwrap());
        let body = if random.below(2) == 1 {
            escaped(&trace)
        } else {
            format!("<![CDATA[{trace}]]>")
        };
        writeln!(xml, ">\n    <{tag} message=\"{message}\" type=\"java.lang.AssertionError\">{body}</{tag}>\n  </testcase>").unwrap();
    }
}

fn outputs(xml: &mut String, random: &mut Random, prefix: &str) {
    let suite = random.word();
    writeln!(xml, "<testsuite name=\"{suite}\" tests=\"4\" time=\"9.1\">").unwrap();
    for number in 0..4 {
        let millis = random.below(1000);
        write!(
            xml,
            "  <testcase name=\"t{number}\" classname=\"pkg.{suite}\" time=\"2.{millis:03}\">"
        )
        .unwrap();
        let mut text = String::new();
        for _ in 0..600 + random.below(800) {
            let (second, millis, thread) = (random.below(60), random.below(1000), random.below(32));
            let (a, b, c, d) = (random.word(), random.word(), random.word(), random.word());
            let (id, took) = (random.below(1_000_000_000), random.below(9999));
            writeln!(text, "2026-01-02 03:04:{second:02},{millis:03} [thread-{thread}] INFO  {a}.{b} - {prefix}\"{c}\" <{d}> id={id} a&b took {took} ms").unwrap();
        }
        let body = if number % 2 == 1 {
            escaped(&text)
        } else {
            format!("<![CDATA[{text}]]>")
        };
        writeln!(xml, "<system-out>{body}</system-out></testcase>").unwrap();
    }
}
