//! Arguments that several subcommands share.

use crate::cli::CommandError;
use crate::cli::families::WithoutBoardGames;
use clap::builder::{
    EnumValueParser, OsStringValueParser, PossibleValue, PossibleValuesParser, StringValueParser,
    TypedValueParser,
};
use clap::{Arg, Args, ColorChoice, Command};
use sakmak_make::system::directory;
use sakmak_probe::file::bytes::{ACCESS_VARIABLE, Access};
use sakmak_probe::variant::{Variant, any_of};
use sakmak_tables::counting::CountingRule;
use sakmak_tables::excerpt::Excerpt;
use sakmak_tables::rules::Rules;
use sakmak_tables::variant::Variant as ChessVariant;
use sakmak_tables::variants::{self, CountingRuleError, NONE};
use std::error::Error;
use std::ffi::OsStr;
use std::path::PathBuf;

/// The argument for standard input.
pub const STANDARD_INPUT: &str = "-";

/// The environment variable with the directory of tables.
const DIRECTORY_VARIABLE: &str = "SAKMAK_TABLES";

/// The default directory of tables.
const DEFAULT_DIRECTORY: &str = "sakmak-tables";

/// The directory of tables.
#[derive(Args)]
pub struct TablesArgument {
    /// Directory of the tables [default: the variable SAKMAK_TABLES, or sakmak-tables]
    // The variable is not given to clap: its usage lines would show the option as required.
    #[arg(long = "tables", value_name = "DIR",
        value_parser = OsStringValueParser::new().map(PathBuf::from))]
    directory: Option<PathBuf>,
}

impl TablesArgument {
    /// Returns the directory of the argument or the environment; ignores an empty name.
    fn named(&self) -> Option<PathBuf> {
        let in_environment = || std::env::var_os(DIRECTORY_VARIABLE).map(PathBuf::from);
        let named = self.directory.clone().or_else(in_environment);
        named.filter(|directory| !directory.as_os_str().is_empty())
    }

    /// Returns the option as given, after a space; empty if it was not given.
    pub fn option(&self) -> String {
        let named = self.directory.as_ref();
        named.map_or(String::new(), |directory| format!(" --tables {}", directory.display()))
    }

    /// Returns the directory, which may not exist.
    pub fn directory(&self) -> Result<PathBuf, CommandError> {
        Ok(self.found()?.0)
    }

    /// Returns the directory and whether it exists. Fails if the path is not a directory.
    fn found(&self) -> Result<(PathBuf, bool), CommandError> {
        let directory = self.named().unwrap_or_else(|| PathBuf::from(DEFAULT_DIRECTORY));
        let is_there = directory::is_there(&directory).map_err(|error| {
            let path = directory.display();
            CommandError::bad_input(format!("cannot read the directory of tables {path}: {error}"))
        })?;
        Ok((directory, is_there))
    }

    /// Returns the folder of the tables of these rules in the directory to read from.
    pub fn readable_files(&self, rules: &Rules) -> Result<PathBuf, CommandError> {
        Ok(rules.files_in(&self.readable()?))
    }

    /// Returns the directory to read from. Fails if the directory is named and does not exist.
    pub fn readable(&self) -> Result<PathBuf, CommandError> {
        let (directory, is_there) = self.found()?;
        if self.named().is_some() && !is_there {
            return Err(CommandError::bad_input(format!(
                "the directory of tables {} does not exist",
                directory.display()
            )));
        }
        Ok(directory)
    }
}

/// The address of pages.
#[derive(Args)]
pub struct UrlArgument {
    /// Public address of the pages, with its scheme, for the pictures of links
    #[arg(long, value_name = "URL", value_parser = url_parser())]
    url: Option<String>,
}

impl UrlArgument {
    /// Returns the address with a final slash.
    pub fn url(&self) -> Option<String> {
        self.url.as_ref().map(|url| format!("{}/", url.trim_end_matches('/')))
    }
}

/// Returns a parser of addresses of pages.
fn url_parser() -> impl TypedValueParser<Value = String> {
    StringValueParser::new().try_map(|url| {
        match url.starts_with("http://") || url.starts_with("https://") {
            true => Ok(url),
            false => {
                Err(format!("'{}' does not start with http:// or https://", Excerpt::of(&url)))
            }
        }
    })
}

