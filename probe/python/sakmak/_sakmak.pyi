"""The classes of the module.

Every method may be called from any thread at any time. Probes release the interpreter, so
other Python threads run meanwhile. A Tablebase works in a child of os.fork() too: it opens its
files again there.

A position is a FEN as Fairy-Stockfish writes it, with the count. Only the board and the side
to move are required. `counting` is the counting rule, which determines the variant too:
"makruk", "makruk-khon-first", "ouk", "ouk-traditional", "kar-ouk", "sittuyin", "ai-wok", "shatranj",
"asean" or "makpong", in any letter case, or the name of a variant, such as "cambodian", for its usual
rule; any other value raises ValueError. In Kar Ouk the first check wins, and mate is the check
throughout.
If no count runs, one starts in the position. Results are for the side to move.

Methods that take a FEN raise a SakmakError if the position has no answer.
"""

from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import Literal, final, overload

#: From best to worst: the side to move mates in time; it forces mate, but too late; neither
#: side forces mate; the opponent forces mate, but too late; the opponent mates in time.
Category = Literal["win", "cursed-win", "draw", "blessed-loss", "loss"]

#: The version of the library.
__version__: str

class SakmakError(Exception):
    """A position has no answer."""

class BadFen(SakmakError):
    """Not a FEN, or a count that these pieces cannot have."""

class IllegalPosition(SakmakError):
    """The position is illegal."""

class LeapRights(SakmakError):
    """A first-move leap is still allowed. Tables are made without such moves."""

class TooManyMen(SakmakError):
    """The position has more men than any table, kings included."""

class MissingTable(SakmakError):
    """The table is in no directory."""

class BrokenFile(SakmakError):
    """A table is damaged, or contradicts another one."""

class ChangedFile(BrokenFile):
    """A file was written to while it was open. Open the tables again."""

@final
class Distance:
    """The distance to mate with best play and no counting."""

    @property
    def plies(self) -> int:
        """Odd for a win, even for a loss; 0 if the side to move is mated."""
    @property
    def moves(self) -> int:
        """Moves of the side that mates."""
    def __hash__(self) -> int: ...

@final
class Count:
    """A count: where it stands, and how much of it is left. In moves unless stated otherwise."""

    @property
    def rule(self) -> Literal["pieces-honour", "boards-honour"]: ...
    @property
    def running(self) -> bool:
        """Whether the count runs already. If not, it starts in this position."""
    @property
    def attacker(self) -> Literal["white", "black"]:
        """The side that must mate in time."""
    @property
    def limit(self) -> int:
        """The number at which the count ends."""
    @property
    def called(self) -> int:
        """The last number called."""
    @property
    def moves_left(self) -> int:
        """The moves the attacker has left to mate in time."""
    @property
    def limit_plies(self) -> int:
        """The limit in plies, as in a FEN."""
    @property
    def plies(self) -> int:
        """The plies counted, as in a FEN."""
    def __hash__(self) -> int: ...

@final
class Move:
    """A legal move and its value for the side that plays it. str() returns UCI.

    Distances are measured from the position before the move; the move itself counts.
    """

    @property
    def uci(self) -> str: ...
    @property
    def san(self) -> str: ...
    @property
    def category(self) -> Category: ...
    @property
    def dtm(self) -> Distance | None:
        """The distance to mate; None for a draw."""
    @property
    def counted_moves(self) -> int | None:
        """See Tablebase.counted_moves."""
    @property
    def mate_in_time(self) -> Distance | None:
        """See Tablebase.mate_in_time; the move itself counts."""
    @property
    def fen(self) -> str:
        """The position after the move, with the count that runs there."""
    def __hash__(self) -> int: ...

@final
class Answer:
    """Everything about one position."""

    @property
    def fen(self) -> str:
        """All six fields."""
    @property
    def counting(self) -> str:
        """The counting rule."""
    @property
    def outcome(self) -> Literal["checkmate", "stalemate", "bare-king"] | None:
        """How the game has ended; None if there is a legal move."""
    @property
    def category(self) -> Category: ...
    @property
    def dtm(self) -> Distance | None:
        """The distance to mate; None for a draw."""
    @property
    def counted_moves(self) -> int | None:
        """See Tablebase.counted_moves."""
    @property
    def mate_in_time(self) -> Distance | None:
        """See Tablebase.mate_in_time."""
    @property
    def count(self) -> Count | None:
        """The count that runs or starts here; None if no count applies."""
    @property
    def moves(self) -> list[Move]:
        """The legal moves, best first."""
    @property
    def line(self) -> list[str]:
        """Best play to mate with no counting, in UCI; empty for a draw."""
    @property
    def counted_line(self) -> list[str]:
        """Best play under the count, in UCI."""
    @property
    def counted_line_end(
        self,
    ) -> Literal["checkmate", "stalemate", "bare-king", "bare-kings", "claim", "repetition"]:
        """How best play under the count ends."""

