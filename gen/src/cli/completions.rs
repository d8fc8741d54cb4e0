//! `sakmak completions`: scripts that complete command lines in a shell.

use crate::cli::{CommandError, print};
use clap::{Args, Command};
use clap_complete::{Shell, generate};

/// The help after the options.
const AFTER: &str = "\
Where shells look for the script:

  bash        sakmak completions bash > ~/.local/share/bash-completion/completions/sakmak
  zsh         sakmak completions zsh > DIR/_sakmak, where DIR is in $fpath
  fish        sakmak completions fish > ~/.config/fish/completions/sakmak.fish
  powershell  sakmak completions powershell >> $PROFILE";

/// The shell.
#[derive(Args)]
#[command(after_help = AFTER)]
pub struct CompletionsArguments {
    /// Shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Prints the script for the command line.
pub fn run(arguments: CompletionsArguments, mut command: Command) -> Result<(), CommandError> {
    let name = command.get_name().to_string();
    let mut script = Vec::new();
    generate(arguments.shell, &mut command, name, &mut script);
    print(&String::from_utf8_lossy(&script))
}
