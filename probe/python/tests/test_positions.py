"""Positions from bitboards, and from arrays of them."""

import array
import copy
import copyreg
import pickle

import pytest

import sakmak

WON = "8/8/8/4k3/8/4K3/4S3/4M3 w - 88 40 1"
#: Its squares.
E1, E2, E3, E5 = (1 << 4 + 8 * rank for rank in [0, 1, 2, 4])
BOARDS = {"white": E1 | E2 | E3, "black": E5, "kings": E3 | E5, "khons": E2, "mets": E1}
KINDS = ["kings", "rooks", "knights", "khons", "mets", "pawns"]


def boards(position):
    return {name: getattr(position, name) for name in ["white", "black", *KINDS]}


def test_a_position_in_place_of_a_fen_has_the_same_results(tables, rows):
    probes = [
        "category", "wdl", "wdl_counted", "probe_wdl", "get_wdl", "probe_dtm", "get_dtm", "dtm",
        "counted", "mate_in_time", "moves", "best_move", "line", "counted_line",
    ]
    for row in rows[::3]:
        position = sakmak.Position(row.fen, row.counting)
        assert (position.fen, position.counting) == (row.fen, row.counting)
        assert str(position) == row.fen
        for name in probes:
            probe = getattr(tables, name)
            assert probe(position) == probe(row.fen, counting=row.counting), (name, row)
        assert tables.probe(position).moves == tables.moves(row.fen, row.counting)
    mixed = [sakmak.Position(row.fen, row.counting) for row in rows] + [WON]
    assert tables.category_batch(mixed) == [row.category for row in rows] + ["win"]


def test_bitboards_make_every_position(tables, rows):
    for row in rows:
        read = sakmak.Position(row.fen, row.counting)
        made = sakmak.Position.from_bitboards(
            **boards(read),
            turn=read.turn,
            counting=read.counting,
            count_limit=read.count_limit,
            count=read.count,
        )
        assert tables.category(made) == row.category, row
        assert made.fen.split()[:5] == row.fen.split()[:5]
    assert sakmak.Position.from_bitboards(**BOARDS, count_limit=88, count=40).fen == WON
    for white, black in [("white", "black"), ("w", "b"), (True, False)]:
        assert sakmak.Position.from_bitboards(**BOARDS, turn=white).fen.split()[1] == "w"
        assert sakmak.Position.from_bitboards(**BOARDS, turn=black).fen.split()[1] == "b"


def test_arrays_make_a_list_of_positions(tables, rows):
    read = [sakmak.Position(row.fen) for row in rows if row.counting == "makruk"]
    columns = {
        name: array.array("Q", [boards(one)[name] for one in read])
        for name in ["white", "black", *KINDS]
    }
    made = sakmak.Position.from_arrays(
        **columns,
        turn=[one.turn for one in read],
        count_limit=array.array("I", [one.count_limit for one in read]),
        count=(one.count for one in read),
    )
    expected = [row.category for row in rows if row.counting == "makruk"]
    assert tables.category_batch(made, threads=2) == expected
    # One value for all rows; columns of pieces that nobody has are left out.
    two = {name: [board, board] for name, board in BOARDS.items()}
    made = sakmak.Position.from_arrays(**two, turn=[True, False], count_limit=88, count=40)
    assert [one.fen.split()[1] for one in made] == ["w", "b"]
    assert tables.wdl_batch(sakmak.Position.from_arrays(**two)) == ["win", "win"]
    assert sakmak.Position.from_arrays([], [], []) == []


def test_bitboards_that_are_no_position_are_refused(tables):
    make = sakmak.Position.from_bitboards
    for wrong, message in [
        ({"khons": E1}, "square 4 is in 1 bitboards of sides and 2 of kinds"),
        ({"kings": E3}, "square 36 is in 1 bitboards of sides and 0 of kinds"),
        ({"kings": E3, "rooks": E5}, "black has 0 kings"),
        ({"count_limit": 33, "count": 1}, "no count of 1 out of 33 plies"),
        ({"turn": "White"}, "expected \"white\" or \"black\""),
        ({"turn": 1}, "expected \"white\""),
        ({"counting": "xiangqi"}, "chess"),
        (
            {"mets": 0, "pawns": E1, "counting": "sittuyin"},
            "positions of sittuyin with pawns are refused",
        ),
    ]:
        with pytest.raises(ValueError, match=message):
            make(**{**BOARDS, **wrong})
    for wrong in [-1, 1 << 64]:
        with pytest.raises(OverflowError):
            make(**{**BOARDS, "pawns": wrong})
    with pytest.raises(TypeError):
        make(**{**BOARDS, "pawns": 1.5})
    two = {name: [board, board] for name, board in BOARDS.items()}
    for wrong, message in [
        ({"mets": [E1, E2]}, "row 1: square 4 is in"),
        ({"kings": [E3 | E5]}, "`kings` has 1 rows; expected 2, as `white`"),
        ({"turn": ["w", "b", "w"]}, "`turn` has 3 rows"),
        ({"count_limit": [88, 87]}, "row 1: with these pieces makruk has no count of 0 out of 87"),
    ]:
        with pytest.raises(ValueError, match=message):
            sakmak.Position.from_arrays(**{**two, **wrong})
    # Illegal, which only a probe tells: kings side by side.
    illegal = make(white=E1, black=E2, kings=E1 | E2)
    with pytest.raises(sakmak.IllegalPosition, match="adjacent"):
        tables.category(illegal)
    good = make(**BOARDS)
    answers = tables.category_batch([good, illegal], return_errors=True)
    assert answers[0] == "win" and isinstance(answers[1], sakmak.IllegalPosition)


def test_the_counting_rule_of_a_position_is_not_replaced(tables):
    position = sakmak.Position("8/8/8/3k4/8/8/4R3/4K3 b", "ouk")
    assert tables.category(position, "Ouk") == tables.category(position)
    with pytest.raises(ValueError, match="counted by ouk, not makruk"):
        tables.category(position, "makruk")
    with pytest.raises(ValueError, match="counted by ouk, not makruk"):
        tables.category_batch([position], "makruk")


def test_positions_are_values():
    position = sakmak.Position(WON)
    assert {position, sakmak.Position(WON), sakmak.Position(WON, "makruk-khon-first")} == {
        position,
        sakmak.Position(WON, "makruk-khon-first"),
    }
    illegal = sakmak.Position.from_bitboards(
        **{**BOARDS, "black": E2, "white": E1 | E3, "kings": E2 | E3, "khons": 0, "mets": E1},
        turn="black", counting="makruk-khon-first", count_limit=88, count=40,
    )
    for one in [position, sakmak.Position(WON, "makruk-khon-first"), illegal]:
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            assert pickle.loads(pickle.dumps(one, protocol)) == one
        assert copy.copy(one) == one == copy.deepcopy(one)
    # The form without `__reduce__`, as other versions write it.
    assert copyreg.__newobj__(sakmak.Position, WON, "makruk") == position
    assert repr(position) == f"Position('{WON}', counting='makruk')"
    with pytest.raises(sakmak.BadFen):
        sakmak.Position("nonsense")
    with pytest.raises(AttributeError):
        position.turn = "black"
