"""The stubs and the examples of the module."""

import ast
import inspect
import pathlib
import subprocess
import sys

import sakmak

HERE = pathlib.Path(__file__).parent
EXAMPLE = HERE.parent / "examples/annotate.py"


def stubs():
    """The classes and functions of the stubs; of overloads the last one, which has the docstring."""
    package = pathlib.Path(sakmak.__file__).parent
    assert (package / "py.typed").exists()
    members = named(ast.parse((package / "_sakmak.pyi").read_text()))
    return {name: members[name] for name in members if public([name])}


def named(node):
    return {item.name: item for item in node.body if isinstance(item, (ast.ClassDef, ast.FunctionDef))}


def public(names):
    return {name for name in names if not name.startswith("_")}


def test_the_stubs_list_every_member():
    assert ["THOROUGH", *sorted(stubs())] == sakmak.__all__
    for name, node in stubs().items():
        if isinstance(node, ast.ClassDef):
            assert public(named(node)) == public(vars(getattr(sakmak, name))), name


def test_docstrings_of_the_extension_are_those_of_the_stubs():
    documented = [(name, node, getattr(sakmak, name)) for name, node in stubs().items()]
    for name, node, defined in list(documented):
        if isinstance(node, ast.ClassDef):
            members = [(word, item) for word, item in named(node).items() if word in public([word])]
            documented += [(f"{name}.{word}", item, getattr(defined, word)) for word, item in members]
    assert len(documented) > 80
    for name, node, defined in documented:
        text, stub = defined.__doc__, ast.get_docstring(node)
        assert text and stub, name
        assert text.split() == stub.split(), name
    # A remark on locks once stood here.
    assert "mutex" not in sakmak.Tablebase.__doc__ and "counting rule" in sakmak.__doc__


def test_signatures_of_the_extension_are_those_of_the_stubs():
    for name, node in stubs().items():
        if isinstance(node, ast.FunctionDef):
            assert arguments(node) == list(inspect.signature(getattr(sakmak, name)).parameters)
            continue
        for word, item in named(node).items():
            defined = getattr(getattr(sakmak, name), word)
            if word in public([word]) and callable(defined):
                assert arguments(item) == list(inspect.signature(defined).parameters), word


def arguments(node):
    return [argument.arg for argument in node.args.args + node.args.kwonlyargs]


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
        "nonsense: no answer: the FEN has 1 field: expected a board, a side to move and at most 4 "
        "more",
    ]
