"""Board games: the answers of the program, and positions without an answer."""

import csv
import os
import threading
from typing import NamedTuple

import pytest

import sakmak

GOOD = "3k5/9/9/9/4R4/9/9/9/N8/4K4 w"
ELEPHANT = "3k5/9/9/9/4B4/9/9/9/9/4K4 w"


class Row(NamedTuple):
    """A row of variants.tsv."""

    variant: str
    fen: str
    category: str
    plies: str
    moves: str
    line: str


@pytest.fixture(scope="module")
def variants():
    """The positions that variants.py makes; scripts/bindings.sh passes their path."""
    with open(os.environ["SAKMAK_TEST_VARIANTS"], newline="") as file:
        rows = [Row(*fields) for fields in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]
    assert len(rows) > 500
    return rows


def text(plies):
    return "-" if plies is None else str(plies)


def check_row(tables, row):
    if row.category == "error":
        for probe in [tables.category, tables.probe_variant, tables.get_dtm]:
            with pytest.raises((sakmak.BadFen, sakmak.IllegalPosition)):
                probe(row.fen, **{"variant" if probe == tables.probe_variant else "counting": row.variant})
        return
    answer = tables.probe_variant(row.fen, row.variant)
    assert (answer.variant, answer.category, text(answer.plies)) == row[:1] + row[2:4]
    moves = [f"{move}:{move.category}:{text(move.plies)}" for move in answer.moves]
    assert (" ".join(moves) or "-") == row.moves
    assert (" ".join(answer.line) or "-") == row.line
    assert all(move.result == answer.result for move in answer.moves[:1])
    for probe in [tables.category, tables.wdl, tables.wdl_counted]:
        assert probe(row.fen, row.variant) == row.category
    number = {"win": 2, "draw": 0, "loss": -2}[row.category]
    assert tables.probe_wdl(row.fen, row.variant) == tables.get_wdl(row.fen, None, row.variant) == number
    distance, plies = tables.dtm(row.fen, row.variant), tables.probe_dtm(row.fen, row.variant)
    assert plies == tables.get_dtm(row.fen, None, row.variant)
    assert (distance and distance.plies) == answer.plies
    assert abs(plies) == (answer.plies or 0) and (plies > 0) == (row.category == "win")
    assert distance is None or distance.moves == (distance.plies + 1) // 2


