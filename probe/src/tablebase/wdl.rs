//! The verdict of a position, as a search asks for it at every node.

use crate::error::ProbeError;
use crate::file::wdl::{Sought, WdlFile};
use crate::tablebase::Tablebase;
use sakmak_tables::counting::Category;
use sakmak_tables::format::wdl::WdlName;
use sakmak_tables::material::id::{MaterialId, OrientedId, material_id};
use sakmak_tables::position::Position;
use sakmak_tables::position::moves::Move;
use sakmak_tables::rules::piece::{Piece, PieceKind};
use std::path::PathBuf;
use std::sync::OnceLock;

/// Positions of which memory is asked at a time.
const TOGETHER: usize = 32;

/// A position that is being looked up.
struct Asked<'a> {
    file: &'a WdlFile,
    sought: Sought<'a>,
}

impl Tablebase {
    /// The grade of a position for the side to move at a fresh count: [`Tablebase::category`]
    /// with no count running, whatever runs in the position. Asked of a verdict file that is
    /// quickest, and what a search asks at every node; without one the tables are asked.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::category`].
    #[inline]
    pub fn verdict(&self, position: &Position) -> Result<Category, ProbeError> {
        if !position.leaps().is_empty() {
            return Err(ProbeError::LeapRights);
        }
        self.verdict_if(position, || Ok(position.legality()?))
    }

    /// The grades of many positions, each as [`Tablebase::verdict`] gives it; `each` is called
    /// with one after the other, in their order. Memory is slow to answer, so it is asked for
    /// some of them at a time: quicker than one by one where a search has all moves of a
    /// position to look at.
    pub fn verdicts(
        &self,
        positions: &[Position],
        mut each: impl FnMut(Result<Category, ProbeError>),
    ) {
        for positions in positions.chunks(TOGETHER) {
            // One loop for each place memory is asked for, and little else in it.
            let mut asked = [const { None }; TOGETHER];
            for (asked, position) in asked.iter_mut().zip(positions) {
                *asked = self.asked(position);
            }
            let mut words = [None; TOGETHER];
            for (word, asked) in words.iter_mut().zip(&asked) {
                *word = asked.as_ref().and_then(|Asked { file, sought }| file.word(sought).ok());
            }
            for (asked, word) in asked.iter().zip(words) {
                if let (Some(Asked { file, sought }), Some(word)) = (asked, word) {
                    file.reach(sought, word);
                }
            }
            let mut found = [None; TOGETHER];
            for ((found, asked), word) in found.iter_mut().zip(&asked).zip(words) {
                if let (Some(Asked { file, sought }), Some(word)) = (asked, word) {
                    *found = file.find(sought, word).ok();
                }
            }
            let mut stored = [None; TOGETHER];
            for ((stored, asked), found) in stored.iter_mut().zip(&asked).zip(&found) {
                if let (Some(Asked { file, sought }), Some(found)) = (asked, found) {
                    *stored = file.verdict(sought, found).ok();
                }
            }
            for ((position, asked), stored) in positions.iter().zip(&asked).zip(stored) {
                each(match (asked, stored) {
                    (Some(Asked { sought, .. }), Some(stored)) => {
                        let legality = position.legality().map_err(ProbeError::from);
                        legality.and_then(|()| self.best_of(position, sought, stored))
                    }
                    // Whatever is out of the ordinary is asked for by itself.
                    _ => self.verdict(position),
                });
            }
        }
    }

    /// A position that can be looked up in a file that is open.
    #[inline]
    fn asked<'a>(&'a self, position: &Position) -> Option<Asked<'a>> {
        let numbered =
            material_id(position.material_key()).filter(|_| position.leaps().is_empty())?;
        let file = self.wdl_files().place(position, numbered)?.get()?.as_ref()?;
        Some(Asked { file, sought: file.seek(position, numbered.flipped)? })
    }

    /// The verdict of a position if it is legal, which is asked when memory is at work.
    #[inline(always)]
    fn verdict_if(
        &self,
        position: &Position,
        legality: impl Fn() -> Result<(), ProbeError>,
    ) -> Result<Category, ProbeError> {
        let Some(numbered) = material_id(position.material_key()) else {
            legality()?;
            return Err(ProbeError::TooManyMen { men: position.occupied().len() });
        };
        if numbered.number == MaterialId::BARE_KINGS {
            legality()?;
            return Ok(Category::Draw);
        }
        match self.wdl_files().place(position, numbered).and_then(OnceLock::get) {
            Some(Some(file)) => self.verdict_from(file, position, numbered.flipped, legality),
            Some(None) => self.category(&position.with_clock(None)),
            None => {
                legality()?;
                self.first_verdict(position, numbered)
            }
        }
    }

    #[inline(always)]
    fn verdict_from(
        &self,
        file: &WdlFile,
        position: &Position,
        flipped: bool,
        legality: impl Fn() -> Result<(), ProbeError>,
    ) -> Result<Category, ProbeError> {
        let sought = file.seek(position, flipped);
        // Memory answers while the position is looked at.
        let word = sought.as_ref().map(|sought| file.word(sought));
        let word = std::hint::black_box(word);
        legality()?;
        let contradiction = || ProbeError::Contradiction {
            material: position.material().material,
            fen: position.fen(),
        };
        let (sought, word) = sought.zip(word).ok_or_else(contradiction)?;
        let stored = file.verdict(&sought, &file.find(&sought, word?)?)?;
        self.best_of(position, &sought, stored)
    }

    /// The better of what is stored and the captures that are not in it.
    #[inline(always)]
    fn best_of(
        &self,
        position: &Position,
        sought: &Sought<'_>,
        stored: Category,
    ) -> Result<Category, ProbeError> {
        let mut best = Ok(stored);
        for piece in sought.taken() {
            each_capture(position, piece, |after| {
                // Nothing is better than a win.
                if let Ok(known) = best
                    && known != Category::Win
                {
                    best = self.verdict_after(&after).map(|verdict| known.max(verdict.reversed()));
                }
            });
        }
        best
    }

    /// The verdict of a position after a legal move.
    fn verdict_after(&self, position: &Position) -> Result<Category, ProbeError> {
        self.verdict_if(position, || Ok(()))
    }

    /// The verdict of a position whose file has not been looked for.
    #[cold]
    fn first_verdict(
        &self,
        position: &Position,
        numbered: OrientedId,
    ) -> Result<Category, ProbeError> {
        let (verdicts, variant) = (self.wdl_files(), position.variant());
        let material = numbered.number.material();
        let name = WdlName { material, counting_rule: position.counting_rule() };
        let open = |path: PathBuf| verdicts.open(&path, self.access(), name, variant);
        let opened = self.find(&name.to_string()).map(open).transpose()?;
        // Of two threads that bring the same file the first wins.
        let held = verdicts.place(position, numbered).map(|place| place.get_or_init(|| opened));
        match held {
            Some(Some(file)) => self.verdict_from(file, position, numbered.flipped, || Ok(())),
            _ => self.category(&position.with_clock(None)),
        }
    }
}

/// The positions after the mover takes such a piece, not with a pawn.
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
