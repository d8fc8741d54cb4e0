//! Variants of a file in the form of Fairy-Stockfish's `variants.ini`: games of this kind on 64 squares.
//!
//! ```text
//! [name:base]          a variant; without a base, its pieces are none and all else is as in chess
//! chancellor = c       a piece by its name, with its letter
//! customPiece1 = e:FD  a piece by Betza's notation
//! queen = -            no such piece
//! promotionPieceTypes = crbn
//! ```
//!
//! A variant has up to four kinds of pieces besides kings and pawns. Rules of repetition and of 50 moves are read over:
//! no table considers them. Whatever else the tables could not follow is refused by its line.

mod betza;

use crate::counting::CountingRule;
use crate::excerpt::Excerpt;
use crate::position::Position;
use crate::rules::end_rule::EndRule;
use crate::rules::piece::{PieceKind, PieceLetters};
use crate::rules::{Movement, Rules};
use crate::variant::Variant;
use crate::variants::{self, CHESS, MAKRUK, named};
use std::collections::BTreeMap;

/// Names of pieces in Fairy-Stockfish, with their moves in Betza's notation.
const PIECES: [(&str, &str); 18] = [
    ("knight", "N"),
    ("bishop", "B"),
    ("rook", "R"),
    ("queen", "Q"),
    ("fers", "F"),
    ("alfil", "A"),
    ("fersAlfil", "FA"),
    ("silver", "FfW"),
    ("aiwok", "RNF"),
    ("bers", "RF"),
    ("archbishop", "BN"),
    ("chancellor", "RN"),
    ("amazon", "QN"),
    ("gold", "WfF"),
    ("dragonHorse", "BW"),
    ("wazir", "W"),
    ("commoner", "K"),
    ("centaur", "KN"),
];

/// Settings that no table depends on.
const READ_OVER: [&str; 9] = [
    "variantTemplate",
    "pieceToCharTable",
    "pocketSize",
    "pieceValueMg",
    "pieceValueEg",
    "chess960",
    "nMoveRule",
    "nFoldRule",
    "nFoldValue",
];

/// The id in files of the counting rules of files. The fingerprint tells them apart.
const ID: u32 = 15;

/// The letter of a kind that a variant does not have.
const NO_LETTER: char = '\0';

/// A line that cannot be read, or asks for rules that no table follows.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct RulesFileError {
    /// The line, from 1.
    pub line: usize,
    /// The reason.
    pub problem: RulesProblem,
}

/// The reason why a line is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RulesProblem {
    /// Neither a section nor a setting.
    #[error("'{0}' is neither [name:base] nor key = value")]
    Form(Excerpt),
    /// A setting before the first section, or no section.
    #[error("no variant: expected a section [name:base]")]
    NoSection,
    /// A name that does not fit a folder, or is taken.
    #[error("'{0}' is no name for a variant: expected new small letters, digits and hyphens")]
    Name(Excerpt),
    /// An unknown base.
    #[error("'{0}' is not a variant here: expected one of {known} or of the sections above", known = variants::names())]
    Base(Excerpt),
    /// A setting that is not supported.
    #[error("'{0}' is not supported: no table follows it")]
    Key(Excerpt),
    /// A value that is not supported.
    #[error("'{key} = {value}' is not supported: expected {expected}")]
    Value {
        /// The setting.
        key: String,
        /// The value.
        value: Excerpt,
        /// The values that are.
        expected: &'static str,
    },
    /// Too many kinds of pieces.
    #[error("{0} has more than four kinds of pieces besides kings and pawns")]
    Kinds(String),
    /// A start position that the variant does not have.
    #[error("the start position of {variant} cannot be read: {reason}")]
    Start {
        /// The variant.
        variant: String,
        /// The reason.
        reason: String,
    },
}

