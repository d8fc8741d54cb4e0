//! A set of slots: planes by king pair, in memory as far as they fit and in a file beyond.
//!
//! Layers go through the king pairs in groups. The pairs of a group that are in the file are
//! loaded, changed and stored. A move of one king goes from a pair to pairs with the other king on
//! the same square, or on its image under a symmetry. Such pairs form a group, so a layer loads
//! each pair once. The pairs that are always in memory are the same for all layers: keeping the
//! most recent pairs would keep the pairs needed last.

use crate::parallel::*;
use crate::planes::bits::Plane;
use crate::planes::geometry::Geometry;
use crate::solver::buffer::Buffer;
use crate::solver::scratch::{ScratchFile, ScratchFolder};
use sakmak_tables::format::metric::Metric;
use sakmak_tables::index::kings::KingPair;
use sakmak_tables::rules::piece::Side;
use std::collections::BTreeMap;
use std::io;

/// The number of sets of one attacker. Layers of plies find both sides' positions from the layer
/// before, which is a fourth.
fn sets_of(metric: Metric) -> u64 {
    if metric.is_in_plies() { 4 } else { 3 }
}

/// Indices of king pairs.
pub type PairGroup = Vec<usize>;

/// The groups in which king pairs are processed, by the king that moves.
#[derive(Clone, Debug)]
pub struct PairGroups([Vec<PairGroup>; 2]);

impl PairGroups {
    /// One group of all pairs.
    pub fn whole(geometry: &Geometry) -> PairGroups {
        let all: PairGroup = (0..geometry.index.kings().len()).collect();
        PairGroups([vec![all.clone()], vec![all]])
    }

    /// Groups that the moves of a king do not leave, as small as possible.
    pub fn least(geometry: &Geometry) -> PairGroups {
        let kings = geometry.index.kings();
        PairGroups(Side::BOTH.map(|mover| {
            let mut groups: BTreeMap<_, PairGroup> = BTreeMap::new();
            for pair in 0..kings.len() {
                let fixed = kings.kings(KingPair(pair as u16))[(!mover).index()];
                let images = kings.symmetries().iter().map(|symmetry| symmetry.square(fixed));
                groups.entry(images.min()).or_default().push(pair);
            }
            groups.into_values().collect()
        }))
    }

    /// The groups that the moves of the king of `mover` do not leave.
    pub fn of(&self, mover: Side) -> &[PairGroup] {
        &self.0[mover.index()]
    }

    /// The greatest number of pairs of a group outside of the first `resident` pairs.
    fn most_beyond(&self, resident: usize) -> usize {
        let beyond = |group: &PairGroup| group.iter().filter(|&&pair| pair >= resident).count();
        self.0.iter().flatten().map(beyond).max().unwrap_or(0)
    }
}

/// Storage of the sets of one attacker.
#[derive(Clone, Debug)]
pub struct SetStorage<'a> {
    pub groups: PairGroups,
    /// The number of pairs that are always in memory.
    resident: usize,
    /// The greatest number of other pairs that are in memory at a time.
    room: usize,
    pairs: usize,
    per_pair: usize,
    /// The number of sets.
    sets: u64,
    /// The folder for the pairs that are not in memory.
    folder: Option<&'a dyn ScratchFolder>,
}

impl<'a> SetStorage<'a> {
    /// Keeps all pairs in memory.
    pub fn in_memory(geometry: &Geometry, metric: Metric) -> SetStorage<'a> {
        let pairs = geometry.index.kings().len();
        SetStorage {
            groups: PairGroups::whole(geometry),
            resident: pairs,
            room: 0,
            pairs,
            per_pair: geometry.planes_per_pair(),
            sets: sets_of(metric),
            folder: None,
        }
    }

    /// Keeps as many pairs in memory as these bytes hold, or the required minimum; the rest in a
    /// folder.
    pub fn spilling(
        geometry: &Geometry,
        metric: Metric,
        bytes: u64,
        folder: &'a dyn ScratchFolder,
    ) -> SetStorage<'a> {
        let whole = SetStorage::in_memory(geometry, metric);
        if whole.bytes() <= bytes {
            return whole;
        }
        let groups = PairGroups::least(geometry);
        // Keeping one pair more in memory saves at most the room of one pair.
        let fits = |resident: &usize| {
            let pairs = resident + groups.most_beyond(*resident);
            whole.sets * (pairs * whole.per_pair * size_of::<Plane>()) as u64 <= bytes
        };
        let resident = (0..whole.pairs).rev().find(fits).unwrap_or(0);
        let room = groups.most_beyond(resident);
        SetStorage { groups, resident, room, folder: Some(folder), ..whole }
    }

    /// The least memory for the sets of an attacker.
    pub fn least(geometry: &Geometry, metric: Metric) -> u64 {
        let pair = geometry.planes_per_pair() * size_of::<Plane>();
        sets_of(metric) * (PairGroups::least(geometry).most_beyond(0) * pair) as u64
    }

    /// Memory for the sets.
    pub fn bytes(&self) -> u64 {
        self.sets * ((self.resident + self.room) * self.per_pair * size_of::<Plane>()) as u64
    }
}

