#!/usr/bin/env python3
"""Which endings are always, sometimes and never won in time, as Markdown.

Reads the output of `sakmak stats 5 --counting makruk --json`, one material per line:

    sakmak stats 5 --counting makruk --json --tables DIR | scripts/counting_lists.py 4 5

The arguments are the numbers of men to list. Each side that can mate at all has an ending. The
share is that of the positions, with either side to move, in which the side can force mate.
"""

import json
import sys


def attacks(line):
    """Yields each attacker of a material: the name of the ending, and the wins."""
    stronger, weaker = line["material"].split("v")
    yield f"{stronger} v {weaker}", line["white_attacking"]
    # A symmetric material is the same for both.
    if stronger != weaker:
        yield f"{weaker} v {stronger}", line["black_attacking"]


def share(attack):
    """The share in percent, never rounded to 0 or 100."""
    part = 100 * attack["won_in_time"] / attack["won"]
    return f"{min(max(part, 0.01), 99.99):.2f} %"


def main():
    men = {int(number) for number in sys.argv[1:]} or {4, 5}
    endings = {"always": [], "sometimes": [], "never": []}
    for text in sys.stdin:
        line = json.loads(text)
        if len(line["material"]) - 1 not in men:
            continue
        for name, attack in attacks(line):
            if attack["in_time"] is not None:
                endings[attack["in_time"]].append((name, attack))
    for in_time, found in endings.items():
        print(f"**{in_time.capitalize()} in time** ({len(found)}):", end="\n\n")
        if in_time == "sometimes":
            found.sort(key=lambda ending: ending[1]["won_in_time"] / ending[1]["won"])
        names = (f"{n} ({share(a)})" if in_time == "sometimes" else n for n, a in found)
        print(", ".join(names) or "none", end="\n\n")


if __name__ == "__main__":
    main()
