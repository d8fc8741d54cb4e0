//! The verdict of a position, as a search asks for it at every node.

use crate::error::ProbeError;
use crate::tablebase::Tablebase;
use crate::verdict_file::VerdictFile;
use sakmak_tables::counting::Category;
use sakmak_tables::format::verdict::VerdictName;
use sakmak_tables::man::{Kind, Man};
use sakmak_tables::material::{MAX_MEN, Material};
use sakmak_tables::moves::Move;
use sakmak_tables::position::Position;
use sakmak_tables::tally::{Numbered, materials, numbered};
use std::path::PathBuf;
use std::sync::OnceLock;

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

    /// The verdict of a position if it is legal, which is asked when memory is at work.
    #[inline(always)]
    fn verdict_if(
        &self,
        position: &Position,
        legality: impl Fn() -> Result<(), ProbeError>,
    ) -> Result<Category, ProbeError> {
        let Some(numbered) = numbered(position) else {
            legality()?;
            let men = position.occupied().len();
            return match men > MAX_MEN {
                true => Err(ProbeError::TooManyMen { men }),
                false => self.category(&position.with_clock(None)),
            };
        };
        if numbered.number == 0 {
            legality()?;
            return Ok(Category::Draw);
        }
        match self.verdicts().place(position, numbered).and_then(OnceLock::get) {
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
        file: &VerdictFile,
        position: &Position,
        flipped: bool,
        legality: impl Fn() -> Result<(), ProbeError>,
    ) -> Result<Category, ProbeError> {
        let sought = file.seek(position, flipped)?;
        legality()?;
        let contradiction = || ProbeError::Contradiction {
            material: position.material().material,
            fen: position.fen(),
        };
        let sought = sought.ok_or_else(contradiction)?;
        let mut best = Category::Loss;
        for man in sought.taken() {
            best = best.max(self.best_capture(position, man)?);
            if best == Category::Win {
                return Ok(best);
            }
        }
        Ok(file.verdict(&sought)?.max(best))
    }

    /// The verdict of a position after a legal move.
    fn verdict_after(&self, position: &Position) -> Result<Category, ProbeError> {
        self.verdict_if(position, || Ok(()))
    }

    /// The best the mover gets by taking such a man, not by a pawn; a loss where it cannot.
    #[inline]
    fn best_capture(&self, position: &Position, man: Man) -> Result<Category, ProbeError> {
        let (mover, occupied) = (position.side(), position.occupied());
        let mut best = Category::Loss;
        for target in position.men_of(man) {
            for kind in Kind::ALL.into_iter().filter(|&kind| kind != Kind::Pawn) {
                let taker = Man::new(mover, kind);
                let takers = position.men_of(taker);
                if takers.is_empty() {
                    continue;
                }
                let strikers = &position.variant().strikers;
                for from in takers & strikers.strikers(taker, target, occupied) {
                    let after = position.play_uncounted(Move::new(from, target));
                    if !after.in_check(mover) {
                        best = best.max(self.verdict_after(&after)?.reversed());
                    }
                }
            }
        }
        Ok(best)
    }

    /// The verdict of a position whose file has not been looked for.
    #[cold]
    fn first_verdict(
        &self,
        position: &Position,
        numbered: Numbered,
    ) -> Result<Category, ProbeError> {
        let (verdicts, variant) = (self.verdicts(), position.variant());
        let material = materials().get(numbered.number).copied().unwrap_or(Material::BARE_KINGS);
        let name = VerdictName { material, profile: position.profile() };
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