/// A set of slots.
#[derive(Debug)]
pub struct PlaneSet {
    pairs: usize,
    per_pair: usize,
    /// The planes of the first pairs.
    resident: Buffer<Plane>,
    /// The planes of the other pairs; `None` if all pairs are resident.
    spilled: Option<SpilledPairs>,
}

/// Pairs in a file.
#[derive(Debug)]
struct SpilledPairs {
    file: Box<dyn ScratchFile>,
    /// The planes of the pairs that are loaded.
    room: Buffer<Plane>,
    loaded: PairGroup,
}

/// The content of the planes of a pair when they are loaded from a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Content {
    /// The planes as stored.
    Stored,
    /// No slots.
    Empty,
}

impl PlaneSet {
    /// A set without slots.
    ///
    /// # Errors
    ///
    /// If there is not enough memory, or the folder cannot be written to.
    pub fn new(storage: &SetStorage<'_>) -> io::Result<PlaneSet> {
        let SetStorage { resident, room, pairs, per_pair, folder, .. } = *storage;
        let spill = |folder: &dyn ScratchFolder| -> io::Result<SpilledPairs> {
            let file = folder.create()?;
            let room = Buffer::unspecified(room * per_pair)?;
            Ok(SpilledPairs { file, room, loaded: Vec::new() })
        };
        Ok(PlaneSet {
            pairs,
            per_pair,
            resident: Buffer::zeroed(resident * per_pair)?,
            spilled: folder.map(spill).transpose()?,
        })
    }

    /// The planes by king pair; empty for pairs that are not loaded.
    pub fn planes(&self) -> Vec<&[Plane]> {
        let mut planes: Vec<&[Plane]> = self.resident.chunks(self.per_pair).collect();
        planes.resize(self.pairs, &[]);
        if let Some(SpilledPairs { room, loaded, .. }) = &self.spilled {
            for (&pair, there) in loaded.iter().zip(room.chunks(self.per_pair)) {
                planes[pair] = there;
            }
        }
        planes
    }

    /// The mutable planes by king pair; empty for pairs that are not loaded.
    pub fn planes_mut(&mut self) -> Vec<&mut [Plane]> {
        let mut planes: Vec<&mut [Plane]> = self.resident.chunks_mut(self.per_pair).collect();
        planes.resize_with(self.pairs, Default::default);
        if let Some(SpilledPairs { room, loaded, .. }) = &mut self.spilled {
            for (&pair, there) in loaded.iter().zip(room.chunks_mut(self.per_pair)) {
                planes[pair] = there;
            }
        }
        planes
    }

