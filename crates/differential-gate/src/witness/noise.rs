//! Removes noise that is recognised as such from free text, and nothing else.
use super::path::shorten_paths;
use super::pattern::{patterns, replace};
use super::sets::sort_sets;
use super::system::drop_system_texts;

patterns! {
    UUID = r"\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b";
    // A date alone may be the subject of a message; a date with a time of day is a time stamp.
    DATE_TIME = r"\b\d{4}[-/]\d{2}[-/]\d{2}(?:[T_]| +)\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?: ?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})\b)?";
    MAIL_TIME = r"\b(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?(?:\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4}|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}\d{1,2}) \d{2}:\d{2}:\d{2}(?:[.,]\d+)?(?: (?:Z|UTC|GMT|[A-Z]{3,4}|[+-]\d{4}))?(?: \d{4}\b)?";
    CLOCK_FRACTION = r"\b\d{2}:\d{2}:\d{2}[.,]\d{3,9}\b";
    CLOCK_BRACKET = r"\[\d{2}:\d{2}:\d{2}\]";
    OBJECT_AT = r"\b(at|addr|pc|sp|fp|address|ptr|pointer|id)([ =:]\s?)0x[0-9a-fA-F]+\b";
    // Pointers have at most 12 digits that matter; 8 digits or fewer may be a constant.
    POINTER = r"\b0x(?:0{4}[0-9a-fA-F]{12}|[0-9a-fA-F]{9,12})\b";
    JVM_IDENTITY = r"\b((?:[A-Za-z_$][\w$]*\.)*[A-Z][\w$]*(?:\[\])*)@([0-9a-f]{5,8})\b";
    JVM_LAMBDA = r"\$\$Lambda(?:\$\d+)?/(?:0x[0-9a-f]+|\d+)(?:@[0-9a-f]+)?";
    PID = r"\b([Pp][Ii][Dd]|[Pp]rocess [Ii][Dd])([ =:]{1,2}|: )(\d+)\b";
    THREAD_ID = r"\b(tid|thread[ _-]?id|ThreadId|Thread ID|native_id|ident)([ =:(]{1,2})\d+";
    THREAD_NAME = r"\b(Thread-|pool-\d+-thread-|ForkJoinPool(?:\.commonPool|-\d+)-worker-|ThreadPoolExecutor-\d+_|Dummy-|asyncio_|Task-|goroutine |DefaultDispatcher-worker-)\d+";
    THREAD_STARTED = r"(, (?:started|stopped)(?: daemon)?) \d{4,}\b";
    ANY_PORT = r"(^|\s)(:::)(\d{5})\b";
    CLOCK_FIRST = r"(?m)^\d{2}:\d{2}:\d{2} ";
    JVM_THREAD = r"\bThread\[#?\d+,";
    RUST_THREAD = r"\b(thread '[^'\n]*') \(\d+\)";
    XDIST = r"\b(worker '?)gw\d+\b";
    LOOPBACK_PORT = r"\b(127\.\d{1,3}\.\d{1,3}\.\d{1,3}|localhost|0\.0\.0\.0)(:|', |, |', port=|, port=|, port |\), port )(\d{4,5})\b";
    LOOPBACK6_PORT = r"(\[::1?\]|\[::ffff:127\.0\.0\.1\]|'::1'|::1)(:|, )(\d{4,5})\b";
    JVM_LOCAL = r#""<local\d+>""#;
    INDEX = r"\bthe len is \d+ but the index is \d+|\brange (?:start|end) index \d+ out of range for slice of length \d+|\bslice index starts at \d+ but ends at \d+|\bbyte index \d+ is (?:out of bounds|not a char boundary)|\(bytes \d+\.\.\d+(?: of string)?\)|\bindex \(is \d+\) should be <=? len \(is \d+\)|\bindex out of range \[-?\d+\](?: with length \d+)?|\bslice bounds out of range \[-?\d*:-?\d*(?::-?\d*)?\](?: with (?:capacity|length) \d+)?|\bIndex:? -?\d+ out of bounds for length \d+|\bIndex: -?\d+, Size: \d+|\bindex -?\d+,? length \d+|\bindex out of range: -?\d+|\bbegin -?\d+, end -?\d+, length \d+|\bindex -?\d+ outside of array bounds: -?\d+\.\.\.-?\d+|\b__n \(which is \d+\) >= this->size\(\) \(which is \d+\)";
    NUMBER = r"-?\d+";
    MEASURED = r"\b([Tt]ook|[Ee]lapsed:?|[Ww]aited(?: for)?|gave up after|[Rr]an for|[Ff]inished (?:in|after)|[Cc]ompleted (?:in|after)|[Pp]assed in|[Ff]ailed (?:in|after)|[Dd]one in|[Rr]unning for|duration(?: of|[:=])?|tests? in|stopped after|hung for|blocked for|lasted|exceeded timeout of \d+ ms by) ?(\d[\d.,:]*(?: ?(?:ns|us|\x{b5}s|\x{3bc}s|ms|s|m|h|secs?|seconds?|millis(?:econds)?|milliseconds?|minutes?|hours?)\b)?(?: ?\d+(?:\.\d+)?(?:ms|s)\b)?)";
    LIMIT_REACHED = r"\b([Tt]imed out after|[Tt]ime(?:d )?out(?: expired)? after|[Tt]imeout of|exceeded after|[Ee]xpired after|[Aa]fter|[Ww]ithin) (\d[\d.]*(?::\d[\d.:]*)?)( ?(?:ns|us|\x{b5}s|\x{3bc}s|ms|s|secs?|seconds?|millis(?:econds)?|milliseconds?|minutes?)\b)?";
    BLANKS = r"[ \t]{2,}";
}

