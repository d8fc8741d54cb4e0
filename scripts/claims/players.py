#!/usr/bin/env python3
"""Writes docs/players.md: what to know of endings at the board, counted in tables.

    scripts/claims/players.py --sakmak PROGRAM --tables DIR [--cache FILE] > docs/players.md
    scripts/claims/players.py --sakmak PROGRAM --tables DIR --men 4 --check docs/players.md

With --men 4 the lines are those of endings of at most four men; --check says whether the page has
them in place of writing it. Endings of five men are counted in the sample of claims.toml.
"""

import argparse
import itertools
import pathlib
import sys
import textwrap

from claims import Claims, Program, load, number
from records import table

PIECES = "RNSM"
# Endings with fewer such positions, among those counted, are left out.
FEWEST = 16

HEAD = """# For players

Facts about endings of Makruk for use at the board, counted from the tables. `sakmak probe` shows the moves of
every position below. [claims.md](claims.md) tests what books say, [count.md](count.md) has the limits,
[results.md](results.md#endings-for-two-people) fair endings for two. [players.py](../scripts/claims/players.py)
writes this page:

```sh
sakmak generate 5 --counting makruk
scripts/claims/players.py --sakmak sakmak --tables sakmak-tables > docs/players.md
```

Shares of endings of {sample_from} men are those of the systematic sample of [claims.md](claims.md): each king on one of
eight squares, one on each file and rank. The last section samples White's king only, since the place of Black's
is what it asks about, and corners are counted in all positions. *In time*: before a count that starts in the position
ends. Endings with fewer than {fewest} such positions are left out.
"""


class Counter:
    """Numbers of positions, of large endings in a sample."""

    def __init__(self, claims):
        self.claims, conditions = claims, claims.data["conditions"]
        self.sample, self.sample_from = conditions["sample"], conditions["sample_from"]

    def narrowed(self, material, condition, of_black=True):
        """The condition within the sample; its squares for the black king are left out where that is asked about."""
        if len(material) <= self.sample_from:
            return condition
        sample = self.sample if of_black else self.sample.partition(" and ")[0]
        return f"{condition} and {sample}"

    def count(self, material, condition):
        return self.claims.ask(f"query {material} '{condition}'")

    def share(self, material, condition, of):
        """The share in percent of the positions of `of` that meet a condition, or None if they are few."""
        whole = self.count(material, of)
        return 100 * self.count(material, f"{of} and {condition}") / whole if whole >= FEWEST else None


def shown(share):
    return "-" if share is None else f"{number(share)} %"


def attackers(most):
    """Armies of up to so many pieces without pawns, the strongest first."""
    sizes = range(1, most + 1)
    return ["".join(army) for size in sizes for army in itertools.combinations_with_replacement(PIECES, size)]


def do_not_take(counter, men):
    """The endings in which a capture that comes too soon throws the win away most often, and where."""
    rows = []
    for army, last in itertools.product(attackers(men - 3), PIECES + "P"):
        material = f"K{army}vK{last}"
        won = counter.narrowed(material, "side=white and win and in_time")
        share = counter.share(material, "late_capture", won)
        if share:
            rows.append((share, material))
    lines = []
    for share, material in sorted(rows, key=lambda row: (len(row[1]), -row[0], row[1])):
        example = waiting_move(counter, material)
        if example:
            lines.append([f"`{material}`", f"{number(share)} %", *example])
    return table(["ending", "of the wins", "such a position", "wins", "does not"], lines)


def waiting_move(counter, material):
    """A position in which another move wins in time, but no capture does."""
    condition = counter.narrowed(material, "side=white and win and in_time and late_capture")
    for found in counter.claims.ask(f"query {material} '{condition}' --sample 40 --seed 1"):
        moves = counter.claims.ask(f"probe '{found.fen}'").moves
        captures = [move for move in moves if "x" in move.san]
        if any(move.category == "loss" for move in captures):
            continue
        late = next(move for move in captures if move.category == "blessed-loss")
        return [f"`{found.fen}`", moves[0].san, late.san]
    return None