def test_answers_are_those_of_the_program(tables, variants):
    failures = []

    def check():
        try:
            for row in variants:
                check_row(tables, row)
        except BaseException as failure:  # shown below: a thread has no other way to fail
            failures.append(failure)

    threads = [threading.Thread(target=check) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures[0]


def test_directories_are_added_while_games_are_probed(directory):
    tables = sakmak.Tablebase(directory)

    def probe():
        for _ in range(5):
            found = tables.category_batch([GOOD] * 500, "janggi")
            assert set(found) == {tables.category(GOOD, "janggi")}

    def add():
        for _ in range(30):
            tables.add_directory(directory)

    # A thread that locked the tables twice would wait for `add`, and `add` for it.
    threads = [threading.Thread(target=work, daemon=True) for work in [probe, probe, probe, add]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
        assert not thread.is_alive()


def test_batches_take_the_name_of_a_variant(tables, variants):
    for variant in {row.variant for row in variants}:
        rows = [row for row in variants if row.variant == variant]
        for batch in [tables.category_batch, tables.wdl_batch]:
            found = batch([row.fen for row in rows], variant, return_errors=True, threads=3)
            for row, result in zip(rows, found):
                if row.category == "error":
                    assert isinstance(result, sakmak.SakmakError)
                else:
                    assert result == row.category
    with pytest.raises(sakmak.BadFen):
        tables.category_batch([GOOD, "9 w"], "janggi")


@pytest.mark.parametrize(
    ("fen", "variant", "error", "message"),
    [
        (GOOD, "makruk", ValueError, "'makruk' is not a board game: expected janggi, .*rek"),
        (GOOD, "janggimodern", ValueError, "'janggimodern' has no tables because .*'janggi-casual' has the same moves"),
        ("8/8 w", "janggi", sakmak.BadFen, "expected 10"),
        (ELEPHANT, "janggi", sakmak.MissingTable, "no table KEvK of janggi in "),
        (GOOD, "janggi-casual", sakmak.MissingTable, "generate KRHvK --variant janggi-casual"),
        ("3k5/9/9/9/3R5/9/9/9/9/3K5 w", "janggi", sakmak.IllegalPosition, "could take the general"),
    ],
)
def test_positions_without_an_answer(tables, fen, variant, error, message):
    with pytest.raises(error, match=message):
        tables.probe_variant(fen, variant)
    if variant != "makruk":
        with pytest.raises(error, match=message):
            tables.category(fen, variant)


def test_a_missing_table_gives_the_default(tables):
    assert tables.get_wdl(ELEPHANT, "none", "janggi") == "none"
    assert tables.get_dtm(ELEPHANT, counting="janggi") is None


def test_methods_about_counts_and_positions_name_those_that_take_the_variant(tables):
    position = sakmak.Position("8/8/8/3k4/8/8/4R3/4K3 b")
    for refused in [
        lambda: tables.moves(GOOD, "Janggi"),
        lambda: tables.probe(GOOD, "janggi"),
        lambda: tables.probe_batch([GOOD], "janggi"),
        lambda: sakmak.Position(GOOD, "janggi"),
    ]:
        with pytest.raises(ValueError, match=r"^janggi has no counts: .*probe_variant\(\)"):
            refused()
    with pytest.raises(ValueError, match="counted by makruk, not janggi"):
        tables.category(position, "janggi")
    with pytest.raises(ValueError, match="makruk-khon-first.*min-rek-chanh"):
        tables.category(GOOD, "xiangqi")
    with pytest.raises(TypeError):
        tables.probe_variant(position, "janggi")


def test_names_and_letters_of_other_programs(tables):
    for name in ["janggitraditional", "Janggi Traditional"]:
        for fen in [GOOD, GOOD.replace("N", "H"), GOOD.replace("N", "H") + " 0 1"]:
            assert tables.probe_variant(fen, name) == tables.probe_variant(GOOD, "janggi")
            assert tables.category_batch([fen], name) == ["win"]
    with pytest.raises(sakmak.MissingTable, match="no table KEvK of janggi-casual"):
        tables.category("3k5/9/9/9/4E4/9/9/9/9/4K4 w", "janggicasual")


def test_a_list_of_names_is_that_of_what_a_call_takes(tables):
    taken = {
        "expected one of makruk, .*; games without counts are janggi, .*": [tables.category, tables.wdl, tables.dtm],
        "expected one of makruk, [^;]*$": [tables.moves, tables.probe, sakmak.Position],
    }
    for message, calls in taken.items():
        for call in calls:
            with pytest.raises(ValueError, match=f"^'xiangqi' is not a counting rule: {message}"):
                call(GOOD, "xiangqi")
    with pytest.raises(sakmak.BadFen, match="the FEN looks like janggi$"):
        tables.category(GOOD)


def test_damage_is_an_exception_and_directories_are_searched_in_order(directory, tmp_path):
    (tmp_path / "janggi").mkdir()
    file = tmp_path / "janggi/KRHvK.smg"
    damaged = bytearray((directory / "janggi/KRHvK.smg").read_bytes())
    damaged[128:-16] = bytes(len(damaged) - 144)  # all blocks and their offsets
    file.write_bytes(damaged)
    tables = sakmak.Tablebase(tmp_path)
    for _ in range(2):
        with pytest.raises(sakmak.BrokenFile, match="KRHvK.smg: .* damaged"):
            tables.category(GOOD, "janggi")
    file.unlink()
    tables = sakmak.Tablebase(tmp_path)
    with pytest.raises(sakmak.MissingTable):
        tables.category(GOOD, "janggi")
    tables.add_directory(directory)
    assert tables.category(GOOD.replace(" ", "_"), "JANGGI") == "win"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no forks")
def test_a_child_of_a_fork_opens_its_own_files(directory):
    tables = sakmak.Tablebase(directory)
    assert tables.category(GOOD, "janggi") == "win"
    child = os.fork()
    if child == 0:
        os._exit(0 if tables.category(GOOD, "janggi") == "win" else 1)
    assert os.waitpid(child, 0)[1] == 0
    with tables:
        pass
    with pytest.raises(ValueError, match="closed"):
        tables.probe_variant(GOOD, "janggi")
