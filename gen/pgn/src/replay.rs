//! Replays a game from its file: variant, dialect, positions, legal moves, the count.
//!
//! ```text
//! the variant is that of the Variant tag, or else the first in which the game is legal to its end
//! for each dialect that the game may be written in, the likeliest first
//!     replay the moves
//! the first that is legal to its end is the replay, or else the longest
//! ```

use crate::assumption::{Assumption, VariantEvidence};
use crate::dialect::Dialect;
use crate::game_error::GameError;
use crate::mets::MetOrigins;
use crate::pgn::PgnGame;
use crate::reading::{PlayedMove, Reading, numbered};
use sakmak_tables::counting::CountingRule;
use sakmak_tables::excerpt::Excerpt;
use sakmak_tables::position::Position;
use sakmak_tables::position::fen::FenNote;
use sakmak_tables::position::moves::Move;
use sakmak_tables::position::san::SanError;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants::{self, CHESS, MAKRUK};

/// The number of moves of both sides after which a game of chess is surely illegal in another
/// variant.
const TELLING_MOVES: usize = 20;

/// A replayed game, up to its end or to its first error.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The start position. A count that may run in it starts there.
    pub start: Position,
    /// Notes on the count in the FEN of the start position.
    pub fen_notes: Vec<FenNote>,
    /// The moves.
    pub moves: Vec<PlayedMove>,
    /// The position after the last of these moves.
    pub end: Position,
    /// The [closing move](Position::closing_moves) after the end, or `None`. The side that made it
    /// has lost.
    pub closing: Option<PlayedMove>,
    /// The dialect in which the moves are written.
    pub dialect: Dialect,
    /// The assumption about the game, or `None`.
    pub assumption: Option<Assumption>,
    /// A sentence, without a full stop, about a second way to read the letters of the game that is
    /// also legal to its end.
    pub other_reading: Option<String>,
    /// The error that ended the replay, or `None`.
    pub broken: Option<GameError>,
}

