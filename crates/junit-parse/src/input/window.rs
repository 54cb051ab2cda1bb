//! A window over a stream: bounded memory, whatever the size of the report.
use std::io::Read;

use super::detect::{self, HEAD_BYTES};
use super::place::lines;
use super::{Origin, empty, too_large};
use crate::markup::{Area, Fault, Place, Source, Store, Text};
use crate::warning::Note;
use crate::{Limits, ParseError, ParseErrorKind};

/// Bytes read at once.
const CHUNK: usize = 131_072;

/// The stream, the part of its text that is at hand, and the texts that were kept.
pub(crate) struct Window<R> {
    feed: Feed<R>,
    /// The text; what stands before `start` was passed over, what stands behind `end` is unused.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// Text offset of the buffer's first byte.
    base: usize,
    is_final: bool,
    limit: usize,
    texts: Vec<u8>,
    names: Vec<u8>,
    origin: Origin,
    /// Index in the buffer up to which lines are counted, and the place there.
    counted: usize,
    counted_place: Place,
    replaced: Option<(Note, Place)>,
}

impl<R> std::fmt::Debug for Window<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Window")
            .field("position", &(self.base + self.start))
            .field("at_hand", &(self.end - self.start))
            .finish_non_exhaustive()
    }
}

/// Where the text comes from.
struct Feed<R> {
    input: R,
    left: usize,
    decoder: Option<Decoding>,
}

struct Decoding {
    decoder: encoding_rs::Decoder,
    bytes: Vec<u8>,
    from: usize,
    is_last: bool,
    is_done: bool,
}

impl<R: Read> Feed<R> {
    /// Reads into `target`; 0 at the end.
    fn read(&mut self, target: &mut [u8]) -> Result<usize, Fault> {
        loop {
            // One byte more than the limit shows that the input is too large.
            let most = target.len().min(self.left.saturating_add(1));
            match self.input.read(target.get_mut(..most).unwrap_or_default()) {
                Ok(count) if count > self.left => return Err(Fault::TooLarge),
                Ok(count) => {
                    self.left -= count;
                    return Ok(count);
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Fault::Io(error)),
            }
        }
    }

    /// Reads text into `target`: how much, and whether bad bytes were replaced; 0 at the end.
    fn read_text(&mut self, target: &mut [u8]) -> Result<(usize, bool), Fault> {
        let Some(mut decoding) = self.decoder.take() else {
            return Ok((self.read(target)?, false));
        };
        let result = self.decode(&mut decoding, target);
        self.decoder = Some(decoding);
        result
    }

    fn decode(
        &mut self,
        decoding: &mut Decoding,
        target: &mut [u8],
    ) -> Result<(usize, bool), Fault> {
        let mut has_bad = false;
        while !decoding.is_done {
            if decoding.from >= decoding.bytes.len() && !decoding.is_last {
                decoding.bytes.resize(HEAD_BYTES, 0);
                let count = self.read(&mut decoding.bytes)?;
                decoding.bytes.truncate(count);
                decoding.from = 0;
                decoding.is_last = count == 0;
            }
            let bytes = decoding.bytes.get(decoding.from..).unwrap_or_default();
            let (result, taken, written, replaced) =
                decoding
                    .decoder
                    .decode_to_utf8(bytes, target, decoding.is_last);
            decoding.from += taken;
            has_bad |= replaced;
            decoding.is_done = decoding.is_last && result == encoding_rs::CoderResult::InputEmpty;
            if written > 0 {
                return Ok((written, has_bad));
            }
        }
        Ok((0, has_bad))
    }
}

impl<R: Read> Window<R> {
    /// Looks at the beginning of the stream, and says what was odd about its encoding.
    pub(crate) fn open(input: R, limits: &Limits) -> Result<(Self, Vec<Note>), ParseError> {
        let mut feed = Feed {
            input,
            left: limits.max_bytes,
            decoder: None,
        };
        let mut buffer = vec![0; CHUNK];
        let mut end = 0;
        while end < HEAD_BYTES {
            let target = buffer.get_mut(end..).unwrap_or_default();
            match feed
                .read(target)
                .map_err(|fault| start_error(fault, limits))?
            {
                0 => break,
                count => end += count,
            }
        }
        let sniffed = detect::sniff(buffer.get(..end).unwrap_or_default())?;
        if end == sniffed.mark {
            return Err(empty("the report is empty"));
        }
        let origin = sniffed.origin();
        let mut start = sniffed.mark;
        if !sniffed.is_utf8() {
            feed.decoder = Some(Decoding {
                decoder: sniffed.encoding.new_decoder_without_bom_handling(),
                bytes: buffer.get(start..end).unwrap_or_default().to_vec(),
                from: 0,
                is_last: false,
                is_done: false,
            });
            (start, end) = (0, 0);
        }
        let window = Self {
            feed,
            buffer,
            start,
            end,
            base: 0,
            is_final: false,
            limit: limits.max_text_bytes.max(CHUNK * 2),
            texts: Vec::new(),
            names: Vec::new(),
            origin,
            counted: start,
            counted_place: Place {
                offset: u64::try_from(sniffed.mark).unwrap_or(0),
                line: 1,
            },
            replaced: None,
        };
        // Text offsets begin behind the mark, indices in the buffer before it.
        Ok((window.without_mark(), sniffed.notes))
    }

    fn without_mark(mut self) -> Self {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        (self.start, self.counted) = (0, 0);
        self
    }

    /// Where bad bytes were first replaced in a stream that is not UTF-8.
    pub(crate) const fn take_replaced(&mut self) -> Option<(Note, Place)> {
        self.replaced.take()
    }

