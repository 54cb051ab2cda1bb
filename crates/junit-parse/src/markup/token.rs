//! The markup outside bodies, token by token. `quick-xml` finds the end of a DOCTYPE; tags are
//! read by the own scan, which decides where a broken one ends.
use quick_xml::events::Event as XmlEvent;

use super::source::{Fault, Place, Source};
use super::tag::{Attribute, Tag, is_name_start, scan_tag};

/// A piece of markup outside skipped bodies, at the position of the source. Only what the variant
/// says was passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token {
    /// `<name ...>` or `<name .../>`: not passed over, so that its parts are at hand.
    Start(Tag),
    /// `</name>`: not passed over.
    End { tag: Tag, is_malformed: bool },
    /// So many bytes of text that is not blank: not passed over.
    Text(usize),
    /// A CDATA section that is not blank: passed over, it began here.
    Cdata(Began),
    /// A `<` that begins no markup: not passed over.
    RawLess,
    /// `<?xml ...?>`: passed over.
    Declaration(Began),
    /// `<!DOCTYPE ...>`: passed over.
    Doctype(Began),
    /// The text ends inside the markup that begins here.
    Cut(Began, Head),
}

/// Where markup began that was passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Began {
    pub(crate) at: usize,
    pub(crate) place: Option<Place>,
}

impl Began {
    fn here<S: Source>(source: &S) -> Self {
        let at = source.position();
        Self {
            at,
            place: source.place(at),
        }
    }
}

/// How markup begins that the end of the text cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Head {
    /// `<testcase`.
    Case,
    /// `<test`.
    Junit,
    Other,
}

/// The next token; attributes of a start tag are put into `attributes`. `None` at the end.
///
/// # Errors
/// When the stream fails, and when a tag is larger than the window.
pub(crate) fn next<S: Source>(
    source: &mut S,
    attributes: &mut Vec<Attribute>,
) -> Result<Option<Token>, Fault> {
    loop {
        let Some(less) = find_less(source)? else {
            return Ok(None);
        };
        if less > 0 {
            let text = source.rest().get(..less).unwrap_or_default();
            if !text.iter().all(u8::is_ascii_whitespace) {
                return Ok(Some(Token::Text(less)));
            }
            source.consume(less);
            continue;
        }
        let second = source.rest().get(1).copied();
        match second {
            None if !source.is_final() => source.more()?,
            Some(byte) if is_name_start(byte) => return start_tag(source, attributes).map(Some),
            Some(b'/') => {
                ensure(source, 3)?;
                let third = source.rest().get(2);
                if third.is_none_or(|byte| is_name_start(*byte)) {
                    return end_tag(source).map(Some);
                }
                return Ok(Some(Token::RawLess));
            }
            Some(b'!' | b'?') => {
                ensure(source, DOCTYPE.len())?;
                if !is_declaration(source.rest()) {
                    return Ok(Some(Token::RawLess));
                }
                if let Some(token) = declaration(source)? {
                    return Ok(Some(token));
                }
            }
            None => return Ok(Some(cut(source))),
            Some(_) => return Ok(Some(Token::RawLess)),
        }
    }
}

/// Bytes before the next `<`, or of text before the end; `None` at the end.
fn find_less<S: Source>(source: &mut S) -> Result<Option<usize>, Fault> {
    let mut from = 0;
    loop {
        let rest = source.rest();
        let length = rest.len();
        if let Some(less) = memchr::memchr(b'<', rest.get(from..).unwrap_or_default()) {
            return Ok(Some(from + less));
        }
        from = length;
        if source.is_final() {
            return Ok((length > 0).then_some(length));
        }
        match source.more() {
            // A text larger than the window comes in parts.
            Err(Fault::Full) => return Ok(Some(length)),
            other => other?,
        }
    }
}

fn ensure<S: Source>(source: &mut S, length: usize) -> Result<(), Fault> {
    while !source.is_final() && source.rest().len() < length {
        source.more()?;
    }
    Ok(())
}

fn cut<S: Source>(source: &mut S) -> Token {
    let rest = source.rest();
    let head = if rest.starts_with(b"<testcase") {
        Head::Case
    } else if rest.starts_with(b"<test") {
        Head::Junit
    } else {
        Head::Other
    };
    let (began, length) = (Began::here(source), rest.len());
    source.consume(length);
    Token::Cut(began, head)
}

#[inline]
fn start_tag<S: Source>(source: &mut S, attributes: &mut Vec<Attribute>) -> Result<Token, Fault> {
    loop {
        attributes.clear();
        let is_final = source.is_final();
        let tag = scan_tag(source.rest(), 1, is_final, |attribute| {
            attributes.push(attribute);
        });
        match tag {
            Some(tag) => return Ok(Token::Start(tag)),
            None if is_final => return Ok(cut(source)),
            None => source.more()?,
        }
    }
}

