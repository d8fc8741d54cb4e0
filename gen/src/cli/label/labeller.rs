//! Lines and games with labels, in each format.

use crate::cli::check::splice::Splice;
use crate::cli::label::blocks::Block;
use crate::cli::label::format::Format;
use crate::cli::label::labels::{FIELDS, Label, LabelContent, LabelError, Tally};
use crate::cli::probe::batch::{BYTE_ORDER_MARK, COMMENT};
use crate::cli::probe::epd::Epd;
use sakmak_pgn::pgn::{Games, Note, PgnGame, decoded, encoded};
use sakmak_pgn::replay::Replay;
use sakmak_probe::ProbeError;
use sakmak_probe::tablebase::Tablebase;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::position::Position;
use sakmak_tables::variants;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt::{self, Write};

/// The start of a comment with a label in PGN.
const LABEL: &str = "{[%category ";

/// Labels positions.
pub struct Labeller {
    /// The tables.
    pub tables: Tablebase,
    /// The counting rule, of games of its variant.
    pub counting_rule: Option<&'static CountingRule>,
    /// The content of labels.
    pub content: LabelContent,
    /// The format of the input.
    pub format: Format,
}

/// The labelled lines of a block.
#[derive(Default)]
pub struct LabelledBlock {
    /// The lines.
    pub text: Vec<u8>,
    /// The numbers of their positions.
    pub tally: Tally,
}

impl Labeller {
    /// Returns the lines of a block with labels. A line without a label is copied.
    pub fn block(&self, block: &Block) -> LabelledBlock {
        let mut labelled = LabelledBlock::default();
        labelled.text.reserve(2 * block.text.len());
        let mark = if block.line == 1 { BYTE_ORDER_MARK } else { b"" };
        let text = match block.text.strip_prefix(mark) {
            Some(text) => {
                labelled.text.extend(mark);
                text
            }
            None => &block.text,
        };
        if self.format == Format::Pgn {
            self.games(text, block.line, &mut labelled);
            return labelled;
        }
        let mut record = None;
        let mut written = String::new();
        for (number, line) in (block.line..).zip(text.split_inclusive(|&byte| byte == b'\n')) {
            let body = line.trim_ascii_end();
            written.clear();
            match self.line(body, &mut record, &mut written) {
                Ok(is_labelled) => {
                    labelled.text.extend(written.as_bytes());
                    labelled.text.extend(&line[body.len()..]);
                    if is_labelled {
                        labelled.tally.count(number, Ok(()));
                    }
                }
                Err(error) => {
                    labelled.text.extend(line);
                    labelled.tally.count(number, Err(error));
                }
            }
        }
        labelled
    }

    /// Appends a line with its label, or without one if it has no position. `record` is the label
    /// of the record of a plain file. Returns whether the line has a position.
    fn line(
        &self,
        line: &[u8],
        record: &mut Option<Label>,
        out: &mut String,
    ) -> Result<bool, LabelError> {
        let line = std::str::from_utf8(line)?;
        if line.is_empty() {
            return Ok(false);
        }
        match self.format {
            Format::Epd if line.starts_with(COMMENT) => *out += line,
            Format::Epd => {
                let epd = Epd::read(line);
                let label = self.label_of_fen(&epd.fen)?;
                epd.push_without(line, &FIELDS, out);
                label.each_field(|name, value| {
                    let _ = write!(out, " {name} {value};");
                });
                return Ok(true);
            }
            Format::Json => {
                let JsonFields(fields) = serde_json::from_str(line)?;
                self.object(&fields, out)?;
                return Ok(true);
            }
            // Elsewhere than in its lines.
            Format::Plain | Format::Pgn => return self.plain(line, record, out),
        }
        Ok(false)
    }

