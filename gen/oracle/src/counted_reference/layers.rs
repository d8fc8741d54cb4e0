//! The wins of one attacker, in order of the moves left.

use crate::counted_reference::moves::{BLOCK, MaterialMoves, MoveBlock, PositionMoves, Status};
use crate::counted_reference::wins::LeastMoves;
use crate::counted_reference::wins::{Befores, Wins};
use crate::reference::numbering::Number;
use rayon::prelude::*;
use sakmak_tables::distance::Moves;
use sakmak_tables::rules::piece::Side;

/// The least number of moves left with which this attacker wins each placement, by side to move.
/// Returns `None` if a number is above [`LeastMoves::MOST`].
pub fn wins(moves: &MaterialMoves, attacker: Side, befores: &Befores) -> Option<Wins> {
    let [white, black] = moves.blocks.each_ref().map(|blocks| unknown(blocks));
    let (mut won, mut lost) = match attacker {
        Side::White => (white, black),
        Side::Black => (black, white),
    };
    let numbering = &moves.numbering;
    let longest = befores.iter().flatten().flatten().filter_map(|before| before.moves()).max();
    let mut left = Moves(0);
    loop {
        // The attacker moves: one of its moves wins with one move fewer left.
        let found_won = left.0.checked_sub(1).is_some_and(|after| {
            let own = (&moves.blocks[attacker.index()], &befores[attacker.index()]);
            find(left, own, &mut won, |placed, befores| {
                let is_lost = |number: Number| lost[number.0 as usize].is_won(Moves(after));
                placed.status == Status::Play
                    && (placed.successors(numbering).any(is_lost)
                        || befores.iter().any(|before| before.is_won(left)))
            })
        });
        // The runner moves: it has lost at once, or every move loses with the same number left.
        let runner = !attacker;
        let own = (&moves.blocks[runner.index()], &befores[runner.index()]);
        let found_lost = find(left, own, &mut lost, |placed, befores| match placed.status {
            Status::Lost => true,
            Status::Illegal | Status::Drawn => false,
            Status::Play => {
                let is_won = |number: Number| won[number.0 as usize].is_won(left);
                placed.successors(numbering).all(is_won)
                    && befores.iter().all(|before| before.is_won(left))
            }
        });
        // Wins with one more move left depend on wins with this number and on moves to other
        // pieces. If neither adds a win, no further win follows.
        if !found_won && !found_lost && Some(left) >= longest {
            break;
        }
        if left == LeastMoves::MOST {
            return None;
        }
        left.0 += 1;
    }
    Some(match attacker {
        Side::White => [won, lost],
        Side::Black => [lost, won],
    })
}

/// The placements before any win is found.
fn unknown(blocks: &[MoveBlock]) -> Vec<LeastMoves> {
    let least = |status| match status {
        Status::Illegal => LeastMoves::ILLEGAL,
        Status::Lost | Status::Drawn | Status::Play => LeastMoves::NEVER,
    };
    let placed = blocks.iter().flat_map(MoveBlock::placements);
    placed.map(|placed| least(placed.status)).collect()
}

/// Records placements of one side to move in `own` that are won with `left` moves and not with
/// fewer. Returns whether any is found. Placements won with fewer moves are skipped: they are won
/// with more moves too, see the parent module.
fn find(
    left: Moves,
    (blocks, befores): (&Vec<MoveBlock>, &Vec<Vec<LeastMoves>>),
    own: &mut [LeastMoves],
    is_won: impl Fn(&PositionMoves<'_>, &[LeastMoves]) -> bool + Sync,
) -> bool {
    let of_block =
        |((block, befores), own): ((&MoveBlock, &Vec<LeastMoves>), &mut [LeastMoves])| {
            let mut found = false;
            for (placed, own) in block.placements().zip(own) {
                if *own == LeastMoves::NEVER
                    && is_won(&placed, &befores[placed.conversions.clone()])
                {
                    *own = LeastMoves::with(left);
                    found = true;
                }
            }
            found
        };
    let blocks = blocks.par_iter().zip(befores).zip(own.par_chunks_mut(BLOCK as usize));
    blocks.map(of_block).reduce(|| false, |one, other| one | other)
}