    /// Loads pairs of one group; all other pairs are unloaded.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn load(
        &mut self,
        group: &[usize],
        content: impl Fn(usize) -> Option<Content> + Sync,
    ) -> io::Result<()> {
        let first = self.first_spilled();
        let Some(SpilledPairs { file, room, loaded }) = &mut self.spilled else { return Ok(()) };
        let wanted = |&pair: &usize| Some((pair, content(pair)?));
        let pairs: Vec<(usize, Content)> =
            group.iter().filter(|&&pair| pair >= first).filter_map(wanted).collect();
        *loaded = pairs.iter().map(|&(pair, _)| pair).collect();
        let pair_bytes = (self.per_pair * size_of::<Plane>()) as u64;
        room.par_chunks_mut(self.per_pair).zip(pairs).try_for_each(|(planes, (pair, content))| {
            match content {
                Content::Empty => planes.fill(Plane::EMPTY),
                Content::Stored => {
                    let at = (pair - first) as u64 * pair_bytes;
                    file.read_at(at, bytemuck::cast_slice_mut(planes))?;
                }
            }
            Ok(())
        })
    }

    /// Stores the loaded pairs that were changed.
    ///
    /// # Errors
    ///
    /// If there is not enough disk.
    pub fn store(&self, is_changed: impl Fn(usize) -> bool + Sync) -> io::Result<()> {
        let Some(SpilledPairs { file, room, loaded }) = &self.spilled else { return Ok(()) };
        let (first, pair_bytes) =
            (self.first_spilled(), (self.per_pair * size_of::<Plane>()) as u64);
        let loaded = loaded.par_iter().zip(room.par_chunks(self.per_pair));
        loaded.filter(|(pair, _)| is_changed(**pair)).try_for_each(|(&pair, planes)| {
            file.write_at((pair - first) as u64 * pair_bytes, bytemuck::cast_slice(planes))
        })
    }

    /// The first pair that is in a file.
    fn first_spilled(&self) -> usize {
        self.resident.len() / self.per_pair
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::neighbours::PlaneNeighbours;
    use crate::solver::scratch::memory::MemoryFolder;
    use sakmak_tables::index::Index;
    use sakmak_tables::variants::MAKRUK;

    const MATE: Metric = Metric::DistanceToMate;

    fn geometry(name: &str) -> Geometry {
        Geometry::new(Index::new(name.parse().unwrap(), &MAKRUK.rules), &MAKRUK.rules)
    }

    #[test]
    fn each_pair_is_in_one_group_and_kings_do_not_leave_it() {
        for name in ["KRvK", "KPvK"] {
            let geometry = geometry(name);
            let pairs = geometry.index.kings().len();
            for groups in [PairGroups::whole(&geometry), PairGroups::least(&geometry)] {
                for mover in Side::BOTH {
                    let neighbours = PlaneNeighbours::new(&geometry, mover);
                    let mut seen: PairGroup = groups.of(mover).concat();
                    seen.sort_unstable();
                    assert_eq!(seen, (0..pairs).collect::<PairGroup>());
                    for group in groups.of(mover) {
                        for &pair in group {
                            let mut near = neighbours.pairs_near(KingPair(pair as u16));
                            assert!(near.all(|near| group.contains(&(near.0 as usize))));
                        }
                    }
                }
            }
            let least = PairGroups::least(&geometry);
            assert!(least.most_beyond(0) <= 60, "{name}");
        }
    }

    #[test]
    fn sets_take_the_memory_that_is_given() {
        let geometry = geometry("KRNvKS");
        let (least, all) =
            (SetStorage::least(&geometry, MATE), SetStorage::in_memory(&geometry, MATE).bytes());
        let pair = sets_of(MATE) * (geometry.planes_per_pair() * size_of::<Plane>()) as u64;
        for bytes in [0, least, all / 3, all - 1, all, u64::MAX] {
            let taken = SetStorage::spilling(&geometry, MATE, bytes, &MemoryFolder).bytes();
            let given = bytes.clamp(least, all);
            assert!(taken <= given && taken + pair > given.min(all - pair), "{taken} {given}");
        }
    }

    #[test]
    fn what_is_stored_comes_back_when_it_is_loaded() {
        let geometry = geometry("KRvK");
        let all = SetStorage::in_memory(&geometry, MATE).bytes();
        for bytes in [0, all / 2, all] {
            let storage = SetStorage::spilling(&geometry, MATE, bytes, &MemoryFolder);
            let mut set = PlaneSet::new(&storage).unwrap();
            let content = |pair: usize| Plane([pair as u64; 64]);
            for group in storage.groups.of(Side::White) {
                set.load(group, |_| Some(Content::Empty)).unwrap();
                let mut planes = set.planes_mut();
                group.iter().for_each(|&pair| planes[pair].fill(content(pair)));
                // The odd pairs keep their content only if they stay in memory.
                set.store(|pair| pair.is_multiple_of(2)).unwrap();
            }
            for group in storage.groups.of(Side::Black) {
                let is_even = |pair: usize| (pair.is_multiple_of(2)).then_some(Content::Stored);
                set.load(group, is_even).unwrap();
                let planes = set.planes();
                for &pair in group.iter().filter(|&&pair| pair.is_multiple_of(2)) {
                    assert!(planes[pair].iter().all(|plane| *plane == content(pair)));
                }
            }
        }
    }
}
