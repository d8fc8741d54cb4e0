//! Material: the pieces of both sides, and how captures and promotions change them.
//!
//! "Men" are pieces with the kings counted: KRvKM has four men.

#[cfg_attr(not(feature = "internal"), doc(hidden))]
pub mod key;

#[cfg_attr(not(feature = "internal"), doc(hidden))]
pub mod id;

use crate::excerpt::Excerpt;
use crate::rules::Rules;
use crate::rules::piece::{Piece, PieceKind, PieceLetters, Side, kind_in};
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

/// The maximum number of men of a material: pieces and both kings.
pub const MAX_MEN: usize = 8;

/// The maximum number of men of a material whose tables can be generated.
#[cfg_attr(not(feature = "internal"), doc(hidden))]
pub const MAX_MADE_MEN: usize = 7;

/// The pieces of one side besides its king, counted by kind in the order of
/// [`PieceKind::NON_KINGS`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Army([u8; PieceKind::NON_KINGS.len()]);

impl Army {
    /// The army with `count` pieces of each kind, at most 255.
    pub fn new(count: impl Fn(PieceKind) -> usize) -> Army {
        Army(PieceKind::NON_KINGS.map(|kind| count(kind) as u8))
    }

    /// The number of pieces, without the king.
    pub fn len(self) -> usize {
        self.0.iter().map(|&count| count as usize).sum()
    }

    /// Whether the king is bare.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The number of pieces of this kind; 0 for the king.
    pub fn count(self, kind: PieceKind) -> usize {
        kind.index().checked_sub(1).map_or(0, |index| self.0[index] as usize)
    }

    /// The pieces, strongest first.
    pub fn kinds(self) -> impl Iterator<Item = PieceKind> + Clone {
        PieceKind::NON_KINGS
            .into_iter()
            .flat_map(move |kind| std::iter::repeat_n(kind, self.count(kind)))
    }

    fn with(mut self, kind: PieceKind) -> Army {
        if let Some(index) = kind.index().checked_sub(1) {
            self.0[index] += 1;
        }
        self
    }

    /// The army without one piece of this kind. Returns `None` if it has no such piece.
    fn without(mut self, kind: PieceKind) -> Option<Army> {
        let index = kind.index().checked_sub(1)?;
        self.0[index] = self.0[index].checked_sub(1)?;
        Some(self)
    }
}

impl FromIterator<PieceKind> for Army {
    fn from_iter<I: IntoIterator<Item = PieceKind>>(kinds: I) -> Army {
        kinds.into_iter().fold(Army::default(), Army::with)
    }
}

impl Ord for Army {
    /// The stronger army is greater: more pieces, then more of the stronger kinds.
    fn cmp(&self, other: &Army) -> Ordering {
        (self.len(), self.0).cmp(&(other.len(), other.0))
    }
}

impl PartialOrd for Army {
    fn partial_cmp(&self, other: &Army) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The pieces of both sides, White's army being the stronger or equal.
///
/// ```
/// use sakmak_tables::material::Material;
///
/// // Met and khon against knight: the khon is written before the met, the stronger side first.
/// let material: Material = "KNvKMS".parse()?;
/// assert_eq!(material.to_string(), "KSMvKN");
/// assert_eq!(material.men(), 5);
/// # Ok::<(), sakmak_tables::material::MaterialError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Material {
    armies: [Army; 2],
    letters: &'static PieceLetters,
}

/// Materials with the same pieces are equal, whatever letters they are written in.
impl PartialEq for Material {
    fn eq(&self, other: &Material) -> bool {
        self.armies == other.armies
    }
}

impl Eq for Material {}

impl Hash for Material {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.armies.hash(state);
    }
}

/// A material, and whether the colours were exchanged to make the stronger side White.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct OrientedMaterial {
    /// The material with White the stronger side.
    pub material: Material,
    /// Whether the colours were exchanged.
    pub flipped: bool,
}

impl OrientedMaterial {
    /// Returns the material with `letters` for its pieces when it is printed.
    #[must_use]
    pub const fn written_in(self, letters: &'static PieceLetters) -> OrientedMaterial {
        OrientedMaterial { material: self.material.written_in(letters), ..self }
    }

