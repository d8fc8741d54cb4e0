"""Prints the result of a position and all moves, best first.

usage: client.py ADDRESS FEN      for an example in docs/serve.md
"""

import json
import sys
from urllib.parse import urlencode
from urllib.request import urlopen

address, fen = sys.argv[1:]
with urlopen(f"{address}/makruk?{urlencode({'fen': fen, 'line': False})}") as response:
    answer = json.load(response)
print(answer["category"], answer["dtm"])
for move in answer["moves"]:
    print(move["san"], move["category"])
