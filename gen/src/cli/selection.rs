//! Arguments that select materials and their tables.

pub mod boards;

use crate::cli::CommandError;
use clap::Args;
use sakmak_make::store::MAKEABLE;
use sakmak_tables::excerpt::Excerpt;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::{TableName, TableNameError};
use sakmak_tables::material::{Material, MaterialError, OrientedMaterial};
use sakmak_tables::variant::Variant;
use sakmak_tables::variants;
use std::path::Path;

/// The materials of a command.
#[derive(Args)]
pub struct MaterialsArgument {
    /// Materials such as KRNvK, or a number: all materials of up to that many men
    #[arg(required = true, value_name = "MATERIAL|MEN")]
    materials: Vec<String>,
}

impl MaterialsArgument {
    /// Returns the materials of a variant.
    pub fn materials(&self, variant: &Variant) -> Result<Materials, CommandError> {
        materials(&self.materials, variant)
    }

    /// Returns the arguments as they were given.
    pub fn texts(&self) -> &[String] {
        &self.materials
    }

    /// Returns the tables.
    pub fn names(&self, variant: &Variant) -> Result<Vec<TableName>, CommandError> {
        let mut names = Vec::new();
        for selection in selections(&self.materials, variant)? {
            names.extend(selection.names(variant).map_err(CommandError::bad_input)?);
        }
        Ok(names)
    }
}

/// The materials of a command that uses all tables if no material is given.
#[derive(Args)]
pub struct SomeMaterialsArgument {
    /// Materials such as KRNvK, or a number: all materials of up to that many men [default: the
    /// materials of all tables]
    #[arg(value_name = "MATERIAL|MEN")]
    materials: Vec<String>,
}

impl SomeMaterialsArgument {
    /// Returns the arguments as they were given.
    pub fn texts(&self) -> &[String] {
        &self.materials
    }

    /// Returns the materials of a variant; `None` for all.
    pub fn materials(&self, variant: &Variant) -> Result<Option<Materials>, CommandError> {
        match self.materials.is_empty() {
            true => Ok(None),
            false => Ok(Some(materials(&self.materials, variant)?)),
        }
    }

    /// Returns the arguments as tables or numbers of men; `None` for all.
    pub fn tables(&self, variant: &Variant) -> Result<Option<Vec<TablesOf>>, CommandError> {
        if self.materials.is_empty() {
            return Ok(None);
        }
        let of = |selection: Selection| match selection {
            Selection::UpTo(men) => Ok(TablesOf::UpTo(men)),
            // Each argument is a table.
            named => Ok(TablesOf::Name(named.names(variant).map_err(CommandError::bad_input)?[0])),
        };
        selections(&self.materials, variant)?
            .into_iter()
            .map(of)
            .collect::<Result<_, _>>()
            .map(Some)
    }
}

/// Existing tables: a single table, or all tables of up to a number of men.
pub enum TablesOf {
    Name(TableName),
    UpTo(usize),
}

/// Returns the selections of arguments, with blanks or commas between them.
fn selections(texts: &[String], variant: &Variant) -> Result<Vec<Selection>, CommandError> {
    let parse = |text: &str| {
        Selection::read(text, variant).map_err(|error| {
            match text.contains('/') || Path::new(text).is_dir() {
                // Earlier versions had a directory in this position.
                true => {
                    let directory = Excerpt::of(text);
                    CommandError::bad_input(format!(
                        "'{directory}' is not a material: did you mean '--tables {directory}'?"
                    ))
                }
                false => CommandError::bad_input(error),
            }
        })
    };
    parts(texts).map(parse).collect()
}

/// Returns the materials and numbers in arguments that have commas between them.
pub fn parts(texts: &[String]) -> impl Iterator<Item = &str> {
    texts.iter().flat_map(|text| text.split(','))
}

/// Returns whether an argument looks like materials or a number of men.
pub fn is_like_materials(text: &str) -> bool {
    let is_like = |part: &str| {
        let is_number = !part.is_empty() && part.bytes().all(|letter| letter.is_ascii_digit());
        let sides = part.split_once('v').is_some_and(|(white, black)| {
            let is_side = |side: &str| {
                side.starts_with(['K', 'k']) && side.chars().all(|letter| letter.is_alphabetic())
            };
            is_side(white) && is_side(black.split('.').next().unwrap_or(black))
        });
        is_number || sides
    };
    text.split(',').all(is_like)
}

/// A selection of materials.
pub struct Materials {
    /// Each material once, in the order of the arguments; White has the pieces that the argument
    /// names first.
    pub materials: Vec<OrientedMaterial>,
    /// Returns whether a number of men is among the arguments.
    pub by_number: bool,
}

impl Materials {
    /// The materials of the tables: each material once, whichever side the argument names first.
    pub fn without_colours(&self) -> Vec<Material> {
        let mut found = Vec::new();
        for OrientedMaterial { material, .. } in &self.materials {
            if !found.contains(material) {
                found.push(*material);
            }
        }
        found
    }
}

