//! Lists of exercises with the tables of three and four men.
//!
//! | list     | exercises                                                                     |
//! |----------|-------------------------------------------------------------------------------|
//! | hardest  | of each material the win in time that needs most moves of the count           |
//! | tightest | of each material, among some drawn with no move to spare, the one with the     |
//! |          | fewest moves that keep the win                                                |
//! | classic  | of the endings with published results the longest win in time, and positions  |
//! |          | from publications                                                             |
//!
//! All values come from the tables.

use fastrand::Rng;
use sakmak_analysis::published::LONGEST_PUBLISHED;
use sakmak_analysis::statistics::{Statistics, StatisticsError};
use sakmak_make::store::{ON_THE_SPOT, TableStore, TableStoreError};
use sakmak_probe::ProbeError;
use sakmak_probe::tablebase::Tablebase;
use sakmak_requests::draw::{ExerciseError, ExerciseRequest};
use sakmak_requests::exercise::{Exercise, Margin};
use sakmak_tables::counting::CountingRule;
use sakmak_tables::distance::Moves;
use sakmak_tables::format::metric::Metric;
use sakmak_tables::format::name::TableName;
use sakmak_tables::material::Material;
use sakmak_tables::position::Position;
use sakmak_tables::position::fen::FenError;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::values::codes::TablePair;
use sakmak_tables::variant::Variant;
use sakmak_tables::variants;
use std::cmp::Reverse;

/// The most exercises of the hardest and of the tightest.
const MOST: usize = 12;
/// Exercises without a move to spare that are drawn of each material.
const DRAWN: usize = 8;
/// The shortest mates among them: shorter ones are seen at once.
const SHORTEST: Moves = Moves(8);

/// Positions from publications.
const POSITIONS: [(&str, &str); 2] = [
    ("8/8/8/8/3k4/8/8/RR2K2N b - - 0 1", "SchemingMind, rules of Makruk: two rooks and a knight"),
    ("8/8/8/3k4/8/8/4R3/4K3 b - - 0 1", "AncientChess, rules of Makruk: one rook"),
];

/// The lists under one counting rule.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ExerciseLists {
    /// The longest wins in time, the longest first.
    pub hardest: Vec<ListedExercise>,
    /// Wins without a move to spare, those with the fewest good moves first.
    pub tightest: Vec<ListedExercise>,
    /// Exercises with a source.
    pub classic: Vec<ListedExercise>,
}

/// An exercise of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ListedExercise {
    /// The exercise.
    pub exercise: Exercise,
    /// The moves that keep the goal.
    pub good_moves: usize,
    /// The legal moves.
    pub legal_moves: usize,
    /// The publication that it comes from.
    pub source: Option<&'static str>,
}

