//! A position: pieces on squares, the side to move, leap rights, and the count.
//!
//! A position is small and `Copy`. Playing a move returns a new position; there is no undo.

pub mod moves;

mod movegen;

pub mod san;

pub mod fen;

pub mod bitboards;

pub mod perft;

use crate::board::bitboard::Bitboard;
use crate::board::square::{SIDE_LENGTH, Square};
use crate::board::symmetry::Symmetry;
use crate::counting::{Category, Clock, CountingRule, Party, Phase};
use crate::distance::{Moves, Value};
use crate::material::key::MaterialKey;
use crate::material::{Army, Material, OrientedMaterial};
use crate::position::moves::Move;
use crate::rules::leap::LeapRights;
use crate::rules::piece::{Piece, PieceKind, Side};
use crate::variant::Variant;
use std::hash::{Hash, Hasher};

/// The maximum number of men of a side, its king included: the number at the start of a game.
pub const MAX_SIDE_MEN: usize = 2 * SIDE_LENGTH;

/// A placement of pieces with a side to move; not always a legal one, see
/// [`Position::legality`].
///
/// ```
/// use sakmak_tables::position::Position;
/// use sakmak_tables::position::moves::Move;
/// use sakmak_tables::variants::MAKRUK;
///
/// // White mates with the rook.
/// let position = Position::from_fen(&MAKRUK, "4k3/R7/4K3/8/8/8/8/8 w - 16 10 6")?;
/// assert_eq!(position.material().to_string(), "KRvK");
/// let mate = position.play(Move::from_uci(&MAKRUK, "a7a8")?);
/// assert!(mate.outcome().is_some() && mate.legal_moves().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    variant: &'static Variant,
    counting_rule: &'static CountingRule,
    sides: [Bitboard; 2],
    kinds: [Bitboard; PieceKind::ALL.len()],
    kings: [Square; 2],
    material_key: MaterialKey,
    side: Side,
    leaps: LeapRights,
    en_passant: Option<Square>,
    clock: Option<Clock>,
    number: u16,
}

/// Hashes the pieces, the side to move, the count and a pawn that may be captured in passing, which
/// distinguish most positions.
impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.sides, self.kinds, self.side, self.clock, self.en_passant).hash(state);
    }
}

/// An impossible placement.
#[derive(Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PlacementError {
    /// Two pieces on one square.
    #[error("two pieces stand on {0}: expected at most one")]
    Occupied(Square),
    /// A side has no king or more than one.
    #[error("{side} has {count} kings: expected exactly one", side = side.name())]
    Kings {
        /// The side.
        side: Side,
        /// The number of its kings.
        count: usize,
    },
    /// A side has too many men.
    #[error("{side} has {count} men: expected at most {MAX_SIDE_MEN}", side = side.name())]
    TooMany {
        /// The side.
        side: Side,
        /// The number of its men.
        count: usize,
    },
    /// A pawn in a variant whose positions with pawns are refused.
    #[error("positions of {variant} with pawns are refused: {reason}")]
    Pawns {
        /// The variant.
        variant: &'static str,
        /// The reason.
        reason: &'static str,
    },
}

crate::readable_error!(PlacementError);

/// A placement that no game can reach.
#[derive(Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum IllegalPosition {
    /// The kings are adjacent.
    #[error(
        "the kings on {white} and {black} are adjacent: at least one square must lie between them"
    )]
    KingsAdjacent {
        /// The square of White's king.
        white: Square,
        /// The square of Black's king.
        black: Square,
    },
    /// The king of the side that has just moved could be taken.
    #[error(
        "the {side} king on {king} is in check with {mover} to move: the side in check must be \
         the one to move", side = side.name(), mover = (!*side).name()
    )]
    CheckedWaiter {
        /// The side in check.
        side: Side,
        /// The square of its king.
        king: Square,
    },
    /// A pawn is on a rank that pawns never reach.
    #[error(
        "a {side} pawn cannot stand on {square}: {side} pawns stand on ranks {first} to {last}",
        side = side.name()
    )]
    PawnRank {
        /// The side of the pawn.
        side: Side,
        /// The square of the pawn.
        square: Square,
        /// The lowest rank allowed, counted from 1.
        first: usize,
        /// The highest rank allowed, counted from 1.
        last: usize,
    },
}

