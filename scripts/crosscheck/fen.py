"""FENs, for every script that writes or reads them."""

import re

# By side: pawns stand on the third to fifth rank, seen from their side.
PAWN_RANKS = {"w": range(2, 5), "b": range(3, 6)}


def board_field(pieces, files=8, ranks=8):
    """The first field of a FEN, from {(file, rank): letter}."""
    rows = []
    for rank in reversed(range(ranks)):
        text = "".join(pieces.get((file, rank), ".") for file in range(files))
        for empty in range(files, 0, -1):
            text = text.replace("." * empty, str(empty))
        rows.append(text)
    return "/".join(rows)


def pieces_of(field):
    """{(file, rank): letter} of the first field of a FEN."""
    pieces = {}
    for rank, row in enumerate(reversed(field.split("/"))):
        for file, letter in enumerate(re.sub(r"\d", lambda empty: "." * int(empty[0]), row)):
            if letter != ".":
                pieces[file, rank] = letter
    return pieces


def free_squares(pieces, letter, pawn_ranks=PAWN_RANKS):
    """The empty squares on which a piece may stand."""
    ranks = pawn_ranks["w" if letter.isupper() else "b"] if letter in "Pp" else range(8)
    return [(file, rank) for file in range(8) for rank in ranks if (file, rank) not in pieces]


def random_board(rng, letters):
    """The first field of a FEN with these pieces, which may be illegal."""
    pieces = {}
    for letter in letters:
        pieces[rng.choice(free_squares(pieces, letter))] = letter
    return board_field(pieces)
