//! The parts of a body: text, CDATA sections, comments.

/// A part of a body, and where it begins in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    Text(&'a [u8], usize),
    Cdata(&'a [u8], usize),
}

/// The parts of a body in order; comments are left out.
pub(super) struct Pieces<'a> {
    raw: &'a [u8],
    from: usize,
}

const CDATA: &[u8] = b"<![CDATA[";

impl<'a> Pieces<'a> {
    pub(super) const fn new(raw: &'a [u8]) -> Self {
        Self { raw, from: 0 }
    }

    /// The next CDATA section or closed comment at or behind `from`.
    fn section(&self, from: usize) -> Option<usize> {
        let mut at = from;
        loop {
            let rest = self.raw.get(at..)?;
            at += memchr::memchr(b'<', rest)?;
            let rest = self.raw.get(at..)?;
            if rest.starts_with(b"<!--") {
                // An open comment is the rest of a cut body: read as text.
                return comment_length(rest).map(|_| at);
            }
            if rest.starts_with(CDATA) {
                return Some(at);
            }
            at += 1;
        }
    }
}

fn comment_length(rest: &[u8]) -> Option<usize> {
    let inner = rest.get(4..)?;
    memchr::memmem::find(inner, b"-->").map(|end| end + 7)
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        loop {
            let start = self.from;
            let rest = self.raw.get(start..).filter(|rest| !rest.is_empty())?;
            if let Some(inner) = rest.strip_prefix(CDATA) {
                let end = memchr::memmem::find(inner, b"]]>");
                let text = inner.get(..end.unwrap_or(inner.len())).unwrap_or_default();
                let head = CDATA.len();
                self.from += head + text.len() + if end.is_some() { 3 } else { 0 };
                return Some(Piece::Cdata(text, start + head));
            }
            if rest.starts_with(b"<!--") {
                if let Some(length) = comment_length(rest) {
                    self.from += length;
                    continue;
                }
                self.from = self.raw.len();
            } else {
                self.from = self.section(start).unwrap_or(self.raw.len());
            }
            let text = self.raw.get(start..self.from).unwrap_or_default();
            return Some(Piece::Text(text, start));
        }
    }
}
