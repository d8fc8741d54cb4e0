"""A tablebase that is closed, copied to another process, or compared with its version."""

import concurrent.futures
import copy
import importlib.metadata
import multiprocessing
import pathlib
import pickle
import subprocess
import sys

import pytest

import sakmak

HERE = pathlib.Path(__file__).parent
WON = "8/8/8/4k3/8/4K3/4S3/4M3 w - 88 40 21"
JANGGI = "3k5/9/9/9/4R4/9/9/9/N8/4K4 w"


def test_the_version_is_that_of_the_package():
    assert sakmak.__version__ == importlib.metadata.version("sakmak")


def test_a_with_block_closes_the_tablebase(directory):
    with sakmak.Tablebase(directory) as tables:
        assert tables.category(WON) == "win"
    for call in (tables.category, tables.probe, tables.moves):
        with pytest.raises(ValueError, match="the tablebase is closed"):
            call(WON)
    with pytest.raises(ValueError, match="closed"):
        tables.category_batch([WON])
    with pytest.raises(ValueError, match="closed"):
        tables.add_directory(directory)
    with pytest.raises(ValueError, match="closed"):
        tables.__enter__()
    with pytest.raises(ValueError, match="closed"):
        pickle.dumps(tables)
    tables.close()
    assert str(tables.directories[0]) == str(directory)


def test_a_with_block_passes_exceptions_on(directory):
    with pytest.raises(KeyError), sakmak.Tablebase(directory):
        raise KeyError


def test_a_pickled_tablebase_opens_its_directories_again(directory, tmp_path):
    tables = sakmak.Tablebase(tmp_path, access="read")
    tables.add_directory(directory)
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(tables, protocol))
        assert again.directories == tables.directories
        assert again.access == "read"
        assert again.category(WON) == "win"
    assert pickle.loads(pickle.dumps(sakmak.Tablebase())).directories == []


def test_processes_probe_a_tablebase_of_their_parent(directory):
    tables = sakmak.Tablebase(directory)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(tables.category, [WON, WON]) == ["win", "win"]


def values(tables):
    """A value of every class and of every call that returns more than text and numbers."""
    won = tables.probe(WON)
    draw = tables.probe("8/8/8/3k4/8/8/4M3/4K3 w - - 0 1")
    mated = tables.probe("k6R/8/1K6/8/8/8/8/8 b - - 0 1")
    janggi = tables.probe_variant(JANGGI, "janggi")
    drawn = tables.probe_variant("3k5/9/9/9/9/9/9/9/9/4K4 w", "janggi")
    assert won.count and won.dtm and draw.dtm is None and mated.outcome == "checkmate" and drawn.plies is None
    singles = [won, draw, mated, won.count, won.dtm, won.moves[0], janggi, drawn, janggi.moves[0]]
    singles += [tables.dtm(WON), tables.mate_in_time(WON), tables.best_move(WON), sakmak.Position(WON)]
    singles.append(tables.solution(WON))
    return [*singles, tables.moves(WON), tables.counted_line(WON), tables.line(WON), tables.probe_batch([WON])]


def test_results_are_pickled_and_copied(directory):
    tables = sakmak.Tablebase(directory)
    copies = [copy.copy, copy.deepcopy]
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        copies.append(lambda value, protocol=protocol: pickle.loads(pickle.dumps(value, protocol)))
    for value in values(tables):
        for again in [copied(value) for copied in copies]:
            assert again == value and type(again) is type(value), value
            assert repr(again) == repr(value)
        if not isinstance(value, list):
            assert hash(copy.deepcopy(value)) == hash(value)
            names = [name for name in dir(value) if not name.startswith("_")]
            fields = [name for name in names if not callable(getattr(value, name))]
            again = pickle.loads(pickle.dumps(value))
            assert [getattr(again, name) for name in fields] == [getattr(value, name) for name in fields]
    assert {type(value).__name__ for value in values(tables)} - {"list"} == {
        "Answer", "Count", "Distance", "Move", "Position", "Solution", "VariantAnswer", "VariantMove",
    }
    assert tables.probe(WON) == tables.probe(WON) != tables.probe("8/8/8/4k3/8/4K3/4S3/4M3 w")


def test_errors_are_pickled_and_copied(tables):
    wrong = ["nonsense", "8/8/8/3kK3/8/8/4R3/8 b", "RRRRRRRR/8/8/3k4/8/8/8/4K3 w", "4k3/8/8/8/8/8/8/RRKR4 w"]
    errors = tables.probe_batch(wrong, return_errors=True)
    assert all(isinstance(error, sakmak.SakmakError) for error in errors)
    for error in errors:
        for again in [copy.copy(error), copy.deepcopy(error), pickle.loads(pickle.dumps(error))]:
            assert (type(again), again.args) == (type(error), error.args)


def test_a_pickle_of_another_version_is_refused_in_words(tables):
    function, (name, version, fields) = tables.dtm(WON).__reduce__()
    assert (name, version) == ("Distance", sakmak.__version__)
    for other in [fields[:1], (*fields, 1), ("text", None)]:
        with pytest.raises(ValueError, match="^a Distance pickled by sakmak 0.0.1 cannot be read by sakmak "):
            function(name, "0.0.1", other)


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_results_come_back_from_other_processes(directory, method):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip("the system has no forks")
    tables = sakmak.Tablebase(directory)
    context = multiprocessing.get_context(method)
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as pool:
        for probe in [tables.probe, tables.moves, tables.dtm, tables.counted_line]:
            assert list(pool.map(probe, [WON])) == [probe(WON)]
        wrong = pool.submit(tables.probe, "nonsense")
        with pytest.raises(sakmak.BadFen, match="the FEN has 1 field"):
            wrong.result()


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_program_shares_its_work_among_processes(directory, method):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip("the system has no forks")
    run = [sys.executable, HERE / "pool.py", directory, method]
    printed = subprocess.run(run, capture_output=True, text=True, check=True).stdout
    assert printed == f"[Answer(fen='{WON}', category='win')]\n"
