//! `sakmak query`: searches for positions that meet a condition.

pub mod listing;
pub mod matches;
pub mod output;

mod boards;
mod help;

use crate::cli::CommandError;
use crate::cli::arguments::{RulesArguments, SourceArguments};
use crate::cli::progress::Bars;
use crate::cli::selection::{is_like_materials, materials};
use clap::Args;
use listing::{FirstRecords, ListingArguments};
use matches::MatchOutput;
use output::{CountRecord, CountedBy, FormatArguments, MatchRecord};
use sakmak_analysis::query::{
    Expression, OrderColumn, OtherRuleTable, Query, QueryError, QueryMatch, parse,
};
use sakmak_make::store::{TableStore, TableStoreError};
use sakmak_probe::Access;
use sakmak_probe::variant::Variant;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::distance::Moves;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::material::{Material, OrientedMaterial};
use sakmak_tables::values::codes::{TableCodes, TablePair};
use sakmak_tables::variants;
use std::cmp::Reverse;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

/// The materials and condition of a query.
#[derive(Args)]
#[command(after_help = help::AFTER, override_usage = help::USAGE)]
pub struct QueryArguments {
    /// Materials such as KRNvK, or a number: all materials of up to that many men
    #[arg(value_name = "MATERIAL|MEN")]
    material: String,
    /// Condition, in one or more arguments; further materials may come before it
    #[arg(required = true, value_name = "CONDITION")]
    condition: Vec<String>,
    #[command(flatten)]
    source: SourceArguments,
    #[command(flatten)]
    rules: RulesArguments,
    /// The winner's moves left on the clock [default: the moves of a count that starts in the
    /// position]
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u16).range(..=1024))]
    left: Option<u16>,
    #[command(flatten)]
    listing: ListingArguments,
    #[command(flatten)]
    format: FormatArguments,
}

impl QueryArguments {
    /// Splits a material and words into materials and the condition. Fails without a condition.
    fn materials_and_condition(&self) -> Result<(Vec<String>, String), CommandError> {
        let more = self.condition.iter().take_while(|text| is_like_materials(text)).count();
        let (more, condition) = self.condition.split_at(more);
        if condition.is_empty() {
            let message = "missing: <CONDITION>, such as 'win'; see 'sakmak help query'";
            return Err(CommandError::bad_input(message));
        }
        let materials = [&self.material].into_iter().chain(more).cloned().collect();
        Ok((materials, condition.join(" ")))
    }
}

pub fn run(arguments: QueryArguments) -> Result<(), CommandError> {
    let variant = match arguments.rules.variant() {
        Variant::Chess(variant) => variant,
        Variant::Board(game) => return game.visit(&arguments),
    };
    let (texts, condition) = arguments.materials_and_condition()?;
    let counting_rule = arguments.rules.counting_rule(variant)?;
    let materials = materials(&texts, variant)?.materials;
    let parsed = |&material: &OrientedMaterial| Ok((material, parse(&condition, material)?));
    let expressions: Result<Vec<(OrientedMaterial, Expression)>, _> =
        materials.iter().map(parsed).collect();
    let expressions = expressions
        .map_err(|error: sakmak_analysis::query::ParseError| CommandError::bad_input(error))?;
    let listing = arguments.listing.listing()?;
    let (directory, access) = arguments.source.open(&variant.rules)?;
    let bars = Bars::new();
    let mut run = QueryRun {
        directory: &directory,
        access,
        arguments: &arguments,
        counting_rule,
        output: MatchOutput::new(listing, arguments.format.format(), &bars),
    };
    run.require(&expressions)?;
    for (done, place) in run.order(&materials)?.into_iter().enumerate() {
        let (material, expression) = &expressions[place];
        let several = match expressions.len() {
            1 => String::new(),
            several => format!("{} of {several}", done + 1),
        };
        if run.material(*material, place, expression, &several)?.is_break() {
            break;
        }
    }
    run.output.end(&condition)
}

/// A query of one material after another.
struct QueryRun<'a> {
    directory: &'a Path,
    access: Access,
    arguments: &'a QueryArguments,
    counting_rule: &'static CountingRule,
    output: MatchOutput<'a, MatchRecord>,
}

/// The tables that a query reads.
struct OpenTables {
    mate: Arc<dyn TableCodes>,
    counted: Option<Arc<dyn TableCodes>>,
    /// Counted distances of other rules; `None` if distance to mate decides.
    others: Vec<(&'static CountingRule, Option<Arc<dyn TableCodes>>)>,
    subtables: Vec<Arc<dyn TableCodes>>,
}

impl QueryRun<'_> {
    /// Checks that no table which the query needs is missing or refused.
    fn require(&self, expressions: &[(OrientedMaterial, Expression)]) -> Result<(), CommandError> {
        let rules = &variants::counted_by(self.counting_rule).rules;
        let names =
            expressions.iter().flat_map(|(OrientedMaterial { material, .. }, expression)| {
                let distance = TableName::of_distance(*material, rules);
                let of = |rule| TableName::deciding(*material, Metric::Counted(rule));
                let subtables = expression.needs_subtables().then(|| distance.successors(rules));
                let counted = self.needs_counted(expression).then(|| of(self.counting_rule));
                let others = expression.counting_rules().into_iter();
                let others = others.filter(|rule| variants::counted_by(rule).rules == *rules);
                let names = [distance].into_iter().chain(subtables.into_iter().flatten());
                names.chain(counted).chain(others.map(of)).collect::<Vec<_>>()
            });
        let store = TableStore::new(rules, self.directory).with_access(self.access);
        Ok(store.require(names)?)
    }