impl Replay {
    /// Replays a game. If the file names no variant, the variant comes from `counting_rule`, or is
    /// assumed. A game of the rule's variant is counted by `counting_rule`, any other game by its
    /// usual rule.
    ///
    /// # Errors
    ///
    /// If the variant is unknown, or the start position cannot be read. Errors in later moves
    /// are in [`Replay::broken`].
    pub fn of(
        game: &PgnGame,
        counting_rule: Option<&'static CountingRule>,
    ) -> Result<Replay, GameError> {
        if let (Some(error), true) = (&game.broken, game.moves.is_empty()) {
            return Err(error.clone().into());
        }
        let Some(variant) = variant_of(game, counting_rule)? else { return Replay::assumed(game) };
        let mut replay = Replay::in_variant(game, variant, counting_rule)?;
        if let Some(GameError::Move { source, looks_like, .. }) = &mut replay.broken
            // A game that merely continues after its end belongs to no other variant.
            && !matches!(source, SanError::Over(_))
        {
            let others = variants::all().filter(|other| *other != variant);
            let is_legal = |other: &&'static Variant| {
                Replay::in_variant(game, other, None).is_ok_and(|other| other.is_legal(game))
            };
            *looks_like = others.filter(is_legal).map(|other| other.name).collect();
        }
        Ok(replay)
    }

    /// Replays a game without a Variant tag. By the PGN standard the game is chess, unless it
    /// starts from another position. But sites that know one variant only write no tag.
    fn assumed(game: &PgnGame) -> Result<Replay, GameError> {
        let fen = game.tag("FEN");
        let chess = || Replay::in_variant(game, &CHESS, None);
        if fen.is_some_and(|fen| has_start_of(&CHESS, &fen.value)) {
            return chess();
        }
        let site = Dialect::of_site(game).filter(|dialect| dialect.is_of_makruk_sites);
        let site = site.and_then(|_| game.known("Site"));
        let mut replay = Replay::in_variant(game, &MAKRUK, None);
        let legal = |replay: &Result<Replay, GameError>| {
            replay.as_ref().is_ok_and(|replay| replay.is_legal(game))
        };
        if site.is_none() && !legal(&replay) {
            let others = variants::all().filter(|other| *other != &*MAKRUK);
            let others = others.map(|other| Replay::in_variant(game, other, None));
            replay = others.into_iter().find(legal).unwrap_or(replay);
        }
        let is_legal = legal(&replay);
        let moves = replay.as_ref().map_or(0, |replay| replay.moves.len());
        let evidence = match site {
            _ if fen.is_some() => VariantEvidence::Fen,
            _ if replay.as_ref().is_ok_and(|replay| replay.start.variant() == &*CHESS) => {
                return replay;
            }
            Some(site) if is_legal || moves >= TELLING_MOVES || Dialect::excludes_chess(game) => {
                VariantEvidence::Site(Excerpt::of(site))
            }
            _ if Dialect::excludes_chess(game) => VariantEvidence::Letters,
            _ if moves >= TELLING_MOVES => VariantEvidence::Moves,
            _ => return chess(),
        };
        let mut replay = replay?;
        let as_pawn =
            replay.assumption.as_ref().is_some_and(|assumed| assumed.promoted_moves_as_pawn);
        let variant = replay.start.variant().name;
        replay.assumption = Assumption::new(Some((variant, evidence)), as_pawn);
        Ok(replay)
    }

    /// Replays a game in a variant.
    fn in_variant(
        game: &PgnGame,
        variant: &'static Variant,
        counting_rule: Option<&'static CountingRule>,
    ) -> Result<Replay, GameError> {
        let (fen, line) = match game.tag("FEN") {
            // With castling rights, of which positions know nothing.
            Some(tag) if variant.castles && has_start_of(variant, &tag.value) => {
                (variant.start, tag.line)
            }
            Some(tag) => (&*tag.value, tag.line),
            None => (variant.start, game.line),
        };
        let counting_rule = counting_rule
            .filter(|counting_rule| variants::counted_by(counting_rule) == variant)
            .unwrap_or(variant.counting());
        let (start, fen_notes) = Position::from_fen_noted(counting_rule, fen)
            .map_err(|source| GameError::Fen { line, source })?;
        let usual = start_of(variant);
        let mets = match usual.as_ref().is_some_and(|usual| usual.pieces().eq(start.pieces())) {
            true => MetOrigins::NONE_PROMOTED,
            false => MetOrigins::of_fen(&start, fen),
        };
        let is_start = usual.is_some_and(|usual| usual.is_set_up_as(&start));
        if let Some(other) = start_of_other(&start).filter(|_| !is_start) {
            return Err(GameError::StartOf { line, variant: variant.name, other });
        }
        Ok(Replay { fen_notes, ..Replay::from(game, start.with_count_running(), mets) })
    }

    /// Replays the moves of a game from a position.
    fn from(game: &PgnGame, start: Position, mets: MetOrigins) -> Replay {
        let (likeliest, others) = Dialect::candidates(game, start.variant());
        let mut chosen = Reading::new(game, likeliest, start, mets);
        let mut rest = Vec::new();
        // Dialects differ only in the letters of promoted pawns.
        if !chosen.is_legal() || chosen.has_promoted() {
            for dialect in others {
                let mut other = Reading::new(game, dialect, start, mets);
                let merit = |reading: &Reading| (reading.is_legal(), reading.moves_read());
                if merit(&other) > merit(&chosen) {
                    std::mem::swap(&mut chosen, &mut other);
                }
                rest.push(other);
            }
        }
        let legal = rest.iter().filter(|other| other.is_legal() && chosen.is_legal());
        let other_reading = legal
            .filter_map(|other| Some((chosen.first_difference(other)?, other)))
            .min_by_key(|&(index, _)| index)
            .map(|(index, other)| {
                let [read, other] = [&chosen, other].map(|reading| reading.moves[index].mv);
                format!(
                    "line {line}, move {number}: '{text}' is read as {read} and could be {other}; the \
                     game is legal both ways",
                    line = game.moves[index].line,
                    number = numbered(&chosen.moves[index].before),
                    text = Excerpt::of(&game.moves[index].text),
                    read = read.uci(start.variant()),
                    other = other.uci(start.variant()),
                )
            });
        let as_pawn = chosen.dialect.tells_promoted() && chosen.has_promoted();
        let broken = game.moves.get(chosen.moves_read()).zip(chosen.refused.clone());
        let broken = broken.map(|(written, source)| GameError::Move {
            line: written.line,
            number: numbered(&chosen.last()),
            source,
            looks_like: Vec::new(),
        });
        Replay {
            start,
            fen_notes: Vec::new(),
            dialect: chosen.own_dialect(game),
            assumption: Assumption::new(None, as_pawn),
            other_reading,
            broken: broken.or_else(|| game.broken.clone().map(GameError::Pgn)),
            end: chosen.end,
            closing: chosen.closing,
            moves: chosen.moves,
        }
    }

    /// Whether all moves of the game are legal.
    fn is_legal(&self, game: &PgnGame) -> bool {
        self.moves.len() + usize::from(self.closing.is_some()) == game.moves.len()
    }

    /// A note on the closing move, a sentence without a full stop; `None` without a closing move.
    pub fn closing_note(&self) -> Option<String> {
        let closing = self.closing.as_ref()?;
        let (line, number, san) = (closing.line, numbered(&closing.before), &closing.san);
        let meaning = match closing.before.legal_moves().is_empty() {
            true => "comes after the loss by a bare king, and the result stands",
            false => "does not take the last piece, and the bare king loses",
        };
        Some(format!("line {line}, move {number}: '{san}' {meaning}"))
    }

    /// A legal move instead of a played one, as the game writes moves.
    pub fn written(&self, played: &PlayedMove, mv: Move) -> String {
        self.dialect.san(&played.before, played.mets, mv)
    }

    /// The position before the move at this index, from 0; past the moves, the last position.
    pub fn position(&self, index: usize) -> &Position {
        self.moves.get(index).map_or(&self.end, |played| &played.before)
    }

    /// The position before each move, then the last position.
    pub fn positions(&self) -> impl DoubleEndedIterator<Item = &Position> {
        self.moves.iter().map(|played| &played.before).chain([&self.end])
    }
}

