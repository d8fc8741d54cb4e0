#![no_main]
//! Any bytes as PGN: parsed, replayed, reviewed without tables, written and parsed again.

use libfuzzer_sys::fuzz_target;
use sakmak_gen::games::pgn::{Games, decoded, encoded, written};
use sakmak_gen::games::replay::Replay;
use sakmak_gen::games::review::Review;
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
        assert!(game.unread.iter().all(|unread| text.get(unread.clone()).is_some()));
        for counting_rule in [None].into_iter().chain(variants::counting_rules().map(Some)) {
            let Ok(replay) = Replay::of(&game, counting_rule) else { continue };
            let start = replay.start;
            let review = Review::of(replay, |_| None);
            let _ = (review.ending(), review.first_known(), review.lost_moves(Side::White));
            for place in 0..=review.moves.len() {
                let _ = review.called(place);
            }
            // The written game parses to the same game.
            let out = written(&game, start.number(), start.side());
            if game.broken.is_none() && !game.moves.is_empty() {
                let again = Games::of(&out).next().expect("a game");
                let moves = |moves: &[sakmak_gen::games::pgn::WrittenMove]| {
                    moves.iter().map(|mv| mv.text.clone()).collect::<Vec<_>>()
                };
                assert_eq!(moves(&again.moves), moves(&game.moves), "{out}");
                assert_eq!(again.result(), game.result(), "{out}");
            }
        }
    }
}
