#!/usr/bin/env python3
"""Which endings are always, sometimes and never won in time, as Markdown.

Reads the output of `sakmak stats 5 --counting makruk --json`:

    sakmak stats 5 --counting makruk --json --tables DIR | scripts/counting_lists.py 4 5

The arguments are the numbers of men to list. Each side that can mate at all has an ending. The
share is that of the positions, with either side to move, in which the side can force mate.
"""

import sys

from claims.records import given_records, percent


def attacks(material):
    """Yields each attacker of a material: the name of the ending, and the wins."""
    stronger, weaker = material["material"].split("v")
    yield f"{stronger} v {weaker}", material["white_attacking"]
    # A symmetric material is the same for both.
    if stronger != weaker:
        yield f"{weaker} v {stronger}", material["black_attacking"]


def main():
    men = {int(number) for number in sys.argv[1:]} or {4, 5}
    endings = {"always": [], "sometimes": [], "never": []}
    for material in given_records():
        if len(material["material"]) - 1 not in men:
            continue
        for name, attack in attacks(material):
            if attack["in_time"] is not None:
                endings[attack["in_time"]].append((name, attack))
    for in_time, found in endings.items():
        print(f"**{in_time.capitalize()} in time** ({len(found)}):", end="\n\n")
        if in_time == "sometimes":
            found.sort(key=lambda ending: ending[1]["won_in_time"] / ending[1]["won"])
        share = lambda attack: f" ({percent(attack['won_in_time'], attack['won'])})" if in_time == "sometimes" else ""
        names = (name + share(attack) for name, attack in found)
        print(", ".join(names) or "none", end="\n\n")


if __name__ == "__main__":
    main()
