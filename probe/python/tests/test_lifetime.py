"""A tablebase that is closed, copied to another process, or compared with its version."""

import importlib.metadata
import multiprocessing
import pickle

import pytest

import sakmak

WON = "8/8/8/4k3/8/4K3/4S3/4M3 w - 88 40 21"


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
        copy = pickle.loads(pickle.dumps(tables, protocol))
        assert copy.directories == tables.directories
        assert copy.access == "read"
        assert copy.category(WON) == "win"
    assert pickle.loads(pickle.dumps(sakmak.Tablebase())).directories == []


def test_processes_probe_a_tablebase_of_their_parent(directory):
    tables = sakmak.Tablebase(directory)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(tables.category, [WON, WON]) == ["win", "win"]


def test_answers_are_not_pickled(directory):
    answer = sakmak.Tablebase(directory).probe(WON)
    with pytest.raises(TypeError, match="cannot pickle 'sakmak.Answer' object"):
        pickle.dumps(answer)
