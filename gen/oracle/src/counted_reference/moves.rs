//! The successors of every position of a material, computed once for all counting rules.

use crate::counted_reference::wins::WinsCache;
use crate::reference::numbering::{Number, NumberStep, Numbering};
use rayon::prelude::*;
use sakmak_tables::board::square::Square;
use sakmak_tables::distance::Value;
use sakmak_tables::material::{Army, Material, OrientedMaterial};
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::variant::Variant;

/// The status of a placement with one side to move, by the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// The position is not legal.
    Illegal,
    /// The game is over and the side to move has lost.
    Lost,
    /// The game is over and drawn.
    Drawn,
    /// The game goes on.
    Play,
}

/// Other pieces to which a move may lead.
#[derive(Debug)]
pub struct SmallerMaterial {
    /// The armies in the colours of the position, by [`Side::index`].
    pub armies: [Army; 2],
    /// The material, and whether its colours are exchanged.
    pub oriented: OrientedMaterial,
    /// The numbers of its placements. `None` for bare kings.
    pub numbering: Option<Numbering>,
}

/// A move that changes the pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conversion {
    /// The number of the placement after it, in the smaller material's own colours.
    pub number: Number,
    /// The index in [`MaterialMoves::smaller`].
    pub smaller: u8,
}

/// The number of neighbouring numbers that share a block.
pub const BLOCK: u32 = 1 << 13;

/// Neighbouring placements with one side to move.
#[derive(Debug, Default)]
pub struct MoveBlock {
    first: u32,
    statuses: Vec<Status>,
    /// The numbers of moves that keep the pieces, and of moves that change them, by placement.
    counts: Vec<[u8; 2]>,
    steps: Vec<NumberStep>,
    conversions: Vec<Conversion>,
}

/// The moves of one placement with one side to move, borrowed from a block.
#[derive(Clone, Debug)]
pub struct PositionMoves<'a> {
    /// The placement.
    pub number: Number,
    /// The status of the position.
    pub status: Status,
    /// The moves that keep the pieces.
    pub steps: &'a [NumberStep],
    /// The range in the block of the moves that change the pieces.
    pub conversions: std::ops::Range<usize>,
}

impl<'a> PositionMoves<'a> {
    /// The placements after the moves that keep the pieces.
    #[inline]
    pub fn successors(&self, numbering: &'a Numbering) -> impl Iterator<Item = Number> + use<'a> {
        let number = self.number;
        self.steps.iter().map(move |&step| numbering.after(number, step))
    }
}

impl MoveBlock {
    /// The moves that change the pieces, placement by placement.
    pub fn conversions(&self) -> &[Conversion] {
        &self.conversions
    }

    /// All placements in order.
    pub fn placements(&self) -> impl Iterator<Item = PositionMoves<'_>> {
        let (mut step, mut conversion) = (0, 0);
        (self.first..).zip(&self.statuses).zip(&self.counts).map(
            move |((number, &status), &[steps, conversions])| {
                let from = (step, conversion);
                step += usize::from(steps);
                conversion += usize::from(conversions);
                PositionMoves {
                    number: Number(number),
                    status,
                    steps: &self.steps[from.0..step],
                    conversions: from.1..conversion,
                }
            },
        )
    }
}

/// The moves of all positions of one material.
#[derive(Debug)]
pub struct MaterialMoves {
    /// The material.
    pub material: Material,
    /// The numbers of its placements.
    pub numbering: Numbering,
    /// The materials after moves that change the pieces.
    pub smaller: Vec<SmallerMaterial>,
    /// All placements by side to move.
    pub blocks: [Vec<MoveBlock>; 2],
    /// The wins found from these moves.
    pub found: WinsCache,
}

/// Reasons why the moves of a material cannot be generated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MovesError {
    /// The material has more placements than numbers. Up to four men always fit.
    #[error("{0} has too many placements for the reference solver")]
    TooLarge(Material),
    /// A move leads to a position that has no number.
    #[error("a move reaches {0}, which has no number")]
    Nowhere(Position),
}

