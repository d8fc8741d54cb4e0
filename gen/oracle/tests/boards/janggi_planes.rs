//! Planes of Janggi have the moves of its positions, in materials that take too long to solve.

use crate::janggi_reference::random_position;
use sakmak_boards::game::BoardGame;
use sakmak_boards::janggi::Janggi;
use sakmak_boards::notation::Notation;
use sakmak_boards::planes::Planes;
use sakmak_boards::solvable::SolvableGame;
use sakmak_oracle::boards::laws::check_frame;

/// Checks the frames of random positions of some letters, crowded around the generals.
fn assert_frames(game: &Janggi, forfeited: usize, materials: &str, count: usize) {
    let mut state = 7;
    for material in materials.split(' ') {
        let mut checked = 0;
        while checked < count {
            let mut plain = random_position(&mut state, material);
            plain.forfeited = forfeited;
            // None where both sides have forfeited the win.
            let Ok(position) = game.position(&plain.fen()) else { continue };
            let material = game.material(&position);
            let layout = game.layout(material);
            // A slot ends with the number of its frame.
            let frame = game.rank(&layout, &position) % game.planes().unwrap().frames(&layout);
            if let Err(error) = check_frame(game, material, frame) {
                panic!("{}, {}: {error}", game.name(), plain.fen());
            }
            checked += 1;
        }
    }
}

#[test]
fn frames_of_six_men_have_the_moves_of_their_positions() {
    // Cannons, like men, men of both sides in a palace, and the same men on both sides.
    let materials = "KRCkra KCPkcp KCAkna KBPkna KPPkaa KRRkpp KCPPPk KNBkcc";
    assert_frames(&Janggi::standard(), 0, materials, 8);
    assert_frames(&Janggi::casual(), 0, materials, 8);
    for forfeited in 0..3 {
        assert_frames(&Janggi::seed(), forfeited, materials, 60);
    }
}

#[test]
fn frames_before_a_capture_that_leaves_the_same_men_have_the_moves_of_their_positions() {
    for game in [Janggi::standard(), Janggi::casual(), Janggi::seed()] {
        assert_frames(&game, 0, "KPPkp KRCPkrc KCAAkca", 20);
    }
}

#[test]
fn frames_of_eight_men_have_the_moves_of_their_positions() {
    let materials = "KRCPkrcp KCNAkcba KPPPkcaa KCPPPPPk";
    for game in [Janggi::standard(), Janggi::casual(), Janggi::seed()] {
        assert_frames(&game, 0, materials, 4);
    }
}
