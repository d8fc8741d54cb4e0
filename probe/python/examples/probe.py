"""Prints the category of a position, its distance to mate, and its moves, best first."""

import sakmak

tables = sakmak.Tablebase("sakmak-tables")
answer = tables.probe("8/8/8/4k3/8/4K3/4S3/4M3 w - 88 40 21")
print(f"{answer.category}, mate in {answer.dtm.plies} plies")
for move in answer.moves:
    print(move.san, move.category)
