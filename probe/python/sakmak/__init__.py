"""Endgame tablebases for Makruk and Ouk Chatrang.

    >>> tables = sakmak.Tablebase("sakmak-tables")
    >>> tables.category("8/8/8/4k3/8/4K3/4S3/4M3 w - 88 40 21")
    'win'

_sakmak.pyi beside this file documents all classes.
"""

from ._sakmak import (
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
    SakmakError,
    Tablebase,
    TooManyMen,
    __version__,
)

__all__ = [
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
    "SakmakError",
    "Tablebase",
    "TooManyMen",
]
