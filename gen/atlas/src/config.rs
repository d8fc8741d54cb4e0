//! An atlas in one language about some variants, and the words that depend on both.

use crate::language::Language;
use crate::variants::AtlasVariants;
use crate::words::{capital, listed};
use maud::{Markup, PreEscaped, Render};
use sakmak_tables::counting::CountingRule;
use sakmak_tables::material::{Army, Material};
use sakmak_tables::rules::end_rule::EndRule;
use sakmak_tables::rules::piece::{PieceKind, Side};
use sakmak_tables::variant::Variant;
use sakmak_tables::variants;
use std::fmt::Display;

/// The language and the variants of an atlas.
#[derive(Clone, Debug)]
pub struct AtlasConfig {
    /// The language of the pages.
    pub language: Language,
    /// The variants.
    pub variants: AtlasVariants,
}

/// Texts.
impl AtlasConfig {
    /// The text of a key, with the words of the variants in its holes.
    pub fn text(&self, key: &'static str) -> String {
        self.format(key, &[])
    }

    /// The text of a key, with these words and the words of the variants in its holes.
    pub fn format(&self, key: &'static str, holes: &[(&str, &dyn Display)]) -> String {
        self.filled(self.language.format(key, holes))
    }

    /// The text of a key, with markup and the words of the variants in its holes.
    pub fn rich(&self, key: &'static str, holes: &[(&str, &Markup)]) -> Markup {
        let text = self.filled(self.language.text(key).render().0);
        let filled = |text: String, (name, value): &(&str, &Markup)| {
            text.replace(&format!("{{{name}}}"), &value.0)
        };
        PreEscaped(holes.iter().fold(text, filled))
    }

    /// The text with the words of the variants in its holes: `{goal}` is the goal of a winner.
    fn filled(&self, text: String) -> String {
        let words = [
            ("{goal}", self.goal()),
            ("{king}", self.piece(PieceKind::King)),
            ("{rook}", self.piece(PieceKind::Rook)),
            ("{met}", self.piece(PieceKind::Met)),
            ("{pawn}", self.piece(PieceKind::Pawn)),
        ];
        words.into_iter().fold(text, |text, (hole, word)| text.replace(hole, word))
    }
}

/// Words.
impl AtlasConfig {
    /// The end rule of the variants.
    pub fn end(&self) -> EndRule {
        self.variants.rules().end
    }

    /// The goal of a winner: mate, check or a win.
    fn goal(&self) -> &'static str {
        let goal = self.end().goal();
        self.language.found(&format!("goal.{goal}")).unwrap_or(goal)
    }

    /// The name of a piece; in English, the name in the variant in Latin letters.
    pub fn piece(&self, kind: PieceKind) -> &'static str {
        let name = self.variants.first().piece_name(kind);
        self.language.found(&format!("piece.{name}")).unwrap_or(name)
    }

    /// An explanation of a piece. `None` if its name explains it.
    pub fn explained(&self, kind: PieceKind) -> Option<&'static str> {
        let name = self.variants.first().piece_name(kind);
        self.language.found(&format!("atlas.explained.{name}"))
    }

    /// Words for searching a piece: its name in the language, in each variant and, if chess has the
    /// piece, in chess.
    pub fn search_words(&self, kind: PieceKind) -> Vec<&'static str> {
        let chess = match kind {
            _ if !self.variants.rules().has_usual_letters() => None,
            PieceKind::King => Some("king"),
            PieceKind::Rook => Some("rook"),
            PieceKind::Knight => Some("knight"),
            PieceKind::Pawn => Some("pawn"),
            PieceKind::Khon | PieceKind::Met => None,
        };
        let variants = self.variants.all().map(|variant| variant.piece_name(kind));
        let mut words = Vec::new();
        for word in variants.chain(chess).chain([self.piece(kind)]) {
            if !words.contains(&word) {
                words.push(word);
            }
        }
        words
    }

    /// The pieces of a material by their names: `khun, khon and met against khun`.
    pub fn pieces(&self, material: Material) -> String {
        let [white, black] = Side::BOTH.map(|side| self.army(material.army(side)));
        self.format("atlas.against", &[("white", &white), ("black", &black)])
    }

    fn army(&self, army: Army) -> String {
        let others = PieceKind::NON_KINGS.into_iter().flat_map(|kind| vec![kind; army.count(kind)]);
        let kinds = [PieceKind::King].into_iter().chain(others);
        let names: Vec<String> = kinds.map(|kind| self.piece(kind).to_string()).collect();
        listed(self.language, "atlas.and", &names)
    }

    /// The pieces that a pawn may become: `met`, `rook or knight`.
    pub fn promoted(&self) -> String {
        let kinds = self.variants.rules().promotes_to.iter();
        let names: Vec<String> = kinds.map(|&kind| self.piece(kind).to_string()).collect();
        listed(self.language, "atlas.or", &names)
    }

    /// The short name of the variant of a counting rule.
    pub fn game(&self, counting_rule: &CountingRule) -> String {
        let name = variants::counted_by(counting_rule).name;
        let found = self.language.found(&format!("atlas.game.{name}"));
        found.map_or_else(|| capital(name), str::to_string)
    }

    /// The names of all variants in a row, in full.
    pub fn all_variants(&self) -> String {
        let name = |game: &Variant| {
            let found = self.language.found(&format!("variant.{}", game.name));
            found.map_or_else(|| capital(game.name), str::to_string)
        };
        listed(self.language, "atlas.and", &self.variants.all().map(name).collect::<Vec<_>>())
    }
}
