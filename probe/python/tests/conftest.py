"""Fixtures: tables, and positions with their results."""

import csv
import os
import pathlib
from typing import NamedTuple, Optional

import pytest

import sakmak

DATA = pathlib.Path(__file__).parents[2] / "tests/data"


class Row(NamedTuple):
    """A row of positions.tsv."""

    fen: str
    counting: str
    category: str
    plies: Optional[int]
    counted: Optional[int]
    mate_in_time: Optional[int]
    best: Optional[str]


@pytest.fixture(scope="session")
def directory():
    """The tables that tables.sh makes; scripts/bindings.sh passes their path."""
    path = os.environ.get("SAKMAK_TEST_TABLES")
    if path is None:
        pytest.fail("SAKMAK_TEST_TABLES is not set: run scripts/bindings.sh")
    return pathlib.Path(path)


@pytest.fixture(scope="session")
def tables(directory):
    return sakmak.Tablebase(directory)


@pytest.fixture(scope="session")
def rows():
    def text(field):
        return None if field == "-" else field

    def number(field):
        return None if field == "-" else int(field)

    with open(DATA / "positions.tsv", newline="") as file:
        lines = csv.reader((line for line in file if line[0] != "#"), delimiter="\t")
        return [
            Row(fen, counting, category, number(plies), number(moves), number(in_time), text(best))
            for fen, counting, category, plies, moves, in_time, best in lines
        ]