    /// Appends a line of a plain file. Returns whether it has a position.
    fn plain(
        &self,
        line: &str,
        record: &mut Option<Label>,
        out: &mut String,
    ) -> Result<bool, LabelError> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let number = match (word, &record) {
            ("score", Some(label)) => label.score(),
            ("result", Some(label)) => label.result(),
            ("fen", _) => {
                *record = None;
                *record = Some(self.label_of_fen(rest)?);
                *out += line;
                return Ok(true);
            }
            _ => {
                *record = record.filter(|_| word != "e");
                *out += line;
                return Ok(false);
            }
        };
        let _ = write!(out, "{word} {number}");
        Ok(false)
    }

    /// Appends an object with the fields of its label.
    fn object(&self, fields: &[(String, &RawValue)], out: &mut String) -> Result<(), LabelError> {
        let fen = fields.iter().find(|(name, _)| name == "fen");
        let (_, fen) = fen.ok_or_else(|| serde_json::Error::missing_field("fen"))?;
        let fen: String = serde_json::from_str(fen.get())?;
        let label = self.label_of_fen(&fen)?;
        out.push('{');
        for (name, value) in fields {
            if !FIELDS.contains(&&**name) {
                *out += &serde_json::to_string(name)?;
                out.extend([":", value.get(), ","]);
            }
        }
        // The label is an object with at least one field.
        *out += serde_json::to_string(&label)?.trim_start_matches('{');
        Ok(())
    }

    /// Returns the label of a FEN.
    fn label_of_fen(&self, fen: &str) -> Result<Label, LabelError> {
        let counting_rule = self.counting_rule.unwrap_or(variants::default().counting());
        Ok(self.label(&Position::from_fen_counted(counting_rule, fen)?)?)
    }

    fn label(&self, position: &Position) -> Result<Label, ProbeError> {
        Label::of(&self.tables, position, self.content)
    }

    /// Appends games with comments.
    fn games(&self, text: &[u8], line: u64, labelled: &mut LabelledBlock) {
        let decoded = match decoded(text.to_vec()) {
            Ok(decoded) => decoded,
            Err(error) => {
                labelled.text.extend(text);
                return labelled.tally.count(line, Err(error.into()));
            }
        };
        let mut splice = Splice::new(&decoded);
        for game in Games::from_line(&decoded, line as usize) {
            if let Err(error) = self.game(&game, &mut splice, &mut labelled.tally) {
                labelled.tally.count(game.line as u64, Err(error));
            }
        }
        labelled.text.extend(encoded(&splice.finish()));
    }

    /// Copies a game with a comment for each position.
    fn game(
        &self,
        game: &PgnGame,
        splice: &mut Splice<'_>,
        tally: &mut Tally,
    ) -> Result<(), LabelError> {
        let replay = Replay::of(game, self.counting_rule)?;
        let before = game.movetext.map(|place| (place, &game.before, game.line));
        let after = game.moves.iter().map(|mv| (mv.end_of_marks(None), &mv.after, mv.line));
        let places = before.into_iter().chain(after);
        for (index, (position, (place, notes, line))) in replay.positions().zip(places).enumerate()
        {
            let label = self.label(position);
            if let Ok(label) = &label {
                let comment = comment(label);
                let text = splice.text();
                let is_old = |note: &&Note| text[note.text.clone()].starts_with(LABEL);
                if let Some(old) = notes.iter().find(is_old) {
                    splice.copy_to(old.text.start);
                    splice.push(&comment);
                    splice.skip_to(old.text.end);
                } else {
                    splice.copy_to(place);
                    let is_first = index == 0;
                    splice.push(&if is_first { comment + " " } else { format!(" {comment}") });
                }
            }
            tally.count(line as u64, label.map(drop).map_err(LabelError::from));
        }
        replay.broken.map_or(Ok(()), |error| Err(error.into()))
    }
}

/// Returns the comment of a label.
fn comment(label: &Label) -> String {
    let mut comment = String::from("{");
    label.each_field(|name, value| {
        let _ = write!(comment, "[%{name} {value}] ");
    });
    format!("{}}}", comment.trim_end())
}

/// The fields of a JSON object, in their order.
struct JsonFields<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for JsonFields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<JsonFields<'de>, D::Error> {
        struct Fields;

        impl<'de> Visitor<'de> for Fields {
            type Value = JsonFields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<JsonFields<'de>, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(JsonFields(fields))
            }
        }

        deserializer.deserialize_map(Fields)
    }
}
