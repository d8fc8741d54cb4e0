//! Answers about positions without a table.

use super::{AnswerJson, CountJson, MoveJson, UNKNOWN, ValuesJson};
use crate::tablebase::partial_answer::{PartialAnswer, PartialMove};

impl<'a> AnswerJson<'a> {
    /// The JSON of an answer with unknown moves. It has no lines.
    pub fn partial(answer: &'a PartialAnswer) -> AnswerJson<'a> {
        let PartialAnswer { position, notes, values, category, count, moves } = answer;
        let dtm = values.and_then(|values| values.dtm.signed_plies());
        let values = ValuesJson {
            category: Some(category.map_or(UNKNOWN, |category| category.name())),
            dtm,
            // A mate on the board is in time.
            mate_in_time: dtm.filter(|_| moves.is_empty()),
            counted: values.and_then(|values| values.counted.moves()).map(|moves| moves.0),
        };
        let moves = moves.iter().map(|found| match found {
            PartialMove::Known(rated) => MoveJson::of(position, rated, ValuesJson::of_move(rated)),
            PartialMove::Unknown { mv, san, after } => {
                MoveJson::to(position, *mv, san, after, ValuesJson::unknown())
            }
        });
        AnswerJson {
            moves: moves.collect(),
            count: count.as_ref().map(CountJson::new),
            ..AnswerJson::without_moves(position, notes, values)
        }
    }
}