    /// The army of a side before the colours were exchanged.
    pub fn army(self, side: Side) -> Army {
        self.material.army(if self.flipped { !side } else { side })
    }
}

impl From<Material> for OrientedMaterial {
    fn from(material: Material) -> OrientedMaterial {
        OrientedMaterial { material, flipped: false }
    }
}

impl fmt::Display for OrientedMaterial {
    /// White's pieces first, as `KNvKR`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_name(f, Side::BOTH.map(|side| self.army(side)), self.material.letters)
    }
}

impl Material {
    /// Two kings and no other piece: always a draw; it has no table.
    pub const BARE_KINGS: Material =
        Material { armies: [Army([0; 5]), Army([0; 5])], letters: &PieceKind::LETTERS };

    /// The material of these armies, the stronger made White.
    pub fn orient(white: Army, black: Army) -> OrientedMaterial {
        let flipped = white < black;
        let armies = if flipped { [black, white] } else { [white, black] };
        let material = Material { armies, letters: &PieceKind::LETTERS };
        OrientedMaterial { material, flipped }
    }

    /// Returns the letters of its pieces when it is printed.
    pub const fn letters(&self) -> &'static PieceLetters {
        self.letters
    }

    /// Returns the material with `letters` for its pieces when it is printed.
    #[must_use]
    pub const fn written_in(self, letters: &'static PieceLetters) -> Material {
        Material { letters, ..self }
    }

    /// The army of one side.
    pub fn army(&self, side: Side) -> Army {
        self.armies[side.index()]
    }

    /// The number of men: pieces and both kings.
    pub fn men(&self) -> usize {
        2 + self.armies[0].len() + self.armies[1].len()
    }

    /// The pieces besides the kings, White's first, each side's strongest first.
    pub fn pieces(&self) -> impl Iterator<Item = Piece> + Clone {
        let material = *self;
        Side::BOTH.into_iter().flat_map(move |side| {
            material.army(side).kinds().map(move |kind| Piece::new(side, kind))
        })
    }

    /// Whether both sides have the same pieces, so that changing colours changes nothing.
    pub fn is_symmetric(&self) -> bool {
        self.armies[0] == self.armies[1]
    }

    /// The material after one of these pieces is taken off the board, a pawn becomes the piece
    /// `promoted`, or both.
    ///
    /// Returns `None` if the material lacks that piece.
    pub fn after(
        &self,
        captured: Option<Piece>,
        promoted: Option<Piece>,
    ) -> Option<OrientedMaterial> {
        let mut armies = self.armies;
        if let Some(piece) = captured {
            let army = &mut armies[piece.side.index()];
            *army = army.without(piece.kind)?;
        }
        if let Some(Piece { side, kind }) = promoted {
            let army = &mut armies[side.index()];
            *army = army.without(PieceKind::Pawn)?.with(kind);
        }
        Some(Material::orient(armies[0], armies[1]).written_in(self.letters))
    }

    /// The materials that arise by one capture, promotion or both; without bare kings.
    pub fn successors(&self, rules: &Rules) -> BTreeSet<Material> {
        let mut found = BTreeSet::new();
        let captured: Vec<Option<Piece>> = self.pieces().map(Some).chain([None]).collect();
        for &captured in &captured {
            for promoted in rules.promoted().map(Some).chain([None]) {
                // A side does not capture its own piece while it promotes.
                let side = promoted.map(|piece| piece.side);
                let own = captured.is_some_and(|piece| Some(piece.side) == side);
                if own || captured.is_none() && promoted.is_none() {
                    continue;
                }
                let after = self.after(captured, promoted).map(|after| after.material);
                found.extend(after.map(|material| material.written_in(rules.material_letters)));
            }
        }
        found.remove(&Material::BARE_KINGS);
        found
    }

    /// These materials and all their dependencies. Every material comes after its dependencies.
    pub fn closure(materials: impl IntoIterator<Item = Material>, rules: &Rules) -> Vec<Material> {
        let mut found = BTreeSet::new();
        let written = |material: Material| material.written_in(rules.material_letters);
        let mut open: Vec<Material> = materials.into_iter().map(written).collect();
        while let Some(material) = open.pop() {
            if material != Material::BARE_KINGS && found.insert(material) {
                open.extend(material.successors(rules));
            }
        }
        // A capture leaves fewer men and a promotion fewer pawns.
        let pawns =
            |m: &Material| m.armies.iter().map(|army| army.count(PieceKind::Pawn)).sum::<usize>();
        let mut order: Vec<Material> = found.into_iter().collect();
        order.sort_by_key(|material| (material.men(), pawns(material)));
        order
    }

    /// All materials of exactly this many men.
    pub fn all_of(men: usize) -> Vec<Material> {
        let armies = |len: usize| {
            let mut found = vec![Army::default()];
            for _ in 0..len {
                found = found
                    .iter()
                    .flat_map(|army| PieceKind::NON_KINGS.map(|kind| army.with(kind)))
                    .collect::<BTreeSet<_>>()
                    .into_iter()
                    .collect();
            }
            found
        };
        let mut found = BTreeSet::new();
        for black in 0..=men.saturating_sub(2) / 2 {
            for white in armies(men.saturating_sub(2) - black) {
                for black in armies(black) {
                    found.insert(Material::orient(white, black).material);
                }
            }
        }
        found.into_iter().filter(|material| material.men() == men).collect()
    }
}

