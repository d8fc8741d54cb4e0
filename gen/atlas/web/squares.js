// Squares by name, such as "e4" or "a10". A shape has the number of files and of ranks.

const FILES = "abcdefghi";

export const fileOf = (square) => FILES.indexOf(square[0]);
export const rankOf = (square) => Number(square.slice(1)) - 1;

/** The squares that a move such as "e2e10" begins with. */
export const endsOf = (move) => move.match(/[a-z]\d+/g).slice(0, 2);

/** The square of a file and a rank from 0, or null if there is none. */
export function squareAt({ files, ranks }, file, rank) {
  const isInside = file >= 0 && file < files && rank >= 0 && rank < ranks;
  return isInside ? FILES[file] + (rank + 1) : null;
}

/** All squares as they are read: by ranks from the top, seen by White or from the other side. */
export function rows(shape, flipped = false) {
  const files = [...Array(shape.files).keys()];
  const ranks = [...Array(shape.ranks).keys()].reverse();
  if (flipped) {
    files.reverse();
    ranks.reverse();
  }
  return ranks.map((rank) => files.map((file) => squareAt(shape, file, rank)));
}
