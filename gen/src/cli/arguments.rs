//! Arguments that several subcommands share.

use crate::cli::CommandError;
use crate::cli::usage_error::any_of;
use clap::builder::{
    EnumValueParser, OsStringValueParser, PossibleValue, PossibleValuesParser, StringValueParser,
    TypedValueParser,
};
use clap::{Arg, Args, ColorChoice, Command};
use sakmak_boards::list::{GameName, other_rules};
use sakmak_make::system::directory;
use sakmak_probe::file::bytes::{ACCESS_VARIABLE, Access};
use sakmak_tables::counting::CountingRule;
use sakmak_tables::excerpt::Excerpt;
use sakmak_tables::rules::Rules;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants::{self, CountingRuleError, NONE};
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

    /// Returns the directory to read from. Fails if it is named and does not exist.
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
    /// How files are read: read is slower, and safe if they change meanwhile [default: the
    /// variable SAKMAK_ACCESS, or mapped]
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

/// A parser of names. Help and completions list one spelling of each name.
#[derive(Clone)]
struct NameParser<T, E> {
    what: &'static str,
    listed: Vec<&'static str>,
    read: fn(&str) -> Result<T, E>,
}

impl<T, E> TypedValueParser for NameParser<T, E>
where
    T: Clone + Send + Sync + 'static,
    E: Clone + Send + Sync + 'static,
{
    type Value = T;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        let NameParser { what, listed, read } = self.clone();
        let parser = StringValueParser::new().try_map(move |name| {
            read(&name).map_err(|_| match other_rules(&name) {
                Some(other) => other.to_string(),
                None => {
                    let known = any_of(listed.iter().copied());
                    format!("'{}' is not {what}: expected {known}", Excerpt::of(&name))
                }
            })
        });
        parser.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.listed.iter().map(PossibleValue::new)))
    }
}

/// Returns a parser of variant names.
pub fn variant_parser() -> impl TypedValueParser<Value = &'static Variant> {
    // Variants with a command line of their own are listed too, although they are not parsed here.
    let listed = variants::all()
        .map(|variant| variant.name)
        .into_iter()
        .chain(GameName::ALL.map(GameName::name))
        .collect();
    NameParser { what: "a variant", listed, read: variants::named }
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
}

/// Returns a parser of counting rule names.
pub fn counting_parser() -> impl TypedValueParser<Value = CountingName> {
    let rules = variants::counting_rules().map(|counting_rule| counting_rule.name);
    let listed = rules.chain([NONE]).collect();
    NameParser { what: "a counting rule", listed, read: CountingName::read }
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
    variant: Option<&'static Variant>,
    /// Counting rule, or none: nobody counts [default: the usual one of the variant]
    #[arg(long, value_name = "RULE", value_parser = counting_parser())]
    counting: Option<CountingName>,
}

impl RulesArguments {
    /// Returns the counting rule. Fails if the variant, by default makruk, does not have it: a
    /// counting rule does not select a variant.
    pub fn counting_rule(&self) -> Result<&'static CountingRule, CommandError> {
        let variant = self.variant.unwrap_or(variants::all()[0]);
        let named = counting_rule(Some(variant), self.counting);
        Ok(named?.unwrap_or(variant.counting()))
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
    variant: Option<&'static Variant>,
}

impl VariantArgument {
    /// Returns the variant.
    pub fn variant(&self) -> &'static Variant {
        self.variant.unwrap_or(variants::all()[0])
    }
}

/// Returns the counting rule of two options: `counting`, or else the usual rule of `variant`;
/// `None` if neither is given.
pub fn counting_rule(
    variant: Option<&'static Variant>,
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
        (variant, None) => Ok(variant.map(Variant::counting)),
    }
}
