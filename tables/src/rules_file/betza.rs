//! Moves of pieces in Betza's notation, as Fairy-Stockfish reads it: `FfW` is a khon.
//!
//! An atom is a step of every turn and mirror image. `R`, `B` and `Q` slide, `K` is `WF`. `f`, `b`, `s` and `v`
//! (forward, backward, sideways, vertical) before `W`, `D`, `R`, and `f` and `b` before `F`, `A`, `B` select
//! directions; `m` and `c` a step that moves or captures only. Other notation is refused.

use crate::board::square::Step;
use crate::rules::Movement;

/// The files and ranks of one step of each atom.
const ATOMS: [(char, i8, i8); 9] = [
    ('W', 0, 1),
    ('F', 1, 1),
    ('D', 0, 2),
    ('N', 1, 2),
    ('A', 2, 2),
    ('H', 0, 3),
    ('C', 1, 3),
    ('Z', 2, 3),
    ('G', 3, 3),
];

/// The atoms that other letters stand for. The flag is set for slides.
const COMPOUNDS: [(char, &str, bool); 6] = [
    ('K', "WF", false),
    ('R', "W", true),
    ('B', "F", true),
    ('Q', "WF", true),
    ('L', "C", false),
    ('J', "Z", false),
];

/// Returns the moves in this notation; `None` if they are not moves of this kind.
pub(super) fn read(text: &str) -> Option<Movement> {
    let [mut steps, mut slides, mut advances, mut captures] = [(); 4].map(|()| Vec::new());
    let (mut modifiers, mut last) = (String::new(), None);
    for letter in text.chars() {
        let before = last.replace(letter);
        if letter.is_ascii_lowercase() {
            modifiers.push(letter);
            continue;
        }
        // A doubled atom is a rider.
        if before == Some(letter) {
            return None;
        }
        let compound = COMPOUNDS.iter().find(|compound| compound.0 == letter);
        let own = letter.to_string();
        let (atoms, is_slide) =
            compound.map_or((&*own, false), |&(_, atoms, slide)| (atoms, slide));
        let kind = modifiers.chars().find(|modifier| "mc".contains(*modifier));
        let places: String =
            modifiers.chars().filter(|modifier| !"mc".contains(*modifier)).collect();
        if modifiers.len() > places.len() + 1 || kind.is_some() && is_slide {
            return None;
        }
        let list = match kind {
            _ if is_slide => &mut slides,
            None => &mut steps,
            Some('m') => &mut advances,
            Some(_) => &mut captures,
        };
        for atom in atoms.chars() {
            list.extend(directed(atom, &places)?);
        }
        modifiers.clear();
    }
    let movement = Movement {
        steps: steps.leak(),
        slides: slides.leak(),
        advances: advances.leak(),
        captures: captures.leak(),
    };
    let is_whole = modifiers.is_empty() && movement != Movement::NONE;
    is_whole.then_some(movement)
}

/// Returns the steps of an atom in these directions.
fn directed(atom: char, places: &str) -> Option<impl Iterator<Item = Step>> {
    let &(_, files, ranks) = ATOMS.iter().find(|known| known.0 == atom)?;
    let known = match (files, files == ranks) {
        (0, _) => "fbsv",
        (_, true) => "fb",
        _ => "",
    };
    if !places.chars().all(|place| known.contains(place)) {
        return None;
    }
    let mut all: Vec<Step> = [(files, ranks), (ranks, files)]
        .into_iter()
        .flat_map(|(files, ranks)| {
            [(files, ranks), (-files, ranks), (files, -ranks), (-files, -ranks)]
        })
        .map(|(files, ranks)| Step::new(files, ranks))
        .collect();
    all.sort_by_key(|step| (step.files, step.ranks));
    all.dedup();
    let places = places.to_string();
    let is_there = move |step: &Step| {
        places.is_empty()
            || places.chars().any(|place| match place {
                'f' => step.ranks > 0,
                'b' => step.ranks < 0,
                's' => step.ranks == 0,
                _ => step.files == 0,
            })
    };
    Some(all.into_iter().filter(is_there))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::piece::PieceKind;
    use crate::variants;

    #[test]
    fn pieces_of_all_variants_are_read() {
        let sorted = |movement: Movement| {
            [movement.steps, movement.slides, movement.advances, movement.captures].map(|steps| {
                let mut steps: Vec<_> = steps.iter().map(|step| (step.files, step.ranks)).collect();
                steps.sort_unstable();
                steps
            })
        };
        for (name, kind, betza) in [
            ("makruk", PieceKind::King, "K"),
            ("makruk", PieceKind::Rook, "R"),
            ("makruk", PieceKind::Knight, "N"),
            ("makruk", PieceKind::Khon, "FfW"),
            ("makruk", PieceKind::Met, "F"),
            ("makruk", PieceKind::Pawn, "mfWcfF"),
            ("shatranj", PieceKind::Khon, "A"),
            ("ai-wok", PieceKind::Met, "RNF"),
            ("chess", PieceKind::Rook, "Q"),
            ("chess", PieceKind::Khon, "B"),
        ] {
            let movement = variants::named(name).unwrap().rules.movement(kind);
            assert_eq!(sorted(read(betza).unwrap()), sorted(*movement), "{betza}");
        }
        let steps = |betza| read(betza).map(|movement| movement.steps.len());
        assert_eq!(
            ["D", "C", "H", "G", "sW", "vW", "fsW", "fA"].map(steps),
            [4, 8, 4, 4, 2, 2, 3, 2].map(Some)
        );
        for betza in
            ["", "f", "W2", "mR", "cQ", "NN", "nN", "pR", "fN", "lW", "sF", "X", "mcW", "iW"]
        {
            assert_eq!(read(betza), None, "{betza}");
        }
    }
}