crate::readable_error!(IllegalPosition);

/// The way in which a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The side to move is in check and has lost. Usually it also has no legal move; see
    /// [`EndRule::check_loses`](crate::rules::end_rule::EndRule::check_loses).
    Checkmate,
    /// The side to move is not in check and has no legal move. Usually a draw; see
    /// [`Position::final_value`].
    Stalemate,
    /// The side to move has a bare king, cannot bare the opponent and has lost; see
    /// [`EndRule::bare_king_loses`](crate::rules::end_rule::EndRule::bare_king_loses).
    BareKing,
}

impl Outcome {
    /// The name in JSON and in the Python module: `checkmate`, `stalemate`, `bare-king`.
    pub const fn name(self) -> &'static str {
        match self {
            Outcome::Checkmate => "checkmate",
            Outcome::Stalemate => "stalemate",
            Outcome::BareKing => "bare-king",
        }
    }
}

impl Position {
    /// The position with these pieces, without leap rights and with no count running.
    ///
    /// Does not test whether the placement is legal; see [`Position::legality`].
    pub fn new(
        variant: &'static Variant,
        side: Side,
        pieces: impl IntoIterator<Item = (Piece, Square)>,
    ) -> Result<Position, PlacementError> {
        let mut sides = [Bitboard::EMPTY; 2];
        let mut kinds = [Bitboard::EMPTY; PieceKind::ALL.len()];
        for (piece, square) in pieces {
            if (sides[0] | sides[1]).contains(square) {
                return Err(PlacementError::Occupied(square));
            }
            sides[piece.side.index()].insert(square);
            kinds[piece.kind.index()].insert(square);
        }
        let has_pawns = !kinds[PieceKind::Pawn.index()].is_empty();
        if let Some(reason) = variant.refuses_pawns.filter(|_| has_pawns) {
            return Err(PlacementError::Pawns { variant: variant.name, reason });
        }
        let king = |side: Side| {
            let kings = kinds[PieceKind::King.index()] & sides[side.index()];
            let error = PlacementError::Kings { side, count: kings.len() };
            kings.first().filter(|_| kings.len() == 1).ok_or(error)
        };
        let kings = [king(Side::White)?, king(Side::Black)?];
        for side in Side::BOTH {
            let count = sides[side.index()].len();
            if count > MAX_SIDE_MEN {
                return Err(PlacementError::TooMany { side, count });
            }
        }
        let count = |piece: Piece| (kinds[piece.kind.index()] & sides[piece.side.index()]).len();
        Ok(Position {
            variant,
            counting_rule: variant.counting(),
            sides,
            kinds,
            kings,
            material_key: MaterialKey::new(count),
            side,
            leaps: LeapRights::NONE,
            en_passant: None,
            clock: None,
            number: 1,
        })
    }

    /// Checks that the position is legal: the kings are not adjacent, pawns stand on their ranks,
    /// and the side that has moved is not in check.
    #[inline]
    pub fn legality(&self) -> Result<(), IllegalPosition> {
        let [white, black] = self.kings;
        if white.touches(black) {
            return Err(IllegalPosition::KingsAdjacent { white, black });
        }
        for side in Side::BOTH {
            let pawn = Piece::new(side, PieceKind::Pawn);
            let pawns = self.pieces_of(pawn);
            if pawns.is_empty() {
                continue;
            }
            let domain = self.variant.rules.domain(pawn);
            if let Some(square) = (pawns - domain).first() {
                let ranks = || domain.map(|square| square.rank() + 1);
                let (first, last) = (ranks().min().unwrap_or(0), ranks().max().unwrap_or(0));
                return Err(IllegalPosition::PawnRank { side, square, first, last });
            }
        }
        let waiter = !self.side;
        if self.in_check(waiter) {
            let king = self.king(waiter);
            return Err(IllegalPosition::CheckedWaiter { side: waiter, king });
        }
        Ok(())
    }

