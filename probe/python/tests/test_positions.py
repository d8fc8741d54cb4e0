"""Positions from bitboards, and from arrays of them."""

import array
import copy
import copyreg
import pickle
import random
import sys

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
        "counted", "mate_in_time", "moves", "best_move", "line", "counted_line", "solution",
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
    assert list(sakmak.Position.from_arrays([], [], [])) == []


def random_columns(men, rows, counting, limits):
    """Random placements of men, White's in capitals; many are illegal. Half the rows are Black's."""
    random_numbers = random.Random(rows)
    columns = {name: array.array("Q") for name in ["white", "black", *KINDS]}
    counts = array.array("H"), array.array("q")
    kind_of = dict(zip("krnsmp", KINDS))
    for row in range(rows):
        board = dict.fromkeys(columns, 0)
        squares = random_numbers.sample(range(8, 48), len(men))
        for man, square in zip(men, squares):
            board["white" if man.isupper() else "black"] |= 1 << square
            board[kind_of[man.lower()]] |= 1 << square
        for name in columns:
            columns[name].append(board[name])
        limit = random_numbers.choice(limits)
        counts[0].append(limit)
        counts[1].append(random_numbers.randrange(limit) if limit else 0)
    turn = memoryview(bytes(row % 2 for row in range(rows))).cast("?")
    return {**columns, "turn": turn, "counting": counting, "count_limit": counts[0], "count": counts[1]}


@pytest.mark.parametrize(
    ["men", "counting", "limits"],
    [
        ("KRk", "makruk", [0, 32]),
        ("KkRm", "makruk", [0, 128]),
        ("kKrN", "makruk-khon-first", [0, 128]),
        ("kKrN", "ouk", [0, 126]),
        ("KkPm", "makruk", [0]),
    ],
)
def test_batches_of_arrays_equal_single_calls(tables, men, counting, limits):
    made = sakmak.Position.from_arrays(**random_columns(men, 3000, counting, limits))
    numbers = {"win": 2, "cursed-win": 1, "draw": 0, "blessed-loss": -1, "loss": -2}
    fresh = [answer_of(tables.wdl, position) for position in made]
    counted = [answer_of(tables.category, position) for position in made]
    assert fresh != counted or limits == [0]
    for batch, expected in [
        (tables.wdl_batch, fresh),
        (tables.category_batch, counted),
        (tables.wdl_counted_batch, counted),
    ]:
        for positions in [made, list(made), iter(made)]:
            found = batch(positions, threads=2, return_errors=True)
            assert [one if isinstance(one, str) else (type(one), str(one)) for one in found] == expected
        array_of_numbers = batch(made, return_errors=True, numbers=True)
        assert array_of_numbers.itemsize == 1
        assert array_of_numbers.tolist() == [numbers.get(one, -128) for one in expected]
        error = next(one for one in expected if not isinstance(one, str))
        for options in [{}, {"numbers": True}]:
            with pytest.raises(error[0]) as raised:
                batch(made, threads=2, **options)
            assert str(raised.value) == error[1]


def answer_of(probe, position):
    try:
        return probe(position)
    except sakmak.SakmakError as error:
        return type(error), str(error)


def test_numbers_are_of_the_standard_library_without_numpy(tables, monkeypatch):
    monkeypatch.setitem(sys.modules, "numpy", None)
    assert tables.category_batch([WON, WON], numbers=True) == array.array("b", [2, 2])
    assert tables.wdl_batch([], numbers=True) == array.array("b")


def test_columns_of_numpy_are_those_of_lists():
    numpy = pytest.importorskip("numpy")
    two = {name: [board, board] for name, board in BOARDS.items()}
    expected = sakmak.Position.from_arrays(**two, turn=[True, False], count_limit=88, count=[4, 5])
    for kind in ["uint64", "int64", ">u8"]:
        columns = {name: numpy.array(column, kind) for name, column in two.items()}
        # A row of this table is not contiguous.
        columns["white"] = numpy.array([two["white"], two["black"]], kind).T[:, 0]
        for turn in [numpy.array([True, False]), numpy.array(["w", "b"])]:
            for small in ["uint8", "int16", "int64"]:
                count = numpy.array([4, 5], small)
                made = sakmak.Position.from_arrays(**columns, turn=turn, count_limit=88, count=count)
                assert made == expected and list(made) == list(expected)
    for wrong in [[-1, 4], [1 << 32, 4]]:
        with pytest.raises(OverflowError):
            sakmak.Position.from_arrays(**two, count_limit=88, count=numpy.array(wrong))
    with pytest.raises(ValueError, match="`turn`"):
        sakmak.Position.from_arrays(**two, turn=numpy.array([1, 0], "uint8"))
    with pytest.raises(TypeError):
        sakmak.Position.from_arrays(**{**two, "mets": numpy.array([0.5, 1])})


def test_positions_are_a_sequence(rows):
    fens = [row.fen for row in rows if row.counting == "ouk"]
    made = sakmak.Positions(fens, "ouk")
    listed = [sakmak.Position(fen, "ouk") for fen in fens]
    assert list(made) == listed and len(made) == len(fens)
    assert made[-1] == listed[-1] and list(made[5:1:-2]) == listed[5:1:-2]
    assert made == sakmak.Positions(made) == pickle.loads(pickle.dumps(made)) != made[1:]
    for wrong in [len(made), -len(made) - 1]:
        with pytest.raises(IndexError):
            made[wrong]
    with pytest.raises(sakmak.BadFen):
        sakmak.Positions([WON, "nonsense"])
    with pytest.raises(ValueError, match="counted by ouk, not makruk"):
        sakmak.Positions(made, "makruk")


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