/// Lists that cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum ExerciseListError {
    /// A table cannot be solved.
    #[error(transparent)]
    TableStore(#[from] TableStoreError),
    /// A table cannot be counted.
    #[error(transparent)]
    Statistics(#[from] StatisticsError),
    /// A position cannot be probed.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// An exercise cannot be drawn.
    #[error(transparent)]
    Draw(#[from] ExerciseError),
    /// A position cannot be read.
    #[error(transparent)]
    Fen(#[from] FenError),
}

/// The contribution of one material to the lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MaterialExercises {
    hardest: Option<ListedExercise>,
    tightest: Option<ListedExercise>,
}

impl MaterialExercises {
    /// The materials that contribute to the lists of a variant.
    pub fn materials(variant: &Variant) -> impl Iterator<Item = Material> {
        (3..=ON_THE_SPOT).flat_map(Material::all_of).filter(|&material| !variant.refuses(material))
    }

    /// The contribution of a material under a counting rule. Its tables are solved to be counted,
    /// which takes a fraction of a second.
    ///
    /// # Errors
    ///
    /// If a table is missing among `tables`, or broken.
    pub fn of(
        tables: &Tablebase,
        material: Material,
        counting_rule: &'static CountingRule,
    ) -> Result<MaterialExercises, ExerciseListError> {
        Ok(MaterialExercises {
            hardest: longest(tables, material, counting_rule)?,
            tightest: tightest(tables, material, counting_rule)?,
        })
    }
}

impl ExerciseLists {
    /// The lists of these contributions and of positions from publications.
    pub fn new(materials: &[MaterialExercises], positions: &[ListedExercise]) -> ExerciseLists {
        let mut hardest: Vec<_> = materials.iter().filter_map(|of| of.hardest).collect();
        let mut tightest: Vec<_> = materials.iter().filter_map(|of| of.tightest).collect();
        let published = hardest.iter().filter_map(|listed| {
            let name = listed.exercise.position.material().material.to_string();
            let (_, source) = LONGEST_PUBLISHED.iter().find(|(published, _)| *published == name)?;
            Some(ListedExercise { source: Some(source), ..*listed })
        });
        let classic = published.chain(positions.iter().copied()).collect();
        hardest.sort_by_key(|listed| Reverse(listed.exercise.dtm.moves()));
        hardest.truncate(MOST);
        tightest.sort_by_key(|listed| (listed.good_moves, Reverse(listed.legal_moves)));
        tightest.truncate(MOST);
        ExerciseLists { hardest, tightest, classic }
    }
}

/// Positions from publications and their sources, under a counting rule.
///
/// # Errors
///
/// If a FEN cannot be read.
pub fn published_positions(
    counting_rule: &'static CountingRule,
) -> Result<Vec<(Position, &'static str)>, FenError> {
    let read = |(fen, source)| Ok((Position::from_fen_counted(counting_rule, fen)?, source));
    POSITIONS.into_iter().map(read).collect()
}

impl ListedExercise {
    /// The exercise in a position from a publication. `None` if the side to move has no goal in it.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::values`].
    pub fn published(
        tables: &Tablebase,
        position: &Position,
        source: &'static str,
    ) -> Result<Option<ListedExercise>, ProbeError> {
        let listed = listed(tables, position)?;
        Ok(listed.map(|listed| ListedExercise { source: Some(source), ..listed }))
    }
}

/// The exercise in a position, with its moves counted.
fn listed(tables: &Tablebase, position: &Position) -> Result<Option<ListedExercise>, ProbeError> {
    let Some(exercise) = Exercise::of(tables, position)? else { return Ok(None) };
    let (good_moves, legal_moves) = exercise.good_moves(tables)?;
    Ok(Some(ListedExercise { exercise, good_moves, legal_moves, source: None }))
}

/// The longest win in time of the stronger side, to move.
fn longest(
    tables: &Tablebase,
    material: Material,
    counting_rule: &'static CountingRule,
) -> Result<Option<ListedExercise>, ExerciseListError> {
    let rules = &variants::counted_by(counting_rule).rules;
    let store = TableStore::in_memory(rules);
    let mate = store.table(TableName::deciding(material, Metric::distance(rules)))?;
    let counted = store.table(TableName::deciding(material, Metric::Counted(counting_rule)))?;
    let source = TablePair { mate: &*mate, counted: Some(&*counted) };
    let statistics = Statistics::of(source, counting_rule, &|_| ())?;
    let count = statistics.white_to_move.at_fresh_count;
    let Some(longest) = count.and_then(|count| count.longest_win) else { return Ok(None) };
    let position = Position::from_fen_counted(counting_rule, &longest.fen)?;
    Ok(listed(tables, &position)?)
}

/// Of some wins without a move to spare, that with the fewest good moves.
fn tightest(
    tables: &Tablebase,
    material: Material,
    counting_rule: &'static CountingRule,
) -> Result<Option<ListedExercise>, ExerciseListError> {
    let request = ExerciseRequest {
        side: Some(Side::White),
        moves: Some(SHORTEST..=Moves(u32::MAX)),
        margin: Some(Margin(0)..=Margin(0)),
        ..ExerciseRequest::any(counting_rule, material)
    };
    // The same exercises each time.
    let mut random = Rng::with_seed(0);
    let mut found = Vec::new();
    for _ in 0..DRAWN {
        match request.draw(tables, &mut random) {
            Ok(exercise) => found.extend(listed(tables, &exercise.position)?),
            Err(ExerciseError::NotFound { .. } | ExerciseError::NoCount { .. }) => break,
            Err(error) => return Err(error.into()),
        }
    }
    Ok(found.into_iter().min_by_key(|listed| (listed.good_moves, Reverse(listed.legal_moves))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trainer::tests::tables;
    use sakmak_requests::exercise::ExerciseGoal;
    use sakmak_tables::counting::Category;
    use sakmak_tables::variants::MAKRUK;

    #[test]
    fn lists_are_what_their_names_say() {
        let (tables, counting_rule) = (tables(), MAKRUK.counting());
        let of = |material| MaterialExercises::of(&tables, material, counting_rule).unwrap();
        let named = ["KRvK", "KNvK", "KSMvK", "KNMvK", "KMMvK"].map(|name| name.parse().unwrap());
        assert!(
            named.iter().all(|named| MaterialExercises::materials(&MAKRUK).any(|of| of == *named))
        );
        let materials = named.map(of);
        let positions = published_positions(counting_rule).unwrap();
        let few = |(position, _): &&(Position, _)| position.occupied().len() <= ON_THE_SPOT;
        let listed = |&(position, source)| {
            ListedExercise::published(&tables, &position, source).unwrap().unwrap()
        };
        let positions: Vec<_> = positions.iter().filter(few).map(listed).collect();
        let lists = ExerciseLists::new(&materials, &positions);
        let name =
            |listed: &ListedExercise| listed.exercise.position.material().material.to_string();
        for listed in lists.hardest.iter().chain(&lists.tightest).chain(&lists.classic) {
            let answer = tables.probe(&listed.exercise.position).unwrap();
            let fen = listed.exercise.position.fen();
            assert_eq!(answer.category, listed.exercise.category, "{fen}");
            assert_eq!(answer.moves.len(), listed.legal_moves, "{fen}");
            let good = answer.moves.iter().filter(|mv| match listed.exercise.goal {
                ExerciseGoal::Mate => mv.category == Category::Win,
                ExerciseGoal::Hold => mv.category != Category::Loss,
            });
            assert_eq!(good.count(), listed.good_moves, "{fen}");
        }
        // A knight alone does not win.
        assert_eq!(lists.hardest.len(), 4);
        assert!((1..=4).contains(&lists.tightest.len()));
        let moves = lists.hardest.iter().map(|listed| listed.exercise.dtm.moves().unwrap());
        assert!(moves.is_sorted_by_key(Reverse));
        assert!(lists.tightest.iter().all(|listed| listed.exercise.margin == Some(Margin(0))));
        assert!(lists.tightest.iter().any(|listed| listed.good_moves == 1));
        // Khon and met have 41 moves from a count that starts with White to move.
        let classic = lists.classic.iter().find(|listed| name(listed) == "KSMvK").unwrap();
        assert_eq!(classic.exercise.dtm.moves(), Some(Moves(41)));
        assert_eq!(classic.exercise.margin, Some(Margin(0)));
        let rook: Vec<_> = lists.classic.iter().filter(|listed| name(listed) == "KRvK").collect();
        assert_eq!(rook.len(), 2);
        assert_eq!(rook[1].exercise.goal, ExerciseGoal::Hold);
        assert_eq!(rook[1].exercise.margin, Some(Margin(-1)));
    }
}
