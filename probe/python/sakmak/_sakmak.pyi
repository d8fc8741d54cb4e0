"""What the module holds, and what it means.

Everything may be used from any thread at any time. Look-ups let other Python threads run.

A position is a FEN as Fairy-Stockfish writes it, the count included; the fields after the
side to move may be left out. `counting` is the way of counting, and with it the game:
"makruk", "makruk-khon-first", "ouk" or "ouk-traditional"; any other is a ValueError. Where
no count runs, one is taken to start in the position. Results are for the side to move.

Whatever asks about a position raises a SakmakError where there is no answer.
"""

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Literal, final, overload

#: From best to worst: mates in time; can force mate, but not in time; nobody can force mate;
#: mate can be forced against it, but not in time; is mated in time.
Category = Literal["win", "cursed-win", "draw", "blessed-loss", "loss"]

class SakmakError(Exception):
    """A position has no answer."""

class BadFen(SakmakError):
    """No FEN, or a count these men cannot have."""

class IllegalPosition(SakmakError):
    """No game has the position."""

class LeapRights(SakmakError):
    """First-move leaps may still be made, which tables know nothing of."""

class TooManyMen(SakmakError):
    """More men than any table has."""

class MissingTable(SakmakError):
    """The table is in no directory."""

class BrokenFile(SakmakError):
    """A table is damaged, or not the one its name says, or contradicts another."""

@final
class Distance:
    """How far mate is with best play and no counting."""

    @property
    def plies(self) -> int:
        """Odd if the mover wins, even if it loses; 0 is mate on the board."""
    @property
    def moves(self) -> int:
        """Moves of the side that mates."""
    def __hash__(self) -> int: ...

@final
class Count:
    """A count, where it stands and what is left of it; all but the last two in moves."""

    @property
    def rule(self) -> Literal["pieces-honour", "boards-honour"]: ...
    @property
    def running(self) -> bool:
        """Whether it was running; otherwise it is taken to start here."""
    @property
    def attacker(self) -> Literal["white", "black"]:
        """The side that has to mate in time."""
    @property
    def limit(self) -> int:
        """The number at which it ends."""
    @property
    def called(self) -> int:
        """The last number called."""
    @property
    def moves_left(self) -> int:
        """The attacker's moves that may still mate in time."""
    @property
    def limit_plies(self) -> int:
        """The limit as FEN has it."""
    @property
    def plies(self) -> int:
        """The plies counted, as FEN has them."""
    def __hash__(self) -> int: ...

@final
class Move:
    """A legal move and what it is worth to the side that makes it; str() is its UCI.

    Distances count from the position asked about, with this move.
    """

    @property
    def uci(self) -> str: ...
    @property
    def san(self) -> str: ...
    @property
    def category(self) -> Category: ...
    @property
    def dtm(self) -> Distance | None: ...
    @property
    def counted_moves(self) -> int | None:
        """As Tablebase.counted_moves."""
    @property
    def fen(self) -> str:
        """The position it leads to, the count running on."""
    def __hash__(self) -> int: ...

@final
class Answer:
    """All about one position."""

    @property
    def fen(self) -> str:
        """All six fields."""
    @property
    def counting(self) -> str: ...
    @property
    def outcome(self) -> Literal["checkmate", "stalemate"] | None:
        """How the game is over, if it is."""
    @property
    def category(self) -> Category: ...
    @property
    def dtm(self) -> Distance | None:
        """None for a draw."""
    @property
    def counted_moves(self) -> int | None:
        """As Tablebase.counted_moves."""
    @property
    def count(self) -> Count | None:
        """The count that runs or is taken to start here; None where nothing is counted."""
    @property
    def moves(self) -> list[Move]:
        """The legal moves, best first."""
    @property
    def line(self) -> list[str]:
        """Best play to mate as if nobody counted, in UCI; empty for a draw."""
    @property
    def counted_line(self) -> list[str]:
        """Best play under the count, in UCI."""
    @property
    def counted_line_end(
        self,
    ) -> Literal["checkmate", "stalemate", "bare-kings", "claim", "repetition"]:
        """How best play under the count ends."""

@final
class Tablebase:
    """Tables in directories. No file is opened before it is needed."""

    def __new__(cls, directory: str | PathLike[str] | None = None) -> Tablebase:
        """Tables of one directory, or of none as yet. OSError if it cannot be read."""
    def add_directory(self, directory: str | PathLike[str]) -> None:
        """Adds a directory, searched after those named before. OSError if it cannot be
        read. Waits for look-ups under way."""
    @property
    def directories(self) -> list[Path]:
        """The directories searched, in this order."""
    def probe(self, fen: str, counting: str = "makruk") -> Answer:
        """All about a position. Follows lines of play: category() alone is far quicker."""
    def category(self, fen: str, counting: str = "makruk") -> Category:
        """What the position is worth under the count."""
    def verdict(self, fen: str, counting: str = "makruk") -> Category:
        """What the position is worth at a fresh count, whatever count the FEN says is
        running; quickest where there is a verdict file."""
    def distance(self, fen: str, counting: str = "makruk") -> Distance | None:
        """How far mate is with no counting; None for a draw."""
    def counted_moves(self, fen: str, counting: str = "makruk") -> int | None:
        """How many of the attacker's moves of the count are needed until mate, or until a
        change of phase into a position that is won there; None where no count leaves
        enough."""
    def moves(self, fen: str, counting: str = "makruk") -> list[Move]:
        """The legal moves, best first."""
    def best_move(self, fen: str, counting: str = "makruk") -> Move | None:
        """The first of moves(): who makes it each time keeps what the position is worth.
        None when the game is over."""
    def line(self, fen: str, counting: str = "makruk") -> list[str]:
        """Best play to mate as if nobody counted, in UCI; empty for a draw."""
    def counted_line(self, fen: str, counting: str = "makruk") -> list[str]:
        """Best play under the count, in UCI, to mate or until the game is drawn."""
    @overload
    def probe_many(
        self,
        fens: Sequence[str],
        counting: str = "makruk",
        *,
        threads: int = 0,
        return_errors: Literal[False] = False,
    ) -> list[Answer]: ...
    @overload
    def probe_many(
        self,
        fens: Sequence[str],
        counting: str = "makruk",
        *,
        threads: int = 0,
        return_errors: bool,
    ) -> list[Answer | SakmakError]:
        """probe() for many positions, in their order, by so many threads; 0 stands for as
        many as there are cores. The first error is raised, or with return_errors each stands
        in the place of its answer."""
    @overload
    def categories(
        self,
        fens: Sequence[str],
        counting: str = "makruk",
        *,
        threads: int = 0,
        return_errors: Literal[False] = False,
    ) -> list[Category]: ...
    @overload
    def categories(
        self,
        fens: Sequence[str],
        counting: str = "makruk",
        *,
        threads: int = 0,
        return_errors: bool,
    ) -> list[Category | SakmakError]:
        """category() for many positions, as probe_many()."""
    @overload
    def verdicts(
        self,
        fens: Sequence[str],
        counting: str = "makruk",
        *,
        threads: int = 0,
        return_errors: Literal[False] = False,
    ) -> list[Category]: ...
    @overload
    def verdicts(
        self,
        fens: Sequence[str],
        counting: str = "makruk",
        *,
        threads: int = 0,
        return_errors: bool,
    ) -> list[Category | SakmakError]:
        """verdict() for many positions, as probe_many()."""
