"""Positions without an answer, and their exceptions."""

import pathlib
import shutil

import pytest

import sakmak

GOOD = "8/8/8/3k4/8/8/4R3/4K3 b - 32 6 1"


@pytest.mark.parametrize(
    ("fen", "error", "message"),
    [
        ("", sakmak.BadFen, "0 fields"),
        ("8/8/8/3k4/8/8/4X3/4K3 b", sakmak.BadFen, "'X' on rank 2"),
        ("8/8/8/3k4/8/8/4R3/4K3 b - 31 6 1", sakmak.BadFen, "not a count limit"),
        ("8/8/8/3kK3/8/8/4R3/8 b", sakmak.IllegalPosition, "adjacent"),
        ("8/8/8/3k4/8/8/4R3/8 b", sakmak.IllegalPosition, "0 kings"),
        ("8/8/8/3k4/8/8/4N3/2K3S1 w", sakmak.MissingTable, "KNSvK.dtm.smt"),
        ("4k3/pppppppp/8/8/8/8/8/4K3 w", sakmak.IllegalPosition, "pawn"),
        ("4k3/8/pppppppp/8/8/PPPPPPPP/8/4K3 w", sakmak.TooManyMen, "18 men"),
    ],
)
def test_positions_without_an_answer(tables, fen, error, message):
    for probe in [tables.category, tables.probe, tables.best_move, tables.line, tables.moves]:
        with pytest.raises(error, match=message):
            probe(fen)
    assert issubclass(error, sakmak.SakmakError)


def test_without_counted_distances_only_a_rule_without_counts_answers(directory, tmp_path):
    for name in ["KRvKM", "KRvK", "KMvK"]:
        shutil.copy(directory / f"{name}.dtm.smt", tmp_path)
    tables = sakmak.Tablebase(tmp_path)
    fen = "8/8/4m3/3k4/8/4R3/8/4K3 w - 128 20 30"
    assert tables.dtm(fen).plies % 2 == 1 and tables.line(fen)
    calls = [tables.category, tables.wdl, tables.wdl_counted, tables.probe_wdl, tables.counted]
    calls += [tables.mate_in_time, tables.moves, tables.best_move, tables.counted_line, tables.probe, tables.solution]
    for probe in calls:
        with pytest.raises(sakmak.MissingTable, match="KRvKM.makruk.smt.*makruk-none needs none"):
            probe(fen)
        probe(fen, "makruk-none")
    assert tables.get_wdl(fen, default="none") == "none"
    for batch in [tables.category_batch, tables.wdl_batch]:
        assert list(batch([fen], "makruk-none")) == ["win"]
    answer = tables.probe(fen, "makruk-none")
    assert (answer.category, answer.counting, answer.count) == ("win", "makruk-none", None)
    assert sakmak.Position(fen, "makruk-none").count_limit == 0
    assert tables.largest("ouk-none") == 4


def test_leap_rights_are_refused(tables):
    for probe in [tables.category, tables.wdl, tables.probe, tables.best_move, tables.moves]:
        with pytest.raises(sakmak.LeapRights):
            probe("3k4/8/8/8/8/8/8/3K1R2 w D", "ouk")


def test_an_unknown_counting_rule_is_a_value_error(tables):
    with pytest.raises(ValueError, match="makruk-khon-first"):
        tables.category(GOOD, "xiangqi")
    with pytest.raises(ValueError):
        tables.category_batch([GOOD], "xiangqi")


def test_names_and_fens_are_read_as_people_write_them(tables):
    for counting in ["Makruk", "thai chess"]:
        assert tables.category(GOOD.replace(" ", "_"), counting) == tables.category(GOOD)


def test_a_missing_directory_is_an_os_error(tables, tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        sakmak.Tablebase(tmp_path / "nowhere")
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError):
        tables.add_directory(str(tmp_path / "file"))


def test_without_a_directory_every_table_is_missing_until_one_is_added(directory):
    tables = sakmak.Tablebase()
    with pytest.raises(sakmak.MissingTable, match="no directory"):
        tables.category(GOOD)
    tables.add_directory(directory)
    assert tables.category(GOOD) == "blessed-loss"
    assert tables.directories == [pathlib.Path(directory)]


def test_a_damaged_file_is_an_exception(directory, tmp_path):
    shutil.copy(directory / "KRvK.dtm.smt", tmp_path)
    file = tmp_path / "KRvK.dtm.smt"
    damaged = bytearray(file.read_bytes())
    damaged[len(damaged) // 2] ^= 255
    damaged[16] ^= 255
    file.write_bytes(damaged)
    with pytest.raises(sakmak.BrokenFile, match="KRvK.dtm.smt"):
        sakmak.Tablebase(tmp_path).category(GOOD)


def test_a_batch_raises_the_first_error_or_returns_each_in_its_place(tables):
    fens = [GOOD, "nonsense", GOOD, "8/8/8/3kK3/8/8/4R3/8 b"]
    for probe in [tables.category_batch, tables.probe_batch]:
        with pytest.raises(sakmak.BadFen):
            probe(fens)
        first, second, third, fourth = probe(fens, return_errors=True)
        assert isinstance(second, sakmak.BadFen)
        assert isinstance(fourth, sakmak.IllegalPosition)
        assert not isinstance(first, Exception) and not isinstance(third, Exception)


@pytest.mark.parametrize("by_environment", [False, True])
def test_a_table_emptied_while_it_is_read_is_an_error(
    directory, tmp_path, monkeypatch, by_environment
):
    table = tmp_path / "KRvK.dtm.smt"
    shutil.copy(directory / table.name, table)
    if by_environment:
        monkeypatch.setenv("SAKMAK_ACCESS", "read")
    tables = sakmak.Tablebase(tmp_path, access=None if by_environment else "read")
    assert tables.access == "read"
    assert tables.category(GOOD) == "blessed-loss"
    with open(table, "wb"):
        pass
    with pytest.raises(sakmak.ChangedFile, match=table.name) as raised:
        tables.category("8/8/8/3k4/8/8/4R3/4K3 w")
    assert isinstance(raised.value, sakmak.BrokenFile)


def test_a_broken_file_hides_no_other(directory, tmp_path):
    broken = tmp_path / "KRvK.dtm.smt"
    broken.write_bytes(b"broken")
    tables = sakmak.Tablebase(tmp_path)
    with pytest.raises(sakmak.BrokenFile, match=broken.name):
        tables.category(GOOD)
    assert tables.refused_files == []
    tables.add_directory(directory)
    assert tables.category(GOOD) == "blessed-loss"
    # The WDL file decides a category, and the distance opens the table.
    assert tables.dtm(GOOD).plies == 28
    assert [str(broken) in line for line in tables.refused_files] == [True]


def test_an_unknown_access_is_refused(monkeypatch):
    assert sakmak.Tablebase().access == "mapped"
    with pytest.raises(ValueError, match="unknown access 'Read'"):
        sakmak.Tablebase(access="Read")
    monkeypatch.setenv("SAKMAK_ACCESS", "swallowed")
    with pytest.raises(ValueError, match="unknown access 'swallowed'"):
        sakmak.Tablebase()
    assert sakmak.Tablebase(access="mapped").access == "mapped"
