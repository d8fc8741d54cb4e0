//! Lists of exercises, written beforehand from tables:
//!
//! | list     | exercises                                                                     |
//! |----------|-------------------------------------------------------------------------------|
//! | hardest  | of each material the win in time that needs most moves of the count           |
//! | tightest | of each material, among some drawn with no move to spare, the one with the     |
//! |          | fewest moves that keep the win                                                |
//! | classic  | of the endings with published results the longest win in time, and positions  |
//! |          | from publications                                                             |
//!
//! The file `exercise_lists.json` has them for each counting rule. A test compares it with tables,
//! and writes it with `SAKMAK_WRITE=1 cargo test --release -p sakmak-serve exercise_lists`.

use sakmak_probe::source::ON_THE_SPOT;
use sakmak_requests::error::AnswerError;
use sakmak_requests::exercise_lists::{ExerciseLists, ListedExercise};
use sakmak_requests::variants_json::ListedTables;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::material::OrientedMaterial;
use sakmak_tables::variants;
use std::collections::BTreeMap;

/// The lists, by the name of the counting rule.
const LISTS: &str = include_str!("exercise_lists.json");

/// The lists under a counting rule. Exercises that need a table of more men are left out if the
/// table is missing.
///
/// # Errors
///
/// None in practice: the file in the program has lists for every counting rule.
pub fn exercise_lists(
    counting_rule: &CountingRule,
    tables: &ListedTables,
) -> Result<ExerciseLists, AnswerError> {
    let mut lists: BTreeMap<&str, ExerciseLists> =
        serde_json::from_str(LISTS).map_err(|error| AnswerError::Internal(error.to_string()))?;
    let mut lists = lists.remove(counting_rule.name).unwrap_or_default();
    let is_playable = |listed: &ListedExercise| {
        let letters = variants::counted_by(counting_rule).rules.material_letters;
        let material = OrientedMaterial::read(&listed.exercise.material, letters);
        material.is_ok_and(|OrientedMaterial { material, .. }| {
            material.men() <= ON_THE_SPOT || tables.materials.contains(&material)
        })
    };
    lists.classic.retain(is_playable);
    Ok(lists)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;
    use sakmak_analysis::published::LONGEST_PUBLISHED;
    use sakmak_analysis::statistics::Statistics;
    use sakmak_make::store::{TableStore, solve_on_the_spot};
    use sakmak_probe::Moves;
    use sakmak_probe::tablebase::Tablebase;
    use sakmak_requests::draw::{ExerciseError, ExerciseRequest};
    use sakmak_requests::exercise::{Exercise, Margin};
    use sakmak_requests::exercise_json::ExerciseJson;
    use sakmak_tables::format::metric::Metric;
    use sakmak_tables::format::name::TableName;
    use sakmak_tables::material::Material;
    use sakmak_tables::position::Position;
    use sakmak_tables::rules::piece::Side;
    use sakmak_tables::values::codes::TablePair;
    use sakmak_tables::variants::MAKRUK;
    use std::cmp::Reverse;

    /// Maximum number of exercises in the lists of the hardest and the tightest exercises.
    const MOST: usize = 12;
    /// Number of exercises without a move to spare that are drawn at random per material.
    const DRAWN: usize = 8;
    /// Minimum length of the mates drawn; shorter mates are seen at once.
    const SHORTEST: Moves = Moves(8);

    /// Positions from publications.
    const POSITIONS: [(&str, &str); 2] = [
        (
            "8/8/8/8/3k4/8/8/RR2K2N b - - 0 1",
            "SchemingMind, rules of Makruk: two rooks and a knight",
        ),
        ("8/8/8/3k4/8/8/4R3/4K3 b - - 0 1", "AncientChess, rules of Makruk: one rook"),
    ];

    /// The exercise in a position, with its moves counted.
    fn listed(tables: &Tablebase, position: &Position) -> ListedExercise {
        let exercise = Exercise::of(tables, position).unwrap().unwrap();
        let (good_moves, legal_moves) = exercise.good_moves(tables).unwrap();
        let exercise = ExerciseJson::new(&exercise);
        ListedExercise { exercise, good_moves, legal_moves, source: None }
    }

    /// The longest win in time of the stronger side, to move.
    fn longest(
        tables: &Tablebase,
        material: Material,
        counting_rule: &'static CountingRule,
    ) -> Option<ListedExercise> {
        let rules = &variants::counted_by(counting_rule).rules;
        let store = TableStore::in_memory(rules);
        let table = |metric| store.table(TableName::deciding(material, metric)).unwrap();
        let mate = table(Metric::distance(rules));
        let counted = table(Metric::Counted(counting_rule));
        let source = TablePair { mate: &*mate, counted: Some(&*counted) };
        let statistics = Statistics::of(source, counting_rule, &|_| ()).unwrap();
        let longest = statistics.white_to_move.at_fresh_count?.longest_win?;
        let position = Position::from_fen_counted(counting_rule, &longest.fen).unwrap();
        Some(listed(tables, &position))
    }

    /// The win with the fewest good moves, among some wins without a move to spare.
    fn tightest(
        tables: &Tablebase,
        material: Material,
        counting_rule: &'static CountingRule,
    ) -> Option<ListedExercise> {
        let request = ExerciseRequest {
            side: Some(Side::White),
            moves: Some(SHORTEST..=Moves(u32::MAX)),
            margin: Some(Margin(0)..=Margin(0)),
            ..ExerciseRequest::any(counting_rule, material)
        };
        let mut random = Rng::with_seed(0);
        let mut drawn = Vec::new();
        for _ in 0..DRAWN {
            match request.draw(tables, &mut random) {
                Ok(exercise) => drawn.push(listed(tables, &exercise.position)),
                Err(ExerciseError::NotFound { .. } | ExerciseError::NoCount { .. }) => break,
                Err(error) => panic!("{error}"),
            }
        }
        drawn.into_iter().min_by_key(|listed| (listed.good_moves, Reverse(listed.legal_moves)))
    }

    /// The lists with the exercises of some materials.
    fn lists(
        tables: &Tablebase,
        materials: &[Material],
        counting_rule: &'static CountingRule,
    ) -> ExerciseLists {
        let of = |exercise: fn(&Tablebase, Material, &'static CountingRule) -> _| {
            materials.iter().filter_map(move |&material| exercise(tables, material, counting_rule))
        };
        let mut hardest: Vec<ListedExercise> = of(longest).collect();
        let mut tightest: Vec<ListedExercise> = of(tightest).collect();
        let mut classic = Vec::new();
        for listed in &hardest {
            let published = LONGEST_PUBLISHED.iter();
            let mut published = published.filter(|(name, _)| *name == listed.exercise.material);
            let source = published.next().map(|(_, source)| source.to_string());
            classic.extend(source.map(|source| with_source(listed.clone(), source)));
        }
        hardest.sort_by_key(|listed| Reverse(listed.exercise.dtm));
        hardest.truncate(MOST);
        tightest.sort_by_key(|listed| (listed.good_moves, Reverse(listed.legal_moves)));
        tightest.truncate(MOST);
        ExerciseLists { hardest, tightest, classic }
    }

    fn with_source(listed: ListedExercise, source: impl Into<String>) -> ListedExercise {
        ListedExercise { source: Some(source.into()), ..listed }
    }

    /// The exercises in positions from publications with at most this many men.
    fn published(
        tables: &Tablebase,
        men: usize,
        counting_rule: &'static CountingRule,
    ) -> Vec<ListedExercise> {
        let read = |(fen, source)| {
            let position = Position::from_fen_counted(counting_rule, fen).unwrap();
            let has_few = position.occupied().len() <= men;
            let exercise = || Exercise::of(tables, &position).unwrap();
            (has_few && exercise().is_some())
                .then(|| with_source(listed(tables, &position), source))
        };
        POSITIONS.into_iter().filter_map(read).collect()
    }

    /// The lists of all materials under each counting rule.
    fn all_lists() -> BTreeMap<&'static str, ExerciseLists> {
        let mut all = BTreeMap::new();
        for counting_rule in variants::all_counting_rules() {
            let (tables, variant) =
                (solve_on_the_spot(Tablebase::new(), 5), variants::counted_by(counting_rule));
            let materials = (3..=ON_THE_SPOT).flat_map(Material::all_of);
            let materials: Vec<_> =
                materials.filter(|&material| !variant.refuses(material)).collect();
            let mut lists = lists(&tables, &materials, counting_rule);
            lists.classic.extend(published(&tables, 5, counting_rule));
            all.insert(counting_rule.name, lists);
        }
        all
    }

    #[test]
    fn the_file_has_the_exercises_of_the_tables() {
        if std::env::var_os("SAKMAK_WRITE").is_some() {
            let lists = serde_json::to_string(&all_lists()).unwrap();
            // A line for each exercise.
            let lists = lists.replace("{\"fen\"", "\n{\"fen\"") + "\n";
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/exercise_lists.json");
            std::fs::write(path, lists).unwrap();
            return;
        }
        let read: BTreeMap<&str, ExerciseLists> = serde_json::from_str(LISTS).unwrap();
        for counting_rule in variants::all_counting_rules() {
            assert!(!read[counting_rule.name].hardest.is_empty(), "{}", counting_rule.name);
        }
        let (tables, counting_rule) = (solve_on_the_spot(Tablebase::new(), 4), MAKRUK.counting());
        let shown = &read[counting_rule.name];
        for listed in shown.hardest.iter().chain(&shown.tightest).chain(&shown.classic) {
            let fen = &listed.exercise.fen;
            let position = Position::from_fen_counted(counting_rule, fen).unwrap();
            if position.occupied().len() <= ON_THE_SPOT {
                let found = self::listed(&tables, &position);
                assert_eq!(ListedExercise { source: listed.source.clone(), ..found }, *listed);
            }
        }
        // A knight alone does not win; khon and met have 41 moves from a count that starts with
        // White to move.
        let named = ["KRvK", "KNvK", "KSMvK", "KNMvK", "KMMvK"].map(|name| name.parse().unwrap());
        let expected = lists(&tables, &named, counting_rule);
        assert_eq!(expected.hardest.len(), 4);
        let is_named =
            |listed: &&ListedExercise| named.contains(&listed.exercise.material.parse().unwrap());
        for (found, expected) in
            [(&shown.hardest, &expected.hardest), (&shown.tightest, &expected.tightest)]
        {
            let found: Vec<_> = found.iter().filter(is_named).collect();
            assert!(found.iter().all(|found| expected.contains(found)), "{found:?}");
            assert!(!found.is_empty());
        }
        let khon = shown.classic.iter().find(|listed| listed.exercise.material == "KSMvK").unwrap();
        assert_eq!((khon.exercise.dtm, khon.exercise.margin), (Some(81), Some(0)));
        let classic: Vec<_> =
            expected.classic.into_iter().chain(published(&tables, 4, counting_rule)).collect();
        assert!(classic.iter().all(|listed| shown.classic.contains(listed)), "{classic:?}");
    }

    #[test]
    fn exercises_of_more_men_need_their_table() {
        let counting_rule = MAKRUK.counting();
        let mut tables = ListedTables { largest: 4, materials: Vec::new(), uncounted: Vec::new() };
        let without = exercise_lists(counting_rule, &tables).unwrap().classic;
        tables.materials.push("KRRNvK".parse().unwrap());
        let with = exercise_lists(counting_rule, &tables).unwrap().classic;
        assert_eq!(with.len(), without.len() + 1);
    }
}
