//! The metrics of a service, in the format of Prometheus.

use crate::inventory::{KINDS, VariantInventory};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Registry;
use std::fmt;
use std::hash::Hash;
use std::time::Duration;

/// Upper bounds of the histogram of request times, in seconds.
const TIMES: [f64; 10] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10.0];

/// The labels of requests.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    /// The path as in `/openapi.json`, or `page`.
    path: String,
    status: u16,
}

/// The labels of times.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct PathLabels {
    path: String,
}

/// The labels of tables.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct TableLabels {
    variant: &'static str,
    kind: &'static str,
}

/// The labels of materials.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct VariantLabels {
    variant: &'static str,
}

/// The kind of the tables of board games.
const BOARD_GAME: &str = "board-game";

/// The metrics of a service.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    seconds: Family<PathLabels, Histogram>,
    tables: Family<TableLabels, Gauge>,
    materials: Family<VariantLabels, Gauge>,
    uncounted: Family<VariantLabels, Gauge>,
    /// Requests in progress.
    pub in_flight: Gauge,
    /// Open connections.
    pub connections: Gauge,
    /// Number of times that tables were generated for a request.
    pub made: Counter,
    /// Number of times that tables were reopened because files changed.
    pub reloads: Counter,
}

impl Metrics {
    /// Metrics that are all 0.
    pub fn new() -> Metrics {
        let requests = Family::default();
        let seconds: Family<PathLabels, Histogram> =
            Family::new_with_constructor(|| Histogram::new(TIMES));
        let (in_flight, connections) = (Gauge::default(), Gauge::default());
        let (made, reloads) = (Counter::default(), Counter::default());
        let tables = Family::default();
        let (materials, uncounted) = (Family::default(), Family::default());
        let mut registry = Registry::with_prefix("sakmak");
        let build = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
        registry.register("build", "The program", build);
        registry.register("tables", "Files of tables, by variant and kind", tables.clone());
        registry.register("materials", "Materials that have an answer", materials.clone());
        let help = "Materials with a table of distances and no counted table";
        registry.register("uncounted_materials", help, uncounted.clone());
        registry.register("requests", "Requests answered", requests.clone());
        registry.register("request_seconds", "Time for a request", seconds.clone());
        registry.register("in_flight", "Requests being answered", in_flight.clone());
        registry.register("connections", "Open connections", connections.clone());
        registry.register("made", "Materials whose tables were made", made.clone());
        registry.register("reloads", "Tables opened again as files changed", reloads.clone());
        Metrics {
            registry,
            requests,
            seconds,
            tables,
            materials,
            uncounted,
            in_flight,
            connections,
            made,
            reloads,
        }
    }

    /// Sets the metrics of the tables of a variant.
    pub fn count(&self, inventory: &VariantInventory) {
        let variant = inventory.variant.name;
        for ((_, kind), count) in KINDS.into_iter().zip(inventory.files) {
            set(&self.tables, TableLabels { variant, kind }, count);
        }
        set(&self.materials, VariantLabels { variant }, inventory.listed.materials.len());
        set(&self.uncounted, VariantLabels { variant }, inventory.listed.uncounted.len());
    }

    /// Sets the number of tables of a board game.
    pub fn count_board_game(&self, variant: &'static str, count: usize) {
        set(&self.tables, TableLabels { variant, kind: BOARD_GAME }, count);
    }

    /// Counts an answered request.
    pub fn answered(&self, path: &str, status: u16, time: Duration) {
        let path = path.to_string();
        self.seconds.get_or_create(&PathLabels { path: path.clone() }).observe(time.as_secs_f64());
        self.requests.get_or_create(&RequestLabels { path, status }).inc();
    }

    /// Writes all metrics as text.
    ///
    /// # Errors
    ///
    /// None in practice: the text is written to memory.
    pub fn text(&self) -> Result<String, fmt::Error> {
        let mut text = String::new();
        encode(&mut text, &self.registry)?;
        Ok(text)
    }
}

/// Sets a gauge.
fn set<L: Clone + Hash + Eq>(gauges: &Family<L, Gauge>, labels: L, count: usize) {
    gauges.get_or_create(&labels).set(i64::try_from(count).unwrap_or(i64::MAX));
}

impl Default for Metrics {
    fn default() -> Metrics {
        Metrics::new()
    }
}
