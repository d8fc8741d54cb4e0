"""Runs an engine that speaks UCI over the frozen set of endings.

usage: check.py VARIANT GO COMMAND... < endings.jsonl

GO is the limit of a search, such as "nodes 10000". An answer is right if it keeps the result under
the count, whichever move it is. Prints right answers by goal and men; exits with 1 after an illegal move.
"""

import collections
import json
import subprocess
import sys


def main():
    variant, limit, *command = sys.argv[1:]
    engine = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def send(line):
        engine.stdin.write(line + "\n")
        engine.stdin.flush()

    def until(word):
        for line in engine.stdout:
            yield line.split()
            if line.split()[:1] == [word]:
                return
        sys.exit(f"the engine ended before {word}")

    send("uci")
    options = [line for line in until("uciok") if "UCI_Variant" in line]
    # Fairy-Stockfish calls Ouk Chatrang cambodian.
    known = [name for name in (variant, "cambodian") if options and name in options[0]]
    if not known:
        sys.exit(f"the engine does not play {variant}")
    send(f"setoption name UCI_Variant value {known[0]}")
    right, asked, illegal = collections.Counter(), collections.Counter(), 0
    for text in sys.stdin:
        ending = json.loads(text)
        if ending["variant"] != variant:
            continue
        send("ucinewgame")
        send(f"position fen {ending['fen']}")
        send(f"go {limit}")
        move = [line for line in until("bestmove")][-1][1]
        kind = ending["goal"], len(ending["material"]) - 1
        asked[kind] += 1
        right[kind] += move in ending["keep"]
        illegal += move not in ending["keep"] + ending["lose"]
    send("quit")
    for goal, men in sorted(asked):
        print(f"{goal}, {men} men: {right[goal, men]} of {asked[goal, men]}")
    print(f"all: {right.total()} of {asked.total()} keep the result, {illegal} illegal moves")
    return 1 if illegal else 0


if __name__ == "__main__":
    sys.exit(main())
