//! The category of a position at a fresh count, which a search probes at every node.

use crate::error::ProbeError;
use crate::file::open_file::FileError;
use crate::file::watch::clock;
use crate::file::wdl::{WdlAddress, WdlFile};
use crate::tablebase::{Tablebase, first_refused};
use sakmak_tables::counting::{Category, Clock, CountingRule, Party};
use sakmak_tables::format::wdl::WdlName;
use sakmak_tables::material::id::{MaterialId, OrientedId, material_id};
use sakmak_tables::position::Position;
use sakmak_tables::position::moves::Move;
use sakmak_tables::rules::piece::{Piece, PieceKind};
use sakmak_tables::variant::Variant;
use std::sync::OnceLock;

/// Positions looked up together, so that their memory accesses overlap.
const BATCH: usize = 32;

/// A position of a batch that an open file can answer.
struct WdlLookup<'a> {
    file: &'a WdlFile,
    address: WdlAddress<'a>,
}

/// Categories at a fresh count.
impl Tablebase {
    /// The category of a position for the side to move at a fresh count:
    /// [`Tablebase::category`] of the position without the count that runs in it.
    ///
    /// With a WDL file it needs less than a microsecond, without one two probes of tables. Made for
    /// every node of a search.
    ///
    /// ```
    /// use sakmak_probe::{Category, MAKRUK, Position, Tablebase};
    ///
    /// # let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tables");
    /// let tables = Tablebase::open(directory)?;
    /// // 30 of 32 plies are counted, so mate in 4 plies comes too late.
    /// let position = Position::from_fen(&MAKRUK, "k7/8/K7/8/8/8/8/R7 b - 32 30 1")?;
    /// assert_eq!(tables.category(&position)?, Category::BlessedLoss);
    /// // At a fresh count it is in time.
    /// assert_eq!(tables.wdl(&position)?, Category::Loss);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`Tablebase::category`].
    #[inline]
    pub fn wdl(&self, position: &Position) -> Result<Category, ProbeError> {
        if !position.leaps().is_empty() {
            return Err(ProbeError::LeapRights);
        }
        if position.en_passant().is_some() {
            return self.wdl_in_passing(position);
        }
        self.wdl_if(position, || Ok(position.legality()?))
    }

    /// Another name of [`Tablebase::category`], for a search beside [`Tablebase::wdl`].
    ///
    /// ```
    /// use sakmak_probe::{Category, MAKRUK, Position, Tablebase};
    ///
    /// # let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tables");
    /// let tables = Tablebase::open(directory)?;
    /// let position = Position::from_fen(&MAKRUK, "k7/8/K7/8/8/8/8/R7 b - 32 30 1")?;
    /// assert_eq!(tables.wdl_counted(&position)?, Category::BlessedLoss);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`Tablebase::category`].
    pub fn wdl_counted(&self, position: &Position) -> Result<Category, ProbeError> {
        self.category(position)
    }

    /// The category under the running count, if the WDL file of the position decides it. `None` if
    /// the distances decide, or without a file.
    ///
    /// # Errors
    ///
    /// If the position has no answer, or its file is damaged.
    pub(crate) fn category_in_wdl(
        &self,
        position: &Position,
    ) -> Result<Option<Category>, ProbeError> {
        if !position.leaps().is_empty() {
            return Err(ProbeError::LeapRights);
        }
        if position.en_passant().is_some() {
            return Ok(None);
        }
        let fresh = self.fresh_category(position, || Ok(position.legality()?))?;
        Ok(fresh.filter(|&fresh| decides(position, fresh)))
    }