    /// Returns the table of counted distance that decides must exist.
    fn needs_counted(&self, expression: &Expression) -> bool {
        let order = self.arguments.listing.order;
        let is_ordered = matches!(order, Some(OrderColumn::Category | OrderColumn::Counted));
        expression.needs_counted() || is_ordered || self.arguments.rules.names_counting()
    }

    /// Returns the tables of a material that the query reads.
    fn tables(
        &self,
        material: Material,
        expression: &Expression,
    ) -> Result<OpenTables, CommandError> {
        let rules = &variants::counted_by(self.counting_rule).rules;
        let store = TableStore::new(rules, self.directory).with_access(self.access);
        let distance = TableName::of_distance(material, rules);
        let mate = store.codes(distance)?;
        let subtables = match expression.needs_subtables() {
            true => {
                let names = distance.successors(rules).into_iter();
                let names = names.filter(|name| name.material != Material::BARE_KINGS);
                names.map(|name| store.codes(name)).collect::<Result<_, _>>()?
            }
            false => Vec::new(),
        };
        let name = TableName::deciding(material, Metric::Counted(self.counting_rule));
        let needed = self.needs_counted(expression);
        let counted = match name.metric {
            Metric::DistanceToMate | Metric::DistanceToCheck => None,
            // --count prints no category: the table is read only if the condition needs it.
            _ if !needed && self.arguments.listing.count => None,
            _ => match store.codes(name) {
                Err(TableStoreError::Missing { .. }) if !needed => None,
                codes => Some(codes?),
            },
        };
        let other = |rule: &'static CountingRule| {
            let name = TableName::deciding(material, Metric::Counted(rule));
            let is_counted =
                variants::counted_by(rule).rules == *rules && name.metric.counting_rule().is_some();
            Ok((rule, is_counted.then(|| store.codes(name)).transpose()?))
        };
        let others = expression.counting_rules().into_iter().map(other);
        let others = others.collect::<Result<_, TableStoreError>>()?;
        Ok(OpenTables { mate, counted, others, subtables })
    }

    /// Returns the order in which materials are searched. If the longest mates are listed,
    /// materials with the longest mates come first, so that later tables need not be read.
    fn order(&self, materials: &[OrientedMaterial]) -> Result<Vec<usize>, CommandError> {
        let mut order: Vec<usize> = (0..materials.len()).collect();
        if self.output.first.as_ref().is_some_and(FirstRecords::is_of_longest) {
            let longest = materials.iter().map(|material| self.longest_mate(material.material));
            let longest = longest.collect::<Result<Vec<_>, _>>()?;
            // A missing table is solved or reported at once.
            order.sort_by_key(|&place| Reverse(longest[place].unwrap_or(Moves(u32::MAX))));
        }
        Ok(order)
    }

    /// Returns the longest mate of a table from the header of its file; `None` without a file.
    fn longest_mate(&self, material: Material) -> Result<Option<Moves>, CommandError> {
        let rules = &variants::counted_by(self.counting_rule).rules;
        let store = TableStore::new(rules, self.directory).with_access(self.access);
        let file = store.file(TableName::of_distance(material, rules))?;
        Ok(file.map(|file| Query::longest_mate(&file)))
    }

    /// Queries one material; `several` is its index among several. Breaks off if no more is to be
    /// printed.
    fn material(
        &mut self,
        oriented: OrientedMaterial,
        place: usize,
        expression: &Expression,
        several: &str,
    ) -> Result<ControlFlow<()>, CommandError> {
        let OrientedMaterial { material, .. } = oriented;
        let least = self.output.first.as_ref().and_then(FirstRecords::least);
        let longest = self.longest_mate(material)?;
        if least.zip(longest).is_some_and(|(least, longest)| longest < least) {
            return Ok(ControlFlow::Continue(()));
        }
        let OpenTables { mate, counted, others, subtables } = self.tables(material, expression)?;
        let source = TablePair { mate: &*mate, counted: counted.as_deref() };
        let left = self.arguments.left.map(|left| Moves(left.into()));
        let others = others.iter();
        let others: Vec<OtherRuleTable<'_>> = others
            .map(|(rule, codes)| OtherRuleTable { counting_rule: rule, codes: codes.as_deref() })
            .collect();
        let query = Query::new(expression, source, &others, self.counting_rule, left);
        let query = query.map_err(|error| match error {
            QueryError::TooMuchLeft { .. }
            | QueryError::NoCount { .. }
            | QueryError::OtherVariant { .. }
            | QueryError::LeftBy { .. } => CommandError::bad_input(error),
            _ => error.into(),
        })?;
        let query = query.in_colours_of(oriented).with_subtables(&subtables);
        let variant = variants::counted_by(self.counting_rule);
        let record = |found: &QueryMatch| MatchRecord::new(&query, variant, found);

        // Arguments that are refused print nothing.
        self.output.begin()?;
        let meter = self.output.bars.slots(&oriented.to_string(), query.slots());
        meter.set_message(several);
        let progress = |slots| meter.advance(slots);
        let by = CountedBy::Counting(self.counting_rule.name);
        let flow = self.output.take(
            place,
            &record,
            || Ok(CountRecord::new(oriented, by, query.count(&progress)?)),
            |first| {
                Ok(match least {
                    Some(least) => query.longest(first.most(), least, &progress)?,
                    None => query.first(first.most(), first.order(), &progress)?,
                })
            },
            |reader| Ok(query.each(reader, &progress)?),
        )?;
        meter.finish();
        Ok(flow)
    }
}