    /// The variant.
    pub fn variant(&self) -> &'static Variant {
        self.variant
    }

    /// The side to move.
    pub fn side(&self) -> Side {
        self.side
    }

    /// The piece on a square.
    pub fn at(&self, square: Square) -> Option<Piece> {
        let side = Side::BOTH.into_iter().find(|side| self.of(*side).contains(square))?;
        let kind =
            PieceKind::ALL.into_iter().find(|kind| self.kinds[kind.index()].contains(square))?;
        Some(Piece::new(side, kind))
    }

    /// All pieces, White's first, in the order of material names.
    pub fn pieces(&self) -> impl Iterator<Item = (Piece, Square)> + '_ {
        Side::BOTH.into_iter().flat_map(move |side| {
            PieceKind::ALL.into_iter().flat_map(move |kind| {
                let piece = Piece::new(side, kind);
                self.pieces_of(piece).map(move |square| (piece, square))
            })
        })
    }

    /// The square of a side's king.
    pub fn king(&self, side: Side) -> Square {
        self.kings[side.index()]
    }

    /// The squares with a piece.
    pub fn occupied(&self) -> Bitboard {
        self.sides[0] | self.sides[1]
    }

    /// The squares with a piece of this side.
    pub fn of(&self, side: Side) -> Bitboard {
        self.sides[side.index()]
    }

    /// The squares with this piece.
    pub fn pieces_of(&self, piece: Piece) -> Bitboard {
        self.kinds[piece.kind.index()] & self.sides[piece.side.index()]
    }

    /// The pieces of each side besides its king, by [`Side::index`].
    pub fn armies(&self) -> [Army; 2] {
        Side::BOTH.map(|side| Army::new(|kind| self.material_key.count(Piece::new(side, kind))))
    }

    /// Whether both kings are alone.
    pub fn has_bare_kings(&self) -> bool {
        self.armies().iter().all(|army| army.is_empty())
    }

    /// The pieces on the board, the stronger side made White.
    pub fn material(&self) -> OrientedMaterial {
        let [white, black] = self.armies();
        Material::orient(white, black).written_in(self.variant.rules.material_letters)
    }

    /// The number of pieces of each kind and side.
    pub fn material_key(&self) -> MaterialKey {
        self.material_key
    }

    /// The first-move leaps that are left.
    pub fn leaps(&self) -> LeapRights {
        self.leaps
    }

    /// The square that an enemy pawn has just passed over, if a pawn of the side to move can legally
    /// capture it there.
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// The position in which an enemy pawn has just passed over this square. Without effect if no
    /// pawn can legally capture it there.
    #[must_use]
    pub fn with_en_passant(mut self, square: Option<Square>) -> Position {
        self.en_passant = square.filter(|&square| self.passed_pawn(square).is_some());
        if self.en_passant_captures().is_empty() {
            self.en_passant = None;
        }
        self
    }

    /// Whether both positions have the same pieces, side to move and rights.
    pub fn is_set_up_as(&self, other: &Position) -> bool {
        self.side() == other.side()
            && (self.leaps, self.en_passant) == (other.leaps, other.en_passant)
            && self.pieces().eq(other.pieces())
    }

    /// The position with these leap rights only. Rights of pieces that are not on their home
    /// squares are dropped.
    #[must_use]
    pub fn with_leaps(mut self, leaps: LeapRights) -> Position {
        self.leaps = leaps
            .of(self.variant.leaps)
            .filter(|(_, leap)| self.pieces_of(leap.piece).contains(leap.home))
            .fold(LeapRights::NONE, |rights, (index, _)| rights.with(index));
        self
    }

    /// The count, if one is running.
    pub fn clock(&self) -> Option<Clock> {
        self.clock
    }

    /// The position with this count running.
    #[must_use]
    pub fn with_clock(self, clock: Option<Clock>) -> Position {
        Position { clock, ..self }
    }

    /// The counting rule: the variant's usual one unless another was set.
    pub fn counting_rule(&self) -> &'static CountingRule {
        self.counting_rule
    }

    /// The position with this counting rule.
    #[must_use]
    pub fn counted_by(self, counting_rule: &'static CountingRule) -> Position {
        Position { counting_rule, ..self }
    }

    /// The same position with all colours exchanged and the board flipped, without leap rights
    /// and count. Its value is the same.
    #[must_use]
    pub fn colours_exchanged(&self) -> Position {
        let [white, black] = self.sides.map(Bitboard::flipped);
        let [white_king, black_king] = self.kings.map(Square::flipped);
        let count = |piece: Piece| self.pieces_of(Piece::new(!piece.side, piece.kind)).len();
        Position {
            sides: [black, white],
            kinds: self.kinds.map(Bitboard::flipped),
            kings: [black_king, white_king],
            material_key: MaterialKey::new(count),
            side: !self.side,
            leaps: LeapRights::NONE,
            en_passant: self.en_passant.map(Square::flipped),
            clock: None,
            number: 1,
            ..*self
        }
    }

    /// The symmetries of the board that preserve the moves of all pieces here and of the pieces
    /// that pawns may become. A position and its images have the same value.
    pub fn symmetries(&self) -> Vec<Symmetry> {
        let rules = &self.variant.rules;
        let is_here = |kind: PieceKind| !self.kinds[kind.index()].is_empty();
        let promoted = rules.promotes_to.iter().filter(|_| is_here(PieceKind::Pawn)).copied();
        let kinds = PieceKind::ALL.into_iter().filter(|&kind| is_here(kind)).chain(promoted);
        let survives =
            |symmetry: &Symmetry| kinds.clone().all(|kind| rules.survives(kind, *symmetry));
        Symmetry::all().filter(survives).collect()
    }

    /// The representative of the position, of its images under a group of [`Position::symmetries`],
    /// and of all of them with colours exchanged. White is to move. The count is kept, leap rights
    /// are dropped, and the move number is 1.
    #[must_use]
    pub fn canonical(&self, symmetries: &[Symmetry]) -> Position {
        let white = match self.side {
            Side::White => Position { leaps: LeapRights::NONE, number: 1, ..*self },
            Side::Black => self.colours_exchanged().with_clock(self.clock),
        };
        let images = symmetries.iter().map(|&symmetry| white.image(symmetry));
        let squares =
            |image: &Position| (image.sides.map(|set| set.0), image.kinds.map(|set| set.0));
        images.min_by_key(squares).unwrap_or(white)
    }

    fn image(&self, symmetry: Symmetry) -> Position {
        Position {
            sides: self.sides.map(|side| symmetry.set(side)),
            kinds: self.kinds.map(|kind| symmetry.set(kind)),
            kings: self.kings.map(|king| symmetry.square(king)),
            en_passant: self.en_passant.map(|square| symmetry.square(square)),
            ..*self
        }
    }

    /// The count that may run here.
    pub fn phase(&self) -> Phase {
        self.counting_rule.phase(self.armies())
    }

    /// The count that would start here. Returns `None` if no count runs.
    pub fn fresh_clock(&self) -> Option<Clock> {
        self.counting_rule.fresh_clock(self.armies(), self.side)
    }

    /// The position with its count or, if it has none, with a count that starts here.
    #[must_use]
    pub fn with_count_running(self) -> Position {
        self.with_clock(self.clock.or_else(|| self.fresh_clock()))
    }

    /// The position without its count, if only the side to move may count. That side can stop its
    /// count, and must stop it before it wins. Returns `None` if no count runs or the other side
    /// may count.
    pub fn with_own_count_stopped(self) -> Option<Position> {
        let armies = self.armies();
        let may_attack = !armies[self.side.index()].is_empty();
        let free = self.counting_rule.count_against(armies, self.side) == Phase::Free;
        let own = self.clock.is_some() && may_attack && free;
        own.then(|| self.with_clock(None))
    }

    /// The category under the running count or, if no count runs, under a count that starts here.
    /// `mate` and `counted` are the values for the side to move: by distance to mate, and by
    /// counted distance under [`Position::counting_rule`].
    ///
    /// The counted distance is the number of moves the attacker needs of the running count. If
    /// no count may run against the attacker, every number is in time.
    pub fn category(&self, mate: Value, counted: Value) -> Category {
        let in_time = match counted {
            Value::Draw => false,
            Value::Win(moves) => self.is_in_time(self.side, moves),
            Value::Loss(moves) => self.is_in_time(!self.side, moves),
        };
        Category::of(mate, in_time)
    }

    /// The category of a move here, given that the draw may be claimed before it. Once the count
    /// that binds the winner is over, every win comes too late.
    pub fn category_before_claim(&self, category: Category) -> Category {
        let (winner, late) = match category {
            Category::Win => (self.side, Category::CursedWin),
            Category::Loss => (!self.side, Category::BlessedLoss),
            Category::CursedWin | Category::Draw | Category::BlessedLoss => return category,
        };
        let binds = self.counting_rule.phase_against(self.armies(), winner) != Phase::Free;
        let is_over = self.with_count_running().clock.is_some_and(Clock::is_over);
        if binds && is_over { late } else { category }
    }

    /// Whether the count leaves this attacker enough moves.
    fn is_in_time(&self, attacker: Side, moves: Moves) -> bool {
        let armies = self.armies();
        if self.counting_rule.phase_against(armies, attacker) == Phase::Free {
            return true;
        }
        let clock = self.clock.or_else(|| self.counting_rule.fresh_clock(armies, self.side));
        let party = if attacker == self.side { Party::Attacker } else { Party::Runner };
        clock.is_none_or(|clock| {
            // Past the limit a draw can be claimed, unless the game is lost already.
            let claimed = clock.is_over() && self.final_value() != Some(Value::Loss(Moves(0)));
            moves <= clock.longest_in_time(party) && (moves > Moves(0) || !claimed)
        })
    }

    /// The move number, which increases after each move of Black, up to the limit of FEN, 65,535.
    pub fn number(&self) -> u32 {
        self.number.into()
    }

    /// The position with this move number, at most 65,535.
    #[must_use]
    pub fn with_number(self, number: u32) -> Position {
        Position { number: u16::try_from(number).unwrap_or(u16::MAX), ..self }
    }

    /// The position after a move, which must be one of [`Position::legal_moves`]; the count, the
    /// leap rights and the move number are updated.
    #[must_use]
    pub fn play(&self, mv: Move) -> Position {
        let mut after = self.play_uncounted(mv);
        after.clock =
            self.counting_rule.advance(self.clock, self.armies(), after.armies(), after.side);
        after
    }

    /// Plays a move like [`Position::play`] but drops the count: faster, for callers that need only
    /// the pieces.
    #[must_use]
    pub fn play_uncounted(&self, mv: Move) -> Position {
        let mut after = Position { clock: None, en_passant: None, ..*self };
        let Some(piece) = self.at(mv.from) else {
            return after;
        };
        let other = !piece.side;
        let taken = self.capture_square(mv);
        if self.of(other).contains(taken)
            && let Some(captured) = self.at(taken)
        {
            after.material_key = after.material_key.without(captured);
            after.sides[other.index()].remove(taken);
            after.kinds[captured.kind.index()].remove(taken);
        }
        after.sides[piece.side.index()].remove(mv.from);
        after.sides[piece.side.index()].insert(mv.to);
        after.kinds[piece.kind.index()].remove(mv.from);
        match mv.promotion {
            None => after.kinds[piece.kind.index()].insert(mv.to),
            Some(kind) => {
                after.kinds[kind.index()].insert(mv.to);
                after.material_key =
                    after.material_key.without(piece).with(Piece::new(piece.side, kind));
            }
        }
        if piece.kind == PieceKind::King {
            after.kings[piece.side.index()] = mv.to;
            if let Some([corner, beside]) = self.castled_rook(mv)
                && let Some(rook) = self.at(corner)
            {
                for set in
                    [&mut after.sides[rook.side.index()], &mut after.kinds[rook.kind.index()]]
                {
                    set.remove(corner);
                    set.insert(beside);
                }
            }
        }
        if !self.leaps.is_empty() {
            after.leaps = self.leaps_after(piece, mv);
        }
        after.side = !self.side;
        after.number = self.number.saturating_add(u16::from(self.side == Side::Black));
        match self.variant.rules.double_step_of(piece, mv.from) {
            Some([passed, to]) if to == mv.to => after.with_en_passant(Some(passed)),
            _ => after,
        }
    }

    /// The leap rights after a move of `piece`.
    fn leaps_after(&self, piece: Piece, mv: Move) -> LeapRights {
        let landing = self.variant.reach.attacks(piece, mv.to, Bitboard::EMPTY);
        self.leaps.of(self.variant.leaps).fold(self.leaps, |rights, (index, leap)| {
            let enemy = leap.piece.side != piece.side;
            let aimed_at = enemy && leap.lost_to == Some(piece.kind) && landing.contains(leap.home);
            let gone = leap.home == mv.from || leap.home == mv.to || aimed_at;
            if gone { rights.without(index) } else { rights }
        })
    }
}
