#!/usr/bin/env python3
"""Sums up what `sakmak` prints for many materials, by the number of men, as Markdown.

    sakmak stats 5 --counting makruk --json | scripts/by_men.py
    sakmak query 4 mutual_zugzwang --count --json | scripts/by_men.py

With --kinds also by whether one king is bare, and whether there are pawns.
"""

import sys

from claims.records import given_records, percent

SIDES = [("white_to_move", "white_attacking"), ("black_to_move", "black_attacking")]


def kind(record):
    """The kind of a material in words."""
    weaker = record["material"].partition("v")[2]
    men = "against a bare king" if weaker == "K" else "pieces on both sides"
    return f"{men}, {'with' if 'P' in record['material'] else 'without'} pawns"


def of_statistics(materials):
    legal = sum(material[side]["legal"] for material in materials for side, _ in SIDES)
    attacks = [material[attack] for material in materials for _, attack in SIDES]
    won = sum(attack["won"] for attack in attacks)
    # Without the tables that decide it, how many are in time is not known.
    known = all(attack["won_in_time"] is not None for attack in attacks)
    in_time = percent(sum(attack["won_in_time"] for attack in attacks), won) if known else "?"
    longest = [
        (side["longest_win"]["moves"], material["material"])
        for material in materials
        for side in (material[name] for name, _ in SIDES)
        if side["longest_win"]
    ]
    moves, name = max(longest, default=(0, "-"))
    return [f"{legal:,}", percent(won, legal), in_time, f"{moves}, `{name}`"]


def of_counts(materials):
    most = max(materials, key=lambda material: material["distinct"])
    none = sum(material["positions"] == 0 for material in materials)
    positions, distinct = (sum(material[key] for material in materials) for key in ("positions", "distinct"))
    return [f"{positions:,}", f"{distinct:,}", none, f"{most['distinct']:,}, `{most['material']}`"]


def main():
    found = given_records()
    is_counts = "distinct" in found[0]
    head = ["men", "materials"]
    head += ["positions", "distinct", "none in", "most, distinct"] if is_counts else ["positions", "won", "of these in time", "longest win"]
    print("| " + " | ".join(head) + " |\n" + "|---" * len(head) + "|")
    kinds = "--kinds" in sys.argv
    name = lambda record: f"{len(record['material']) - 1}" + (f": {kind(record)}" if kinds else "")
    for men in sorted(set(map(name, found))):
        materials = [record for record in found if name(record) == men]
        row = [men, len(materials), *(of_counts if is_counts else of_statistics)(materials)]
        print("| " + " | ".join(map(str, row)) + " |")


if __name__ == "__main__":
    main()