fn end_tag<S: Source>(source: &mut S) -> Result<Token, Fault> {
    loop {
        let is_final = source.is_final();
        let rest = source.rest();
        if let Some(tag) = scan_tag(rest, 2, is_final, |_| {}) {
            let tail = rest.get(tag.name_end..tag.end).unwrap_or_default();
            let is_malformed = tail.trim_ascii_start() != b">";
            return Ok(Token::End { tag, is_malformed });
        }
        if is_final {
            return Ok(cut(source));
        }
        source.more()?;
    }
}

const DOCTYPE: &[u8] = b"<!DOCTYPE";

fn is_declaration(rest: &[u8]) -> bool {
    rest.starts_with(b"<!--")
        || rest.starts_with(b"<![CDATA[")
        // Without a name it is text: what follows must not be swallowed.
        || rest.starts_with(b"<?") && rest.get(2).is_none_or(|byte| is_name_start(*byte))
        || is_doctype(rest)
        // A declaration that the end of the text cut.
        || b"<!--".starts_with(rest)
        || b"<![CDATA[".starts_with(rest)
        || DOCTYPE.starts_with(rest)
}

fn is_doctype(rest: &[u8]) -> bool {
    rest.get(..DOCTYPE.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(DOCTYPE))
}

/// Passes over a comment, CDATA section, processing instruction or DOCTYPE; `None` when it says
/// nothing.
fn declaration<S: Source>(source: &mut S) -> Result<Option<Token>, Fault> {
    let began = Began::here(source);
    let cut = Token::Cut(began, Head::Other);
    let rest = source.rest();
    if rest.starts_with(b"<!--") {
        return Ok(pass(source, 4, b"-->")?.is_none().then_some(cut));
    }
    if rest.starts_with(b"<![CDATA[") {
        let token = match pass(source, 9, b"]]>")? {
            Some(is_blank) => (!is_blank).then_some(Token::Cdata(began)),
            None => Some(cut),
        };
        return Ok(token);
    }
    if rest.starts_with(b"<?") {
        let is_xml = rest.starts_with(b"<?xml")
            && rest
                .get(5)
                .is_none_or(|byte| byte.is_ascii_whitespace() || *byte == b'?');
        let token = match pass(source, 2, b"?>")? {
            Some(_) => is_xml.then_some(Token::Declaration(began)),
            None => Some(cut),
        };
        return Ok(token);
    }
    loop {
        if let Some(end) = doctype_end(source.rest()) {
            source.consume(end);
            return Ok(Some(Token::Doctype(began)));
        }
        if source.is_final() {
            let length = source.rest().len();
            source.consume(length);
            return Ok(Some(cut));
        }
        source.more()?;
    }
}

/// Passes over everything up to and with `mark`, and says whether what stood before it is blank;
/// `None` when the text ends before.
fn pass<S: Source>(source: &mut S, head: usize, mark: &[u8]) -> Result<Option<bool>, Fault> {
    source.consume(head);
    let mut is_blank = true;
    loop {
        let rest = source.rest();
        let found = memchr::memmem::find(rest, mark);
        let length = found.unwrap_or_else(|| {
            let kept = if source.is_final() { 0 } else { mark.len() - 1 };
            rest.len().saturating_sub(kept)
        });
        let inner = rest.get(..length).unwrap_or_default();
        is_blank = is_blank && inner.iter().all(u8::is_ascii_whitespace);
        if found.is_some() {
            source.consume(length + mark.len());
            return Ok(Some(is_blank));
        }
        source.consume(length);
        if source.is_final() {
            return Ok(None);
        }
        source.more()?;
    }
}

/// Where the DOCTYPE at the start of `rest` ends, its internal subset included.
fn doctype_end(rest: &[u8]) -> Option<usize> {
    [4_096, 262_144, usize::MAX].into_iter().find_map(|most| {
        let part = rest.get(..most).unwrap_or(rest);
        doctype_end_in(part)
    })
}

fn doctype_end_in(rest: &[u8]) -> Option<usize> {
    // Bytes that are not ASCII are of no matter here, and wrong ones would stop `quick-xml`.
    let masked: Vec<u8> = rest
        .iter()
        .map(|byte| if byte.is_ascii() { *byte } else { b'x' })
        .collect();
    let mut xml = quick_xml::Reader::from_reader(masked.as_slice());
    match xml.read_event() {
        Ok(XmlEvent::DocType(_)) => Some(rest.len() - xml.get_ref().len()),
        _ => None,
    }
}
