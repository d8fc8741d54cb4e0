//! `sakmak_position`: a position as bitboards, which needs no parsing.

use crate::error::CallError;
use sakmak_tables::board::square::Square;
use sakmak_tables::counting::{Clock, CountingRule, NOBODY_COUNTS};
use sakmak_tables::distance::Plies;
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::variants;

/// `sakmak_position`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C)]
pub struct SakmakPosition {
    /// Pieces by side, see [`Side::index`].
    pub sides: [u64; 2],
    /// Pieces by kind, see [`Rules::place`](sakmak_tables::rules::Rules::place).
    pub kinds: [u64; 6],
    /// The side to move, by [`Side::index`].
    pub turn: u8,
    /// [`CountingRule::id`].
    pub counting: u8,
    /// In plies; 0 if no count runs.
    pub count_limit: u16,
    /// In plies.
    pub count: u16,
    /// The square that a pawn has just passed over, see [`Position::en_passant`]; 0 if there is
    /// none.
    pub en_passant: u16,
}

impl SakmakPosition {
    /// Converts a position, which has no leap rights.
    pub fn of(position: &Position) -> SakmakPosition {
        // Limits and counts are below 65,536.
        let number = |plies: Option<Plies>| plies.map_or(0, |plies| plies.0 as u16);
        let clock = position.clock();
        let (sides, kinds) = position.bitboards();
        SakmakPosition {
            sides,
            kinds,
            turn: position.side().index() as u8,
            counting: position.counting_rule().id as u8,
            count_limit: number(clock.map(Clock::limit)),
            count: number(clock.map(Clock::count)),
            en_passant: position.en_passant().map_or(0, |square| square.index() as u16),
        }
    }

    /// Converts to a position. A probe checks whether it is legal.
    ///
    /// # Errors
    ///
    /// If a field has a value that is not allowed, the bitboards do not agree, or these
    /// pieces cannot have the count.
    pub fn position(&self) -> Result<Position, CallError> {
        let counting_rule = counting_rule(self.counting)
            .ok_or(CallError::Number("counting", self.counting.into()))?;
        let turn = Side::BOTH.get(usize::from(self.turn));
        let turn = *turn.ok_or(CallError::Number("turn", self.turn.into()))?;
        let position = Position::from_bitboards(counting_rule, turn, self.sides, self.kinds)?;
        let position = match self.en_passant {
            0 => position,
            square => Square::all()
                .nth(square.into())
                .filter(|&square| position.passed_pawn(square).is_some())
                .map(|square| position.with_en_passant(Some(square)))
                .ok_or(CallError::Number("en_passant", square.into()))?,
        };
        Ok(position.with_count(Plies(self.count_limit.into()), Plies(self.count.into()))?)
    }
}

/// The counting rule of this number. `None` if there is none.
pub fn counting_rule(number: u8) -> Option<&'static CountingRule> {
    let number = u32::from(number);
    let usual = number & !NOBODY_COUNTS;
    let rule = variants::counting_rules().find(|counting_rule| counting_rule.id == usual)?;
    // With any rule of a variant, nobody counts.
    Some(if number == usual { rule } else { variants::counted_by(rule).uncounted })
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_tables::rules::piece::PieceKind;

    fn read(counting: &str, fen: &str) -> Position {
        Position::from_fen_counted(variants::any_counting_rule(counting).unwrap(), fen).unwrap()
    }

    fn rook_ending() -> SakmakPosition {
        SakmakPosition::of(&read("makruk", "8/8/8/3k4/8/8/4R3/4K3 b - 32 6 1"))
    }

    #[test]
    fn positions_survive_the_conversion_to_bitboards_and_back() {
        for (counting, fen) in [
            ("makruk", "8/8/8/4k3/8/4K3/4S3/4M3 w - 88 40 1"),
            ("makruk-khon-first", "8/8/8/4k3/8/4K3/4S3/4M3 w - - 0 1"),
            ("ouk", "8/8/8/3k4/4n3/8/4R3/4K3 b - 126 7 1"),
            ("ouk-traditional", "8/8/2p5/3k4/8/4P3/4N3/4K3 w - - 0 1"),
            ("ouk-none", "8/8/2p5/3k4/8/4P3/4N3/4K3 w - - 0 1"),
        ] {
            let position = read(counting, fen);
            assert_eq!(SakmakPosition::of(&position).position().unwrap(), position, "{fen}");
        }
    }

    #[test]
    fn nobody_counts_by_any_rule_with_the_flag() {
        let counted = rook_ending();
        for rule in variants::counting_rules() {
            let counting = rule.id as u8 | 128;
            let position = SakmakPosition { counting, ..counted }.position().unwrap();
            let variant = variants::counted_by(rule);
            assert_eq!(position.counting_rule(), variant.uncounted, "{}", rule.name);
            assert_eq!((position.variant(), position.clock()), (variant, None));
            assert_eq!(SakmakPosition::of(&position).counting, variant.counting().id as u8 | 128);
        }
        for counting in [128, 128 | 100] {
            assert!(SakmakPosition { counting, ..counted }.position().is_err());
        }
    }

    #[test]
    fn bitboards_that_contradict_each_other_are_refused() {
        let good = rook_ending();
        assert!(good.position().is_ok());
        let code = |bad: SakmakPosition| bad.position().unwrap_err().code();
        // A square without a kind, with two kinds, with two sides, without a side.
        assert_eq!(code(SakmakPosition { sides: [good.sides[0] | 1, good.sides[1]], ..good }), -3);
        let mut kinds = good.kinds;
        kinds[PieceKind::Met.index()] |= good.kinds[PieceKind::Rook.index()];
        assert_eq!(code(SakmakPosition { kinds, ..good }), -3);
        assert_eq!(code(SakmakPosition { sides: [u64::MAX; 2], ..good }), -3);
        assert_eq!(code(SakmakPosition { sides: [0; 2], ..good }), -3);
        assert_eq!(code(SakmakPosition::default()), -1);
    }

    #[test]
    fn pawns_of_a_game_that_refuses_them_are_refused() {
        let pawns = SakmakPosition::of(&read("makruk", "4k3/8/8/8/4P3/8/8/4K3 w - - 0 1"));
        let counting = variants::counting_rule("sittuyin").unwrap().id as u8;
        let error = SakmakPosition { counting, ..pawns }.position().unwrap_err();
        assert_eq!(error.code(), -3);
        assert!(error.to_string().starts_with("positions of sittuyin with pawns"), "{error}");
    }

    #[test]
    fn fields_with_unknown_values_are_refused() {
        let good = rook_ending();
        let code = |bad: SakmakPosition| bad.position().unwrap_err().code();
        assert_eq!(code(SakmakPosition { turn: 2, ..good }), -1);
        assert_eq!(code(SakmakPosition { counting: 0, ..good }), -1);
        assert_eq!(code(SakmakPosition { counting: 200, ..good }), -1);
        assert_eq!(code(SakmakPosition { en_passant: 1, ..good }), -1);
        assert_eq!(code(SakmakPosition { count_limit: 33, ..good }), -2);
        assert_eq!(code(SakmakPosition { count: 34, ..good }), -2);
    }
}
