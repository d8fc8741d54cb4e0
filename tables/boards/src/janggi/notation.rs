//! FEN of Fairy-Stockfish, moves and materials of Janggi as text.

use super::layout::index;
use super::material::{LETTERS, Material};
use super::points::{each, turned};
use super::position::{Kind, Move, Position};
use super::{Facing, Janggi};
use crate::game::BoardGame;
use crate::notation::{
    Board, Fields, Notation, NotationError, board_field, fields, square_name, unused,
};
use std::cmp::Reverse;

/// The form of a material's name, for messages.
const MATERIAL: &str =
    "a material such as KRHvKAA: R chariot, C cannon, H horse, E elephant, A guard, P soldier";

/// Letters of FEN by kind, in the spelling that is written.
const FEN: [char; 7] = ['k', 'r', 'c', 'n', 'b', 'a', 'p'];

/// The kind with a letter of FEN, in either case. The letter is a written letter, or a letter of a
/// material, which XBoard and Korean programs use for horse and elephant.
fn kind_of(letter: char) -> Option<Kind> {
    let has =
        |letters: &[char]| letters.iter().position(|known| known.eq_ignore_ascii_case(&letter));
    has(&FEN).or_else(|| has(&LETTERS)).map(|kind| Kind::ALL[kind])
}

/// The signs on the men of Cho and of Han, by kind.
const FACES: [[&str; 7]; 2] =
    [["楚", "車", "包", "馬", "象", "士", "卒"], ["漢", "車", "包", "馬", "象", "士", "兵"]];
fn face(letter: char) -> &'static str {
    let side = usize::from(letter.is_lowercase());
    kind_of(letter).map_or("", |kind| FACES[side][kind as usize])
}

/// The diagonal lines of the palaces.
const DIAGONALS: [[(usize, usize); 2]; 4] =
    [[(3, 0), (5, 2)], [(5, 0), (3, 2)], [(3, 7), (5, 9)], [(5, 7), (3, 9)]];
/// Two chariots, chariot and cannon, horse and soldier, cannon and horse against a cannon.
const EXAMPLES: [&str; 4] = [
    "9/9/4k4/9/9/9/9/3K5/RR7/9 w",
    "9/3k5/3C5/9/9/9/9/4K4/9/R8 w",
    "9/9/4k4/9/9/9/P8/3K5/9/7N1 w",
    "4k4/N3c4/9/9/C8/9/9/3K5/9/9 w",
];
/// Maximum number of men of a kind of one side.
const MOST: [u8; 6] = [2, 2, 2, 2, 2, 5];
/// Maximum number of men of a material.
const MEN: u8 = 8;

impl Notation for Janggi {
    const LETTERS: &str = "KRCHEAP";

    fn material_of_name(&self, name: &str) -> Result<Material, NotationError> {
        let wrong = || NotationError(format!("'{name}' is not {MATERIAL}"));
        let (material, forfeits) = match name.split_once('-') {
            Some((material, "1")) if self.facing == Facing::Forfeit => (material, 1),
            Some((material, "2")) if self.facing == Facing::Forfeit => (material, 2),
            Some(_) => return Err(wrong()),
            None => (name, 0),
        };
        let (first, second) = material.split_once('v').ok_or_else(wrong)?;
        let mut armies = [[0; 6]; 2];
        for (army, letters) in armies.iter_mut().zip([first, second]) {
            for letter in letters.strip_prefix('K').ok_or_else(wrong)?.chars() {
                let kind =
                    LETTERS[1..].iter().position(|&known| known == letter).ok_or_else(wrong)?;
                army[kind] += 1;
                if army[kind] > MOST[kind] {
                    let most = MOST[kind];
                    return Err(NotationError(format!(
                        "'{name}': a side has at most {most} {letter}"
                    )));
                }
            }
        }
        let (material, _) = Material::new(armies, forfeits);
        if material.men() > MEN {
            return Err(NotationError(format!(
                "'{name}' has more than {MEN} men, generals included"
            )));
        }
        Ok(material)
    }

    fn materials_of_men(&self, men: u8) -> Vec<Material> {
        let mut armies = vec![[[0; 6]; 2]];
        for _ in 2..men {
            let more = armies.iter().flat_map(|armies| {
                (0..12).filter_map(|at| {
                    let mut armies: [[u8; 6]; 2] = *armies;
                    armies[at / 6][at % 6] += 1;
                    (armies[at / 6][at % 6] <= MOST[at % 6]).then_some(armies)
                })
            });
            armies = more.map(|armies| Material::new(armies, 0).0.armies).collect();
            armies.sort_unstable();
            armies.dedup();
        }
        armies.into_iter().map(|armies| Material::new(armies, 0).0).collect()
    }

