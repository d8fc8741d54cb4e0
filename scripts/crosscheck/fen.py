"""FENs, for every script that writes them."""


def board_field(pieces, files=8, ranks=8):
    """The first field of a FEN, from {(file, rank): letter}."""
    rows = []
    for rank in reversed(range(ranks)):
        text = "".join(pieces.get((file, rank), ".") for file in range(files))
        for empty in range(files, 0, -1):
            text = text.replace("." * empty, str(empty))
        rows.append(text)
    return "/".join(rows)
