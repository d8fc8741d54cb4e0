//! The options for a count that players tell in moves.

use crate::cli::probe::prober::Prober;
use crate::cli::{CommandError, capitalised};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use sakmak_probe::{Answer, Count};
use sakmak_tables::counting::{Call, ImpossibleCall};
use sakmak_tables::distance::{Moves, Value};
use sakmak_tables::position::Position;
use sakmak_tables::rules::piece::Side;

/// The count as players tell it.
#[derive(Args)]
pub struct CallArguments {
    /// Last number called, in moves, in place of a count in the FEN
    #[arg(long, value_name = "N")]
    called: Option<u16>,
    /// Side that counts, if either side may
    #[arg(long, value_name = "SIDE", requires = "called", value_parser = side_parser())]
    counter: Option<Side>,
    /// Number at which the count ends [default: that of a count that starts with these pieces]
    #[arg(long, value_name = "N", requires = "called")]
    limit: Option<u16>,
}

/// A parser for the names of sides.
fn side_parser() -> impl TypedValueParser<Value = Side> {
    PossibleValuesParser::new(Side::BOTH.map(Side::name))
        .map(|name| if name == Side::White.name() { Side::White } else { Side::Black })
}

impl CallArguments {
    /// Whether a number is given.
    pub fn is_given(&self) -> bool {
        self.called.is_some()
    }

    /// Sets the count of the position, and returns the side that counts. Does nothing without a
    /// number.
    pub fn apply(&self, position: &mut Position) -> Result<Option<Side>, CommandError> {
        let Some(called) = self.called else { return Ok(None) };
        if position.clock().is_some() {
            let message =
                "the FEN has a count: --called is for a FEN without one, which has '- 0' \
                           in its place"
                    .to_string();
            return Err(CommandError { message, code: 2 });
        }
        let moves = |number: u16| Moves(number.into());
        let call =
            Call { called: moves(called), runner: self.counter, limit: self.limit.map(moves) };
        let count = position.counting_rule().called(call, position.armies(), position.side());
        let count = count.map_err(|error| {
            let hint = match error {
                ImpossibleCall::EitherSide => ": add --counter white or --counter black",
                _ => "",
            };
            CommandError { message: format!("{error}{hint}"), code: 2 }
        })?;
        *position = position.with_clock(Some(count.clock));
        Ok(Some(count.runner))
    }
}

/// The answer for a position in which this side counts, and a note if its count is dropped: the
/// count of the side that wins does not bind it.
pub fn answered(
    prober: &Prober,
    position: &mut Position,
    runner: Side,
) -> Result<(Answer, Option<String>), CommandError> {
    let mut answer = prober.answer(position)?;
    if answer.count.is_none_or(|count| count.runner() == runner) {
        return Ok((answer, None));
    }
    if answer.value == Value::Draw {
        answer.count = Count::against(position, !runner);
        return Ok((answer, None));
    }
    *position = position.with_clock(None);
    let [winner, loser] = [runner, !runner].map(|side| capitalised(side.name()));
    let note = format!(
        "the count of {winner} is dropped: {winner} can force mate and stops counting; {loser} \
         may count from here on"
    );
    Ok((prober.answer(position)?, Some(note)))
}
