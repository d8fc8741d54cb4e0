//! A position with operations of EPD, such as `bm Md2; id "suite 1";`.

use sakmak_tables::board::square::Square;
use serde::Serialize;
use std::borrow::Cow;

/// The fields of a FEN that may have letters: board, side to move, leaps.
const FIELDS_WITH_LETTERS: usize = 3;

/// The fields of a position in EPD. The fourth, of chess, is the square of a capture in passing.
const FIELDS: usize = 4;

/// A position as FEN, and the operations after it.
pub struct Epd<'a> {
    /// The FEN, with the clock and the number that operations have.
    pub fen: Cow<'a, str>,
    /// The operations as written; `None` after a FEN.
    pub operations: Option<&'a str>,
    /// The number of fields before the operations.
    fields: usize,
}

/// An answer, and the operations of its position.
#[derive(Serialize)]
pub struct EpdAnswer<'a, A> {
    #[serde(flatten)]
    answer: A,
    #[serde(skip_serializing_if = "Option::is_none")]
    operations: Option<&'a str>,
}

impl<'a> Epd<'a> {
    /// Reads a FEN or a line of EPD. Operations begin with a letter or `;` where a FEN has neither,
    /// and each ends with `;`.
    pub fn read(text: &'a str) -> Epd<'a> {
        let text = text.trim();
        let between = |letter: char| letter.is_whitespace() || letter == '_';
        let (mut fields, mut is_between) = (0, true);
        for (at, letter) in text.char_indices() {
            let begins = is_between && !between(letter);
            is_between = between(letter);
            if begins && fields >= FIELDS_WITH_LETTERS && is_operation(&text[at..], fields) {
                let (fen, operations) = (text[..at].trim(), &text[at..]);
                let with_clock = with_clock(fen, fields, operations);
                return Epd { fen: with_clock, operations: Some(operations), fields };
            }
            fields += usize::from(begins);
        }
        Epd { fen: text.into(), operations: None, fields }
    }

    /// Appends the fields of `text`, from which the line was read, and its operations but those with
    /// these names. Further operations may follow.
    pub fn push_without(&self, text: &str, names: &[&str], line: &mut String) {
        let text = text.trim();
        let operations = self.operations.unwrap_or_default();
        *line += text[..text.len() - operations.len()].trim_end();
        // Operations follow three fields at least.
        for _ in self.fields..FIELDS_WITH_LETTERS {
            *line += " -";
        }
        let kept = each_operation(operations).map(str::trim);
        for operation in kept.filter(|operation| !operation.is_empty()) {
            if !names.contains(&name_of(operation)) {
                line.extend([" ", operation, ";"]);
            }
        }
    }

    /// Returns the answer with the operations.
    pub fn answer<A>(&self, answer: A) -> EpdAnswer<'a, A> {
        EpdAnswer { answer, operations: self.operations }
    }
}

/// Returns whether an operation starts here, after this number of fields.
fn is_operation(text: &str, fields: usize) -> bool {
    let word = text.split(char::is_whitespace).next().unwrap_or_default();
    // The fourth field of chess would be dropped in silence.
    let is_field = fields + 1 == FIELDS && word.parse::<Square>().is_ok();
    let begins = text.starts_with(|letter: char| letter == ';' || letter.is_alphabetic());
    begins && text.contains(';') && !is_field
}

/// Returns the FEN with the clock `hmvc` and the number `fmvn` of the operations, if it ends before
/// them.
fn with_clock<'a>(fen: &'a str, fields: usize, operations: &str) -> Cow<'a, str> {
    let [clock, number] = ["hmvc", "fmvn"].map(|name| operand(operations, name));
    match (clock, number) {
        (None, None) => fen.into(),
        _ if fields != FIELDS => fen.into(),
        (clock, number) => {
            format!("{fen} {} {}", clock.unwrap_or("-"), number.unwrap_or("1")).into()
        }
    }
}

/// Returns the operand of the operation with this name.
fn operand<'a>(operations: &'a str, name: &str) -> Option<&'a str> {
    each_operation(operations).find_map(|operation| {
        let (opcode, operand) = operation.trim().split_once(char::is_whitespace)?;
        (opcode == name).then(|| operand.trim())
    })
}

/// Returns the operations without the `;` after each.
fn each_operation(operations: &str) -> impl Iterator<Item = &str> {
    let mut is_quoted = false;
    operations.split(move |letter: char| {
        is_quoted ^= letter == '"';
        letter == ';' && !is_quoted
    })
}

/// Returns the name of an operation.
fn name_of(operation: &str) -> &str {
    operation.split_whitespace().next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_parted_from_the_fields_of_a_fen() {
        const MEN: &str = "8/8/8/4k3/8/4K3/4S3/4M3 w";
        for (rest, fields, operations) in [
            ("", "", None),
            (" - - 0 1", " - - 0 1", None),
            (" DEde - 0 1", " DEde - 0 1", None),
            (" - 1+1 0 1", " - 1+1 0 1", None),
            (" - e3 0 1", " - e3 0 1", None),
            (" 88 40 21", " 88 40 21", None),
            (" - - bm Md2; id \"a;b\";", " - -", Some("bm Md2; id \"a;b\";")),
            (" - - bm Md2; id \"last\"", " - -", Some("bm Md2; id \"last\"")),
            (" - - bm Md2", " - - bm Md2", None),
            (" - 32 x 1", " - 32 x 1", None),
            (" - - c1 \"late\";", " - -", Some("c1 \"late\";")),
            (" - bm Md2;", " -", Some("bm Md2;")),
            (" - - ;D1 20 ;D2 400", " - -", Some(";D1 20 ;D2 400")),
            (" - 88 40 21 am Sd3;", " - 88 40 21", Some("am Sd3;")),
            ("_-_-_bm Md2;", "_-_-_", Some("bm Md2;")),
            (" - - hmvc 12; fmvn 40;", " - - 12 40", Some("hmvc 12; fmvn 40;")),
            (" - 88 hmvc 40; bm Md2;", " - 88 40 1", Some("hmvc 40; bm Md2;")),
            (" - - id \"; fmvn 9;\"; fmvn 7;", " - - - 7", Some("id \"; fmvn 9;\"; fmvn 7;")),
            (" - 88 40 21 fmvn 7;", " - 88 40 21", Some("fmvn 7;")),
        ] {
            let text = format!("  {MEN}{rest} ");
            let Epd { fen, operations: found, .. } = Epd::read(&text);
            assert_eq!((&*fen, found), (&*format!("{MEN}{fields}"), operations), "{text}");
        }
    }

    #[test]
    fn operations_are_left_out_by_name() {
        for (text, expected) in [
            ("8/8 w", "8/8 w -"),
            ("8/8 w 88 40 21 ", "8/8 w 88 40 21"),
            ("8/8 w - - bm Md2; id \"dtm; b\"", "8/8 w - - bm Md2; id \"dtm; b\";"),
            ("8/8 w - - dtm 9; bm Md2; only", "8/8 w - - bm Md2;"),
            (" 8/8 w - - ;D1 20 ;dtm 400", "8/8 w - - D1 20;"),
        ] {
            let mut line = String::new();
            Epd::read(text).push_without(text, &["dtm", "only"], &mut line);
            assert_eq!(line, expected);
        }
    }
}
