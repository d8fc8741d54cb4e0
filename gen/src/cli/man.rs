//! `sakmak man`: manual pages.

use crate::cli::{CommandError, print};
use clap::{Args, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use sakmak_make::system::atomic_file::write_atomically;
use sakmak_make::system::directory;
use std::io::{self, Write};
use std::path::PathBuf;

/// The help after the options.
const AFTER: &str = "\
To read the page, or to install all pages:

  sakmak man | man -l -
  sakmak man -o ~/.local/share/man/man1";

/// The directory of the pages.
#[derive(Args)]
#[command(after_help = AFTER)]
pub struct ManArguments {
    /// Output: directory for the pages of all commands, sakmak.1, sakmak-probe.1 and so on
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
}

/// Prints the page of the program, or writes the pages of all commands.
pub fn run(arguments: ManArguments, command: Command) -> Result<(), CommandError> {
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let Some(directory) = arguments.output else {
        return print(&String::from_utf8_lossy(&page(command)?.1));
    };
    let write = || -> io::Result<()> {
        directory::make(&directory)?;
        for command in command.get_subcommands().chain([&command]) {
            let (name, text) = page(command.clone())?;
            write_atomically(&directory, &name, |file| file.write_all(&text))?;
        }
        Ok(())
    };
    write().map_err(|error| {
        CommandError::failure(format!(
            "cannot write manual pages to {}: {error}",
            directory.display()
        ))
    })
}

/// Returns the page of a command, with the name of its file.
fn page(command: Command) -> io::Result<(String, Vec<u8>)> {
    let notes = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let has_subcommands = command.has_subcommands();
    let source = concat!("Sakmak ", env!("CARGO_PKG_VERSION"));
    let page = Man::new(command).source(source).manual("Sakmak");
    let mut text = Vec::new();
    page.render_title(&mut text)?;
    page.render_name_section(&mut text)?;
    page.render_synopsis_section(&mut text)?;
    page.render_description_section(&mut text)?;
    page.render_options_section(&mut text)?;
    if has_subcommands {
        page.render_subcommands_section(&mut text)?;
    }
    render_notes(&notes, &mut text)?;
    Ok((page.get_filename(), text))
}

/// The section of notes. Tables and examples, whose lines are indented, are not filled; they begin
/// at the left edge, since they are as wide as the help.
fn render_notes(notes: &str, text: &mut Vec<u8>) -> io::Result<()> {
    let mut roff = Roff::new();
    roff.control("SH", ["NOTES"]);
    let mut in_table = false;
    for line in notes.lines() {
        let indented = line.starts_with("  ");
        match (in_table, indented) {
            (false, true) => roff.control("nf", []).control("in", ["0"]),
            (true, false) => roff.control("in", []).control("fi", []),
            _ => &mut roff,
        };
        in_table = indented;
        match line.is_empty() {
            true => roff.control("PP", []),
            false => roff.text([roman(line)]),
        };
    }
    if in_table {
        roff.control("in", []).control("fi", []);
    }
    roff.to_writer(text)
}
