//! The board of Janggi: nine files, ten ranks, two palaces with diagonal lines.
//!
//! A point is `9 * rank + file`; rank 0 is the home of the first side, Cho.

/// The number of points.
pub const POINTS: usize = 90;

/// Points as bits.
pub type Points = u128;

/// A step or leap: the point where it ends, and the points that must be empty on the way.
#[derive(Clone, Copy, Debug)]
pub struct Leap {
    /// The point where the step or leap ends.
    pub to: u8,
    /// The points that must be empty.
    pub over: Points,
}

/// A line from a point outwards.
#[derive(Clone, Copy, Debug)]
pub struct Ray {
    /// The remaining points of the line.
    points: Points,
    /// Whether the numbers of the points grow outwards.
    ascends: bool,
}

impl Ray {
    /// The points up to and including the nearest occupied point; all points if no point is
    /// occupied.
    #[inline]
    pub fn reach(self, occupied: Points) -> Points {
        let met = self.points & occupied;
        let near = match self.ascends {
            true => met ^ met.wrapping_sub(1),
            false => Points::MAX << (met | 1).ilog2(),
        };
        self.points & near
    }

    /// The line without some points.
    #[inline]
    pub fn without(self, points: Points) -> Ray {
        Ray { points: self.points & !points, ..self }
    }
}

/// The lines and leaps of the board.
#[derive(Debug)]
pub struct Lines {
    /// Ranks, files and palace diagonals outwards.
    rays: Vec<Vec<Ray>>,
    /// The points of the rays, the nearest first.
    paths: Vec<Vec<Vec<u8>>>,
    /// For two points on a line, the points between; else `u128::MAX`.
    between: Vec<Points>,
    /// Leaps, by kind of leap and point.
    leaps: [Vec<Vec<Leap>>; 5],
}

/// Kinds of leaps.
pub const PALACE: usize = 0;
/// The horse's.
pub const HORSE: usize = 1;
/// The elephant's.
pub const ELEPHANT: usize = 2;
/// The soldier's of the first side; the leap of the second side's soldier follows.
pub const SOLDIER: usize = 3;

const STRAIGHT: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

/// The point some files and ranks away, if it is on the board.
fn step(point: u8, (files, ranks): (i8, i8)) -> Option<u8> {
    let (file, rank) = (point as i8 % 9 + files, point as i8 / 9 + ranks);
    let inside = (0..9).contains(&file) && (0..10).contains(&rank);
    inside.then_some((rank * 9 + file) as u8)
}

/// The mirror image of a point, file a for file i.
#[inline]
pub fn mirrored(point: u8) -> u8 {
    point / 9 * 9 + 8 - point % 9
}

/// The point with the sides exchanged, on the same file.
#[inline]
pub fn turned(point: u8) -> u8 {
    (9 - point / 9) * 9 + point % 9
}

/// The palace of a point, 0 or 1, if the point is in a palace.
#[inline]
pub fn palace(point: u8) -> Option<usize> {
    let (file, rank) = (point % 9, point / 9);
    let side = match rank {
        0..=2 => 0,
        7..=9 => 1,
        _ => return None,
    };
    (3..=5).contains(&file).then_some(side)
}

/// The point one step along a drawn diagonal of a palace. One end of the step is the centre.
fn palace_step(point: u8, direction: (i8, i8)) -> Option<u8> {
    let next = step(point, direction)?;
    let is_centre = |point: u8| point % 9 == 4 && matches!(point / 9, 1 | 8);
    (palace(point).is_some()
        && palace(point) == palace(next)
        && (is_centre(point) || is_centre(next)))
    .then_some(next)
}