    /// [`Tablebase::wdl`] of many positions, for instance of all successors of a node. Calls
    /// `each` with every result, in the order of the positions. Needs half the time of single
    /// calls, because memory accesses of up to 32 positions overlap.
    ///
    /// ```
    /// use sakmak_probe::{Category, MAKRUK, Position, Tablebase};
    ///
    /// # let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tables");
    /// let tables = Tablebase::open(directory)?;
    /// let position = Position::from_fen(&MAKRUK, "8/8/8/3k4/8/8/4R3/4K3 w")?;
    /// let successors: Vec<Position> =
    ///     position.legal_moves().iter().map(|&mv| position.play(mv)).collect();
    /// let mut winning = 0;
    /// tables.wdl_batch(&successors, |category| {
    ///     winning += usize::from(category.is_ok_and(|category| category == Category::Loss));
    /// });
    /// // Of 17 moves two win within the count.
    /// assert_eq!((successors.len(), winning), (17, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn wdl_batch(
        &self,
        positions: &[Position],
        mut each: impl FnMut(Result<Category, ProbeError>),
    ) {
        self.each_fresh(positions, |position, fresh| {
            each(fresh.unwrap_or_else(|| self.wdl(position)));
        });
    }

    /// [`Tablebase::category`] of many positions. Calls `each` with every result, in the order of
    /// the positions. WDL files are read as in [`Tablebase::wdl_batch`]; only the positions that
    /// they do not decide are looked up in the tables of both distances, one by one.
    ///
    /// ```
    /// use sakmak_probe::{Category, MAKRUK, Position, Tablebase};
    ///
    /// # let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tables");
    /// let tables = Tablebase::open(directory)?;
    /// // 4 of 32 plies are counted: mate in 28 plies is in time. After 6 plies it is not.
    /// let fens = ["8/8/8/3k4/8/8/4R3/4K3 b - 32 4 1", "8/8/8/3k4/8/8/4R3/4K3 b - 32 6 1"];
    /// let positions = fens.map(|fen| Position::from_fen(&MAKRUK, fen));
    /// let positions = positions.into_iter().collect::<Result<Vec<_>, _>>()?;
    /// let mut categories = Vec::new();
    /// tables.category_batch(&positions, |category| categories.extend(category.ok()));
    /// assert_eq!(categories, [Category::Loss, Category::BlessedLoss]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn category_batch(
        &self,
        positions: &[Position],
        mut each: impl FnMut(Result<Category, ProbeError>),
    ) {
        self.each_fresh(positions, |position, fresh| {
            each(match fresh {
                Some(Ok(fresh)) if decides(position, fresh) => Ok(fresh),
                Some(Ok(_)) => self.category_in_tables(position),
                _ => self.category(position),
            });
        });
    }

    /// Calls `each` with every position and its category at a fresh count; `None` for a position
    /// whose WDL file is not open or fails, which a single probe handles.
    #[inline]
    fn each_fresh(
        &self,
        positions: &[Position],
        mut each: impl FnMut(&Position, Option<Result<Category, ProbeError>>),
    ) {
        for positions in positions.chunks(BATCH) {
            // Each loop does one memory access per position, and little else.
            let mut lookups = [const { None }; BATCH];
            for (lookup, position) in lookups.iter_mut().zip(positions) {
                *lookup = self.lookup(position);
            }
            let mut rows = [None; BATCH];
            for (row, lookup) in rows.iter_mut().zip(&lookups) {
                *row =
                    lookup.as_ref().and_then(|WdlLookup { file, address }| file.row(address).ok());
            }
            let mut groups = [None; BATCH];
            for ((group, lookup), row) in groups.iter_mut().zip(&lookups).zip(rows) {
                if let (Some(WdlLookup { file, address }), Some(row)) = (lookup, row) {
                    *group = file.tile_group(address, row).ok();
                }
            }
            let mut found = [None; BATCH];
            for ((found, lookup), group) in found.iter_mut().zip(&lookups).zip(groups) {
                if let (Some(WdlLookup { file, address }), Some(group)) = (lookup, group) {
                    *found = file.find(address, group).ok();
                }
            }
            let mut stored = [None; BATCH];
            for ((stored, lookup), found) in stored.iter_mut().zip(&lookups).zip(found) {
                if let (Some(WdlLookup { file, address }), Some(found)) = (lookup, found) {
                    *stored = file.category(address, found).ok();
                }
            }
            if let Some(now) = clock(positions.len()) {
                lookups.iter().flatten().for_each(|lookup| lookup.file.examine_if_due(now));
            }
            for ((position, lookup), stored) in positions.iter().zip(&lookups).zip(stored) {
                let fresh = match (lookup, stored) {
                    (Some(WdlLookup { file, address }), Some(stored)) if !file.was_changed() => {
                        let legality = position.legality().map_err(ProbeError::from);
                        Some(legality.and_then(|()| self.best_of(position, address, stored)))
                    }
                    _ => None,
                };
                each(position, fresh);
            }
        }
    }

    /// The lookup of a position. `None` if its file is not open or does not have the position.
    #[inline]
    fn lookup<'a>(&'a self, position: &Position) -> Option<WdlLookup<'a>> {
        let has_right = !position.leaps().is_empty() || position.en_passant().is_some();
        let oriented = material_id(position.material_key()).filter(|_| !has_right)?;
        let file = self.wdl_entry(position, oriented)?.get()?.as_ref()?;
        Some(WdlLookup { file, address: file.locate(position, oriented.flipped)? })
    }

    /// The category of a position if it is legal. `legality` is called while memory is being
    /// read.
    #[inline(always)]
    fn wdl_if(
        &self,
        position: &Position,
        legality: impl Fn() -> Result<(), ProbeError>,
    ) -> Result<Category, ProbeError> {
        match self.fresh_category(position, legality)? {
            Some(category) => Ok(category),
            None => self.category_in_tables(&position.with_clock(None)),
        }
    }

    /// The category at a fresh count of a position, if it has a WDL file and is legal; `None`
    /// without a file. `legality` is called while memory is being read.
    #[inline(always)]
    fn fresh_category(
        &self,
        position: &Position,
        legality: impl Fn() -> Result<(), ProbeError>,
    ) -> Result<Option<Category>, ProbeError> {
        let Some(oriented) = material_id(position.material_key()) else {
            legality()?;
            return Err(ProbeError::TooManyMen { men: position.occupied().len() });
        };
        if oriented.number == MaterialId::BARE_KINGS {
            legality()?;
            return Ok(Some(Category::Draw));
        }
        match self.wdl_entry(position, oriented).and_then(OnceLock::get) {
            Some(Some(file)) => self.wdl_from(file, position, oriented.flipped, legality).map(Some),
            Some(None) => Ok(None),
            None => {
                legality()?;
                self.first_wdl(position, oriented)
            }
        }
    }

    #[inline(always)]
    fn wdl_from(
        &self,
        file: &WdlFile,
        position: &Position,
        flipped: bool,
        legality: impl Fn() -> Result<(), ProbeError>,
    ) -> Result<Category, ProbeError> {
        let address = file.locate(position, flipped);
        // The read starts here and overlaps with the test of legality.
        let row = address.as_ref().map(|address| file.row(address));
        legality()?;
        file.ensure_unchanged()?;
        let (address, row) =
            address.as_ref().zip(row).ok_or_else(|| ProbeError::contradiction(position))?;
        let group = file.tile_group(address, row?)?;
        let stored = file.category(address, file.find(address, group)?)?;
        self.best_of(position, address, stored)
    }

    /// The better of the stored category and the captures that it leaves out.
    #[inline(always)]
    fn best_of(
        &self,
        position: &Position,
        address: &WdlAddress<'_>,
        stored: Category,
    ) -> Result<Category, ProbeError> {
        let mut best = Ok(stored);
        for piece in address.captured() {
            each_capture(position, piece, |after| {
                // Nothing is better than a win.
                if let Ok(category) = best
                    && category != Category::Win
                {
                    best = self.wdl_after(&after).map(|after| category.max(after.reversed()));
                }
            });
        }
        best
    }

    /// [`Tablebase::wdl`] of a position in which a pawn may be captured in passing.
    #[cold]
    fn wdl_in_passing(&self, position: &Position) -> Result<Category, ProbeError> {
        let (unpassed, captures) = position.in_passing();
        let mut best = unpassed.map(|unpassed| self.wdl(&unpassed)).transpose()?;
        for after in captures {
            best = best.max(Some(self.wdl(&after)?.reversed()));
        }
        best.ok_or_else(|| ProbeError::contradiction(position))
    }

    /// The category of a position after a legal move: its legality is not tested.
    fn wdl_after(&self, position: &Position) -> Result<Category, ProbeError> {
        self.wdl_if(position, || Ok(()))
    }

    #[inline]
    fn wdl_entry(
        &self,
        position: &Position,
        oriented: OrientedId,
    ) -> Option<&OnceLock<Option<Box<WdlFile>>>> {
        self.wdl_files.entry(position.variant(), position.counting_rule(), oriented.number)
    }

    /// The category of a position whose file has not been searched for yet.
    #[cold]
    fn first_wdl(
        &self,
        position: &Position,
        oriented: OrientedId,
    ) -> Result<Option<Category>, ProbeError> {
        let (variant, counting_rule) = (position.variant(), position.counting_rule());
        // The rule by which nobody counts has no files.
        if counting_rule.is_uncounted() {
            return Ok(None);
        }
        match self.open_wdl(variant, counting_rule, oriented.number)? {
            Err(refused) => self.wdl_in_place_of(refused, position, oriented).map(Some),
            Ok(Some(file)) => self.wdl_from(file, position, oriented.flipped, || Ok(())).map(Some),
            Ok(None) => Ok(None),
        }
    }

    /// The WDL file of a material, searched for and opened on first use; `None` if no directory has
    /// it. The inner error has the errors of refused files without a replacement.
    ///
    /// # Errors
    ///
    /// In a child of a fork.
    pub(crate) fn open_wdl(
        &self,
        variant: &'static Variant,
        counting_rule: &'static CountingRule,
        material: MaterialId,
    ) -> Result<Result<Option<&WdlFile>, Vec<FileError>>, ProbeError> {
        self.in_own_process()?;
        let files = &self.wdl_files;
        let entry = files.entry(variant, counting_rule, material);
        if let Some(file) = entry.and_then(OnceLock::get) {
            return Ok(Ok(file.as_deref()));
        }
        let name = WdlName { material: material.material(), counting_rule };
        let open = |file| files.open_file(file, self.access, name, variant);
        let mut refused = Vec::new();
        let opened = self.first_sound(variant.rules.folder, &name.to_string(), open, &mut refused);
        if opened.is_none() && !refused.is_empty() {
            return Ok(Err(refused));
        }
        self.refused_files.note(refused);
        // If two threads open the same file, the first one stays.
        Ok(Ok(entry.and_then(|entry| entry.get_or_init(|| opened).as_deref())))
    }

    /// The category from the tables, which replace refused WDL files.
    fn wdl_in_place_of(
        &self,
        refused: Vec<FileError>,
        position: &Position,
        oriented: OrientedId,
    ) -> Result<Category, ProbeError> {
        let category = self.category_in_tables(&position.with_clock(None));
        match category {
            Ok(_) => {
                self.refused_files.note(refused);
                if let Some(entry) = self.wdl_entry(position, oriented) {
                    entry.get_or_init(|| None);
                }
            }
            // No table either: the WDL files are tried again next time.
            Err(ProbeError::Missing { .. }) => first_refused(refused)?,
            Err(_) => {}
        }
        category
    }
}