/// A variant while its section is read.
#[derive(Clone)]
struct Section {
    name: String,
    line: usize,
    /// The variant that it is like. Leaps are those of the base.
    base: &'static Variant,
    rules: Rules,
    letters: PieceLetters,
    piece_names: [&'static str; PieceKind::ALL.len()],
    /// Letters of the pieces that pawns become.
    promotes_to: String,
    castles: bool,
    start: String,
    counting: &'static CountingRule,
    counts_checks: bool,
    double_step_rank: Option<usize>,
    /// The last of the ranks, from 0, on which pawns of Black are promoted.
    black_promotion: usize,
    /// Settings of the rule of extinction, by their keys.
    extinction: BTreeMap<String, String>,
}

/// Adds the variants of a file to [`variants::all`], once in a process and before anything else asks
/// for variants. Returns them.
///
/// # Errors
///
/// If a line is refused, see [`RulesProblem`].
pub fn add(file: &str) -> Result<&'static [Variant], RulesFileError> {
    let (lines, added): (Vec<usize>, Vec<Variant>) = read(file)?.into_iter().unzip();
    let added = variants::add(added);
    for (line, variant) in lines.into_iter().zip(added) {
        let start = Position::from_fen(variant, variant.start);
        start.map_err(|reason| {
            let reason = reason.without_likeness().to_string();
            let problem = RulesProblem::Start { variant: variant.name.to_string(), reason };
            RulesFileError { line, problem }
        })?;
    }
    Ok(added)
}

/// Reads the variants of a file, each with its line.
///
/// # Errors
///
/// At the first line that is refused.
fn read(text: &str) -> Result<Vec<(usize, Variant)>, RulesFileError> {
    let (mut sections, mut last_line): (Vec<Section>, usize) = (Vec::new(), 1);
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        last_line = number + 1;
        let at = |problem| RulesFileError { line: number + 1, problem };
        if let Some(header) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            sections.push(Section::new(header, number + 1, &sections).map_err(at)?);
            continue;
        }
        let setting = line.split_once('=');
        let (key, value) = setting.ok_or_else(|| at(RulesProblem::Form(Excerpt::of(line))))?;
        let section = sections.last_mut().ok_or_else(|| at(RulesProblem::NoSection))?;
        section.set(key.trim(), value.trim()).map_err(at)?;
    }
    if sections.is_empty() {
        return Err(RulesFileError { line: last_line, problem: RulesProblem::NoSection });
    }
    let finished = sections.into_iter().map(|section| {
        let line = section.line;
        let variant = section.finish().map_err(|problem| RulesFileError { line, problem })?;
        Ok((line, variant))
    });
    finished.collect()
}

impl Section {
    fn new(header: &str, line: usize, above: &[Section]) -> Result<Section, RulesProblem> {
        let (name, base) =
            header.split_once(':').map_or((header, None), |(name, base)| (name, Some(base)));
        let is_new = named(name).is_err() && above.iter().all(|section| section.name != name);
        let is_letter =
            |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
        if !is_new
            || !name.starts_with(|letter: char| letter.is_ascii_lowercase())
            || !name.chars().all(is_letter)
        {
            return Err(RulesProblem::Name(Excerpt::of(name)));
        }
        let new =
            |name: &str, section: Section| Section { name: name.to_string(), line, ..section };
        let Some(base) = base else {
            let mut section = Section::of(&CHESS);
            section.letters = ['K', NO_LETTER, NO_LETTER, NO_LETTER, NO_LETTER, NO_LETTER];
            section.rules.movements[1..].fill(Movement::NONE);
            return Ok(new(name, section));
        };
        if let Some(section) = above.iter().find(|section| section.name == base) {
            return Ok(new(name, section.clone()));
        }
        let base = named(base).map_err(|_| RulesProblem::Base(Excerpt::of(base)))?;
        Ok(new(name, Section::of(base)))
    }

    fn of(base: &'static Variant) -> Section {
        let letter = |kind: &PieceKind| base.letters[kind.index()];
        Section {
            name: String::new(),
            line: 0,
            base,
            rules: base.rules,
            letters: base.letters,
            piece_names: base.piece_names,
            promotes_to: base.rules.promotes_to.iter().map(letter).collect(),
            castles: base.castles,
            start: base.start.to_string(),
            counting: base.counting(),
            counts_checks: base.rules.end.check_loses,
            double_step_rank: base.rules.double_step.then_some(1),
            black_promotion: 7 - base.rules.promotion_rank,
            extinction: BTreeMap::new(),
        }
    }

