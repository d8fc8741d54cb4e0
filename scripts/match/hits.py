"""Fails unless an engine has table hits in a search of each position of Makruk.

usage: hits.py --engine ENGINE FEN...      scripts/engine-match.sh calls this
"""

import argparse
import sys

from uci import Engine, EngineSpec


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engine", type=EngineSpec, required=True)
    parser.add_argument("fen", nargs="+")
    options = parser.parse_args()
    engine = Engine(options.engine, "makruk")
    for fen in options.fen:
        hits = engine.best_move(fen, [], "nodes 3000").table_hits
        print(f"{fen}: {hits} table hits")
        if not hits:
            sys.exit(f"{engine.name} has no table hits in {fen}")
    engine.close()


if __name__ == "__main__":
    main()