/// Tables to read, their access, and the number of threads.
#[derive(Args)]
pub struct SourceArguments {
    #[command(flatten)]
    pub tables: TablesArgument,
    #[command(flatten)]
    pub access: AccessArgument,
    #[command(flatten)]
    pub threads: ThreadsArgument,
}

impl SourceArguments {
    /// Returns the folder of the tables of these rules and the access of files. Starts the thread
    /// pool for all later work.
    pub fn open(&self, rules: &Rules) -> Result<(PathBuf, Access), CommandError> {
        let source = (self.tables.readable_files(rules)?, self.access.access()?);
        self.threads.apply()?;
        Ok(source)
    }
}

/// Access of table files.
#[derive(Args)]
pub struct AccessArgument {
    /// Access to files: read is slower, and safe if files change meanwhile [default: the variable
    /// SAKMAK_ACCESS, or mapped]
    #[arg(long, value_name = "HOW", value_parser = access_parser())]
    access: Option<Access>,
}

impl AccessArgument {
    /// Returns the access of the argument or else of the environment.
    pub fn access(&self) -> Result<Access, CommandError> {
        let given = self.access.map_or_else(Access::from_environment, Ok);
        given.map_err(|error| CommandError::bad_input(format!("{ACCESS_VARIABLE}: {error}")))
    }
}

/// Returns a parser of access names.
fn access_parser() -> impl TypedValueParser<Value = Access> {
    let names = Access::ALL.map(Access::name);
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Access>())
}

/// The choice of colours in the output.
#[derive(Args)]
pub struct ColorArgument {
    /// When to use colours [default: auto]
    #[arg(long = "color", value_name = "WHEN", global = true, display_order = 100,
        value_parser = color_parser())]
    _color: Option<ColorChoice>,
}

/// Returns a parser of colour choices. It applies the choice at once, so that help and errors in
/// later arguments follow it.
fn color_parser() -> impl TypedValueParser<Value = ColorChoice> {
    EnumValueParser::<ColorChoice>::new().map(|choice| {
        let global = match choice {
            ColorChoice::Auto => anstream::ColorChoice::Auto,
            ColorChoice::Always => anstream::ColorChoice::Always,
            ColorChoice::Never => anstream::ColorChoice::Never,
        };
        global.write_global();
        choice
    })
}

/// The number of threads.
#[derive(Args)]
pub struct ThreadsArgument {
    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl ThreadsArgument {
    /// Starts the thread pool for all later work.
    pub fn apply(&self) -> Result<(), CommandError> {
        let threads = self.threads.map_or(0, usize::from);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        // A thread that waits for others may begin another table of a batch on the same stack.
        Ok(pool.stack_size(16 << 20).build_global()?)
    }
}

/// An error of a name.
type NameError = Box<dyn Error + Send + Sync>;

/// A parser of names. Help and completions list one spelling of each name.
#[derive(Clone)]
struct NameParser<T> {
    listed: Vec<&'static str>,
    /// Reads a name, the first argument, for the subcommand of the second.
    read: fn(&str, &str) -> Result<T, NameError>,
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for NameParser<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        let (read, subcommand) = (self.read, command.get_name().to_string());
        let parser = StringValueParser::new().try_map(move |name| read(&name, &subcommand));
        parser.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.listed.iter().map(PossibleValue::new)))
    }
}

/// Returns a parser of the names of all variants.
pub fn variant_parser() -> impl TypedValueParser<Value = Variant> {
    let listed = Variant::all().map(Variant::name).collect();
    NameParser { listed, read: |name, _| Ok(Variant::named(name)?) }
}

/// Returns a parser of the names of variants like chess, for subcommands without board games.
pub fn chess_variant_parser() -> impl TypedValueParser<Value = &'static ChessVariant> {
    let listed = variants::all().map(|variant| variant.name).collect();
    let read = |name: &str, subcommand: &str| match Variant::named(name)? {
        Variant::Chess(variant) => Ok(variant),
        Variant::Board(game) => {
            Err(WithoutBoardGames { subcommand: subcommand.to_string(), game }.into())
        }
    };
    NameParser { listed, read }
}

/// A counting rule given as an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CountingName {
    /// A rule.
    Rule(&'static CountingRule),
    /// No counting, in any variant.
    Nobody,
}

impl CountingName {
    fn read(name: &str) -> Result<CountingName, CountingRuleError> {
        match variants::same_name(name, NONE) {
            true => Ok(CountingName::Nobody),
            false => variants::any_counting_rule(name).map(CountingName::Rule),
        }
    }

