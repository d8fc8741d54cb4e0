"""A game as pyffish sees it: legal moves, the count, the end.

Every call of pyffish takes milliseconds, so there are two for each move.
"""

import collections
import pathlib
import sys

import pyffish

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "crosscheck"))
import crosscheck  # noqa: E402

# The variants that are refereed, with pyffish's names.
NAMES = {variant: crosscheck.GAMES[variant].name for variant in ("makruk", "ouk")}

# Occurrences of a position after which the game is drawn.
REPETITIONS = 3
# A game without an end by then is a draw.
LONGEST_GAME = 400


class RefereedGame:
    """A game in progress. `result` is None, or 1 for a win of White, 0 for a draw, -1."""

    def __init__(self, variant, fen):
        self.variant, self.start, self.fen = variant, fen, fen
        self.moves, self.result, self.end = [], None, ""
        self.seen = collections.Counter()
        self._look()

    def side(self):
        """`w` or `b`: the side to move."""
        return self.fen.split()[1]

    def play(self, move):
        """Plays a move. An illegal one loses."""
        if move not in self.legal:
            self._over(-1 if self.side() == "w" else 1, f"illegal move {move} in {self.fen}")
            return
        after = pyffish.get_fen(NAMES[self.variant], self.fen, [move])
        self.fen = crosscheck.our_fen(self.variant, self.fen, after)
        self.moves.append(move)
        self._look()

    def _over(self, result, end):
        self.result, self.end = result, end

    def _look(self):
        """Finds the end of the game."""
        name = NAMES[self.variant]
        self.legal = pyffish.legal_moves(name, self.fen, [])
        board, side = self.fen.split()[:2]
        self.seen[board, side] += 1
        if not self.legal:
            if pyffish.gives_check(name, self.fen, []):
                self._over(-1 if side == "w" else 1, "checkmate")
            else:
                self._over(0, "stalemate")
        elif not any(letter in board for letter in "RNSMPrnsmp"):
            self._over(0, "bare kings")
        elif crosscheck.is_over(self.fen):
            self._over(0, "count")
        elif self.seen[board, side] >= REPETITIONS:
            self._over(0, "repetition")
        elif len(self.moves) >= LONGEST_GAME:
            self._over(0, "length")