/// Parses arguments that are materials of a variant or numbers of men.
pub fn materials(texts: &[String], variant: &Variant) -> Result<Materials, CommandError> {
    let mut selected = Materials { materials: Vec::new(), by_number: false };
    for selection in selections(texts, variant)? {
        match selection {
            Selection::Material(_) => {}
            Selection::Table(name) => {
                return Err(CommandError::bad_input(SelectionError::Table(name)));
            }
            Selection::UpTo(_) => selected.by_number = true,
        }
        for material in selection.materials(variant).map_err(CommandError::bad_input)? {
            if !selected.materials.contains(&material) {
                selected.materials.push(material);
            }
        }
    }
    Ok(selected)
}

/// An argument that selects materials.
enum Selection {
    Material(OrientedMaterial),
    /// A table of another metric than distance to mate.
    Table(TableName),
    UpTo(usize),
}

/// An argument that selects no material.
#[derive(Debug, thiserror::Error)]
enum SelectionError {
    #[error("no tables of {0} men: tables of {least} to {most} men can be made", least = MAKEABLE.start(), most = MAKEABLE.end())]
    Men(Excerpt),
    #[error("{0} has {men} men: tables of {least} to {most} men can be made", men = .0.men(), least = MAKEABLE.start(), most = MAKEABLE.end())]
    Size(Material),
    #[error("{0}, or a number of men from {least} to {most}", least = MAKEABLE.start(), most = MAKEABLE.end())]
    Neither(MaterialError),
    #[error(transparent)]
    Name(TableNameError),
    #[error("no tables of {variant} with pawns, as in {material}: {reason}")]
    Pawns { variant: &'static str, material: Material, reason: &'static str },
    #[error("no table {0}: the table {answering} has its values", answering = TableName::deciding(.0.material, .0.metric))]
    Decided(TableName),
    #[error("{0} is the name of a table: give the material {material} and '{options}'", material = .0.material, options = rule_options(.0.metric))]
    Table(TableName),
    #[error("{0} is a table of {variant}: add '--variant {variant}'", variant = variant_of(.0.metric).name)]
    OtherGame(TableName),
}

/// Returns the options that select the game of a metric and its counting rule.
fn rule_options(metric: Metric) -> String {
    let variant = metric.counting_rule().map_or(variant_of(metric), variants::counted_by);
    let variant = (variant != variants::default()).then(|| format!("--variant {}", variant.name));
    let counting = metric.counting_rule().map(|rule| format!("--counting {}", rule.name));
    variant.into_iter().chain(counting).collect::<Vec<_>>().join(" ")
}

/// Returns the first variant that has tables of this metric.
fn variant_of(metric: Metric) -> &'static Variant {
    // Every metric belongs to a variant.
    let of = variants::all().find(|variant| metric.is_of(&variant.rules));
    of.unwrap_or(variants::default())
}

impl Selection {
    /// Parses an argument, with a variant's letters of materials.
    fn read(text: &str, variant: &Variant) -> Result<Selection, SelectionError> {
        let letters = variant.rules.material_letters;
        if text.chars().all(|letter| letter.is_ascii_digit()) && !text.is_empty() {
            let men = text.parse().ok().filter(|men| MAKEABLE.contains(men));
            return men.map(Selection::UpTo).ok_or_else(|| SelectionError::Men(Excerpt::of(text)));
        }
        let name = TableName::read(text, letters).map_err(|error| match error {
            TableNameError::Material(error @ MaterialError::Form(_)) => {
                SelectionError::Neither(error)
            }
            error => SelectionError::Name(error),
        })?;
        let material = name.material;
        if !MAKEABLE.contains(&material.men()) {
            return Err(SelectionError::Size(material));
        }
        if TableName::deciding(material, name.metric) != name {
            return Err(SelectionError::Decided(name));
        }
        Ok(match name.metric {
            Metric::DistanceToMate => {
                let sides = text.split('.').next().unwrap_or(text);
                let sides = OrientedMaterial::read(sides, letters);
                Selection::Material(sides.unwrap_or_else(|_| material.into()))
            }
            _ => Selection::Table(name),
        })
    }

    /// Returns the materials. Named materials must belong to the variant.
    fn materials(&self, variant: &Variant) -> Result<Vec<OrientedMaterial>, SelectionError> {
        let named = match *self {
            Selection::Material(oriented) => oriented,
            Selection::Table(TableName { material, .. }) => material.into(),
            Selection::UpTo(men) => {
                let all = (*MAKEABLE.start()..=men).flat_map(Material::all_of);
                let of_variant = all.filter(|&material| !variant.refuses(material));
                let letters = variant.rules.material_letters;
                let written = |material: Material| material.written_in(letters).into();
                return Ok(of_variant.map(written).collect());
            }
        };
        let material = named.material;
        match variant.refuses_pawns.filter(|_| variant.refuses(material)) {
            Some(reason) => Err(SelectionError::Pawns { variant: variant.name, material, reason }),
            None => Ok(vec![named]),
        }
    }

    /// Returns the tables of a variant.
    fn names(&self, variant: &Variant) -> Result<Vec<TableName>, SelectionError> {
        let materials = self.materials(variant)?;
        match *self {
            Selection::Table(name) if !name.metric.is_of(&variant.rules) => {
                Err(SelectionError::OtherGame(name))
            }
            Selection::Table(name) => Ok(vec![name]),
            Selection::Material(_) | Selection::UpTo(_) => {
                let name = |named: OrientedMaterial| {
                    TableName::of_distance(named.material, &variant.rules)
                };
                Ok(materials.into_iter().map(name).collect())
            }
        }
    }
}
