//! Where the legal moves of every position of a material lead, worked out once for all
//! ways of counting.

use crate::counted_reference::found::Found;
use crate::reference::numbering::{Number, Numbering, Step};
use rayon::prelude::*;
use sakmak_gen::slots::legal::with_colours_changed;
use sakmak_tables::material::{Army, Material, OrientedMaterial};
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::variant::Variant;

/// What a placement is with one side to move, before anything is known of mates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// No legal position.
    Illegal,
    /// The mover is mated.
    Mate,
    /// The mover has no move and is not in check.
    Stalemate,
    /// The mover moves.
    Play,
}

/// Other pieces, to which a move may lead.
#[derive(Debug)]
pub struct Smaller {
    /// The armies as they are here, by [`Side::index`].
    pub armies: [Army; 2],
    /// The material and whether its colours are changed.
    pub oriented: OrientedMaterial,
    /// The numbers of its placements; bare kings need none.
    pub numbering: Option<Numbering>,
}

/// A move that changes the pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conversion {
    /// Where it leads, in the smaller material's own colours.
    pub number: Number,
    /// The place in [`Links::smaller`].
    pub smaller: u8,
}

/// How many neighbouring numbers share a block.
pub const BLOCK: u32 = 1 << 13;

/// Neighbouring placements with one side to move.
#[derive(Debug, Default)]
pub struct Block {
    first: u32,
    standings: Vec<Standing>,
    /// By placement: how many moves keep the pieces and how many change them.
    counts: Vec<[u8; 2]>,
    steps: Vec<Step>,
    conversions: Vec<Conversion>,
}

/// One placement with one side to move, as a block has it.
#[derive(Clone, Debug)]
pub struct Placed<'a> {
    /// The placement.
    pub number: Number,
    /// What it is.
    pub standing: Standing,
    /// The moves that keep the pieces.
    pub steps: &'a [Step],
    /// Where in the block the moves are that change them.
    pub conversions: std::ops::Range<usize>,
}

impl<'a> Placed<'a> {
    /// The placements to which moves lead that keep the pieces.
    #[inline]
    pub fn successors(&self, numbering: &'a Numbering) -> impl Iterator<Item = Number> + use<'a> {
        let number = self.number;
        self.steps.iter().map(move |&step| numbering.after(number, step))
    }
}

impl Block {
    /// The moves that change the pieces, placement by placement.
    pub fn conversions(&self) -> &[Conversion] {
        &self.conversions
    }

    /// All placements in order.
    pub fn placements(&self) -> impl Iterator<Item = Placed<'_>> {
        let (mut step, mut conversion) = (0, 0);
        (self.first..).zip(&self.standings).zip(&self.counts).map(
            move |((number, &standing), &[steps, conversions])| {
                let from = (step, conversion);
                step += usize::from(steps);
                conversion += usize::from(conversions);
                Placed {
                    number: Number(number),
                    standing,
                    steps: &self.steps[from.0..step],
                    conversions: from.1..conversion,
                }
            },
        )
    }
}

/// The moves of all positions of one material.
#[derive(Debug)]
pub struct Links {
    /// The material.
    pub material: Material,
    /// The numbers of its placements.
    pub numbering: Numbering,
    /// The other pieces to which moves lead.
    pub smaller: Vec<Smaller>,
    /// By side to move: all placements.
    pub blocks: [Vec<Block>; 2],
    /// What was found from them.
    pub found: Found,
}

/// The moves of a material cannot be worked out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LinksError {
    /// More placements than have numbers; four men are always few enough.
    #[error("{0} has too many placements for the reference solver")]
    TooLarge(Material),
    /// A position that no number stands for.
    #[error("a move leads to {0}, which has no number")]
    Nowhere(Position),
}

impl Links {
    /// Generates the moves of all positions of a material.
    ///
    /// # Errors
    ///
    /// When they are too many.
    pub fn new(material: Material, variant: &'static Variant) -> Result<Links, LinksError> {
        let numbers =
            |material| Numbering::new(material, variant).ok_or(LinksError::TooLarge(material));
        let mut links = Links {
            material,
            numbering: numbers(material)?,
            smaller: Vec::new(),
            blocks: [Vec::new(), Vec::new()],
            found: Found::default(),
        };
        for (armies, oriented) in after_one_move(material, variant) {
            let bare = oriented.material == Material::BARE_KINGS;
            let numbering = if bare { None } else { Some(numbers(oriented.material)?) };
            links.smaller.push(Smaller { armies, oriented, numbering });
        }
        let blocks = |side: Side| {
            let firsts: Vec<u32> = (0..links.numbering.count()).step_by(BLOCK as usize).collect();
            firsts.into_par_iter().map(|first| links.block(first, side)).collect()
        };
        let [white, black]: [Result<Vec<Block>, LinksError>; 2] = Side::BOTH.map(blocks);
        links.blocks = [white?, black?];
        Ok(links)
    }

    fn block(&self, first: u32, side: Side) -> Result<Block, LinksError> {
        let mut block = Block { first, ..Block::default() };
        for number in (first..self.numbering.count().min(first + BLOCK)).map(Number) {
            let (steps, conversions) = (block.steps.len(), block.conversions.len());
            let position = self.numbering.position(number, side);
            let standing = match position {
                None => Standing::Illegal,
                Some(position) => self.add_moves(number, &position, &mut block)?,
            };
            block.standings.push(standing);
            let counts = [block.steps.len() - steps, block.conversions.len() - conversions];
            block.counts.push(counts.map(|count| count as u8));
        }
        block.steps.shrink_to_fit();
        block.conversions.shrink_to_fit();
        Ok(block)
    }

    /// Adds the moves of a legal position and says what it is.
    fn add_moves(
        &self,
        number: Number,
        position: &Position,
        block: &mut Block,
    ) -> Result<Standing, LinksError> {
        let moves = position.legal_moves();
        for &played in &moves {
            let after = position.play_uncounted(played);
            let nowhere = || LinksError::Nowhere(after);
            if position.occupied().contains(played.to) || played.promotion.is_some() {
                block.conversions.push(self.conversion(&after).ok_or_else(nowhere)?);
            } else {
                let step = self.numbering.step(number, played.from, played.to);
                block.steps.push(step.ok_or_else(nowhere)?);
            }
        }
        Ok(match (moves.is_empty(), position.in_check(position.side())) {
            (false, _) => Standing::Play,
            (true, true) => Standing::Mate,
            (true, false) => Standing::Stalemate,
        })
    }

    /// The move that led to this position of other pieces.
    fn conversion(&self, after: &Position) -> Option<Conversion> {
        let armies = after.armies();
        let place = self.smaller.iter().position(|smaller| smaller.armies == armies)?;
        let Smaller { oriented, numbering, .. } = &self.smaller[place];
        let number = match numbering {
            None => Number(0),
            Some(numbering) if oriented.flipped => {
                numbering.number(&with_colours_changed(after)?)?
            }
            Some(numbering) => numbering.number(after)?,
        };
        Some(Conversion { number, smaller: place as u8 })
    }
}

/// What a capture, a promotion or both at once may make of these pieces: the armies as they
/// are here, and their material.
pub fn after_one_move(material: Material, variant: &Variant) -> Vec<([Army; 2], OrientedMaterial)> {
    let mut found: Vec<([Army; 2], OrientedMaterial)> = Vec::new();
    for captured in material.pieces().map(Some).chain([None]) {
        for promoted in [None, Some(Side::White), Some(Side::Black)] {
            let Some(oriented) = material.after(captured, promoted, &variant.rules) else {
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
