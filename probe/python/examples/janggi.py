"""A position of Janggi, and its moves."""

import sakmak

with sakmak.open_tablebase("sakmak-tables") as tables:
    answer = tables.probe_variant("3k5/9/9/9/4R4/9/9/9/N8/4K4 w", "janggi")
    print(answer.result, answer.moves[0], answer.line)
    print(tables.category_batch([answer.fen], "janggi"))