    fn position(&self, fen: &str) -> Result<Position, NotationError> {
        let wrong =
            |what: String| Err(NotationError(format!("not a position of {}: {what}", self.name)));
        let Fields { letters, side, rest } = fields(fen, 9, 10)?;
        // The field of forfeits comes first, if it exists: a clock may follow the side to move.
        let is_clock = |field: &&&str| field.bytes().all(|letter| letter.is_ascii_digit());
        let forfeits = rest.first().filter(|_| self.facing == Facing::Forfeit);
        let forfeits = forfeits.filter(|field| !is_clock(field));
        unused(&rest[usize::from(forfeits.is_some())..])?;
        let mut position = Position::empty(side, 0);
        let mut generals = [0; 2];
        for (letter, file, rank) in letters {
            let side = usize::from(letter.is_lowercase());
            let Some(kind) = kind_of(letter) else {
                return wrong(format!(
                    "no man has the letter {letter}: expected K, R, C, N or H, B or E, A, P, in \
                     lowercase for Han"
                ));
            };
            let point = rank * 9 + file;
            if index(side, kind, point).is_none() {
                return wrong(format!("{letter} cannot stand on {}", square_name(file, rank)));
            }
            generals[side] += usize::from(kind == Kind::General);
            position.put(side, kind, point);
        }
        if generals != [1, 1] {
            return wrong("each side has one general, K and k".to_string());
        }
        if self.facing == Facing::Forfeit {
            position.forfeits = match forfeits {
                None | Some(&"-") => 0,
                Some(&"w") => 1,
                Some(&"b") => 2,
                Some(other) => {
                    return wrong(format!("who has forfeited is w, b or -, not {other:?}"));
                }
            };
            if self.faces(&position) {
                position.forfeits |= 2 >> position.side;
            }
            if position.forfeits == 3 {
                return wrong(
                    "both sides have forfeited the win, and the game is drawn".to_string(),
                );
            }
        }
        Ok(position)
    }

    fn fen(&self, position: &Position) -> String {
        let board = board_field(9, 10, |file, rank| {
            let point = rank * 9 + file;
            let letter = (!position.is_empty(point)).then(|| FEN[position.kind(point) as usize])?;
            Some(if position.men[0] >> point & 1 == 1 {
                letter.to_ascii_uppercase()
            } else {
                letter
            })
        });
        let side = ["w", "b"][position.side];
        let forfeits = ["-", "w", "b", "wb"][usize::from(position.forfeits)];
        format!("{board} {side} {forfeits} - 0 1")
    }

    fn mover(&self, position: &Position) -> usize {
        position.side
    }

    fn board(&self) -> Board {
        Board {
            files: 9,
            ranks: 10,
            on_crossings: true,
            lines: &DIAGONALS,
            face,
            names: &["general", "chariot", "cannon", "horse", "elephant", "guard", "soldier"],
            sides: ["cho", "han"],
            examples: &EXAMPLES,
        }
    }

    fn text(&self, _position: &Position, Move { from, to }: Move) -> String {
        [from, to].map(|point| square_name(point % 9, point / 9)).concat()
    }

    /// Queries call this function often, so it builds no FEN.
    fn letters(&self, position: &Position) -> Vec<(char, usize, usize)> {
        let letter = |point: u8| {
            let letter = FEN[position.kind(point) as usize];
            let white = position.men[0] >> point & 1 == 1;
            let letter = if white { letter.to_ascii_uppercase() } else { letter };
            (letter, usize::from(point % 9), usize::from(point / 9))
        };
        let mut letters: Vec<_> = each(position.occupied()).map(letter).collect();
        letters.sort_by_key(|&(_, file, rank)| (Reverse(rank), file));
        letters
    }

    fn takes(&self, position: &Position, Move { from, to }: Move) -> bool {
        from != to && !position.is_empty(to)
    }

    fn exchanged(&self, position: &Position) -> Option<Position> {
        if !Material::of(position).0.is_even() {
            return None;
        }
        let mut exchanged = Position::empty(1 - position.side, position.forfeits);
        for side in 0..2 {
            for point in each(position.men[side]) {
                exchanged.put(1 - side, position.kind(point), turned(point));
            }
        }
        Some(exchanged)
    }

    fn has_check(&self) -> bool {
        true
    }

    fn is_in_check(&self, position: &Position) -> bool {
        self.attacks(position, 1 - position.side)
            || (self.facing == Facing::Forfeit && self.faces(position))
    }

    fn must_move(&self) -> bool {
        !self.free_pass
    }

    fn other_to_move(&self, position: &Position) -> Option<Position> {
        let other = Position { side: 1 - position.side, ..*position };
        // Only the side that moved last can have made the generals face.
        (!self.is_illegal(&other) && !self.faces(&other)).then_some(other)
    }

    fn letter_in_fen(&self, letter: char) -> char {
        let kind = LETTERS.iter().position(|&known| known == letter);
        kind.map_or(letter, |kind| FEN[kind].to_ascii_uppercase())
    }
}