    /// Takes one setting.
    fn set(&mut self, key: &str, value: &str) -> Result<(), RulesProblem> {
        let wrong = |expected| Err(refused(key, value, expected));
        let flag = match value {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        };
        let known = PIECES.iter().find(|known| known.0 == key);
        match (key, flag) {
            _ if READ_OVER.contains(&key) => {}
            _ if known.is_some() || key.starts_with("customPiece") || key == "pawn" => {
                return self.set_piece(key, known.map(|known| known.1), value);
            }
            ("king", _) if value == "k" || value == "k:K" => {}
            ("king", _) => return wrong("k: other kings have no tables"),
            ("maxRank", _) if value == "8" => {}
            ("maxFile", _) if value == "8" || value == "h" => {}
            ("maxRank" | "maxFile", _) => return wrong("8"),
            ("startFen", _) => self.start = value.to_string(),
            ("pawnTypes", _) if value == "p" => {}
            ("pawnTypes", _) => return wrong("p"),
            ("promotionPieceTypes", _) => self.promotes_to = value.replace('-', "").to_uppercase(),
            ("promotionRegionWhite", _) => match ranks(value) {
                Some(ranks)
                    if ranks[0] > 1
                        && ranks[0] + ranks.len() == 8
                        && ranks[ranks.len() - 1] == 7 =>
                {
                    self.rules.promotion_rank = ranks[0];
                }
                _ => return wrong("ranks up to the last, such as *7 *8"),
            },
            ("promotionRegionBlack", _) => match ranks(value) {
                Some(ranks) if ranks[0] == 0 && ranks.len() == ranks[ranks.len() - 1] + 1 => {
                    self.black_promotion = ranks.len() - 1;
                }
                _ => return wrong("ranks down to the first, such as *2 *1"),
            },
            ("mandatoryPawnPromotion" | "checking", Some(true)) => {}
            ("mandatoryPawnPromotion" | "checking", _) => return wrong("true"),
            ("doubleStep", Some(double)) => {
                self.double_step_rank = double.then_some(self.double_step_rank.unwrap_or(1))
            }
            ("doubleStepRegionWhite", _) => match ranks(value).as_deref() {
                Some(&[rank]) => self.double_step_rank = self.double_step_rank.and(Some(rank)),
                _ => return wrong("the one rank on which pawns start, such as *2"),
            },
            // That of White decides, as the boards of both sides are alike.
            ("doubleStepRegionBlack", _) if ranks(value).is_some_and(|ranks| ranks.len() == 1) => {}
            ("castling", Some(castles)) => self.castles = castles,
            ("makpongRule", Some(stays)) => self.rules.checked_king_stays = stays,
            ("checkCounting", Some(counts)) => self.counts_checks = counts,
            ("doubleStep" | "castling" | "makpongRule" | "checkCounting", None) => {
                return wrong("true or false");
            }
            ("stalemateValue", _) if value == "draw" => self.rules.end.stalemate_loses = false,
            ("stalemateValue", _) if value == "loss" => self.rules.end.stalemate_loses = true,
            ("stalemateValue", _) => return wrong("draw or loss"),
            ("checkmateValue", _) if value == "loss" => {}
            ("checkmateValue", _) => return wrong("loss"),
            ("countingRule", _) => {
                let like = match value {
                    "none" => &*CHESS,
                    "makruk" | "cambodian" | "asean" => named(value).unwrap_or(&MAKRUK),
                    _ => return wrong("makruk, cambodian, asean or none"),
                };
                self.counting = like.counting();
            }
            _ if key.starts_with("extinction") => {
                self.extinction.insert(key.to_string(), value.to_string());
            }
            _ => return Err(RulesProblem::Key(Excerpt::of(key))),
        }
        Ok(())
    }

