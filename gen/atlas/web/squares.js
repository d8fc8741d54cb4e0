// Squares by name, such as "e4".

export const FILES = "abcdefgh";
export const RANKS = "12345678";

export const fileOf = (square) => FILES.indexOf(square[0]);
export const rankOf = (square) => RANKS.indexOf(square[1]);

/** The square of a file and a rank from 0, or null if there is none. */
export function squareAt(file, rank) {
  return file in [...FILES] && rank in [...RANKS] ? FILES[file] + RANKS[rank] : null;
}

/** All squares as they are read: by ranks from the top, seen by White or from the other side. */
export function rows(flipped) {
  const files = [...FILES];
  const ranks = [...RANKS].reverse();
  if (flipped) {
    files.reverse();
    ranks.reverse();
  }
  return ranks.map((rank) => files.map((file) => file + rank));
}