impl Ord for Material {
    /// Fewer men first, then the order of names: stronger pieces first.
    fn cmp(&self, other: &Material) -> Ordering {
        let key = |m: &Material| (m.men(), m.armies[1].len());
        key(self).cmp(&key(other)).then_with(|| other.armies.cmp(&self.armies))
    }
}

impl PartialOrd for Material {
    fn partial_cmp(&self, other: &Material) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_name(f, self.armies, self.letters)
    }
}

/// Writes the name of White's and Black's army.
fn write_name(
    f: &mut fmt::Formatter<'_>,
    armies: [Army; 2],
    letters: &PieceLetters,
) -> fmt::Result {
    let letter = |kind: PieceKind| letters[kind.index()];
    let [white, black] = armies.map(|army| army.kinds().map(letter).collect::<String>());
    write!(f, "K{white}vK{black}")
}

/// The text is not a material.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
pub enum MaterialError {
    /// Not two armies with a king each.
    #[error("'{0}' is not a material: expected two sides with a king each, as in KRNvKM")]
    Form(Excerpt),
    /// Small letters, or a large `V`.
    #[error("'{0}' is not a material: letters of pieces are capital and v is small, as in {1}")]
    Spelling(Excerpt, String),
    /// A letter that names no piece.
    #[error("'{0}' is not a material: '{1}' is not a piece, the letters are {letters}", letters = spaced(.2))]
    Letter(Excerpt, char, PieceLetters),
    /// Too many men.
    #[error("'{0}' has {1} men, more than the {MAX_MEN} a material may have")]
    TooMany(Excerpt, usize),
}

crate::readable_error!(MaterialError);

/// The letters with spaces between them.
fn spaced(letters: &PieceLetters) -> String {
    letters.map(String::from).join(" ")
}

impl FromStr for Material {
    type Err = MaterialError;

    /// Parses `KRNvKM`; pieces may come in any order and either side first. The result does not
    /// record which side came first: see [`OrientedMaterial`].
    fn from_str(text: &str) -> Result<Material, MaterialError> {
        text.parse().map(|oriented: OrientedMaterial| oriented.material)
    }
}

impl FromStr for OrientedMaterial {
    type Err = MaterialError;

    /// Parses `KRNvKM` or `KMvKRN`: White's pieces come first.
    fn from_str(text: &str) -> Result<OrientedMaterial, MaterialError> {
        OrientedMaterial::read(text, &PieceKind::LETTERS)
    }
}