    /// Takes a piece: its letter, with its moves if it has no known ones, or `-`.
    fn set_piece(
        &mut self,
        key: &str,
        moves: Option<&'static str>,
        value: &str,
    ) -> Result<(), RulesProblem> {
        let wrong = |expected| Err(refused(key, value, expected));
        let (letter, own) =
            value.split_once(':').map_or((value, None), |(letter, own)| (letter, Some(own)));
        let known = moves.and_then(betza::read);
        let movement = match (key, own) {
            ("pawn", None) => *CHESS.rules.movement(PieceKind::Pawn),
            ("pawn", Some(_)) => return wrong("a letter: pawns with other moves have no tables"),
            _ if value == "-" => Movement::NONE,
            (_, own) => match known.or_else(|| own.and_then(betza::read)) {
                Some(movement) => movement,
                None if own.is_none() => return wrong("a letter and moves, such as e:FD"),
                None => return wrong("steps, leaps, R, B and Q in Betza's notation, as FfW"),
            },
        };
        let is_pawn = |kind: PieceKind| kind == PieceKind::Pawn;
        let kinds = PieceKind::NON_KINGS.into_iter();
        let mut kinds = kinds.filter(|&kind| is_pawn(kind) == (key == "pawn"));
        if value == "-" {
            let named = self.named_piece(key, known);
            if let Some(kind) = kinds.find(|&kind| named == Some(kind)) {
                self.letters[kind.index()] = NO_LETTER;
                self.rules.movements[kind.index()] = Movement::NONE;
            }
            return Ok(());
        }
        let letter = match letter.as_bytes() {
            [letter] if letter.is_ascii_alphabetic() => letter.to_ascii_uppercase() as char,
            _ => return wrong("one letter, or '-' for no such piece"),
        };
        // A letter that is given again has a new piece, and a piece a new letter.
        let same = PieceKind::ALL.into_iter().find(|kind| self.letters[kind.index()] == letter);
        let same = same.or_else(|| self.named_piece(key, known));
        let free = |kind: &PieceKind| self.letters[kind.index()] == NO_LETTER || is_pawn(*kind);
        let kind = match same {
            Some(kind) if kind == PieceKind::King || is_pawn(kind) != (key == "pawn") => {
                return wrong("a letter that no other piece has");
            }
            Some(kind) => Some(kind),
            None => kinds.find(free),
        };
        let Some(kind) = kind else { return Err(RulesProblem::Kinds(self.name.clone())) };
        self.letters[kind.index()] = letter;
        self.rules.movements[kind.index()] = movement;
        let is_custom = key.starts_with("customPiece");
        let name = if is_custom { letter.to_string() } else { key.to_string() };
        self.piece_names[kind.index()] = name.leak();
        Ok(())
    }

    /// The kind that a key names, in the base by the moves that the key is known for.
    fn named_piece(&self, key: &str, known: Option<Movement>) -> Option<PieceKind> {
        let name = |kind: &PieceKind| self.piece_names[kind.index()];
        let like = |kind: &PieceKind| {
            let is_of_base = name(kind) == self.base.piece_name(*kind);
            is_of_base && known.is_some_and(|known| known.is_like(self.rules.movement(*kind)))
        };
        let own = |kind: &PieceKind| name(kind) == key && self.letters[kind.index()] != NO_LETTER;
        let mut kinds = PieceKind::NON_KINGS.into_iter();
        kinds.clone().find(own).or_else(|| kinds.find(like))
    }