/// Whether the category under the running count equals the category at a fresh count.
fn decides(position: &Position, fresh: Category) -> bool {
    let Some(running) = position.clock() else { return true };
    let Some(start) = position.fresh_clock() else { return false };
    // The longest distances in time of an attacker, with either side to move.
    let left =
        |clock: Clock| [Party::Attacker, Party::Runner].map(|one| clock.longest_in_time(one));
    let (running, start) = (left(running), left(start));
    // A mate that comes too late with these moves left also comes too late with fewer.
    let is_late = !matches!(fresh, Category::Win | Category::Loss);
    let no_longer = || std::iter::zip(running, start).all(|(running, start)| running <= start);
    running == start || is_late && no_longer()
}

/// Calls `each` with the positions after captures of this piece by any piece but a pawn.
#[inline]
fn each_capture(position: &Position, piece: Piece, mut each: impl FnMut(Position)) {
    let (mover, occupied) = (position.side(), position.occupied());
    let attackers = &position.variant().attackers;
    for target in position.pieces_of(piece) {
        for kind in PieceKind::ALL.into_iter().filter(|&kind| kind != PieceKind::Pawn) {
            let taker = Piece::new(mover, kind);
            for from in
                attackers.attackers_among(taker, position.pieces_of(taker), target, occupied)
            {
                let after = position.play_uncounted(Move::new(from, target));
                if !after.in_check(mover) {
                    each(after);
                }
            }
        }
    }
}
