"""The names that people who come from python-chess try first."""

import chess
import pytest

import sakmak

CODES = {"win": 2, "cursed-win": 1, "draw": 0, "blessed-loss": -1, "loss": -2}
MISSING = "8/8/8/3k4/8/8/4N3/2K3S1 w"
ABOVE = "4k3/8/pppppppp/8/8/PPPPPPPP/8/4K3 w"


def test_wdl_is_a_number_under_the_count(directory, rows):
    with sakmak.open_tablebase(directory) as tables:
        for row in rows:
            code = CODES[row.category]
            assert tables.probe_wdl(row.fen, row.counting) == code, row
            assert tables.get_wdl(row.fen, counting=row.counting) == code, row
            assert tables.wdl_counted(row.fen, row.counting) == row.category, row
    with pytest.raises(ValueError, match="closed"):
        tables.probe_wdl(rows[0].fen)
    assert sakmak.open_tablebase(str(directory), access="read").access == "read"
    with pytest.raises(FileNotFoundError):
        sakmak.open_tablebase(directory / "nowhere")


def test_dtm_is_signed(tables, rows):
    for row in rows:
        plies = row.plies or 0
        assert tables.probe_dtm(row.fen, row.counting) == (plies if plies % 2 else -plies), row
        assert tables.get_dtm(row.fen, counting=row.counting) == tables.probe_dtm(row.fen, row.counting)
    assert tables.probe_dtm("8/8/8/4k3/8/4K3/4S3/4M3 w") == 47


@pytest.mark.parametrize("name", ["get_wdl", "get_dtm"])
def test_get_returns_the_default_where_no_table_is(tables, name):
    get = getattr(tables, name)
    for fen, counting in [(MISSING, "makruk"), (ABOVE, None), ("3k4/8/8/8/8/8/8/3K1R2 w D", "ouk")]:
        assert get(fen, counting=counting) is None
        assert get(fen, 7, counting) == 7
        assert get(fen, default="?", counting=counting) == "?"
        with pytest.raises(sakmak.SakmakError):
            getattr(tables, name.replace("get", "probe"))(fen, counting)
    with pytest.raises(sakmak.BadFen):
        get("nonsense", 7)
    with pytest.raises(sakmak.IllegalPosition):
        get("8/8/8/3kK3/8/8/4R3/8 b", 7)
    with pytest.raises(ValueError):
        get(MISSING, 7, "xiangqi")


def test_get_does_not_hide_a_broken_file(directory, tmp_path):
    (tmp_path / "KRvK.dtm.smt").write_bytes(b"broken")
    with pytest.raises(sakmak.BrokenFile):
        sakmak.Tablebase(tmp_path).get_wdl("8/8/8/3k4/8/8/4R3/4K3 b", 0)


def test_largest_is_the_most_men_of_any_table(tables):
    assert tables.largest() == tables.largest("ouk") == 4
    assert tables.largest("shatranj") == 0
    assert sakmak.Tablebase().largest() == 0
    with pytest.raises(ValueError):
        tables.largest("xiangqi")


def test_boards_are_positions(tables):
    board = chess.Board("4k3/8/8/8/4K3/8/4P3/8 w - - 0 1")
    assert tables.probe(board) == tables.probe(board.fen(), "chess")
    found = {move.uci: move for move in tables.moves(board)}
    assert set(found) == {move.uci() for move in board.legal_moves}
    plies = tables.probe_dtm(board)
    assert plies > 0
    # The line of the tables ends in the mate, as python-chess sees it.
    for left, uci in zip(range(plies, 0, -1), tables.line(board)):
        assert tables.probe_dtm(board) == (left if left % 2 else -left)
        assert board.san(chess.Move.from_uci(uci)) == tables.best_move(board).san
        board.push_uci(uci)
    assert board.is_checkmate()
    assert tables.category_batch([board, chess.Board("8/8/8/4k3/8/4K3/8/8 w - - 0 1")]) == ["loss", "draw"]


def test_pieces_of_chess_have_their_bitboards():
    board = chess.Board("8/8/8/1k1nqb2/2pP4/8/8/K3R3 b - d3 0 1")
    position = sakmak.Position(board.fen(), "chess")
    for ours, theirs in [("white", board.occupied_co[chess.WHITE]), ("kings", board.kings), ("rooks", board.rooks),
                         ("knights", board.knights), ("khons", board.bishops), ("mets", board.queens),
                         ("pawns", board.pawns)]:
        assert getattr(position, ours) == theirs, ours
    assert position.fen.split()[3] == "d3"


def test_boards_of_other_variants_are_refused(tables):
    class Unreadable:
        def fen(self):
            raise RuntimeError("no FEN")

    with pytest.raises(ValueError, match="atomic"):
        tables.category(type("Board", (), {"uci_variant": "atomic", "fen": lambda self: "8/8 w"})())
    with pytest.raises(RuntimeError, match="no FEN"):
        tables.category(Unreadable())
    with pytest.raises(TypeError, match="method fen"):
        tables.category(7)