/// Ports that services are known by: they say which service, so they stay.
const SERVICE_PORTS: [&str; 14] = [
    "11211", "11434", "15672", "16379", "25672", "26257", "26379", "27017", "27018", "27019",
    "50051", "61613", "61616", "33060",
];

/// Free text with its noise replaced by named gaps.
pub(super) fn normalise(text: &str) -> String {
    let mut text = text.to_owned();
    replace(&mut text, &UUID, "<uuid>");
    replace(&mut text, &DATE_TIME, "<time>");
    replace(&mut text, &MAIL_TIME, "<time>");
    drop_durations(&mut text);
    replace(&mut text, &CLOCK_FRACTION, "<time>");
    replace(&mut text, &CLOCK_BRACKET, "[<time>]");
    replace(&mut text, &CLOCK_FIRST, "<time> ");
    drop_identities(&mut text);
    drop_indices(&mut text);
    normalise_places(&mut text);
    text
}

/// An expected value: it is what the assertion is about, so only what depends on the place of the run goes.
pub(super) fn normalise_expected(text: &str) -> String {
    let mut text = text.to_owned();
    replace(&mut text, &POINTER, "<addr>");
    replace(&mut text, &OBJECT_AT, "${1}${2}<addr>");
    replace(&mut text, &JVM_IDENTITY, "${1}@<addr>");
    normalise_places(&mut text);
    text
}

/// Folders, loopback ports, operating system texts, set order, runs of blanks.
fn normalise_places(text: &mut String) {
    drop_ports(text);
    drop_system_texts(text);
    shorten_paths(text);
    sort_sets(text);
    replace(text, &BLANKS, " ");
}

/// Addresses, process ids and thread ids.
fn drop_identities(text: &mut String) {
    replace(text, &JVM_LAMBDA, "$$$$Lambda<n>");
    replace(text, &OBJECT_AT, "${1}${2}<addr>");
    replace(text, &POINTER, "<addr>");
    replace(text, &JVM_IDENTITY, "${1}@<addr>");
    if PID.is_match(text) {
        *text = PID
            .replace_all(text, |found: &regex::Captures<'_>| {
                let (whole, [name, link, number]) = found.extract();
                // 0 and 1 are names (the scheduler, init), not numbers that a run happened to get.
                match number {
                    "0" | "1" => whole.to_owned(),
                    _ => format!("{name}{link}<n>"),
                }
            })
            .into_owned();
    }
    replace(text, &THREAD_ID, "${1}${2}<n>");
    replace(text, &THREAD_NAME, "${1}<n>");
    replace(text, &THREAD_STARTED, "${1} <n>");
    replace(text, &JVM_THREAD, "Thread[<n>,");
    replace(text, &RUST_THREAD, "${1}");
    replace(text, &XDIST, "${1}gw<n>");
    replace(text, &JVM_LOCAL, "\"<local>\"");
}

/// Positions and lengths in the runtimes' own out-of-bounds messages.
fn drop_indices(text: &mut String) {
    if INDEX.is_match(text) {
        *text = INDEX
            .replace_all(text, |found: &regex::Captures<'_>| {
                let phrase = found.get(0).map_or("", |group| group.as_str());
                NUMBER.replace_all(phrase, "<n>").into_owned()
            })
            .into_owned();
    }
}

/// Measured times in phrases that are known to tell one.
fn drop_durations(text: &mut String) {
    replace(text, &MEASURED, "${1} <duration>");
    if LIMIT_REACHED.is_match(text) {
        *text = LIMIT_REACHED
            .replace_all(text, |found: &regex::Captures<'_>| {
                let group = |index| found.get(index).map_or("", |group| group.as_str());
                let (phrase, number, unit) = (group(1), group(2), group(3));
                let is_clock = number.contains(':');
                if is_clock || (!unit.is_empty() && !is_round(number, unit.trim_start())) {
                    format!("{phrase} <duration>")
                } else {
                    group(0).to_owned()
                }
            })
            .into_owned();
    }
}

/// Whether a time looks like a setting (30 s, 5000 ms) and not like a measurement (5.012 s, 5003 ms).
fn is_round(number: &str, unit: &str) -> bool {
    let number = number.trim_end_matches('.');
    let whole = match number.split_once('.') {
        Some((whole, fraction)) if fraction.trim_end_matches('0').is_empty() => whole,
        Some((_, fraction)) => return fraction.len() == 1,
        None => number,
    };
    match unit {
        "ns" | "us" | "\u{b5}s" | "\u{3bc}s" => whole.ends_with("000"),
        "ms" | "millis" | "milliseconds" | "millisecond" => {
            whole.len() <= 2 || whole.ends_with("00")
        }
        _ => whole.len() == 1 || whole.ends_with(['0', '5']),
    }
}

/// Ports of this machine, unless a service is known by the number.
fn drop_ports(text: &mut String) {
    replace(text, &ANY_PORT, "${1}${2}<port>");
    for pattern in [&LOOPBACK_PORT, &LOOPBACK6_PORT] {
        if pattern.is_match(text) {
            *text = pattern
                .replace_all(text, |found: &regex::Captures<'_>| {
                    let (whole, [host, link, port]) = found.extract();
                    if port.len() < 5 || SERVICE_PORTS.contains(&port) {
                        whole.to_owned()
                    } else {
                        format!("{host}{link}<port>")
                    }
                })
                .into_owned();
        }
    }
}