    /// Returns the names that help lists.
    fn listed() -> impl Iterator<Item = &'static str> {
        variants::counting_rules().map(|counting_rule| counting_rule.name).chain([NONE])
    }
}

/// Returns a parser of counting rule names.
pub fn counting_parser() -> impl TypedValueParser<Value = CountingName> {
    let read = |name: &str, _: &str| {
        CountingName::read(name).map_err(|_| {
            let (name, known) = (Excerpt::of(name), any_of(CountingName::listed()));
            format!("'{name}' is not a counting rule: expected {known}").into()
        })
    };
    NameParser { listed: CountingName::listed().collect(), read }
}

/// A counting rule of another variant.
#[derive(Debug, thiserror::Error)]
#[error(
    "{counting_rule} is not a counting rule of {variant}: expected {known}, or '--variant {other}'"
)]
pub struct CountingMismatch {
    variant: &'static str,
    counting_rule: &'static str,
    known: String,
    other: &'static str,
}

/// The variant and its counting rule.
#[derive(Args)]
pub struct RulesArguments {
    /// Variant [default: makruk]
    #[arg(long, value_name = "NAME", value_parser = variant_parser())]
    variant: Option<Variant>,
    /// Counting rule, or none: nobody counts [default: the usual rule of the variant]
    #[arg(long, value_name = "RULE", value_parser = counting_parser())]
    counting: Option<CountingName>,
}

impl RulesArguments {
    /// Returns the variant.
    pub fn variant(&self) -> Variant {
        self.variant.unwrap_or_default()
    }

    /// Returns the counting rule for a variant. Fails if the variant does not have it: a counting
    /// rule does not select a variant.
    pub fn counting_rule(
        &self,
        variant: &'static ChessVariant,
    ) -> Result<&'static CountingRule, CommandError> {
        Ok(counting_rule(Some(variant), self.counting)?.unwrap_or(variant.counting()))
    }

    /// Returns whether a counting rule is given.
    pub fn names_counting(&self) -> bool {
        self.counting.is_some()
    }
}

/// The variant, for commands without a counting rule.
#[derive(Args)]
pub struct VariantArgument {
    /// Variant; makruk, ouk and sittuyin have the same tables [default: makruk]
    #[arg(long, value_name = "NAME", value_parser = variant_parser())]
    variant: Option<Variant>,
}

impl VariantArgument {
    /// Returns the variant.
    pub fn variant(&self) -> Variant {
        self.variant.unwrap_or_default()
    }
}

/// The variant, for commands without board games and without a counting rule.
#[derive(Args)]
pub struct ChessVariantArgument {
    /// Variant; makruk, ouk and sittuyin have the same tables [default: makruk]
    #[arg(long, value_name = "NAME", value_parser = chess_variant_parser())]
    variant: Option<&'static ChessVariant>,
}

impl ChessVariantArgument {
    /// Returns the variant.
    pub fn variant(&self) -> &'static ChessVariant {
        self.variant.unwrap_or(variants::default())
    }
}

/// Returns the counting rule of two options: `counting`, or else the usual rule of `variant`;
/// `None` if neither is given.
pub fn counting_rule(
    variant: Option<&'static ChessVariant>,
    counting: Option<CountingName>,
) -> Result<Option<&'static CountingRule>, CommandError> {
    let counting = match (variant, counting) {
        (Some(variant), Some(CountingName::Nobody)) => return Ok(Some(variant.uncounted)),
        (None, Some(CountingName::Nobody)) => {
            let message = "'--counting none' needs a variant: add '--variant makruk', for example";
            return Err(CommandError::bad_input(message));
        }
        (_, Some(CountingName::Rule(rule))) => Some(rule),
        (_, None) => None,
    };
    match (variant, counting) {
        (Some(variant), Some(counting)) if !variant.has_counting(counting) => {
            let rules = variant.counting_rules.iter().map(|rule| rule.name);
            let known = rules.chain([NONE]);
            Err(CommandError::bad_input(CountingMismatch {
                variant: variant.name,
                counting_rule: counting.name,
                known: any_of(known),
                other: variants::counted_by(counting).name,
            }))
        }
        (_, Some(counting)) => Ok(Some(counting)),
        (variant, None) => Ok(variant.map(ChessVariant::counting)),
    }
}
