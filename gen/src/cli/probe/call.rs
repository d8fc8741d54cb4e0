//! The options for a count in moves.

use crate::cli::CommandError;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use sakmak_probe::{CallError, CountedPosition};
use sakmak_tables::counting::{Call, ImpossibleCall};
use sakmak_tables::distance::Moves;
use sakmak_tables::rules::piece::Side;

/// The count in moves, as players call it.
#[derive(Args)]
pub struct CallArguments {
    /// Last number called, in moves, in place of a count in the FEN
    #[arg(long, value_name = "N")]
    called: Option<u16>,
    /// Side that counts, if either side may
    #[arg(long, value_name = "SIDE", requires = "called", value_parser = side_parser())]
    counter: Option<Side>,
    /// Number at which the count ends [default: the limit of a count that starts with these pieces]
    #[arg(long, value_name = "N", requires = "called")]
    limit: Option<u16>,
}

/// Returns a parser for the names of sides.
fn side_parser() -> impl TypedValueParser<Value = Side> {
    PossibleValuesParser::new(Side::BOTH.map(Side::name))
        .map(|name| if name == Side::White.name() { Side::White } else { Side::Black })
}

impl CallArguments {
    /// Returns whether a number is given.
    pub fn is_given(&self) -> bool {
        self.called.is_some()
    }

    /// Sets the count of the position. Does nothing without a number.
    pub fn apply(&self, asked: &mut CountedPosition) -> Result<(), CommandError> {
        let Some(called) = self.called else { return Ok(()) };
        let moves = |number: u16| Moves(number.into());
        let call =
            Call { called: moves(called), runner: self.counter, limit: self.limit.map(moves) };
        asked.call(call).map_err(|error| {
            CommandError::bad_input(match error {
                CallError::CountInFen => {
                    "the FEN has a count: --called is for a FEN without one, which has '- 0' in \
                     its place"
                        .to_string()
                }
                CallError::Impossible(ImpossibleCall::EitherSide) => {
                    format!("{error}: add --counter white or --counter black")
                }
                CallError::Impossible(error) => error.to_string(),
            })
        })
    }
}
