//! Shared by readers written from `FORMAT.md` alone: from a position to its groups of pieces.

pub fn u16_at(bytes: &[u8], at: usize) -> usize {
    u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap()).into()
}

pub fn u32_at(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

pub fn u64_at(bytes: &[u8], at: usize) -> usize {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize
}

/// The image of a square under a symmetry.
pub fn turned(square: usize, symmetry: usize) -> usize {
    let (mut file, mut rank) = (square % 8, square / 8);
    if symmetry & 1 != 0 {
        file = 7 - file;
    }
    if symmetry & 2 != 0 {
        rank = 7 - rank;
    }
    if symmetry & 4 != 0 {
        (file, rank) = (rank, file);
    }
    8 * rank + file
}

/// The number of symmetries of a material.
pub fn symmetries(material: &str) -> usize {
    if material.contains(['S', 'P']) { 2 } else { 8 }
}

/// The king pairs of a material, in the order of their numbers.
pub fn pairs(material: &str) -> Vec<(usize, usize)> {
    let touch = |a: usize, b: usize| (a % 8).abs_diff(b % 8) <= 1 && (a / 8).abs_diff(b / 8) <= 1;
    let least = |&(a, b): &(usize, usize)| {
        (0..symmetries(material))
            .all(|symmetry| (turned(a, symmetry), turned(b, symmetry)) >= (a, b))
    };
    let all = (0..64).flat_map(|a| (0..64).map(move |b| (a, b)));
    all.filter(|&(a, b)| !touch(a, b)).filter(least).collect()
}

pub fn choose(n: usize, k: usize) -> usize {
    (0..k).fold(1, |ways, i| if n < i { 0 } else { ways * (n - i) / (i + 1) })
}

/// The rank of the combination of these places, the lowest first.
pub fn number(places: &[usize]) -> usize {
    places.iter().zip(1..).map(|(&place, k)| choose(place, k)).sum()
}

/// Like pieces of one side; White has side 0.
#[derive(Clone, Copy)]
pub struct LikePieces {
    pub letter: char,
    pub side: usize,
    pub men: usize,
    /// The first square of their places, and how many places there are.
    pub lowest: usize,
    pub places: usize,
}

/// The groups of a material in their order.
pub fn groups(material: &str) -> Vec<LikePieces> {
    let (white, black) = material.split_once('v').unwrap();
    let both = |letter| [(letter, 0, white), (letter, 1, black)];
    let group = |(letter, side, men): (char, usize, &str)| {
        let (lowest, places) = match (letter, side) {
            ('P', 0) => (16, 24),
            ('P', _) => (24, 24),
            _ => (0, 64),
        };
        LikePieces { letter, side, men: men.matches(letter).count(), lowest, places }
    };
    let mut groups: Vec<LikePieces> = "RNSMP".chars().flat_map(both).map(group).collect();
    groups.retain(|group| group.men > 0);
    groups.sort_by_key(|group| (group.letter != 'P', usize::MAX - group.men));
    groups
}

/// A position, turned as the table stores it.
pub struct TurnedPosition {
    pub side: usize,
    pub kings: (usize, usize),
    /// The places of the pieces of each group, the lowest first.
    pub places: Vec<Vec<usize>>,
}

/// Pieces as (side, letter, square).
pub fn placed(
    material: &str,
    mut side: usize,
    mut men: Vec<(usize, char, usize)>,
) -> TurnedPosition {
    let (stronger, weaker) = material.split_once('v').unwrap();
    let letters = |men: &[(usize, char, usize)], side| {
        let mut letters: Vec<char> = men.iter().filter(|m| m.0 == side).map(|m| m.1).collect();
        letters.sort_by_key(|letter| "KRNSMP".find(*letter));
        letters.into_iter().collect::<String>()
    };
    if letters(&men, 0) != stronger || stronger == weaker && side == 1 {
        men.iter_mut().for_each(|piece| *piece = (1 - piece.0, piece.1, piece.2 ^ 56));
        side = 1 - side;
    }
    let king = |side| men.iter().find(|m| m.0 == side && m.1 == 'K').unwrap().2;
    let image = |symmetry: &usize| (turned(king(0), *symmetry), turned(king(1), *symmetry));
    let symmetry = (0..symmetries(material)).min_by_key(image).unwrap();
    let places = |group: LikePieces| {
        let mine = men.iter().filter(|piece| (piece.0, piece.1) == (group.side, group.letter));
        let mut places: Vec<usize> =
            mine.map(|piece| turned(piece.2, symmetry) - group.lowest).collect();
        places.sort_unstable();
        places
    };
    let places = groups(material).into_iter().map(places).collect();
    TurnedPosition { side, kings: image(&symmetry), places }
}