def only_moves(counter, men):
    """How often only one move wins, with the stronger side to move."""
    rows = []
    for army in attackers(men - 2):
        material = f"K{army}vK"
        won = counter.narrowed(material, "side=white and win")
        share = counter.share(material, "only_move", won)
        if share is not None:
            rows.append([f"`{material}`", f"{counter.count(material, won):,}", shown(share)])
    return table(["ending", "won positions counted", "only one move wins"], rows)


def corners(counter, men):
    """Where the bare king cannot avoid the mate of the next move."""
    rows = []
    for army in attackers(men - 2):
        material, before = f"K{army}vK", "side=black and loss and dtm=1"
        mated = counter.count(material, before)
        # With mets on both colours a corner is neither right nor wrong.
        if mated < FEWEST or "MM" in army:
            continue
        of_met = "k on corner and same_colour(k,M)" if "M" in army else "k on corner"
        places = [of_met, "k on corner", "k on edge and not k on corner", "not k on edge"]
        of_met, corner, edge, elsewhere = (counter.share(material, place, before) for place in places)
        split = [shown(of_met), shown(corner - of_met)] if "M" in army else ["-", "-"]
        rows.append([f"`{material}`", f"{mated:,}", shown(corner), *split, shown(edge), shown(elsewhere)])
    heads = ["ending", "positions", "corner", "of the met's colour", "of the other", "edge", "elsewhere"]
    return table(heads, rows)


def fortresses(counter, men):
    """What holds against a rook."""
    rows = []
    for army in attackers(men - 3):
        if "R" in army:
            continue
        material = f"KRvK{army}"
        quiet = counter.narrowed(material, "side=white and quiet", of_black=False)
        beside = " and ".join(f"distance(k,{man})=1" for man in sorted(set(army.lower())))
        held = "not (win and in_time)"
        places = (quiet, f"{quiet} and {beside}", f"{quiet} and {beside} and k on edge", f"{quiet} and k on corner")
        rows.append([f"`{material}`", *(shown(counter.share(material, held, place)) for place in places)])
    return table(["ending", "held", "beside the king", "beside the king, on the edge", "king in a corner"], rows)


SECTIONS = [
    (
        "Do not take yet",
        "The capture of the last piece starts the count against a bare king. Where the mate then takes longer, "
        "the capture throws away a win that another move keeps. The table has the share of such positions among "
        "those that White, to move, wins in time, and an example in which no capture wins.",
        do_not_take,
    ),
    (
        "Only one move",
        "How exact one has to be: the won positions with White to move, and the share of those with only one "
        "winning move, with no count. Some endings have few won positions at all.",
        only_moves,
    ),
    (
        "Right and wrong corners",
        "Where the bare king stands when it is to move and cannot avoid mate by the next move. A met never leaves "
        "its colour: with a knight the right corner is one of that colour. Endings with several mets are left out.",
        corners,
    ),
    (
        "Fortresses against a rook",
        "How often the rook does not win in time, of quiet positions with the rook to move, in which a move that "
        "captures nothing keeps the result. Then with each kind of defender beside its king, with that king on the "
        "edge as well, and with the king in a corner.",
        fortresses,
    ),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sakmak", default="sakmak", help="the program")
    parser.add_argument("--tables", default="sakmak-tables", help="the directory of tables")
    parser.add_argument("--men", type=int, default=5, help="endings of at most this many men")
    parser.add_argument("--cache", type=pathlib.Path, help="the file that keeps answers")
    parser.add_argument("--check", type=pathlib.Path, help="the page to compare with")
    arguments = parser.parse_args()
    data, _ = load()
    counter = Counter(Claims(data, Program(arguments.sakmak, arguments.tables, arguments.cache)))
    page = [HEAD.format(**data["conditions"], fewest=FEWEST).rstrip()]
    for title, text, table_of in SECTIONS:
        print(title, file=sys.stderr, flush=True)
        page += ["", f"## {title}", "", *textwrap.wrap(text, 105), "", table_of(counter, arguments.men)]
    if not arguments.check:
        print("\n".join(page))
        return 0
    written = set(arguments.check.read_text().splitlines())
    rows = [line for line in "\n".join(page).splitlines() if line.startswith("| `")]
    missing = [line for line in rows if line not in written]
    for line in missing:
        print(f"{arguments.check} has not: {line}", file=sys.stderr)
    print(f"{len(rows)} lines compared, {len(missing)} differ")
    return 1 if missing or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
