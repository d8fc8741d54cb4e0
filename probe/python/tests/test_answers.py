"""Results: those of positions.tsv, and that all methods agree."""

import pickle
import threading

import pytest

import sakmak


def test_every_position_has_the_same_results_as_in_rust_and_c(tables, rows):
    assert len(rows) > 100
    searching = tables.searching(sakmak.THOROUGH)
    for row in rows:
        args = row.fen, row.counting
        dtm = tables.dtm(*args)
        mate_in_time = searching.mate_in_time(*args)
        best = searching.best_move(*args)
        assert (
            tables.category(*args),
            dtm and dtm.plies,
            tables.counted(*args),
            mate_in_time and mate_in_time.plies,
            best and best.uci,
        ) == (row.category, row.plies, row.counted, row.mate_in_time, row.best), row


def test_wdl_is_the_category_at_a_fresh_count(tables, rows):
    for row in rows:
        fresh = " ".join(row.fen.split()[:2])
        fresh_category = tables.category(fresh, row.counting)
        assert tables.wdl(row.fen, row.counting) == fresh_category, row
    for counting in {row.counting for row in rows}:
        fens = [row.fen for row in rows if row.counting == counting]
        single = [tables.wdl(fen, counting) for fen in fens]
        assert tables.wdl_batch(fens, counting, threads=2) == single
    assert {tables.wdl(row.fen, row.counting) for row in rows} > {"win", "draw", "loss"}


def test_solutions_agree_with_the_moves(tables, rows):
    searching = tables.searching(sakmak.THOROUGH)
    result = {"win": 1, "loss": -1}
    for row in rows[::5]:
        args = row.fen, row.counting
        solution, moves = searching.solution(*args), searching.moves(*args)
        kept = [move for move in moves if result.get(move.category, 0) == result.get(row.category, 0)]
        assert solution.kept == len(kept), row
        if row.category != "win":
            assert (solution.unique, solution.shortest_unique, solution.only_moves) == (None, None, 0), row
        else:
            assert solution.unique is not True or len(kept) == 1, row
            assert (solution.only_moves > 0) == (len(kept) == 1), row
    mates = searching.solution("7k/8/6K1/8/8/8/8/R7 w")
    assert (mates.unique, mates.shortest_unique, mates.only_moves) == (False, True, 0)


def test_probe_agrees_with_the_single_methods(tables, rows):
    searching = tables.searching(sakmak.THOROUGH)
    for row in rows[::5]:
        args = row.fen, row.counting
        answer = searching.probe(*args)
        assert answer.fen == row.fen and answer.counting == row.counting
        assert answer.category == row.category
        assert answer.dtm == tables.dtm(*args)
        assert answer.counted == row.counted
        assert answer.mate_in_time == searching.mate_in_time(*args)
        if row.mate_in_time is not None:
            assert len(answer.counted_line) == row.mate_in_time, row
            assert all(move.mate_in_time == answer.mate_in_time for move in answer.moves[:1])
        assert answer.moves == searching.moves(*args)
        assert answer.line == tables.line(*args)
        assert len(answer.line) == (row.plies or 0)
        assert answer.counted_line == searching.counted_line(*args)
        assert (answer.outcome is None) == bool(answer.moves)
        for move in answer.moves:
            # Without the count: one past its limit is not a legal FEN.
            after = tables.dtm(" ".join(move.fen.split()[:2]), row.counting)
            assert (after and after.plies + 1) == (move.dtm and move.dtm.plies)


def test_mates_in_time_are_searched_within_the_budget(tables, rows):
    searched = 0
    searching = tables.searching(sakmak.THOROUGH)
    for row in rows:
        args = row.fen, row.counting
        told, best = tables.mate_in_time(*args), tables.best_move(*args)
        # Without a search the number may be unknown, but the result is kept.
        assert told is None or told.plies == row.mate_in_time, row
        assert best is None or best.category == row.category or row.category == "draw", row
        found = searching.mate_in_time(*args)
        assert tables.probe(*args).mate_in_time == told, row
        [answer] = searching.probe_batch([row.fen], row.counting)
        assert answer.mate_in_time == found and answer.category == row.category, row
        if found is not None and told is None:
            searched += 1
            assert pickle.loads(pickle.dumps(searching)).mate_in_time(*args) == found, row
    assert searched > 0
    for wrong in [-1, 1 << 32]:
        with pytest.raises(OverflowError):
            tables.searching(wrong)


def test_files_are_opened_ahead(directory):
    tables = sakmak.Tablebase(directory)
    assert 0 < tables.prepare(3) < tables.prepare(8)
    assert tables.prepare(8, "shatranj") == 0


def test_the_position_of_the_readme(tables):
    answer = tables.probe("8/8/8/4k3/8/4K3/4S3/4M3 w - 88 40 21")
    assert answer.category == "win"
    assert (answer.dtm.plies, answer.dtm.moves) == (47, 24)
    assert [str(move) for move in answer.moves if move.category == "win"] == ["e1d2", "e1f2"]
    assert tables.category_batch([answer.fen, answer.moves[0].fen]) == ["win", "loss"]
    count = answer.count
    assert (count.rule, count.running, count.attacker) == ("pieces-honour", True, "white")
    assert (count.limit, count.called, count.moves_left) == (44, 20, 25)
    assert (count.limit_plies, count.plies) == (88, 40)
    assert answer.counted_line_end == "checkmate" and len(answer.counted_line) == 47
    assert repr(answer.moves[0]) == "Move(uci='e1d2', san='Md2', category='win')"
    assert repr(answer.dtm) == "Distance(plies=47, moves=24)"


def test_a_batch_keeps_its_order_with_any_number_of_threads(tables, rows):
    for counting in ["makruk", "makruk-khon-first", "ouk", "ouk-traditional", "kar-ouk"]:
        mine = [row for row in rows if row.counting == counting]
        fens = [row.fen for row in mine] * 5
        expected = [row.category for row in mine] * 5
        for threads in [0, 1, 2, 7]:
            assert tables.category_batch(fens, counting, threads=threads) == expected
    answers = tables.probe_batch([row.fen for row in rows if row.counting == "ouk"], "ouk")
    assert [answer.category for answer in answers] == expected_of(rows, "ouk")
    assert tables.category_batch([]) == [] and tables.probe_batch([], threads=3) == []


def expected_of(rows, counting):
    return [row.category for row in rows if row.counting == counting]


def test_python_threads_share_a_tablebase(directory, rows):
    tables = sakmak.Tablebase(directory)
    wrong = []

    def probe_all():
        for row in rows:
            if tables.category(row.fen, row.counting) != row.category:
                wrong.append(row)

    threads = [threading.Thread(target=probe_all) for _ in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(20):
        tables.add_directory(directory)
    for thread in threads:
        thread.join()
    assert not wrong


def test_other_threads_run_during_a_batch(tables, rows):
    fens = [row.fen for row in rows if row.counting == "makruk"] * 400
    began, ended, ran = threading.Event(), threading.Event(), []

    def run():
        began.set()
        while not ended.is_set():
            ran.append(None)
            ended.wait(0.001)

    other = threading.Thread(target=run)
    other.start()
    began.wait()
    before = len(ran)
    tables.category_batch(fens, threads=1)
    during = len(ran) - before
    ended.set()
    other.join()
    assert during > 1


def test_results_are_read_only(tables):
    answer = tables.probe("8/8/8/3k4/8/8/4R3/4K3 b")
    for what in [answer, answer.dtm, answer.count, answer.moves[0]]:
        with pytest.raises(AttributeError):
            what.category = "win"
