#![no_main]
//! Any bytes as PGN: parsed, with every token in its range, replayed, reviewed without tables.

use libfuzzer_sys::fuzz_target;
use sakmak_pgn::pgn::{Games, decoded, encoded};
use sakmak_pgn::replay::Replay;
use sakmak_pgn::review::Review;
use sakmak_tables::rules::piece::Side;
use sakmak_tables::variants;

fuzz_target!(|bytes: &[u8]| try_it(bytes));

fn try_it(bytes: &[u8]) {
    let Ok(text) = decoded(bytes.to_vec()) else { return };
    assert_eq!(encoded(&text), bytes);
    let mut end = 0;
    for game in Games::of(&text) {
        // A game begins at or after the end of the game before.
        assert!(game.text.start >= end && text.get(game.text.clone()).is_some());
        end = game.text.end;
        assert!(game.moves.iter().all(|mv| text[mv.at..].starts_with(&mv.text)));
        let mut last = game.text.start;
        let notes = game.moves.iter().flat_map(|mv| &mv.after);
        for note in game.before.iter().chain(notes) {
            assert!(last <= note.text.start && text.get(note.text.clone()).is_some());
            last = note.text.end;
        }
        for counting_rule in [None].into_iter().chain(variants::counting_rules().map(Some)) {
            let Ok(replay) = Replay::of(&game, counting_rule) else { continue };
            let review = Review::of(replay, |_| None);
            let _ = (review.ending(), review.first_known(), review.lost_moves(Side::White));
            for place in 0..=review.moves.len() {
                let _ = review.called(place);
            }
            let _ = (review.due(), review.repetition());
        }
    }
}