    /// The variant, with what follows from all settings together.
    fn finish(mut self) -> Result<Variant, RulesProblem> {
        let has_pawns = self.letters[PieceKind::Pawn.index()] != NO_LETTER;
        let promotes_to = self.promoted(has_pawns)?;
        self.set_pawns()?;
        self.set_ends()?;
        let limits = [PieceKind::Rook, PieceKind::Knight, PieceKind::Khon];
        let is_usual =
            |kind: PieceKind| self.rules.movement(kind).is_like(MAKRUK.rules.movement(kind));
        if self.counting.counts() && !limits.into_iter().all(is_usual) {
            let expected = "none, or rook, knight and silver as in makruk";
            return Err(refused("countingRule", self.counting.name, expected));
        }
        let name: &'static str = self.name.clone().leak();
        let counting: &'static CountingRule =
            Box::leak(Box::new(CountingRule { name, id: ID, ..*self.counting }));
        let nobody = CountingRule::nobody_counts(format!("{name}-none").leak(), counting);
        let letters: &'static PieceLetters = Box::leak(Box::new(self.letters));
        let usual = self.letters == self.base.letters;
        let rules = Rules {
            promotes_to: promotes_to.leak(),
            material_letters: if usual { self.base.rules.material_letters } else { letters },
            folder: Some(name),
            ..self.rules
        };
        let fields: Vec<&str> = self.start.split_whitespace().take(2).collect();
        let leaps = if usual { self.base.leaps } else { &[] };
        let start =
            if leaps.is_empty() { format!("{} - - 0 1", fields.join(" ")) } else { self.start };
        Ok(Variant {
            letters: self.letters,
            piece_names: self.piece_names,
            castles: self.castles,
            counting_rules: Box::leak(Box::new([counting])),
            uncounted: Box::leak(Box::new(nobody)),
            refuses_pawns: match has_pawns {
                true => self.base.refuses_pawns,
                false => Some("the variant has none"),
            },
            start: start.leak(),
            leaps,
            ..self.base.with_rules(name, rules)
        })
    }

    /// The kinds that a pawn may become, in the order of the kinds.
    fn promoted(&self, has_pawns: bool) -> Result<Vec<PieceKind>, RulesProblem> {
        let is_named = |kind: &PieceKind| self.promotes_to.contains(self.letters[kind.index()]);
        let pieces = PieceKind::NON_KINGS.into_iter().filter(|&kind| kind != PieceKind::Pawn);
        let promoted: Vec<PieceKind> = pieces.filter(is_named).collect();
        match has_pawns {
            true if promoted.is_empty() => {
                Err(refused("promotionPieceTypes", &self.promotes_to, "letters of pieces"))
            }
            true => Ok(promoted),
            false => Ok(Vec::new()),
        }
    }

    /// Sets the ranks of pawns and their double step.
    fn set_pawns(&mut self) -> Result<(), RulesProblem> {
        if self.black_promotion != 7 - self.rules.promotion_rank {
            let expected = "the ranks of White, seen from the other side";
            return Err(refused("promotionRegionBlack", "...", expected));
        }
        let board = self.start.split_whitespace().next().unwrap_or_default();
        let (first, last) = (self.first_pawn_rank(board), self.rules.promotion_rank - 1);
        if first > last {
            return Err(refused("startFen", board, "pawns behind the ranks of promotion"));
        }
        self.rules.pawn_ranks = (first, last);
        self.rules.double_step = match self.double_step_rank {
            Some(rank) if rank > first => {
                let expected = "no pawn behind the rank of double steps";
                return Err(refused("doubleStep", "true", expected));
            }
            Some(rank) => rank == first && first + 2 < self.rules.promotion_rank,
            None => false,
        };
        Ok(())
    }

    /// Sets the ends of the game.
    fn set_ends(&mut self) -> Result<(), RulesProblem> {
        // As on the first check of a game with check counts.
        self.rules.end.check_loses = self.counts_checks;
        if self.counts_checks && !self.start.contains("1+1") {
            return Err(refused("checkCounting", "true", "1+1 in startFen: the first check wins"));
        }
        self.rules.end.bare_king_loses = match self.extinction.is_empty() {
            true => self.base.rules.end.bare_king_loses,
            false => self.is_bare_king_rule(),
        };
        if !self.extinction.is_empty() && !self.rules.end.bare_king_loses {
            let expected = "the rule of the bare king, as in shatranj";
            return Err(refused("extinctionValue", "...", expected));
        }
        let EndRule { check_loses, bare_king_loses, stalemate_loses } = self.rules.end;
        if bare_king_loses && !stalemate_loses {
            return Err(refused("stalemateValue", "draw", "loss where a bare king loses"));
        }
        if self.rules.double_step && (check_loses || bare_king_loses) {
            return Err(refused("doubleStep", "true", "false where a check or a bare king loses"));
        }
        Ok(())
    }

