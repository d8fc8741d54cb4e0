"""The classes of the module. Docstrings are those of the extension; sakmak/__init__.py tells what a
position, a counting rule and a category are."""

from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import Any, Final, Literal, Protocol, SupportsIndex, TypeVar, final, overload

#: From best to worst: the side to move mates in time; it forces mate, but too late; neither
#: side forces mate; the opponent forces mate, but too late; the opponent mates in time.
Category = Literal["win", "cursed-win", "draw", "blessed-loss", "loss"]
#: A category as a number: 2 for a win to -2 for a loss.
Wdl = Literal[2, 1, 0, -1, -2]
class _Board(Protocol):
    """A board, such as chess.Board of python-chess. If it has `uci_variant`, that is its variant."""

    def fen(self) -> str: ...

#: A FEN with its counting rule beside it, or a position or a board that has one.
AnyPosition = str | Position | _Board
#: A side, as words or as in python-chess.
Turn = Literal["white", "black", "w", "b"] | bool
#: numpy.ndarray of int8, or array.array("b") without NumPy; Any, as NumPy need not be installed.
NumberArray = Any
Default = TypeVar("Default")

#: Look-ups for one answer that a person waits for, at most about a second.
THOROUGH: Final[int]
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
    """A count: its number, its limit and the moves left. In moves unless stated otherwise."""

    @property
    def rule(self) -> Literal["pieces-honour", "boards-honour", "fifty-moves"]:
        """The kind of count: "pieces-honour", "boards-honour" or "fifty-moves"."""
    @property
    def running(self) -> bool:
        """Whether the count runs already. Otherwise it starts in this position."""
    @property
    def attacker(self) -> Literal["white", "black"]:
        """The side that must mate in time: "white" or "black"."""
    @property
    def limit(self) -> int:
        """The number at which the count ends."""
    @property
    def called(self) -> int:
        """The last number called."""
    @property
    def moves_left(self) -> int:
        """Moves left to the attacker for a mate in time."""
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

    Distances are measured from the position before the move; the move itself counts."""

    @property
    def uci(self) -> str:
        """The move in UCI, for example "e1d2"."""
    @property
    def san(self) -> str:
        """The move in SAN, for example "Md2"."""
    @property
    def category(self) -> Category:
        """The category after the move, for the side that plays it."""
    @property
    def dtm(self) -> Distance | None:
        """The distance to mate; None for a draw."""
    @property
    def counted(self) -> int | None:
        """See Tablebase.counted."""
    @property
    def mate_in_time(self) -> Distance | None:
        """See Tablebase.mate_in_time; the move itself counts."""
    @property
    def fen(self) -> str:
        """The position after the move, with the count that runs there."""
    def __hash__(self) -> int: ...

@final
class Answer:
    """Everything about one position, for the side to move."""

    @property
    def fen(self) -> str:
        """The FEN, with all six fields."""
    @property
    def counting(self) -> str:
        """The counting rule."""
    @property
    def outcome(self) -> Literal["checkmate", "stalemate", "bare-king"] | None:
        """How the game has ended: "checkmate", "stalemate" or "bare-king"; None if there is a legal
        move."""
    @property
    def category(self) -> Category:
        """The category under the count."""
    @property
    def dtm(self) -> Distance | None:
        """The distance to mate; None for a draw."""
    @property
    def counted(self) -> int | None:
        """See Tablebase.counted."""
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
        """How best play under the count ends: "checkmate", "stalemate", "bare-king", "bare-kings",
        "claim" or "repetition"."""
    def __hash__(self) -> int: ...

@final
class Solution:
    """The moves of a position that keep the result, and whether the solution of a win is unique."""

    @property
    def kept(self) -> int:
        """The number of legal moves that keep the result under the count."""
    @property
    def kept_uncounted(self) -> int:
        """The number of legal moves that keep the result if nobody counts."""
    @property
    def unique(self) -> bool | None:
        """Whether exactly one move wins in time at every turn of the winner, against all defences.
        None if the side to move does not win in time, and if the budget does not suffice."""
    @property
    def shortest_unique(self) -> bool | None:
        """Whether exactly one move has the shortest mate in time at every turn of the winner,
        against all defences. None as for unique, and if a length is not known."""
    @property
    def only_moves(self) -> int:
        """The turns of the winner from here with exactly one move that wins in time, along best
        play. 0 if the side to move does not win in time."""
    def __hash__(self) -> int: ...

@final
class VariantMove:
    """A legal move of a board game, such as Janggi, and its value for the side that plays it.
    str() returns the move."""

    @property
    def move(self) -> str:
        """The squares where the man comes from and where it goes, for example "e2e10"; equal ones
        are a pass. In "min-rek-chanh-called" a "!" after them is an order to rek, as in "a2a3!"."""
    @property
    def category(self) -> Literal["win", "draw", "loss"]:
        """The category: "win", "draw" or "loss"."""
    @property
    def result(self) -> str:
        """The result in words, for example "win in 8"."""
    @property
    def plies(self) -> int | None:
        """Plies until the end of best play, this move included; None for a draw."""
    def __hash__(self) -> int: ...

@final
class VariantAnswer:
    """Everything about one position of a board game, such as Janggi, for the side to move:
    what "sakmak probe --json" prints, and the category."""

    @property
    def variant(self) -> str:
        """The name of the variant."""
    @property
    def fen(self) -> str:
        """The FEN."""
    @property
    def category(self) -> Literal["win", "draw", "loss"]:
        """The category: "win", "draw" or "loss"."""
    @property
    def result(self) -> str:
        """The result in words, for example "win in 8"; moves are those of the winner."""
    @property
    def plies(self) -> int | None:
        """Plies until the end of best play; None for a draw."""
    @property
    def moves(self) -> list[VariantMove]:
        """The legal moves, best first."""
    @property
    def line(self) -> list[str]:
        """Best play to the end; empty for a draw."""
    def __hash__(self) -> int: ...

@final
class Position:
    """A position, read from a FEN or made of bitboards. Methods accept it instead of a FEN; its
    counting rule is part of it.

    A bitboard is an int with a bit for each square: bit 0 is a1, bit 7 h1, bit 63 h8. A position
    that is read from a FEN is legal. A position made of bitboards may be illegal: then a probe
    raises IllegalPosition."""

    def __new__(cls, fen: str, counting: str | None = None) -> Position: ...
    @staticmethod
    def from_bitboards(
        white: SupportsIndex,
        black: SupportsIndex,
        kings: SupportsIndex,
        rooks: SupportsIndex = 0,
        knights: SupportsIndex = 0,
        khons: SupportsIndex = 0,
        mets: SupportsIndex = 0,
        pawns: SupportsIndex = 0,
        *,
        turn: Turn | None = None,
        counting: str | None = None,
        count_limit: SupportsIndex = 0,
        count: SupportsIndex = 0,
    ) -> Position:
        """A position from bitboards: the pieces of each side, and the pieces of each kind. Every
        piece is in one of each. `turn` is "white" or "black", or as in python-chess True or False.
        `count_limit` and `count` are the fields of a FEN, in plies; without them no count runs.
        Raises ValueError if the bitboards contradict each other or these pieces cannot have the
        count."""
    @staticmethod
    def from_arrays(
        white: Iterable[SupportsIndex],
        black: Iterable[SupportsIndex],
        kings: Iterable[SupportsIndex],
        rooks: Iterable[SupportsIndex] | None = None,
        knights: Iterable[SupportsIndex] | None = None,
        khons: Iterable[SupportsIndex] | None = None,
        mets: Iterable[SupportsIndex] | None = None,
        pawns: Iterable[SupportsIndex] | None = None,
        *,
        turn: Turn | Iterable[Turn] | None = None,
        counting: str | None = None,
        count_limit: SupportsIndex | Iterable[SupportsIndex] | None = None,
        count: SupportsIndex | Iterable[SupportsIndex] | None = None,
    ) -> Positions:
        """Many positions from columns of bitboards: arrays of NumPy, columns of pandas,
        array.array, lists or any other iterables of ints, all of one length, with a position in
        each row. A column of pieces may be left out if there are none. `turn`, `count_limit` and
        `count` are columns too, or one value for all. Otherwise as from_bitboards(). Fastest from
        contiguous arrays of integers, and of bools for `turn`."""
    @property
    def fen(self) -> str:
        """The FEN, with all six fields."""
    @property
    def turn(self) -> Literal["white", "black"]:
        """The side to move."""
    @property
    def counting(self) -> str:
        """The counting rule."""
    @property
    def count_limit(self) -> int:
        """The limit of the count in plies, as in a FEN; 0 if no count runs."""
    @property
    def count(self) -> int:
        """The plies counted, as in a FEN; 0 if no count runs."""
    @property
    def white(self) -> int:
        """White's pieces."""
    @property
    def black(self) -> int:
        """Black's pieces."""
    @property
    def kings(self) -> int:
        """The kings of both sides."""
    @property
    def rooks(self) -> int:
        """The rooks of both sides."""
    @property
    def knights(self) -> int:
        """The knights of both sides."""
    @property
    def khons(self) -> int:
        """The khons of both sides, in chess the bishops."""
    @property
    def mets(self) -> int:
        """The mets of both sides, in chess the queens, promoted pawns included."""
    @property
    def pawns(self) -> int:
        """The pawns of both sides."""
    def __hash__(self) -> int: ...