    /// Counts lines up to an index of the buffer.
    fn count_to(&mut self, index: usize) {
        if index > self.counted {
            self.counted_place = self.place_at(index);
            self.counted = index;
        }
    }

    fn place_at(&self, index: usize) -> Place {
        let Place { offset, line } = self.counted_place;
        let span = |from: usize, to: usize| self.buffer.get(from..to).unwrap_or_default();
        let length = |text: &[u8]| u64::try_from(self.origin.length(text)).unwrap_or(u64::MAX);
        if index >= self.counted {
            let passed = span(self.counted, index);
            return Place {
                offset: offset.saturating_add(length(passed)),
                line: line.saturating_add(lines(passed)),
            };
        }
        let passed = span(index, self.counted);
        Place {
            offset: offset.saturating_sub(length(passed)),
            line: line.saturating_sub(lines(passed)),
        }
    }

    /// Makes room behind what is at hand.
    fn make_room(&mut self) {
        let at_hand = self.end - self.start;
        let wanted = at_hand.max(CHUNK / 2);
        if self.buffer.len() - self.end >= wanted {
            return;
        }
        self.count_to(self.start);
        self.buffer.copy_within(self.start..self.end, 0);
        self.base += self.start;
        self.counted -= self.start;
        (self.start, self.end) = (0, at_hand);
        if self.buffer.len() - at_hand < wanted {
            let length = (self.buffer.len() * 2).min(self.limit.saturating_add(CHUNK));
            self.buffer.resize(length.max(self.buffer.len()), 0);
        }
    }
}

fn start_error(fault: Fault, limits: &Limits) -> ParseError {
    match fault {
        Fault::Full | Fault::TooLarge => too_large(limits),
        Fault::Io(error) => io_error(&error, 0, 1),
    }
}

pub(crate) fn io_error(error: &std::io::Error, offset: u64, line: u64) -> ParseError {
    let message = format!("cannot read the report: {error}");
    ParseError::new(ParseErrorKind::Io, message, offset, line)
}

impl<R: Read> Source for Window<R> {
    #[inline]
    fn rest(&self) -> &[u8] {
        self.buffer.get(self.start..self.end).unwrap_or_default()
    }

    #[inline]
    fn position(&self) -> usize {
        self.base + self.start
    }

    #[inline]
    fn is_final(&self) -> bool {
        self.is_final
    }

    /// At least doubles what is at hand, so that scanning it again costs no more than its size.
    fn more(&mut self) -> Result<(), Fault> {
        if self.end - self.start >= self.limit {
            return Err(Fault::Full);
        }
        self.make_room();
        let wanted = (self.end - self.start).min(CHUNK);
        let until = self.end + wanted.max(1);
        while self.end < until && !self.is_final {
            let most = (self.end + CHUNK).min(self.buffer.len());
            let target = self.buffer.get_mut(self.end..most).unwrap_or_default();
            let (count, has_bad) = self.feed.read_text(target)?;
            if has_bad && self.replaced.is_none() {
                let text = target.get(..count).unwrap_or_default();
                let encoding = self.feed.decoder.as_ref().map(|it| it.decoder.encoding());
                if let Some(encoding) = encoding {
                    let note = detect::replaced(text, self.base + self.end, encoding);
                    let place = self.place_at(note.at - self.base);
                    self.replaced = Some((note, place));
                }
            }
            self.end += count;
            self.is_final = count == 0;
        }
        Ok(())
    }

    #[inline]
    fn consume(&mut self, length: usize) {
        self.start = (self.start + length).min(self.end);
    }

    fn keep(&mut self, from: usize, length: usize) -> Text {
        let left = self
            .limit
            .saturating_mul(2)
            .saturating_sub(self.texts.len());
        let start = self.texts.len();
        let kept = length.min(left);
        let from = self.start + from;
        let bytes = self.buffer.get(from..from + kept).unwrap_or_default();
        self.texts.extend_from_slice(bytes);
        Text {
            start,
            length: u32::try_from(kept).unwrap_or(u32::MAX),
            is_body: false,
            is_cut: kept < length,
            is_plain: false,
            area: Area::Texts,
        }
    }

    #[inline]
    fn lend(&mut self, from: usize, length: usize) -> Text {
        Text {
            start: self.start + from,
            length: u32::try_from(length).unwrap_or(u32::MAX),
            is_body: false,
            is_cut: false,
            is_plain: false,
            area: Area::Window,
        }
    }

    fn keep_name(&mut self, from: usize, length: usize) -> Text {
        let start = self.names.len();
        let from = self.start + from;
        let bytes = self.buffer.get(from..from + length).unwrap_or_default();
        self.names.extend_from_slice(bytes);
        Text {
            start,
            length: u32::try_from(length).unwrap_or(u32::MAX),
            is_body: false,
            is_cut: false,
            is_plain: false,
            area: Area::Names,
        }
    }

    fn names_length(&self) -> usize {
        self.names.len()
    }

    #[inline]
    fn forget(&mut self, texts: bool, names: usize) {
        if texts {
            self.texts.clear();
        }
        self.names.truncate(names);
    }

    fn store(&self) -> Store<'_> {
        Store {
            texts: &self.texts,
            names: &self.names,
            window: &self.buffer,
        }
    }

    #[inline]
    fn mark(&mut self, at: usize) -> Option<Place> {
        self.count_to(at.saturating_sub(self.base));
        Some(self.counted_place)
    }

    fn place(&self, at: usize) -> Option<Place> {
        Some(self.place_at(at.saturating_sub(self.base)))
    }
}
