//! Drops operating system texts that stand beside their number: the text follows the locale, the number does not.
use super::pattern::{patterns, replace};

patterns! {
    RUST_OS = r#"(Os \{ code: -?\d+, kind: \w+), message: "(?:[^"\\\n]|\\.)*" \}"#;
    RUST_DISPLAY = r"(^|: |\()([^:()\n]*?) ?(\(os error \d+\))";
    ERRNO = r#"(\[(?:Errno|WinError) -?\d+\]) (?:[^:\n(]|:[^\s]|\((?:[^'"\n()]*)\))*(: ['"b(\[<]|: \d|\(|\n|$)"#;
    RUBY_ERRNO = r"(Errno::[A-Z0-9]+): [^@\n]*?( @ | - |$)";
    SOCKET = r"(SocketException \(\d+\)): [^\d\[\n]*";
}

/// Drops the text of an error whose code or kind stays.
pub(super) fn drop_system_texts(text: &mut String) {
    replace(text, &RUST_OS, "${1} }");
    if text.contains("(os error ") {
        replace(text, &RUST_DISPLAY, "${1}${3}");
    }
    replace(text, &ERRNO, "${1}${2}");
    replace(text, &RUBY_ERRNO, "${1}:${2}");
    replace(text, &SOCKET, "${1}: ");
}