@final
class Positions:
    """Many positions, read once for any number of batches: a sequence of Positions without a Python
    object for each.

    Positions(positions) takes an iterable of FENs, Positions and boards; Position.from_arrays()
    takes columns of bitboards."""

    def __new__(
        cls, positions: Iterable[AnyPosition], counting: str | None = None
    ) -> Positions: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: SupportsIndex, /) -> Position: ...
    @overload
    def __getitem__(self, index: slice, /) -> Positions: ...
    def __iter__(self) -> Iterator[Position]: ...

@final
class Tablebase:
    """The tables of some directories. Each file is opened when it is first needed.

    Tablebase(directory) opens a directory, Tablebase() a tablebase without one. Raises OSError if
    the directory cannot be read.

    `access` is how files are read. "mapped": mapped into memory, fastest. A file that is truncated
    while it is open, for example by cp, may end Python with a bus error: replace tables by renaming
    (mv). A file that is overwritten raises ChangedFile; a WDL file may return wrong results before,
    for a second and up to 31 further lookups of the thread. "read": read on demand, WDL files as a
    whole when they are opened. A file that is truncated or overwritten raises ChangedFile; a WDL
    file is not affected. With both, a packed file of up to 2 MiB is read as a whole and not
    affected. None: the environment variable SAKMAK_ACCESS, else "mapped".

    Methods take a position as a FEN, as a Position or as a board of python-chess. `counting` is the
    counting rule, without which a board has that of its variant and a FEN that of Makruk; by
    "makruk-none" nobody counts. category(), wdl(), dtm() and the methods named after them also
    take the name of a board game, such as "janggi", with a FEN. Every method may be called from
    any thread at any time.

    A pickled tablebase is its directories, its access and its budget of lookups. The directories
    are opened again when it is unpickled, for example in a process of multiprocessing. All results
    can be pickled and copied too."""

    def __new__(
        cls,
        directory: str | PathLike[str] | None = None,
        *,
        access: Literal["mapped", "read"] | None = None,
    ) -> Tablebase: ...
    def searching(self, lookups: int) -> Tablebase:
        """The same tables with a budget of lookups. With the result, mate_in_time(), best_move(),
        moves(), counted_line(), probe() and probe_batch() also search for mates in time whose
        lengths are not in the tables: of the position, after its moves, along the line. `lookups`
        is the maximum number of positions that a call looks up for that, each in some microseconds,
        and in a batch for each position; a new Tablebase has 0. THOROUGH is for one answer that a
        person waits for, at most about a second. What is found is kept: asked again with the same
        budget or a smaller one, it is not searched again. Both share files and directories, and
        closing one closes both."""
    def add_directory(self, directory: str | PathLike[str]) -> None:
        """Adds a directory. Directories are searched in the order in which they were added. Files
        that were missing are searched for again. Waits for running probes. Raises OSError if the
        directory cannot be read."""
    def close(self) -> None:
        """Closes all files once running probes have ended. Later calls raise ValueError. The end of
        a with block closes the tablebase too."""
    def __enter__(self) -> Tablebase: ...
    def __exit__(self, exception_type: object, exception: object, traceback: object, /) -> None: ...
    @property
    def access(self) -> Literal["mapped", "read"]:
        """How files are read: "mapped" or "read"."""
    @property
    def directories(self) -> list[Path]:
        """The directories, in the order in which they are searched."""
    @property
    def refused_files(self) -> list[str]:
        """The files that were refused when they were opened, if another file replaces them or
        prepare() or largest() refused them: path and reason."""
    def prepare(self, men: int, counting: str | None = None) -> int:
        """Opens the files of all tables of at most `men` men, kings included, that may answer under
        this counting rule, and reads and checks all bytes of WDL files. Otherwise a file is opened,
        and a row of a WDL file checked, when it is first needed. Returns the number of tables."""
    def largest(self, counting: str | None = None) -> int:
        """The maximum number of men, kings included, of any table in the directories that answers
        under this counting rule; 0 without a table. Not every table of that many men need be
        available. Refused files do not count."""
    def probe(self, position: AnyPosition, counting: str | None = None) -> Answer:
        """Everything about a position. Follows two lines of play to their ends, so category() alone
        is far faster."""
    def probe_variant(self, fen: str, variant: str) -> VariantAnswer:
        """Everything about a position of a board game: Janggi, Rek or Min Rek Chanh. `variant`
        is its name, such as "janggi", or that of Fairy-Stockfish, such as "janggicasual"; any other
        value raises ValueError that names all. Follows a line of play to its end, so category()
        with the same name is far faster."""
    def category(self, position: AnyPosition, counting: str | None = None) -> Category:
        """The category under the count. Reads only the WDL file unless a count has run for a while
        and a fresh count would decide the game."""
    def wdl(self, position: AnyPosition, counting: str | None = None) -> Category:
        """The category at a fresh count; a count in the position is ignored. Fastest from a WDL
        file."""
    def wdl_counted(self, position: AnyPosition, counting: str | None = None) -> Category:
        """Another name of category(), beside wdl()."""
    def probe_wdl(self, position: AnyPosition, counting: str | None = None) -> Wdl:
        """The category under the count as a number: 2 for a win, 1 for a win that comes too late, 0
        for a draw, -1 for a loss that comes too late, -2 for a loss. As wdl_counted(), and unlike
        python-chess, it considers the count that runs in the position."""
    @overload
    def get_wdl(
        self, position: AnyPosition, default: None = None, counting: str | None = None
    ) -> Wdl | None: ...
    @overload
    def get_wdl(
        self, position: AnyPosition, default: Default, counting: str | None = None
    ) -> Wdl | Default:
        """As probe_wdl(), but `default` if no table can have the position: the table is missing,
        the position has more men than any table, or a first-move leap is still allowed in it. Other
        errors are raised."""
    def probe_dtm(self, position: AnyPosition, counting: str | None = None) -> int:
        """The distance to mate with no counting, in plies: positive if the side to move mates,
        negative if it is mated, 0 for a draw and if it is mated already."""
    @overload
    def get_dtm(
        self, position: AnyPosition, default: None = None, counting: str | None = None
    ) -> int | None: ...
    @overload
    def get_dtm(
        self, position: AnyPosition, default: Default, counting: str | None = None
    ) -> int | Default:
        """As probe_dtm(), but `default` if no table can have the position, as in get_wdl()."""
    def dtm(self, position: AnyPosition, counting: str | None = None) -> Distance | None:
        """The distance to mate with no counting; None for a draw."""
    def counted(self, position: AnyPosition, counting: str | None = None) -> int | None:
        """The number of moves that the attacker needs to force mate, or a change of phase into a
        position that is won there. None if no count leaves enough moves."""
    def mate_in_time(self, position: AnyPosition, counting: str | None = None) -> Distance | None:
        """The shortest mate in time. None if no mate is in time, or if its length is not known: its
        tables are missing, or the running count is so short that another must replace it on the
        way. Then searching() finds it."""
    def moves(self, position: AnyPosition, counting: str | None = None) -> list[Move]:
        """The legal moves, best first: by category; wins and losses in time by the mate in time
        where its length is known, otherwise by the moves needed of the count."""
    def best_move(self, position: AnyPosition, counting: str | None = None) -> Move | None:
        """The first of moves(): playing it every time keeps the category of the position, also
        without a search. None if the game is over."""
    def line(self, position: AnyPosition, counting: str | None = None) -> list[str]:
        """Best play to mate with no counting, in UCI; empty for a draw."""
    def counted_line(self, position: AnyPosition, counting: str | None = None) -> list[str]:
        """Best play under the count, in UCI, to mate or to the draw."""
    def solution(self, position: AnyPosition, counting: str | None = None) -> Solution:
        """The number of right moves, and whether the solution of a win is unique up to the mate.
        Needs a budget of lookups for more than the moves of the position itself: see
        searching()."""
    @overload
    def probe_batch(
        self,
        positions: Iterable[AnyPosition],
        counting: str | None = None,
        *,
        threads: int = 0,
        return_errors: Literal[False] = False,
    ) -> list[Answer]: ...
    @overload
    def probe_batch(
        self,
        positions: Iterable[AnyPosition],
        counting: str | None = None,
        *,
        threads: int = 0,
        return_errors: bool,
    ) -> list[Answer | SakmakError]:
        """probe() for many positions: an iterable of FENs and Positions. Results are in the order
        of the positions. `threads` is the number of threads; 0 is the number of cores. The first
        error is raised, or with return_errors each error is in the list instead of its result.
        Ctrl-C interrupts it, as any signal whose handler raises. More than 2**24 positions are a
        ValueError."""
    @overload
    def category_batch(
        self,
        positions: Iterable[AnyPosition],
        counting: str | None = None,
        *,
        threads: int = 0,
        return_errors: Literal[False] = False,
        numbers: Literal[False] = False,
    ) -> list[Category]: ...
    @overload
    def category_batch(
        self,
        positions: Iterable[AnyPosition],
        counting: str | None = None,
        *,
        threads: int = 0,
        return_errors: bool,
        numbers: Literal[False] = False,
    ) -> list[Category | SakmakError]: ...
    @overload
    def category_batch(
        self,
        positions: Iterable[AnyPosition],
        counting: str | None = None,
        *,
        threads: int = 0,
        return_errors: bool = False,
        numbers: Literal[True],
    ) -> NumberArray:
        """category() for many positions, as probe_batch(). Reads only the WDL files where they
        decide, as category() does. With `numbers`, an array of int8 with the numbers of probe_wdl()
        and, if return_errors is set, -128 for each error: an array of NumPy, or array.array without
        NumPy."""
    @overload
    def wdl_batch(
        self,
        positions: Iterable[AnyPosition],
        counting: str | None = None,
        *,
        threads: int = 0,
        return_errors: Literal[False] = False,
        numbers: Literal[False] = False,
    ) -> list[Category]: ...
    @overload
    def wdl_batch(
        self,
        positions: Iterable[AnyPosition],
        counting: str | None = None,
        *,
        threads: int = 0,
        return_errors: bool,
        numbers: Literal[False] = False,
    ) -> list[Category | SakmakError]: ...
    @overload
    def wdl_batch(
        self,
        positions: Iterable[AnyPosition],
        counting: str | None = None,
        *,
        threads: int = 0,
        return_errors: bool = False,
        numbers: Literal[True],
    ) -> NumberArray:
        """wdl() for many positions, as category_batch()."""
    @overload
    def wdl_counted_batch(
        self,
        positions: Iterable[AnyPosition],
        counting: str | None = None,
        *,
        threads: int = 0,
        return_errors: Literal[False] = False,
        numbers: Literal[False] = False,
    ) -> list[Category]: ...
    @overload
    def wdl_counted_batch(
        self,
        positions: Iterable[AnyPosition],
        counting: str | None = None,
        *,
        threads: int = 0,
        return_errors: bool,
        numbers: Literal[False] = False,
    ) -> list[Category | SakmakError]: ...
    @overload
    def wdl_counted_batch(
        self,
        positions: Iterable[AnyPosition],
        counting: str | None = None,
        *,
        threads: int = 0,
        return_errors: bool = False,
        numbers: Literal[True],
    ) -> NumberArray:
        """Another name of category_batch(), beside wdl_batch()."""

def open_tablebase(
    directory: str | PathLike[str], *, access: Literal["mapped", "read"] | None = None
) -> Tablebase:
    """Opens a directory of tables: another name of Tablebase(directory), as in python-chess."""