@final
class Tablebase:
    """The tables of some directories. Each file is opened when it is first needed."""

    def __new__(
        cls,
        directory: str | PathLike[str] | None = None,
        *,
        access: Literal["mapped", "read"] | None = None,
    ) -> Tablebase:
        """Opens a directory; None opens a tablebase without one. Raises OSError if the
        directory cannot be read.

        `access` is how files are read. "mapped": mapped into memory, fastest. A file that is
        cut short while it is open, for example by cp, may end Python with a bus error:
        replace tables by renaming (mv). A WDL file that is overwritten may give wrong results
        for a second. "read": read on demand, WDL files as a whole when they are opened.
        With both, a file that was changed raises ChangedFile.
        None: the environment variable SAKMAK_ACCESS, else "mapped".

        A pickled tablebase is its directories and its access, which are opened again when it is
        unpickled, for example in a process of multiprocessing."""
    def add_directory(self, directory: str | PathLike[str]) -> None:
        """Adds a directory. Directories are searched in the order in which they were added.
        Files that were missing before are looked for again. Waits for running probes.
        Raises OSError if the directory cannot be read."""
    def close(self) -> None:
        """Closes all files once running probes have ended. Later calls raise ValueError. The end of
        a `with` block closes the tablebase too."""
    def __enter__(self) -> Tablebase: ...
    def __exit__(
        self, exception_type: object, exception: object, traceback: object, /
    ) -> None: ...
    @property
    def access(self) -> Literal["mapped", "read"]:
        """How files are read."""
    @property
    def directories(self) -> list[Path]:
        """The directories, in the order in which they are searched."""
    @property
    def refused_files(self) -> list[str]:
        """The files that were refused when they were opened, and in whose place another file
        answers: the path of each, and what is wrong."""
    def probe(self, fen: str, counting: str = "makruk") -> Answer:
        """Everything about a position. Follows two lines of play to their ends, so
        category() alone is far quicker."""
    def category(self, fen: str, counting: str = "makruk") -> Category:
        """The category under the count."""
    def wdl(self, fen: str, counting: str = "makruk") -> Category:
        """The category at a fresh count; a count in the FEN is ignored. Fastest from a WDL
        file."""
    def distance(self, fen: str, counting: str = "makruk") -> Distance | None:
        """The distance to mate with no counting; None for a draw."""
    def counted_moves(self, fen: str, counting: str = "makruk") -> int | None:
        """The number of moves that the attacker needs to force mate, or a change of phase
        into a position that is won there. None if no count leaves enough moves."""
    def mate_in_time(self, fen: str, counting: str = "makruk") -> Distance | None:
        """The shortest mate in time. None if no mate is in time, or if the number is not known:
        its tables are missing, or the running count is so short that another must replace it
        on the way and too much would have to be searched."""
    def moves(self, fen: str, counting: str = "makruk") -> list[Move]:
        """The legal moves, best first."""
    def best_move(self, fen: str, counting: str = "makruk") -> Move | None:
        """The first of moves(): playing it every time keeps the category of the position.
        None if the game is over."""
    def line(self, fen: str, counting: str = "makruk") -> list[str]:
        """Best play to mate with no counting, in UCI; empty for a draw."""
    def counted_line(self, fen: str, counting: str = "makruk") -> list[str]:
        """Best play under the count, in UCI, to mate or to the draw."""
    @overload
    def probe_batch(
        self,
        fens: Iterable[str],
        counting: str = "makruk",
        *,
        threads: int = 0,
        return_errors: Literal[False] = False,
    ) -> list[Answer]: ...
    @overload
    def probe_batch(
        self,
        fens: Iterable[str],
        counting: str = "makruk",
        *,
        threads: int = 0,
        return_errors: bool,
    ) -> list[Answer | SakmakError]:
        """probe() for many positions. Results are in the order of the positions. `threads` is the
        number of threads; 0 stands for the number of cores. The first error is raised, or
        with return_errors each stands in the list in place of its result. Ctrl-C interrupts
        it, as any signal whose handler raises. More than 2**24 positions are a ValueError."""
    @overload
    def category_batch(
        self,
        fens: Iterable[str],
        counting: str = "makruk",
        *,
        threads: int = 0,
        return_errors: Literal[False] = False,
    ) -> list[Category]: ...
    @overload
    def category_batch(
        self,
        fens: Iterable[str],
        counting: str = "makruk",
        *,
        threads: int = 0,
        return_errors: bool,
    ) -> list[Category | SakmakError]:
        """category() for many positions, as probe_batch()."""
    @overload
    def wdl_batch(
        self,
        fens: Iterable[str],
        counting: str = "makruk",
        *,
        threads: int = 0,
        return_errors: Literal[False] = False,
    ) -> list[Category]: ...
    @overload
    def wdl_batch(
        self,
        fens: Iterable[str],
        counting: str = "makruk",
        *,
        threads: int = 0,
        return_errors: bool,
    ) -> list[Category | SakmakError]:
        """wdl() for many positions, as probe_batch()."""
