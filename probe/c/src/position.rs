//! Positions as C has them, `sakmak_position`: sets of squares, nothing to parse.

use crate::failure::Failure;
use sakmak_tables::board::bitboard::Bitboard;
use sakmak_tables::counting::{Clock, CountingRule};
use sakmak_tables::distance::Plies;
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::{Piece, PieceKind, Side};
use sakmak_tables::variants;
use std::iter::zip;

/// `sakmak_position`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C)]
pub struct SakmakPosition {
    /// Pieces by side, see [`Side::index`].
    pub sides: [u64; 2],
    /// Pieces by kind, see [`PieceKind::index`].
    pub kinds: [u64; 6],
    /// The side to move, by [`Side::index`].
    pub turn: u8,
    /// [`CountingRule::number`].
    pub counting: u8,
    /// In plies; 0 where no count runs.
    pub count_limit: u16,
    /// In plies.
    pub count: u16,
    /// Zero.
    pub reserved: u16,
}

impl SakmakPosition {
    /// A position without leap rights as C has it.
    pub fn of(position: &Position) -> SakmakPosition {
        // A FEN has no limit or count past 65,535.
        let number = |plies: Option<Plies>| plies.map_or(0, |plies| plies.0 as u16);
        let clock = position.clock();
        SakmakPosition {
            sides: Side::BOTH.map(|side| position.of(side).0),
            kinds: PieceKind::ALL.map(|kind| {
                Side::BOTH
                    .into_iter()
                    .fold(0, |set, side| set | position.pieces_of(Piece::new(side, kind)).0)
            }),
            turn: position.side().index() as u8,
            counting: position.counting_rule().number as u8,
            count_limit: number(clock.map(Clock::limit)),
            count: number(clock.map(Clock::count)),
            reserved: 0,
        }
    }

    /// The position meant.
    ///
    /// # Errors
    ///
    /// When a number stands for nothing, a square is not in one set of each sort, or these
    /// pieces cannot have the count. Whether the position is legal a look-up says.
    pub fn position(&self) -> Result<Position, Failure> {
        let counting_rule = counting_rule(self.counting)?;
        let turn = Side::BOTH.get(usize::from(self.turn));
        let turn = *turn.ok_or(Failure::Number("turn", self.turn.into()))?;
        if self.reserved != 0 {
            return Err(Failure::Number("reserved", self.reserved.into()));
        }
        self.each_man_once()?;
        let men = Side::BOTH.into_iter().flat_map(|side| {
            zip(PieceKind::ALL, self.kinds).flat_map(move |(kind, set)| {
                Bitboard(set & self.sides[side.index()])
                    .map(move |square| (Piece::new(side, kind), square))
            })
        });
        let position = Position::new(variants::counted_by(counting_rule), turn, men)?
            .counted_by(counting_rule);
        Ok(position.with_clock(self.clock(&position)?))
    }

    /// Every square that is in a set must be in one of a side and one of a kind.
    fn each_man_once(&self) -> Result<(), Failure> {
        let all = |sets: &[u64]| sets.iter().fold(0, |all, set| all | set);
        let men = |sets: &[u64]| sets.iter().map(|set| set.count_ones()).sum::<u32>();
        let [sides, kinds] = [all(&self.sides), all(&self.kinds)];
        let once = |sets: &[u64], all: u64| men(sets) == all.count_ones();
        if sides == kinds && once(&self.sides, sides) && once(&self.kinds, kinds) {
            return Ok(());
        }
        let having =
            |sets: &[u64], square: u32| sets.iter().filter(|&&set| set >> square & 1 == 1).count();
        for square in 0..u64::BITS {
            let (sides, kinds) = (having(&self.sides, square), having(&self.kinds, square));
            if !matches!((sides, kinds), (0, 0) | (1, 1)) {
                return Err(Failure::Sets { square, sides, kinds });
            }
        }
        Ok(())
    }

    /// The count that runs, which must be one these pieces can have: as in a FEN.
    fn clock(&self, position: &Position) -> Result<Option<Clock>, Failure> {
        let (counting_rule, armies) = (position.counting_rule(), position.armies());
        // Programs let the last count run on when nobody can mate any more.
        if self.count_limit == 0 || armies.iter().all(|army| army.is_empty()) {
            return Ok(None);
        }
        let (limit, count) = (Plies(self.count_limit.into()), Plies(self.count.into()));
        let honour = counting_rule.limits(armies).into_iter().find(|&(_, plies)| plies == limit);
        match honour {
            Some((honour, _)) if count <= counting_rule.highest_count(limit, armies) => {
                Ok(Some(Clock::new(honour, limit, count)))
            }
            _ => Err(Failure::Count {
                counting: counting_rule.name,
                limit: self.count_limit,
                count: self.count,
            }),
        }
    }
}

/// The way of counting of this number.
fn counting_rule(number: u8) -> Result<&'static CountingRule, Failure> {
    let found =
        variants::counting_rules().find(|counting_rule| counting_rule.number == number.into());
    found.ok_or(Failure::Number("counting", number.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(counting: &str, fen: &str) -> Position {
        Position::from_fen_counted(variants::counting_rule(counting).unwrap(), fen).unwrap()
    }

    fn rook_ending() -> SakmakPosition {
        SakmakPosition::of(&read("makruk", "8/8/8/3k4/8/8/4R3/4K3 b - 32 6 1"))
    }

    #[test]
    fn positions_come_back_from_their_sets() {
        for (counting, fen) in [
            ("makruk", "8/8/8/4k3/8/4K3/4S3/4M3 w - 88 40 1"),
            ("makruk-khon-first", "8/8/8/4k3/8/4K3/4S3/4M3 w - - 0 1"),
            ("ouk", "8/8/8/3k4/4n3/8/4R3/4K3 b - 126 7 1"),
            ("ouk-traditional", "8/8/2p5/3k4/8/4P3/4N3/4K3 w - - 0 1"),
        ] {
            let position = read(counting, fen);
            assert_eq!(SakmakPosition::of(&position).position().unwrap(), position, "{fen}");
        }
    }

    #[test]
    fn sets_that_cannot_be_are_refused() {
        let good = rook_ending();
        assert!(good.position().is_ok());
        let code = |bad: SakmakPosition| bad.position().unwrap_err().code();
        // A square of no kind, of two kinds, of two sides, of no side.
        assert_eq!(code(SakmakPosition { sides: [good.sides[0] | 1, good.sides[1]], ..good }), -3);
        let mut kinds = good.kinds;
        kinds[PieceKind::Met.index()] |= good.kinds[PieceKind::Rook.index()];
        assert_eq!(code(SakmakPosition { kinds, ..good }), -3);
        assert_eq!(code(SakmakPosition { sides: [u64::MAX; 2], ..good }), -3);
        assert_eq!(code(SakmakPosition { sides: [0; 2], ..good }), -3);
        assert_eq!(code(SakmakPosition::default()), -1);
    }

    #[test]
    fn numbers_that_stand_for_nothing_are_refused() {
        let good = rook_ending();
        let code = |bad: SakmakPosition| bad.position().unwrap_err().code();
        assert_eq!(code(SakmakPosition { turn: 2, ..good }), -1);
        assert_eq!(code(SakmakPosition { counting: 0, ..good }), -1);
        assert_eq!(code(SakmakPosition { counting: 5, ..good }), -1);
        assert_eq!(code(SakmakPosition { reserved: 1, ..good }), -1);
        assert_eq!(code(SakmakPosition { count_limit: 33, ..good }), -2);
        assert_eq!(code(SakmakPosition { count: 34, ..good }), -2);
    }
}