impl MaterialMoves {
    /// Generates the moves of all positions of a material.
    ///
    /// # Errors
    ///
    /// If a material has too many placements, or a move leads to a position that has no number.
    pub fn new(material: Material, variant: &'static Variant) -> Result<MaterialMoves, MovesError> {
        let numbers =
            |material| Numbering::new(material, variant).ok_or(MovesError::TooLarge(material));
        let mut moves = MaterialMoves {
            material,
            numbering: numbers(material)?,
            smaller: Vec::new(),
            blocks: [Vec::new(), Vec::new()],
            found: WinsCache::default(),
        };
        for (armies, oriented) in after_one_move(material, variant) {
            let bare = oriented.material == Material::BARE_KINGS;
            let numbering = if bare { None } else { Some(numbers(oriented.material)?) };
            moves.smaller.push(SmallerMaterial { armies, oriented, numbering });
        }
        let blocks = |side: Side| {
            let firsts: Vec<u32> = (0..moves.numbering.count()).step_by(BLOCK as usize).collect();
            firsts.into_par_iter().map(|first| moves.block(first, side)).collect()
        };
        let [white, black]: [Result<Vec<MoveBlock>, MovesError>; 2] = Side::BOTH.map(blocks);
        moves.blocks = [white?, black?];
        Ok(moves)
    }

    fn block(&self, first: u32, side: Side) -> Result<MoveBlock, MovesError> {
        let mut block = MoveBlock { first, ..MoveBlock::default() };
        for number in (first..self.numbering.count().min(first + BLOCK)).map(Number) {
            let (steps, conversions) = (block.steps.len(), block.conversions.len());
            let position = self.numbering.position(number, side);
            let status = match position {
                None => Status::Illegal,
                Some(position) => self.add_moves(number, &position, &mut block)?,
            };
            block.statuses.push(status);
            let counts = [block.steps.len() - steps, block.conversions.len() - conversions];
            block.counts.push(counts.map(|count| count as u8));
        }
        block.steps.shrink_to_fit();
        block.conversions.shrink_to_fit();
        Ok(block)
    }

    /// Adds the moves of a legal position and returns its status.
    fn add_moves(
        &self,
        number: Number,
        position: &Position,
        block: &mut MoveBlock,
    ) -> Result<Status, MovesError> {
        let moves = position.legal_moves();
        let squares: Vec<Square> = self.numbering.squares(number).collect();
        for &played in &moves {
            let after = || position.play_uncounted(played);
            let nowhere = || MovesError::Nowhere(after());
            if position.is_capture(played) || played.promotion.is_some() {
                block.conversions.push(self.conversion(&after()).ok_or_else(nowhere)?);
            } else {
                let step = self.numbering.step(&squares, played.from, played.to);
                block.steps.push(step.ok_or_else(nowhere)?);
            }
        }
        Ok(match position.final_value_given(&moves) {
            None => Status::Play,
            Some(Value::Loss(_)) => Status::Lost,
            Some(_) => Status::Drawn,
        })
    }

    /// The conversion that leads to this position. Returns `None` if the position has no number.
    fn conversion(&self, after: &Position) -> Option<Conversion> {
        let armies = after.armies();
        let index = self.smaller.iter().position(|smaller| smaller.armies == armies)?;
        let SmallerMaterial { oriented, numbering, .. } = &self.smaller[index];
        let number = match numbering {
            None => Number(0),
            Some(numbering) if oriented.flipped => numbering.number(&after.colours_exchanged())?,
            Some(numbering) => numbering.number(after)?,
        };
        Some(Conversion { number, smaller: index as u8 })
    }
}

/// The pieces after a capture, a promotion or both at once: the armies in the colours of the
/// given material, and their own material.
pub fn after_one_move(material: Material, variant: &Variant) -> Vec<([Army; 2], OrientedMaterial)> {
    let mut found: Vec<([Army; 2], OrientedMaterial)> = Vec::new();
    for captured in material.pieces().map(Some).chain([None]) {
        for promoted in variant.rules.promoted().map(Some).chain([None]) {
            let Some(oriented) = material.after(captured, promoted) else {
                continue;
            };
            let army = |side: Side| match oriented.flipped {
                true => oriented.material.army(!side),
                false => oriented.material.army(side),
            };
            let armies = Side::BOTH.map(army);
            if oriented.material != material && found.iter().all(|(other, _)| *other != armies) {
                found.push((armies, oriented));
            }
        }
    }
    found
}