/// The variant that the Variant tag of a game names, or else the variant of a counting rule; `None`
/// without either.
fn variant_of(
    game: &PgnGame,
    counting_rule: Option<&'static CountingRule>,
) -> Result<Option<&'static Variant>, GameError> {
    match game.tag("Variant").filter(|tag| !tag.value.trim().is_empty()) {
        Some(tag) => {
            let other = |_| GameError::Variant { line: tag.line, name: Excerpt::of(&tag.value) };
            variants::named(&tag.value).map(Some).map_err(other)
        }
        None => Ok(counting_rule.map(variants::counted_by)),
    }
}

/// Whether a FEN has the pieces and the side to move of the start position of a variant.
fn has_start_of(variant: &Variant, fen: &str) -> bool {
    let fields = |fen| str::split_whitespace(fen).take(2);
    fields(fen).eq(fields(variant.start))
}

/// The start position of a variant.
fn start_of(variant: &'static Variant) -> Option<Position> {
    Position::from_fen(variant, variant.start).ok()
}

/// The first variant with this start position, or `None`.
fn start_of_other(position: &Position) -> Option<&'static str> {
    let is_start = |variant: &&'static Variant| {
        start_of(variant).is_some_and(|start| start.is_set_up_as(position))
    };
    variants::all().find(is_start).map(|variant| variant.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::Games;
    use sakmak_tables::counting::Honour;
    use sakmak_tables::distance::Plies;
    use sakmak_tables::variants::OUK;

    fn replay(text: &str) -> Result<Replay, GameError> {
        Replay::of(&Games::of(text).next().unwrap(), None)
    }

    fn error(text: &str) -> String {
        let error = match replay(text) {
            Ok(replay) => replay.broken.unwrap(),
            Err(error) => error,
        };
        let message = error.to_string();
        assert!(message.starts_with(&format!("line {}", error.line())), "{message}");
        message
    }

    #[test]
    fn a_game_is_played_from_the_start_of_its_variant() {
        for (name, moves) in [
            ("Makruk", "1. Me2? 1. e4 d5 2. exd5 exd5"),
            ("thai chess", "d4 d5"),
            ("Ouk Chatrang", "Kb2 d5"),
            ("cambodian", "Kf2 Kc7"),
        ] {
            let replay = replay(&format!("[Variant \"{name}\"]\n{moves}")).unwrap();
            let stopped = replay.broken.is_some();
            assert_eq!(stopped, moves.contains('?'), "{:?}", replay.broken);
        }
    }

    #[test]
    fn counts_start_and_run_on() {
        let replay =
            replay("[FEN \"8/8/8/8/5p2/4k3/8/R6K w - - 0 9\"]\nRa3+ Kd4 Ra4+ Ke3 Rxf4 Kxf4");
        let replay = replay.unwrap();
        assert!(replay.broken.is_none() && replay.start.clock().is_none());
        let clocks: Vec<_> = replay.positions().map(|position| position.clock()).collect();
        assert!(clocks[..5].iter().all(Option::is_none));
        let clock = clocks[5].unwrap();
        assert_eq!(
            (clock.honour(), clock.limit(), clock.count()),
            (Honour::Pieces, Plies(32), Plies(6))
        );
        // Bare kings: no count runs.
        assert!(clocks[6].is_none());
        assert_eq!(replay.moves[5].numbered(), "11... Kxf4");
    }

    #[test]
    fn a_count_that_may_run_starts_with_the_game() {
        let replay = replay("[FEN \"8/8/8/3k4/8/8/4R3/4K3 w - - 0 1\"]\nRe3 Kd4").unwrap();
        let counts = replay.positions().map(|position| position.clock().unwrap().count().0);
        assert_eq!(counts.collect::<Vec<_>>(), [5, 6, 7]);
    }

    #[test]
    fn other_games_are_refused_by_name() {
        assert!(
            error("[Variant \"Xiangqi\"]\n1. e4")
                .contains("games of 'Xiangqi' are not read: expected makruk or ouk or ")
        );
        assert!(error("[Variant \"Rek\"]\n1. e4").contains("'Rek'"));
    }

    #[test]
    fn a_game_of_another_variant_is_refused_by_its_name() {
        // The king leaps.
        let leap = "1. Kb2 d5 2. d4 Kc7";
        let message = error(&format!("[Variant \"Makruk\"]\n{leap}"));
        let expected =
            "line 2, move 1.: 'Kb2' is not a legal move here; the game looks like ouk or kar-ouk";
        assert_eq!(message, expected);
        // Legal in neither variant.
        let message = error(&format!("[Variant \"Makruk\"]\n{leap} 3. Ra5"));
        assert!(!message.contains("looks like"), "{message}");
        let fen = |variant: &str, fen: &str| {
            error(&format!("[Variant \"{variant}\"]\n[FEN \"{fen}\"]\n1. d4"))
        };
        assert!(fen("Makruk", OUK.start).contains("; the FEN looks like ouk"));
        let message = fen("Ouk", MAKRUK.start);
        assert_eq!(message, "line 2: the FEN is the start position of makruk and not of ouk");
    }

    #[test]
    fn the_variant_is_assumed_only_on_evidence() {
        let assumed = |text: &str| {
            let replay = replay(text).unwrap();
            assert!(replay.broken.is_none(), "{text}");
            replay.assumption.unwrap().to_string()
        };
        assert_eq!(
            assumed("[Site \"www.playok.com\"]\n1. e4 e5"),
            "makruk, by the Site tag 'www.playok.com'"
        );
        assert_eq!(assumed("1. Sd2 e5"), "makruk, by the letters of the moves");
        let pieces = "8/8/8/3k4/8/8/4R3/4K3 w";
        assert_eq!(assumed(&format!("[FEN \"{pieces}\"]\nRe3")), "makruk, by the FEN tag");
        assert_eq!(assumed(&format!("[FEN \"{}\"]\nKb2", OUK.start)), "ouk, by the FEN tag");
        // A game of chess from a site with both variants.
        for text in ["[Site \"PlayOK\"]\n1. e4 e5 2. Nf3 Nc6", "1. e4 e5 2. Nf3", "1. e4 e5"] {
            let replay = replay(text).unwrap();
            assert!(replay.broken.is_none() && replay.assumption.is_none(), "{text}");
            assert_eq!(replay.start.variant().name, "chess", "{text}");
        }
        // A Makruk game, as far as it can be read.
        let game =
            replay("[Site \"PlayOK\"]\n1. e4 d5 2. exd5 exd5 3. d4 c5 4. dxc5 bxc5 c6=P").unwrap();
        assert_eq!((game.moves.len(), game.broken.is_some()), (8, true));
    }

    #[test]
    fn kings_castle_in_games_of_chess_only() {
        let moves = "1. d4 d5 2. Nc3 Nf6 3. Bf4 e6 4. Qd3 Be7 5. O-O-O O-O 6. Kb1 Kh8";
        for tags in [
            "",
            "[Variant \"Standard\"]\n",
            "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n",
        ] {
            let replay = replay(&format!("{tags}{moves}")).unwrap();
            assert!(replay.broken.is_none() && replay.assumption.is_none(), "{:?}", replay.broken);
            let end = replay.end.fen();
            assert_eq!(end, "rnbq1r1k/ppp1bppp/4pn2/3p4/3P1B2/2NQ4/PPP1PPPP/1K1R1BNR w - - 0 7");
            let written: Vec<&str> = replay.moves.iter().map(|played| &*played.san).collect();
            assert_eq!(written[8..10], ["O-O-O", "O-O"]);
        }
        // Through check, through a piece, without a rook, after the king has moved away.
        for (fen, mv) in [
            ("4k3/8/8/8/8/5r2/8/4K2R w", "O-O"),
            ("4k3/8/8/8/8/8/8/4KB1R w", "O-O"),
            ("4k3/8/8/8/8/8/8/4K2N w", "O-O"),
            ("4k3/8/8/8/8/8/8/R4K2 w", "O-O-O"),
            ("r3k3/8/8/8/8/8/8/3RK3 b", "O-O-O"),
        ] {
            let message = error(&format!("[Variant \"chess\"]\n[FEN \"{fen} - - 0 1\"]\n{mv}"));
            assert!(message.contains(&format!("'{mv}' is not a")), "{message}");
        }
        assert!(
            error("[Variant \"makruk\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w\"]\nO-O")
                .contains("is not a move")
        );
        let rook =
            replay("[Variant \"chess\"]\n[FEN \"4k2r/8/8/8/8/8/8/4K3 b - - 0 1\"]\n1... 0-0+")
                .unwrap();
        assert_eq!(rook.end.fen(), "5rk1/8/8/8/8/8/8/4K3 w - - 0 2");
    }

    #[test]
    fn a_promoted_pawn_has_a_letter_of_its_own_where_the_site_gives_it_one() {
        let read = |site: &str, board: &str, mv: &str| {
            let replay = replay(&format!(
                "[Site \"{site}\"]\n[Variant \"Makruk\"]\n[FEN \"{board} w - - 0 1\"]\n{mv}"
            ));
            let replay = replay.unwrap();
            let uci = replay.moves.first().map(|played| played.mv.uci(&MAKRUK));
            (uci.unwrap_or_default(), replay.other_reading)
        };
        let with_met = "k7/8/8/8/2M~1M3/8/8/3K4";
        assert_eq!(read("PlayOK", with_met, "Qd5"), ("e4d5".to_string(), None));
        assert_eq!(read("PlayOK", with_met, "Pd5"), ("c4d5".to_string(), None));
        assert_eq!(read("", with_met, "Pd5"), ("c4d5".to_string(), None));
        // A pawn can make the move too.
        let with_pawn = "k7/8/8/8/2M~P4/8/8/3K4";
        let (read_as, other) = read("PlayOK", with_pawn, "Pd5");
        assert_eq!(read_as, "d4d5");
        let expected = "line 4, move 1.: 'Pd5' is read as d4d5 and could be c4d5; the game is \
                        legal both ways";
        assert_eq!(other.as_deref(), Some(expected));
        let (read_as, other) = read("", with_pawn, "Pd5");
        assert!(read_as == "d4d5" && other.is_some_and(|other| other.contains("could be c4d5")));
        assert_eq!(read("PlayOK", with_pawn, "Pcd5"), ("c4d5".to_string(), None));
        assert_eq!(read("PlayOK", with_pawn, "d5"), ("d4d5".to_string(), None));
    }

    #[test]
    fn what_is_wrong_is_named_with_line_and_move() {
        let start = "[White \"A\"]\n[Variant \"Makruk\"]\n\n1. e4 e5\n2. ";
        let message = error(&format!("{start}Ne4 d5"));
        assert_eq!(message, "line 5, move 2.: 'Ne4' is not a legal move here");
        let message = error(&format!("{start}d4 Rc3"));
        assert_eq!(message, "line 5, move 2...: 'Rc3' is not a legal move here");
        let message = error(&format!("{start}d4 {{"));
        assert_eq!(message, "line 5: the comment that begins here is not closed");
        assert!(error("[Variant \"Makruk\"]\n[FEN \"x w\"]\n1. e4").contains("line 2: "));
    }

    #[test]
    fn the_real_game_is_played_to_its_end() {
        let replay = replay(include_str!("../tests/data/krung-thep.pgn")).unwrap();
        assert!(replay.broken.is_none(), "{:?}", replay.broken);
        assert_eq!(replay.moves.len(), 2 * 92);
        // Published as stalemate, but the king can still move to g2.
        assert_eq!(replay.end.fen(), "8/8/8/5m2/6m1/4knK1/4m3/8 w - 128 40 93");
        let left: Vec<String> = replay.end.legal_moves().iter().map(|mv| mv.uci(&MAKRUK)).collect();
        assert_eq!(left, ["g3g2"]);
        let six = replay.moves.iter().find(|played| played.before.occupied().len() <= 6).unwrap();
        assert_eq!(six.numbered(), "79. Kd8");
        assert_eq!(six.before.material().material.to_string(), "KNMMMvK");
    }
}
