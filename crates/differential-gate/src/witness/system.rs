//! Drops operating system texts that stand beside their number: the text follows the locale, the number does not.
use super::pattern::{patterns, replace};

patterns! {
    RUST_OS = r#"(Os \{ code: -?\d+, kind: \w+), message: "(?:[^"\\\n]|\\.)*" \}"#;
    // A text of the system begins with a capital; `cannot open alpha (os error 2)` is the program's own.
    RUST_DISPLAY = r"(^|: |\()\p{Lu}[^:()\n\d]*? ?(\(os error \d+\))";
    ERRNO = r#"(\[(?:Errno|WinError) -?\d+\]) (?:[^:\n(\d"]|:[^\s\d]|\((?:[^'"\n()\d]*)\))*(: ['"b(\[<]|: \d|\(|\n|$)"#;
    RUBY_ERRNO = r"(Errno::[A-Z0-9]+): [^@\n]*?( @ | - |$)";
    SOCKET = r"(SocketException \(\d+\)): [^\d\[\n]*";
}

/// Drops the text of an error whose code or kind stays.
pub(super) fn drop_system_texts(text: &mut String) {
    replace(text, &RUST_OS, "${1} }");
    if text.contains("(os error ") {
        replace(text, &RUST_DISPLAY, "${1}${2}");
    }
    replace(text, &ERRNO, "${1}${2}");
    replace(text, &RUBY_ERRNO, "${1}:${2}");
    replace(text, &SOCKET, "${1}: ");
}
