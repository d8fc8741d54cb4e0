"""Endgame tablebases for Makruk and Ouk Chatrang.

    >>> tables = sakmak.Tablebase("sakmak-tables")
    >>> tables.category("8/8/8/4k3/8/4K3/4S3/4M3 w - 88 40 21")
    'win'

Every method may be called from any thread at any time. Probes release the interpreter, so other
Python threads run meanwhile. A Tablebase works in a child of os.fork() too: it opens its files again
there.

A position is a FEN as Fairy-Stockfish writes it, with the count, or a Position. Only the board and the
side to move of a FEN are required. `counting` is the counting rule, which determines the variant too:
its name, such as "makruk" or "ouk-traditional", in any letter case, or the name of a variant, such as
"cambodian", for its usual rule; any other value raises ValueError that names all. In Kar Ouk the first check wins, and mate is the check
throughout. If no count runs, one starts in the position. Results are for the side to move.

A category is one of, from best to worst: "win", the side to move mates in time; "cursed-win", it
forces mate, but too late; "draw", neither side forces mate; "blessed-loss", the opponent forces mate,
but too late; "loss", the opponent mates in time.

Lengths of mates in time that are not in the tables are searched with a budget of lookups only:
tables.searching(THOROUGH) is for one answer that a person waits for.

Janggi, Rek and Min Rek Chanh are board games: other boards, and no counts. probe_variant() has everything
about a position of theirs, and category(), wdl(), dtm() and the methods named after them take the name of such
a variant for `counting`, with a FEN.

Methods that take a position raise a SakmakError if it has no answer.
"""

from ._sakmak import (
    THOROUGH,
    Answer,
    BadFen,
    BrokenFile,
    ChangedFile,
    Count,
    Distance,
    IllegalPosition,
    LeapRights,
    MissingTable,
    Move,
    Position,
    Positions,
    SakmakError,
    Solution,
    Tablebase,
    TooManyMen,
    VariantAnswer,
    VariantMove,
    __version__,
    open_tablebase,
)

__all__ = [
    "THOROUGH",
    "Answer",
    "BadFen",
    "BrokenFile",
    "ChangedFile",
    "Count",
    "Distance",
    "IllegalPosition",
    "LeapRights",
    "MissingTable",
    "Move",
    "Position",
    "Positions",
    "SakmakError",
    "Solution",
    "Tablebase",
    "TooManyMen",
    "VariantAnswer",
    "VariantMove",
    "open_tablebase",
]