impl OrientedMaterial {
    /// Parses a material in these letters; White's pieces come first.
    ///
    /// # Errors
    ///
    /// If the text is not a material.
    pub fn read(
        text: &str,
        letters: &'static PieceLetters,
    ) -> Result<OrientedMaterial, MaterialError> {
        // The error if the text is a material but for the case of its letters.
        let spelling = || {
            let right = text.to_uppercase().replacen('V', "v", 1);
            let is_right = right != text && OrientedMaterial::read(&right, letters).is_ok();
            is_right.then(|| MaterialError::Spelling(Excerpt::of(text), right))
        };
        let form = || spelling().unwrap_or_else(|| MaterialError::Form(Excerpt::of(text)));
        let (white, black) = text.split_once('v').ok_or_else(form)?;
        let army = |pieces: &str| -> Result<Army, MaterialError> {
            let pieces = pieces.strip_prefix('K').ok_or_else(form)?;
            if pieces.contains('K') {
                return Err(form());
            }
            let kind = |letter: char| {
                let kind = kind_in(letters, letter).filter(|_| letter.is_ascii_uppercase());
                kind.ok_or_else(|| {
                    let unknown = || MaterialError::Letter(Excerpt::of(text), letter, *letters);
                    spelling().unwrap_or_else(unknown)
                })
            };
            if pieces.chars().count() > MAX_MEN {
                return Err(MaterialError::TooMany(Excerpt::of(text), pieces.chars().count() + 2));
            }
            pieces.chars().map(kind).collect()
        };
        let oriented = Material::orient(army(white)?, army(black)?).written_in(letters);
        let men = oriented.material.men();
        if men > MAX_MEN {
            return Err(MaterialError::TooMany(Excerpt::of(text), men));
        }
        Ok(oriented)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::MAKRUK;

    fn material(name: &str) -> Material {
        name.parse().unwrap()
    }

    #[test]
    fn there_are_5_30_and_110_materials() {
        assert_eq!([3, 4, 5].map(|men| Material::all_of(men).len()), [5, 30, 110]);
        assert_eq!(Material::all_of(2), [Material::BARE_KINGS]);
    }

    #[test]
    fn names_come_back_stronger_side_first() {
        for men in 3..=5 {
            for m in Material::all_of(men) {
                assert_eq!(material(&m.to_string()), m);
            }
        }
        assert_eq!(material("KMvKNR").to_string(), "KRNvKM");
        assert_eq!(material("KBvKQ").to_string(), "KSvKM");
    }

    #[test]
    fn the_side_that_is_named_first_is_white() {
        for (text, name, flipped) in [
            ("KRvKN", "KRvKN", false),
            ("KNvKR", "KNvKR", true),
            ("KvKNR", "KvKRN", true),
            ("KRvKR", "KRvKR", false),
        ] {
            let oriented: OrientedMaterial = text.parse().unwrap();
            assert_eq!((&*oriented.to_string(), oriented.flipped), (name, flipped));
            assert_eq!(oriented.material, material(text));
        }
    }

    #[test]
    fn bad_names_are_refused() {
        for name in
            ["", "K", "vK", "Kv", "KXvK", "KRvKvK", "KKvK", "RvK", "krvk", "KRRRRRRRvK", "KRvK "]
        {
            assert!(name.parse::<Material>().is_err(), "{name}");
        }
    }

    #[test]
    fn successors_are_captures_and_promotions() {
        let names = |m: &str| -> Vec<String> {
            material(m).successors(&MAKRUK.rules).iter().map(Material::to_string).collect()
        };
        assert_eq!(names("KRvK"), Vec::<String>::new());
        assert_eq!(names("KPvK"), ["KMvK"]);
        assert_eq!(names("KRvKP"), ["KRvK", "KMvK", "KPvK", "KRvKM"]);
    }

    #[test]
    fn closure_comes_in_solving_order() {
        let order = Material::closure(Material::all_of(5), &MAKRUK.rules);
        assert_eq!(order.len(), 145);
        for (index, m) in order.iter().enumerate() {
            for successor in m.successors(&MAKRUK.rules) {
                assert!(order[..index].contains(&successor), "{m} before {successor}");
            }
        }
    }
}
