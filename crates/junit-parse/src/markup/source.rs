//! Where the bytes of a report come from: a slice here, a window over a stream in `input`.

/// Why no more bytes came to hand.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The window is as large as it may be.
    Full,
    /// The input is larger than the limit.
    TooLarge,
    /// The stream failed.
    Io(std::io::Error),
}

/// A place as a person looks it up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    /// Bytes from the start of the input.
    pub(crate) offset: u64,
    /// 1-based.
    pub(crate) line: u64,
}

/// A kept text: where it is stored, and what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Text {
    pub(crate) start: usize,
    pub(crate) length: u32,
    pub(crate) is_body: bool,
    /// Whether the end of it was not kept.
    pub(crate) is_cut: bool,
    /// Whether it is known to be what decoding would make of it.
    pub(crate) is_plain: bool,
    pub(crate) area: Area,
}

/// Where a text is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Area {
    /// Among the texts, which live until their event was handed out.
    Texts,
    /// Among the names, which live as long as their element.
    Names,
    /// Where it was read, until more is read.
    Window,
}

/// Where kept texts are stored.
#[derive(Clone, Copy)]
pub(crate) struct Store<'a> {
    pub(crate) texts: &'a [u8],
    pub(crate) names: &'a [u8],
    pub(crate) window: &'a [u8],
}

impl std::fmt::Debug for Store<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store").finish_non_exhaustive()
    }
}

impl<'a> Store<'a> {
    pub(crate) fn bytes(self, text: Text) -> &'a [u8] {
        let area = match text.area {
            Area::Texts => self.texts,
            Area::Names => self.names,
            Area::Window => self.window,
        };
        let end = text.start.saturating_add(length(text.length));
        area.get(text.start..end).unwrap_or_default()
    }
}

fn length(length: u32) -> usize {
    usize::try_from(length).unwrap_or(usize::MAX)
}

/// Bytes in order, some of them at hand.
pub(crate) trait Source {
    /// The bytes at hand, from the position on.
    fn rest(&self) -> &[u8];

    /// The position: bytes of text before [`Source::rest`].
    fn position(&self) -> usize;

    /// Whether nothing follows what is at hand.
    fn is_final(&self) -> bool;

    /// Brings more bytes to hand; afterwards there are more of them or the source is final.
    fn more(&mut self) -> Result<(), Fault>;

    /// Passes over bytes at hand.
    fn consume(&mut self, length: usize);

    /// Keeps `length` bytes from `from` on (counted from the position) until the event that holds
    /// them was handed out.
    fn keep(&mut self, from: usize, length: usize) -> Text;

    /// The same without keeping them: until more is read.
    fn lend(&mut self, from: usize, length: usize) -> Text;

    /// Keeps them among the names.
    fn keep_name(&mut self, from: usize, length: usize) -> Text;

    /// How many bytes of names there are.
    fn names_length(&self) -> usize;

    /// Forgets kept texts, and the names from `names` on.
    fn forget(&mut self, texts: bool, names: usize);

    /// The kept texts.
    fn store(&self) -> Store<'_>;

    /// The place of a byte at hand, asked for in rising order; `None` where it is found later.
    fn mark(&mut self, at: usize) -> Option<Place>;

    /// The place of a byte near the position; `None` where it is found later.
    fn place(&self, at: usize) -> Option<Place>;
}

/// A whole text in memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slice<'a> {
    text: &'a [u8],
    rest: &'a [u8],
}

impl<'a> Slice<'a> {
    pub(crate) const fn new(text: &'a [u8]) -> Self {
        Self { text, rest: text }
    }

    pub(crate) const fn whole(&self) -> Store<'a> {
        Store {
            texts: self.text,
            names: self.text,
            window: self.text,
        }
    }
}

impl Source for Slice<'_> {
    #[inline]
    fn rest(&self) -> &[u8] {
        self.rest
    }

    #[inline]
    fn position(&self) -> usize {
        self.text.len() - self.rest.len()
    }

    #[inline]
    fn is_final(&self) -> bool {
        true
    }

    fn more(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    #[inline]
    fn consume(&mut self, length: usize) {
        self.rest = self.rest.get(length..).unwrap_or_default();
    }

    #[inline]
    fn keep(&mut self, from: usize, length: usize) -> Text {
        Text {
            start: self.position() + from,
            length: u32::try_from(length).unwrap_or(u32::MAX),
            is_body: false,
            is_cut: u32::try_from(length).is_err(),
            is_plain: false,
            area: Area::Texts,
        }
    }

    #[inline]
    fn lend(&mut self, from: usize, length: usize) -> Text {
        self.keep(from, length)
    }

    fn keep_name(&mut self, from: usize, length: usize) -> Text {
        self.keep(from, length)
    }

    fn names_length(&self) -> usize {
        0
    }

    #[inline]
    fn forget(&mut self, _texts: bool, _names: usize) {}

    fn store(&self) -> Store<'_> {
        self.whole()
    }

    #[inline]
    fn mark(&mut self, _at: usize) -> Option<Place> {
        None
    }

    fn place(&self, _at: usize) -> Option<Place> {
        None
    }
}
