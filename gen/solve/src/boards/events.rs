//! Effects of moves that leave the material on the planes of a frame, by layer.

use sakmak_boards::planes::{Plane, each};
use sakmak_boards::value::Value;

/// Moves of a frame that leave the material and count in a layer. Losses behind the moves count in
/// an even layer, wins in an odd layer.
#[derive(Clone, Copy)]
pub struct Event {
    pub layer: u16,
    pub side: u8,
    pub frame: u32,
    pub movers: Plane,
}

impl Event {
    /// The order of events.
    pub fn key(&self) -> (u16, u8, u32) {
        (self.layer, self.side, self.frame)
    }
}

/// The events of a layer and side for frames from `first` on.
pub fn due(events: &[Event], layer: u16, side: usize, first: u32) -> &[Event] {
    let from = |key| events.partition_point(|event| event.key() < key);
    let side = side as u8;
    &events[from((layer, side, first))..from((layer, side + 1, 0))]
}

/// Results of moves that leave the material, for the places of a frame.
pub struct LeavingMoves {
    /// Places with a move into a loss of the other side.
    wins: Plane,
    /// Places with a move into a draw.
    pub draws: Plane,
    /// Places with a move into a win of the other side.
    losses: Plane,
    /// Plies of the quickest loss of the other side, for each place of `wins`.
    quickest: [u16; Plane::BITS as usize],
    /// Plies of the slowest win of the other side, for each place of `losses`.
    slowest: [u16; Plane::BITS as usize],
}

impl LeavingMoves {
    /// Returns the results if only these draws are known.
    pub fn new(draws: Plane) -> LeavingMoves {
        let plies = [0; Plane::BITS as usize];
        LeavingMoves { wins: 0, draws, losses: 0, quickest: plies, slowest: plies }
    }

    /// Records the value behind a move of a place, for the other side.
    pub fn take(&mut self, place: u32, value: Value) {
        let (at, bit) = (place as usize, 1 << place);
        match value {
            Value::Illegal => {}
            Value::Draw => self.draws |= bit,
            Value::Loss(plies) => {
                let known = if self.wins & bit != 0 { self.quickest[at] } else { plies };
                self.quickest[at] = plies.min(known);
                self.wins |= bit;
            }
            Value::Win(plies) => {
                self.slowest[at] = plies.max(self.slowest[at]);
                self.losses |= bit;
            }
        }
    }

    /// The places with a move that leaves the material and is not refuted from the beginning.
    pub fn escapes(&self) -> Plane {
        self.wins | self.draws | self.losses
    }

    /// Calls `each_layer` with each layer in which moves count, and with the places that have the
    /// moves.
    pub fn layers(&self, each_layer: impl FnMut((u16, Plane))) {
        let mut layers: Vec<(u16, Plane)> = Vec::new();
        let losses = self.losses & !self.wins & !self.draws;
        let wins = each(self.wins).map(|place| (self.quickest[place as usize], place));
        let losses = each(losses).map(|place| (self.slowest[place as usize], place));
        for (layer, place) in wins.chain(losses) {
            match layers.iter_mut().find(|(known, _)| *known == layer) {
                Some((_, movers)) => *movers |= 1 << place,
                None => layers.push((layer, 1 << place)),
            }
        }
        layers.into_iter().for_each(each_layer);
    }
}