impl Lines {
    /// The lines of the board.
    pub fn new() -> Lines {
        let points = 0..POINTS as u8;
        let mut between = vec![Points::MAX; POINTS * POINTS];
        let mut paths = vec![Vec::new(); POINTS];
        let mut rays_from = |from: u8| {
            let mut rays = Vec::new();
            let straight =
                STRAIGHT.map(|direction| (direction, step as fn(u8, (i8, i8)) -> Option<u8>));
            let drawn = DIAGONAL
                .map(|direction| (direction, palace_step as fn(u8, (i8, i8)) -> Option<u8>));
            for (direction, next) in straight.into_iter().chain(drawn) {
                let (mut passed, mut at, mut path) = (0, from, Vec::new());
                while let Some(to) = next(at, direction) {
                    between[usize::from(from) * POINTS + usize::from(to)] = passed;
                    passed |= 1 << to;
                    path.push(to);
                    at = to;
                }
                if passed != 0 {
                    rays.push(Ray { points: passed, ascends: at > from });
                    paths[usize::from(from)].push(path);
                }
            }
            rays
        };
        let rays = points.clone().map(&mut rays_from).collect();
        let leaps: [Vec<Vec<Leap>>; 5] =
            std::array::from_fn(|kind| points.clone().map(|from| leaps_from(kind, from)).collect());
        Lines { rays, paths, between, leaps }
    }

    /// The lines outwards from a point.
    #[inline]
    pub fn rays(&self, from: u8) -> &[Ray] {
        &self.rays[usize::from(from)]
    }

    /// The points of the lines outwards from a point, the nearest first.
    #[inline]
    pub fn paths(&self, from: u8) -> &[Vec<u8>] {
        &self.paths[usize::from(from)]
    }

    /// The points between two points on one line; `None` if the two points are not on one line.
    #[inline]
    pub fn between(&self, from: u8, to: u8) -> Option<Points> {
        let between = self.between[usize::from(from) * POINTS + usize::from(to)];
        (between != Points::MAX).then_some(between)
    }

    /// The leaps of a kind from a point.
    #[inline]
    pub fn leaps(&self, kind: usize, from: u8) -> &[Leap] {
        &self.leaps[kind][usize::from(from)]
    }
}

fn leaps_from(kind: usize, from: u8) -> Vec<Leap> {
    let free = |to: u8| Leap { to, over: 0 };
    let mut leaps = Vec::new();
    match kind {
        PALACE => {
            let straight = STRAIGHT.into_iter().filter_map(|direction| step(from, direction));
            let inside =
                straight.filter(|&to| palace(from).is_some() && palace(to) == palace(from));
            leaps.extend(inside.map(free));
            leaps.extend(
                DIAGONAL.into_iter().filter_map(|direction| palace_step(from, direction)).map(free),
            );
        }
        HORSE | ELEPHANT => {
            for (x, y) in STRAIGHT {
                for side in [-1, 1] {
                    // One diagonal step outwards.
                    let (dx, dy) = if x == 0 { (side, y) } else { (x, side) };
                    let Some(first) = step(from, (x, y)) else { continue };
                    let Some(second) = step(first, (dx, dy)) else { continue };
                    if kind == HORSE {
                        leaps.push(Leap { to: second, over: 1 << first });
                    } else if let Some(to) = step(second, (dx, dy)) {
                        leaps.push(Leap { to, over: 1 << first | 1 << second });
                    }
                }
            }
        }
        _ => {
            let forward = if kind == SOLDIER { 1 } else { -1 };
            let straight = [(0, forward), (-1, 0), (1, 0)];
            leaps.extend(
                straight.into_iter().filter_map(|direction| step(from, direction)).map(free),
            );
            // A soldier cannot be in its own palace.
            let drawn = [(-1, forward), (1, forward)];
            leaps.extend(
                drawn.into_iter().filter_map(|direction| palace_step(from, direction)).map(free),
            );
        }
    }
    leaps
}

/// The points of some bits, in ascending order.
#[inline]
pub fn each(mut points: Points) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let point = (points != 0).then(|| points.trailing_zeros() as u8)?;
        points &= points - 1;
        Some(point)
    })
}