    /// The first rank on which a pawn of either side starts, as that side sees it; that of the base
    /// without pawns.
    fn first_pawn_rank(&self, board: &str) -> usize {
        let pawn = self.letters[PieceKind::Pawn.index()];
        let rows = board.split('/').enumerate().flat_map(|(row, men)| {
            men.chars().filter_map(move |man| match man {
                _ if man == pawn => 7usize.checked_sub(row),
                _ if man == pawn.to_ascii_lowercase() => Some(row),
                _ => None,
            })
        });
        rows.min().unwrap_or(self.rules.pawn_ranks.0)
    }

    /// Whether the settings of extinction are those of a bare king that loses.
    fn is_bare_king_rule(&self) -> bool {
        let expected = [
            ("extinctionClaim", "true"),
            ("extinctionOpponentPieceCount", "2"),
            ("extinctionPieceCount", "1"),
            ("extinctionPieceTypes", "*"),
            ("extinctionValue", "loss"),
        ];
        let given = self.extinction.iter().map(|(key, value)| (&**key, &**value));
        given.eq(expected)
    }
}

/// A setting with a value that is not supported.
fn refused(key: &str, value: &str, expected: &'static str) -> RulesProblem {
    RulesProblem::Value { key: key.to_string(), value: Excerpt::of(value), expected }
}

