"""The stubs and the examples of the module."""

import ast
import pathlib
import subprocess
import sys

import sakmak

HERE = pathlib.Path(__file__).parent
EXAMPLE = HERE.parent / "examples/annotate.py"


def test_the_stubs_list_every_member():
    package = pathlib.Path(sakmak.__file__).parent
    assert (package / "py.typed").exists()
    stubs = ast.parse((package / "_sakmak.pyi").read_text())
    classes = {node.name: node for node in stubs.body if isinstance(node, ast.ClassDef)}
    assert sorted(classes) == sakmak.__all__
    for name, node in classes.items():
        stubbed = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
        defined = {word for word in vars(getattr(sakmak, name)) if not word.startswith("_")}
        assert {word for word in stubbed if not word.startswith("_")} == defined, name


def test_annotate_comments_on_positions_and_moves(directory):
    lines = [
        "8/8/8/4k3/8/4K3/4S3/4M3 w - 88 40 21; e3d3",
        "8/8/8/4k3/8/4K3/4S3/4M3 w - 88 40 21; e1d2",
        "8/8/8/3k4/8/8/4R3/4K3 b - 32 6 1",
        "nonsense",
    ]
    run = subprocess.run(
        [sys.executable, EXAMPLE, directory],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        check=True,
    )
    won = (
        "8/8/8/4k3/8/4K3/4S3/4M3 w - 88 40 21: win, mate in 24 moves (47 plies); "
        "count running, 25 moves left"
    )
    assert run.stdout.splitlines() == [
        won,
        "    Kd3? makes it a cursed-win; Md2 keeps the win",
        won,
        "    Md2 keeps the win, mate in 24 moves (47 plies)",
        "8/8/8/3k4/8/8/4R3/4K3 b - 32 6 1: blessed-loss, mate in 14 moves (28 plies); "
        "count running, 13 moves left",
        "nonsense: no answer: the FEN has 1 field: a board, a side to move and at most 4 more "
        "are expected",
    ]
