#!/usr/bin/env python3
"""Writes the tables of docs/players.md: facts about endings for use at the board, counted in tables.

    scripts/claims/players.py --sakmak PROGRAM --tables DIR [--cache FILE] docs/players.md
    scripts/claims/players.py --sakmak PROGRAM --tables DIR --men 4 --check docs/players.md

With --men 4 the lines are about endings of at most four men; --check compares them with the page.
Endings of five men are counted in the sample of claims.toml. Needs Python 3.11; four men take seconds, five
half an hour.
"""

import itertools
import pathlib
import sys

from claims import Claims, Program, load, number, parser_of
from records import filled, table

PIECES = "RNSM"
# Endings with fewer such positions, among those counted, are left out.
FEWEST = 16

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
        """The share in percent of the positions of `of` for which a condition holds, or None if they are few."""
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
    """How often each defender holds against a rook."""
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


FIGURES = {"do_not_take": do_not_take, "only_moves": only_moves, "corners": corners, "fortresses": fortresses}


def main():
    parser = parser_of(__doc__)
    parser.add_argument("--cache", type=pathlib.Path, help="the file that keeps answers")
    parser.add_argument("--check", action="store_true", help="compare the figures with the page")
    parser.add_argument("page", type=pathlib.Path, help="the page whose figures are written")
    arguments = parser.parse_args()
    data, _ = load()
    counter = Counter(Claims(data, Program(arguments.sakmak, arguments.tables, arguments.cache)))
    tables = {name: table_of(counter, arguments.men) for name, table_of in FIGURES.items()}
    page = arguments.page.read_text()
    if not arguments.check:
        arguments.page.write_text(filled(page, tables))
        return 0
    written = set(page.splitlines())
    rows = [line for text in tables.values() for line in text.splitlines() if line.startswith("| `")]
    missing = [line for line in rows if line not in written]
    for line in missing:
        print(f"{arguments.page} has not: {line}", file=sys.stderr)
    print(f"{len(rows)} lines compared, {len(missing)} differ")
    return 1 if missing or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
