//! The lists of the trainer, made on demand.

use crate::error::ServeError;
use crate::lookups::LookupQueue;
use crate::tables::ServedTables;
use crate::trainer::lists::{
    ExerciseListError, ExerciseLists, ListedExercise, MaterialExercises, published_positions,
};
use sakmak_probe::tablebase::Tablebase;
use sakmak_requests::draw::ExerciseRequest;
use sakmak_requests::error::AnswerError;
use sakmak_tables::counting::CountingRule;
use sakmak_tables::material::Material;
use sakmak_tables::variants;
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::Mutex;

/// The contributions of the materials to the lists, by the name of the counting rule, made on
/// demand.
#[derive(Debug, Default)]
pub struct ExerciseListCache {
    of_materials: Mutex<HashMap<(Material, &'static str), MaterialExercises>>,
}

impl ExerciseListCache {
    /// The lists under a counting rule, for one request at a time. The contribution of a material
    /// is kept, so a request that takes too long leaves less to the next one.
    ///
    /// # Errors
    ///
    /// If a table cannot be made, or contradicts another.
    pub async fn lists(
        &self,
        tables: &Arc<ServedTables>,
        counting_rule: &'static CountingRule,
    ) -> Result<ExerciseLists, ServeError> {
        let mut known = self.of_materials.lock().await;
        let mut materials = Vec::new();
        for material in MaterialExercises::materials(variants::counted_by(counting_rule)) {
            let key = (material, counting_rule.name);
            let found = match known.get(&key) {
                Some(found) => *found,
                None => {
                    let position = ExerciseRequest::any(counting_rule, material).any_position()?;
                    let lookup = move |tables: &Tablebase| match MaterialExercises::of(
                        tables,
                        material,
                        counting_rule,
                    ) {
                        Err(ExerciseListError::Probe(error)) => Err(error),
                        found => Ok(found),
                    };
                    let found = tables.look_up(LookupQueue::Search, &position, lookup).await??;
                    known.insert(key, found);
                    found
                }
            };
            materials.push(found);
        }
        let mut positions = Vec::new();
        for (position, source) in published_positions(counting_rule).map_err(AnswerError::from)? {
            let lookup =
                move |tables: &Tablebase| ListedExercise::published(tables, &position, source);
            match tables.look_up(LookupQueue::Search, &position, lookup).await {
                Err(ServeError::Answer(AnswerError::NoTable { .. })) => {}
                found => positions.extend(found?),
            }
        }
        Ok(ExerciseLists::new(&materials, &positions))
    }
}
