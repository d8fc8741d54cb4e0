//! `sakmak uci`: an engine for graphical interfaces.

use crate::cli::arguments::{AccessArgument, TablesArgument};
use crate::cli::{CommandError, files_of, tablebase_of};
use clap::Args;
use sakmak_uci::engine::{EngineError, run_engine};
use sakmak_uci::search::EngineTables;
use std::io::{self, ErrorKind};
use std::path::PathBuf;

/// The help after the options.
const AFTER: &str = "\
The engine speaks UCI on standard input and output. UCI_Variant names a variant, by default makruk; \
cambodian is Ouk, and karouk is Kar Ouk, whose 'score mate' counts the moves to the first check. It also \
takes the names of counting rules. Where the tables have the position, the engine plays \
perfectly under the running count: it mates in the shortest time, and holds out longest. Elsewhere \
a small search heads for positions in the tables.

Tables of at most four men that are missing are solved on the spot when such a position is on the \
board. The option SakmakPath names other directories of tables.

The engine answers every 'go' with one 'bestmove', '(none)' if there is no position or no legal \
move; 'go perft N' counts positions instead. The end of the input ends the engine.

  sakmak uci --tables DIR";

/// The directories of the tables.
#[derive(Args)]
#[command(after_help = AFTER)]
pub struct UciArguments {
    #[command(flatten)]
    tables: TablesArgument,
    #[command(flatten)]
    access: AccessArgument,
}

pub fn run(arguments: UciArguments) -> Result<(), CommandError> {
    let directory = arguments.tables.readable()?;
    let access = arguments.access.access()?;
    let paths: Vec<PathBuf> = directory.is_dir().then_some(directory).into_iter().collect();
    let open = |paths: &[PathBuf]| {
        Ok(EngineTables { root: tablebase_of(paths, access)?, nodes: files_of(paths, access)? })
    };
    match run_engine(io::stdin().lock(), io::stdout(), paths, &open) {
        // A graphical interface that has ended is not an error.
        Err(EngineError::Stream(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        ended => Ok(ended?),
    }
}
