use super::*;
use crate::batch::presence::scratch_folder;
use crate::output::packed::PackOptions;
use crate::output::solved::WriteOptions;
use crate::output::solved::write;
use crate::store::TableStore;
use crate::system::scratch_file::DiskFolder;
use sakmak_solve::solver::{Solver, Spill};
use sakmak_tables::values::codes::TableCodes;
use sakmak_tables::variants::MAKRUK;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Settings for packed tables with this memory.
pub fn packed(memory: u64) -> BatchSettings {
    let output = PackedOutput { options: PackOptions::default(), variant: &MAKRUK, census: false };
    BatchSettings {
        options: WriteOptions::default(),
        packed: Some(output),
        wdl: None,
        memory: ByteSize(memory),
        disk: None,
        spill: false,
    }
}

fn plan(materials: Vec<Material>, memory: u64) -> Plan {
    let rules = &MAKRUK.rules;
    let settings = BatchSettings { packed: None, ..packed(memory) };
    let directory = Path::new("no-such-directory");
    Plan::new(materials.into_iter().map(TableName::to_mate), rules, directory, &settings).unwrap()
}

#[test]
fn what_an_earlier_run_left_is_no_further_need_of_disk() {
    let directory = tempfile::tempdir().unwrap();
    let rules = &MAKRUK.rules;
    let settings = BatchSettings { spill: true, ..packed(1 << 40) };
    let name: TableName = "KSPvK".parse().unwrap();
    let plan = || Plan::new([name], rules, directory.path(), &settings).unwrap();
    let before = plan();
    let scratch = scratch_folder(directory.path());
    std::fs::create_dir(&scratch).unwrap();
    let store = TableStore::in_memory(rules);
    for subtable in name.successors(rules) {
        write(&*store.table(subtable).unwrap(), rules, &scratch, &settings.options).unwrap();
    }
    let with_files = plan();
    assert!(with_files.disk() < before.disk());
    let folder = DiskFolder(&scratch);
    let spill = Spill { folder: &folder, sets: 0, logs: 0, saved: Some(&folder) };
    let solver = Solver { spill: Some(spill), ..Solver::default() };
    let subtable = |name| Some(store.memory.get(name)? as Arc<dyn TableCodes>);
    solver.solve_with_progress(name, rules, &subtable, &|_, _| ()).unwrap();
    let plan = plan();
    let step = plan.steps.last().unwrap();
    assert!(step.saved && !step.finished);
    assert_eq!(step.present, step.need.spilled);
    // The packed files are still to be written.
    let files: ByteSize = plan.open().map(|step| step.need.file).sum();
    assert_eq!(plan.disk(), files);
    assert!(plan.disk() < with_files.disk());
}

#[test]
fn tables_come_after_their_subtables_and_families_stay_together() {
    let plan = plan((3..=5).flat_map(Material::all_of).collect(), u64::MAX);
    let order: Vec<Material> = plan.steps.iter().map(|step| step.name.material).collect();
    assert_eq!(order.len(), 145);
    let mut seen = BTreeSet::new();
    for step in &plan.steps {
        assert!(step.subtables.iter().all(|subtable| seen.contains(subtable)), "{}", step.name);
        seen.insert(step.name);
    }
    let mut families: Vec<_> = order.iter().map(|&m| (m.men(), family(m, &MAKRUK.rules))).collect();
    families.dedup();
    assert_eq!(families.iter().collect::<BTreeSet<_>>().len(), families.len());
}

#[test]
fn a_plan_needs_the_disk_of_each_of_its_moments() {
    let names = Material::all_of(4).into_iter().map(TableName::to_mate);
    let directory = Path::new("no-such-directory");
    let plan = Plan::new(names, &MAKRUK.rules, directory, &packed(1 << 30)).unwrap();
    let steps = plan.steps.iter().enumerate();
    let expected = steps.map(|(place, step)| {
        (step.name, plan.disk_with(|other| other < place, |other| other == place))
    });
    assert!(plan.disk_needed().eq(expected));
    assert!(plan.steps.iter().any(|step| step.need.scratch > ByteSize(0)));
}

#[test]
fn five_men_fit_into_sixteen_gigabytes() {
    let plan = plan(Material::all_of(5), 16 << 30);
    plan.fits(None).unwrap();
    assert!(plan.steps.iter().all(|step| step.storage == Storage::Memory));
}

#[test]
fn what_does_not_fit_goes_to_disk_or_is_named() {
    let material: Material = "KNMMMvK".parse().unwrap();
    let greatest = |plan: &Plan| plan.steps.last().cloned().unwrap();
    let ample = plan(vec![material], u64::MAX);
    let step = greatest(&ample);
    assert_eq!((step.name.material, step.storage), (material, Storage::Memory));
    let less = plan(vec![material], step.in_memory.memory().0 - 1);
    assert_eq!(greatest(&less).storage, Storage::Disk);
    less.fits(Some(less.disk())).unwrap();
    let error = less.fits(Some(ByteSize(less.disk().0 - 1))).unwrap_err().to_string();
    assert!(error.starts_with("not enough disk for KNMMMvK"), "{error}");
    let little = plan(vec![material], step.on_disk.memory().0 - 1);
    let error = little.fits(None).unwrap_err().to_string();
    assert!(error.starts_with("KNMMMvK needs "), "{error}");
}