/// The ranks of a list such as `*7 *8`, from 0, ascending.
fn ranks(value: &str) -> Option<Vec<usize>> {
    let rank = |word: &str| word.strip_prefix('*')?.parse::<usize>().ok()?.checked_sub(1);
    let mut ranks: Vec<usize> = value.split_whitespace().map(rank).collect::<Option<_>>()?;
    ranks.sort_unstable();
    (ranks.last().is_some_and(|&last| last < 8)).then_some(ranks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counting::OnChange;

    fn one(text: &str) -> Variant {
        read(text).unwrap().pop().unwrap().1
    }

    #[test]
    fn variants_that_differ_from_another_by_data_can_be_written() {
        for (name, text) in [
            ("makpong", "[x:makruk]\nmakpongRule = true"),
            ("ai-wok", "[x:makruk]\nfers = -\naiwok = a\npromotionPieceTypes = a"),
            (
                "asean",
                "[x:makruk]\nsilver = b\nfers = q\nstartFen = rnbqkbnr/8/pppppppp/8/8/PPPPPPPP/8/RNBQKBNR w - - 0 1\n\
                 promotionPieceTypes = rnbq\npromotionRegionWhite = *8\npromotionRegionBlack = *1\n\
                 countingRule = asean",
            ),
            (
                "shatranj",
                "[x:makruk]\nsilver = -\nalfil = b\nfers = q\npromotionPieceTypes = q\ncountingRule = none\n\
                 startFen = rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - 0 1\n\
                 promotionRegionWhite = *8\npromotionRegionBlack = *1\nstalemateValue = loss\n\
                 extinctionValue = loss\nextinctionClaim = true\nextinctionPieceTypes = *\n\
                 extinctionPieceCount = 1\nextinctionOpponentPieceCount = 2",
            ),
            (
                "kar-ouk",
                "[x:cambodian]\ncheckCounting = true\n\
                 startFen = rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w DEde - 1+1 0 1",
            ),
            (
                "chess",
                "[x]\nqueen = q\nrook = r\nbishop = b\nknight = n\npawn = p\nking = k\ncastling = true\n\
                 startFen = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            ),
        ] {
            let (variant, known) = (one(text), named(name).unwrap());
            let rules = Rules {
                folder: known.rules.folder,
                material_letters: known.rules.material_letters,
                ..variant.rules
            };
            assert_eq!(rules.fingerprint(), known.rules.fingerprint(), "{name}");
            assert_eq!(
                (variant.letters, variant.castles),
                (known.letters, known.castles),
                "{name}"
            );
            let end =
                if name == "kar-ouk" { OnChange::KeepSooner } else { known.counting().on_change };
            assert_eq!(variant.counting().on_change, end, "{name}");
        }
    }

    #[test]
    fn lines_that_no_table_follows_are_refused() {
        for (text, message) in [
            ("", "line 1: no variant"),
            ("rook = r", "line 1: no variant"),
            ("[x]\nrook", "line 2: 'rook' is neither [name:base] nor key = value"),
            ("[chess]", "line 1: 'chess' is no name"),
            ("[a/b]", "line 1: 'a/b' is no name"),
            ("[x]\n[x]", "line 2: 'x' is no name"),
            ("[x:xiangqi]", "line 1: 'xiangqi' is not a variant here: expected one of makruk, "),
            (
                "[x:chess]\n# none\nmaxRank = 10",
                "line 3: 'maxRank = 10' is not supported: expected 8",
            ),
            ("[x:chess]\npieceDrops = true", "line 2: 'pieceDrops' is not supported"),
            ("[x:chess]\nking = k:KN", "line 2: 'king = k:KN' is not supported"),
            ("[x:chess]\npawn = p:mW", "line 2: 'pawn = p:mW' is not supported"),
            ("[x:chess]\namazon = a", "line 2: x has more than four kinds"),
            (
                "[x:chess]\namazon = k",
                "line 2: 'amazon = k' is not supported: expected a letter that no other",
            ),
            (
                "[x:chess]\nqueen = -\ncustomPiece1 = q:NN",
                "line 3: 'customPiece1 = q:NN' is not supported",
            ),
            ("[x:chess]\ncannon = c", "line 2: 'cannon' is not supported"),
            ("[x:chess]\ndoubleStepRegionWhite = *2 *3", "line 2: 'doubleStepRegionWhite = *2 *3'"),
            ("[x:chess]\ndoubleStepRegionWhite = *3", "line 1: 'doubleStep = true'"),
            ("[x:chess]\nstalemateValue = win", "line 2: 'stalemateValue = win'"),
            ("[x:chess]\nextinctionValue = loss", "line 1: 'extinctionValue = ...'"),
            (
                "[x:chess]\ncheckCounting = true",
                "line 1: 'checkCounting = true' is not supported: expected 1+1",
            ),
            ("[x:chess]\ncountingRule = makruk", "line 1: 'countingRule = makruk'"),
            ("[x:chess]\npromotionPieceTypes = -", "line 1: 'promotionPieceTypes = '"),
            ("[x:chess]\npromotionRegionWhite = *7 *8", "line 1: 'promotionRegionBlack = ...'"),
            (
                "[x:chess]\npromotionRegionWhite = *1 *2 *3 *4 *5 *6 *7 *8",
                "line 2: 'promotionRegionWhite",
            ),
            ("[x:chess]\npromotionRegionWhite = ", "line 2: 'promotionRegionWhite"),
            ("[x:chess]\nstartFen = P3k3/8/8/8/8/8/8/4K3 w", "line 1: 'startFen = P3k3"),
            ("[x:shatranj]\nstalemateValue = draw", "line 1: 'stalemateValue = draw'"),
            ("[x:shatranj]\ndoubleStep = true", "line 1: 'doubleStep = true'"),
        ] {
            let refusal = read(text).map(|_| ()).map_err(|error| error.to_string());
            assert!(
                refusal.clone().is_err_and(|it| it.starts_with(message)),
                "{text}: {refusal:?}"
            );
        }
    }

    #[test]
    fn sections_build_on_one_another() {
        let text = "[one:chess]\nqueen = -\nchancellor = c # its letter\npromotionPieceTypes = cr\n\n[two:one]\ndoubleStep = false";
        let read = read(text).unwrap();
        let [(1, one), (6, two)] = &read[..] else { panic!("{read:?}") };
        assert_eq!((one.letters, one.rules.double_step), (['K', 'C', 'R', 'B', 'N', 'P'], true));
        assert_eq!((two.letters, two.rules.double_step), (one.letters, false));
        assert_eq!(one.rules.promotes_to, [PieceKind::Rook, PieceKind::Knight]);
        assert_eq!(one.piece_names[1], "chancellor");
        assert_eq!((one.name, one.rules.folder, two.counting().name), ("one", Some("one"), "two"));
        assert!(one.start.starts_with("rnbqkbnr/"));
    }
}
