//! Characters that XML forbids.
use crate::WarningKind;
use crate::warning::Note;

/// Notes of one text.
const MOST_NOTES: usize = 100;

/// Whether XML 1.0 allows a character.
pub(crate) const fn is_xml_char(character: char) -> bool {
    matches!(character,
        '\t' | '\n' | '\r' | '\u{20}'..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..)
}

/// How many bytes at the beginning are ASCII that XML allows, in whole blocks.
pub(super) fn plain_head(text: &[u8]) -> usize {
    let is_odd = |byte: u8| byte & 0x80 | is_suspect(byte);
    let mut blocks = text.chunks(256);
    let odd =
        blocks.position(|block| block.iter().fold(0, |found, byte| found | is_odd(*byte)) != 0);
    odd.map_or(text.len(), |index| index * 256)
}

/// Notes of the forbidden characters in a text.
pub(super) fn illegal(text: &[u8], from: usize) -> Vec<Note> {
    let mut found = Vec::new();
    let mut more = 0_usize;
    for (at, character) in IllegalCharacters::new(text, from) {
        if found.len() < MOST_NOTES {
            found.push((at, character));
        } else {
            more += 1;
        }
    }
    let last = found.len();
    let notes = found.into_iter().enumerate();
    let notes = notes.map(|(index, (at, character))| {
        let code = u32::from(character);
        let tail = if more > 0 && index + 1 == last {
            format!("; {more} more follow")
        } else {
            String::new()
        };
        let message = format!("character U+{code:04X} is not allowed in XML, read as U+FFFD{tail}");
        Note::new(WarningKind::IllegalChar, message, at)
    });
    notes.collect()
}

/// Places of the forbidden characters; blocks without a suspect are passed over whole.
pub(super) struct IllegalCharacters<'a> {
    text: &'a [u8],
    from: usize,
}

impl<'a> IllegalCharacters<'a> {
    pub(super) const fn new(text: &'a [u8], from: usize) -> Self {
        Self { text, from }
    }

    /// The next byte that may begin a forbidden character.
    fn suspect(&self) -> Option<usize> {
        let bytes = self.text.get(self.from..)?;
        let mut at = self.from;
        for block in bytes.chunks(256) {
            if block
                .iter()
                .fold(0, |found, byte| found | is_suspect(*byte))
                != 0
            {
                return Some(at + block.iter().position(|byte| is_suspect(*byte) != 0)?);
            }
            at += block.len();
        }
        None
    }
}

/// 1 for such a byte, else 0: numbers, so that whole blocks are compared at once.
const fn is_suspect(byte: u8) -> u8 {
    let is_control = (byte < 0x20) as u8;
    let is_blank = (byte == b'\t') as u8 | (byte == b'\n') as u8 | (byte == b'\r') as u8;
    is_control & (is_blank ^ 1) | (byte == 0xEF) as u8
}

impl Iterator for IllegalCharacters<'_> {
    type Item = (usize, char);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let at = self.suspect()?;
            let rest = self.text.get(at..)?;
            let (character, length) = match rest {
                // U+FFFE and U+FFFF.
                [0xEF, 0xBF, last @ (0xBE | 0xBF), ..] => {
                    (char::from_u32(0xFFC0 | u32::from(*last & 0x3F))?, 3)
                }
                [first, ..] => (char::from(*first), 1),
                [] => return None,
            };
            self.from = at + length;
            if !is_xml_char(character) {
                return Some((at, character));
            }
        }
    }
}
