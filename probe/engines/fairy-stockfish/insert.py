#!/usr/bin/env python3
"""Puts the calls of Sakmak's adapter into a copy of Fairy-Stockfish's source.

usage: insert.py SRC

Each call goes to a place that is named by a line of the source. A source that has no such line, or
has it twice, or has the calls already, is refused, and no file is changed.
"""

import sys
from pathlib import Path

INCLUDE = ['#include "adapter.h"']

# Source distributions have none.
MAKEFILE = "Makefile"

# File, the start of the line, the lines before it.
INSERTIONS = [
    (MAKEFILE, "OBJS = ", ["SRCS += adapter.cpp sakmak_reader.cpp", ""]),
    ("ucioption.cpp", '#include "uci.h"', INCLUDE),
    ("ucioption.cpp", '  o["VariantPath"]', ["  Sakmak::add_options(o);"]),
    ("thread.cpp", '#include "uci.h"', INCLUDE),
    ("thread.cpp", "  // After ownership transfer", ["  Sakmak::rank_root_moves(pos, rootMoves);", ""]),
    ("search.cpp", '#include "uci.h"', INCLUDE),
    (
        "search.cpp",
        "    // Step 5.",
        [
            "    // Sakmak's tables: cut off, or narrow the window",
            "    if (!rootNode && Sakmak::applies(pos, depth))",
            "    {",
            "        Value lower, upper;",
            "        if (Sakmak::probe(pos, ss->ply, lower, upper))",
            "        {",
            "            thisThread->tbHits.fetch_add(1, std::memory_order_relaxed);",
            "            if (lower >= beta || lower == upper)",
            "                return lower;",
            "            if (upper <= alpha)",
            "                return upper;",
            "            if (PvNode)",
            "            {",
            "                bestValue = lower;",
            "                alpha = std::max(alpha, lower);",
            "                maxValue = upper;",
            "            }",
            "        }",
            "    }",
            "",
        ],
    ),
]


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: insert.py SRC")
    source = Path(sys.argv[1])
    texts = {}
    for name, place, lines in INSERTIONS:
        path = source / name
        if name == MAKEFILE and not path.exists():
            continue
        if name not in texts:
            try:
                texts[name] = path.read_text().split("\n")
            except OSError as error:
                sys.exit(f"{path}: {error.strerror}: expected the folder src of Fairy-Stockfish")
            if INCLUDE[0] in texts[name] or lines[0] in texts[name]:
                sys.exit(f"{path}: the calls are there already")
        at = [number for number, line in enumerate(texts[name]) if line.startswith(place)]
        if len(at) != 1:
            sys.exit(f"{path}: {len(at)} lines start with '{place.strip()}': expected one")
        texts[name][at[0] : at[0]] = lines
    for name, lines in texts.items():
        (source / name).write_text("\n".join(lines))
    inserted = [lines for name, _, lines in INSERTIONS if name in texts]
    print(f"{sum(map(len, inserted))} lines inserted")


main()
