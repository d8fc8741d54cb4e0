//! The variants and their tables.

use sakmak_probe::source::ON_THE_SPOT;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::material::Material;
use sakmak_tables::rules::piece::{Piece, PieceKind, Side};
use sakmak_tables::variant::Variant;
use serde::Serialize;
use std::collections::{BTreeMap, HashSet};
use utoipa::ToSchema;

/// The tables available for a counting rule.
#[derive(Clone, Debug)]
pub struct ListedTables {
    /// Maximum number of men of a position with an answer.
    pub largest: usize,
    /// Materials with files of all tables that a category needs, by number of men.
    pub materials: Vec<Material>,
    /// Materials with files of distances only, by number of men.
    pub uncounted: Vec<Material>,
}

impl ListedTables {
    /// Selects the tables of a variant that a counting rule needs among these files.
    pub fn new(
        files: &HashSet<TableName>,
        variant: &Variant,
        counting_rule: &'static CountingRule,
    ) -> ListedTables {
        let distance = Metric::distance(&variant.rules);
        let metrics = [distance, Metric::Counted(counting_rule)];
        let counted = |&material: &Material| {
            metrics.iter().all(|&metric| files.contains(&TableName::deciding(material, metric)))
        };
        let distances = files.iter().filter(|table| table.metric == distance);
        let mut all: Vec<Material> = distances.map(|table| table.material).collect();
        all.retain(|&material| !variant.refuses(material));
        all.sort_by_cached_key(|material| (material.men(), material.to_string()));
        let largest = all.last().map_or(0, |material| material.men()).max(ON_THE_SPOT);
        let (materials, uncounted) = all.into_iter().partition(counted);
        ListedTables { largest, materials, uncounted }
    }
}

/// The variants.
#[derive(Serialize, ToSchema)]
#[schema(as = variants)]
pub struct VariantsJson {
    variants: Vec<VariantJson>,
    /// Games with a board of their own, such as Janggi, that have tables.
    board_games: Vec<BoardGameJson>,
}

/// A variant.
#[derive(Serialize, ToSchema)]
#[schema(as = variant)]
struct VariantJson {
    /// Name, for the path.
    name: &'static str,
    /// Other names that the path may have.
    other_names: &'static [&'static str],
    /// Names of its counting rules, the usual one first.
    counting: Vec<&'static str>,
    /// Whether its usual counting rule has a count.
    counts: bool,
    /// Goal of the winner: `mate`, the first `check`, or a `win` in other ways than mate too.
    goal: &'static str,
    /// The pieces by the letters of materials.
    pieces: BTreeMap<String, PieceJson>,
    /// The position at the start of a game.
    start: &'static str,
    /// Whether positions with pawns are refused.
    refuses_pawns: bool,
    /// All positions of at most this many men have an answer, but for those with refused pawns.
    on_the_spot: usize,
    /// The most men of a position that has an answer.
    largest: usize,
    /// Materials that have files for the usual counting rule, by number of men.
    materials: Vec<String>,
    /// Materials that have files of distances only: answers are without the count.
    uncounted: Vec<String>,
}

/// A game with a board of its own, such as Janggi. It has no counting rules.
#[derive(Serialize, ToSchema)]
#[schema(as = board_game)]
pub struct BoardGameJson {
    /// Name, for the path.
    pub name: &'static str,
    /// Other names that the path may have.
    pub other_names: Vec<&'static str>,
    /// Number of files.
    pub files: usize,
    /// Number of ranks.
    pub ranks: usize,
    /// Whether men stand on crossings of lines, and not on squares.
    pub on_crossings: bool,
    /// Lines that are neither files nor ranks, each from a point to another.
    pub lines: Vec<[String; 2]>,
    /// Names of the two sides; the first has capital letters in FEN.
    pub sides: [&'static str; 2],
    /// Kinds of men.
    pub men: Vec<BoardGameMan>,
    /// FENs of a few men to begin with, which may lack tables.
    pub examples: &'static [&'static str],
    /// Materials that have files, by number of men.
    pub materials: Vec<String>,
}

/// A kind of man of a board game.
#[derive(Serialize, ToSchema)]
#[schema(as = board_game_man)]
pub struct BoardGameMan {
    /// Its letter in names of materials.
    pub material_letter: char,
    /// Its capital letter in FEN.
    pub letter: char,
    /// Its name in Latin letters.
    pub name: &'static str,
    /// The sign on the man of each side; empty if it has none.
    pub faces: [&'static str; 2],
}

/// A kind of piece.
#[derive(Serialize, ToSchema)]
#[schema(as = piece)]
struct PieceJson {
    /// Its capital letter in FEN and SAN.
    letter: char,
    /// Its name in Latin letters.
    name: &'static str,
}

impl PieceJson {
    fn of(variant: &Variant, kind: PieceKind) -> PieceJson {
        let letter = variant.letter(Piece::new(Side::White, kind));
        PieceJson { letter, name: variant.piece_name(kind) }
    }
}

impl VariantsJson {
    /// Variants, each with its tables, and games with boards of their own.
    pub fn new(
        variants: impl IntoIterator<Item = (&'static Variant, ListedTables)>,
        board_games: Vec<BoardGameJson>,
    ) -> VariantsJson {
        let names = |materials: &[Material]| materials.iter().map(ToString::to_string).collect();
        // Smaller tables are solved when they are needed.
        let without_count = |mut materials: Vec<Material>| {
            materials.retain(|material| material.men() > ON_THE_SPOT);
            names(&materials)
        };
        let variant = |(variant, tables): (&'static Variant, ListedTables)| VariantJson {
            name: variant.name,
            other_names: variant.other_names,
            counting: variant.counting_rules.iter().map(|rule| rule.name).collect(),
            counts: variant.counting().counts(),
            goal: variant.rules.end.goal(),
            pieces: PieceKind::ALL
                .map(|kind| (kind.letter().to_string(), PieceJson::of(variant, kind)))
                .into(),
            start: variant.start,
            refuses_pawns: variant.refuses_pawns.is_some(),
            on_the_spot: ON_THE_SPOT,
            largest: tables.largest,
            materials: names(&tables.materials),
            uncounted: without_count(tables.uncounted),
        };
        VariantsJson { variants: variants.into_iter().map(variant).collect(), board_games }
    }
}
