#!/usr/bin/env python3
"""Prints figures of the pages as Markdown, from the JSON that `sakmak` prints.

    sakmak stats 5 --counting makruk --json | scripts/figures.py by-men         docs/results.md
    sakmak query 5 mutual_zugzwang --count --json | scripts/figures.py by-men
    sakmak stats 5 --counting makruk --json | scripts/figures.py fair
    sakmak stats 5 --counting makruk --json | scripts/figures.py in-time 4      docs/counting.md
    sakmak stats KMMMMvK ... --json | scripts/figures.py endings                docs/six-men.md
    sakmak stats 5 --variant janggi --json | scripts/figures.py janggi          docs/janggi.md
    sakmak plan 7 --json --rate 1 --packed --memory 9T | scripts/figures.py scale  docs/scale.md

Needs Python 3.9; takes seconds.
"""

import argparse
import collections
import csv
import sys

from claims.records import given_records, percent, table

SIDES = [("white_to_move", "white_attacking"), ("black_to_move", "black_attacking")]
# A fair ending: the share of all positions that each side wins in time, and the ratio of the two shares.
FAIR_SHARE, FAIR_RATIO = 0.1, 1.5
JANGGI_PIECES = "RCHEAP"
JANGGI_COLUMNS = 6
GIB = 1 << 30


def by_men(given, options):
    """Sums by the number of men: of `stats`, or of `query --count`."""
    is_counts = "distinct" in given[0]
    head = ["men", "materials"]
    head += ["positions", "distinct", "none in", "most, distinct"] if is_counts else ["positions", "won", "of these in time", "longest win"]

    def name(record):
        men = f"{len(record['material']) - 1}"
        if not options.kinds:
            return men
        is_bare = record["material"].endswith("vK")
        pawns = "with" if "P" in record["material"] else "without"
        return f"{men}: {'against a bare king' if is_bare else 'pieces on both sides'}, {pawns} pawns"

    groups = collections.defaultdict(list)
    for record in given:
        groups[name(record)].append(record)
    sums = sums_of_counts if is_counts else sums_of_statistics
    print(table(head, [[men, len(group), *sums(group)] for men, group in sorted(groups.items())]))


def sums_of_statistics(materials):
    legal = sum(material[side]["legal"] for material in materials for side, _ in SIDES)
    attacks = [material[attack] for material in materials for _, attack in SIDES]
    won = sum(attack["won"] for attack in attacks)
    # Unknown without the tables of counted distance.
    known = all(attack["won_in_time"] is not None for attack in attacks)
    in_time = percent(sum(attack["won_in_time"] for attack in attacks), won) if known else "?"
    longest = [
        (material[side]["longest_win"]["moves"], material["material"])
        for material in materials for side, _ in SIDES if material[side]["longest_win"]
    ]
    moves, name = max(longest, default=(0, "-"))
    return [f"{legal:,}", percent(won, legal), in_time, f"{moves}, `{name}`"]


def sums_of_counts(materials):
    most = max(materials, key=lambda material: material["distinct"])
    positions, distinct = (sum(material[key] for material in materials) for key in ("positions", "distinct"))
    none = sum(material["positions"] == 0 for material in materials)
    return [f"{positions:,}", f"{distinct:,}", none, f"{most['distinct']:,}, `{most['material']}`"]


def fair(given, options):
    """Endings that both sides win in time about as often."""
    rows = []
    for record in given:
        legal = record["white_to_move"]["legal"] + record["black_to_move"]["legal"]
        shares = [record[attack]["won_in_time"] for _, attack in SIDES]
        if None in shares or min(shares) < FAIR_SHARE * legal or max(shares) > FAIR_RATIO * min(shares):
            continue
        cells = [percent(part, legal) for part in (*shares, legal - sum(shares))]
        rows.append((max(shares) / min(shares), record["material"], cells))
    rows = [[f"`{name}`", *cells] for _, name, cells in sorted(rows)]
    print(table(["ending", "the first side wins in time", "the second", "drawn"], rows))


def in_time(given, options):
    """Lists of the endings that are always, sometimes and never won in time, for each side that can mate."""
    endings = {"always": [], "sometimes": [], "never": []}
    for record in given:
        stronger, weaker = record["material"].split("v")
        names = dict.fromkeys([f"{stronger} v {weaker}", f"{weaker} v {stronger}"])
        for name, (_, attack) in zip(names, SIDES):
            attack = record[attack]
            if len(record["material"]) - 1 in options.men and attack["in_time"] is not None:
                endings[attack["in_time"]].append((name, attack["won_in_time"], attack["won"]))
    endings["sometimes"].sort(key=lambda ending: ending[1] / ending[2])
    for kind, found in endings.items():
        texts = [name + (f" ({percent(part, won)})" if kind == "sometimes" else "") for name, part, won in found]
        print(f"**{kind.capitalize()} in time** ({len(found)}):\n\n{', '.join(texts) or 'none'}\n")


def small_share(part, whole):
    """A share in percent, 100 only if it is all; a share that rounds to 0 as the number."""
    text = f"{min(100 * part / whole, 100 if part == whole else 99.99):.2f} %" if whole else "-"
    return f"{part:,}" if text == "0.00 %" and part else text


def endings(given, options):
    """A row for each material against a bare king, or with --both for each side to move."""
    if options.both:
        head = ["material", "side to move", "positions", "White wins", "in time", "Black wins", "in time", "longest"]
        print(table(head, [row for record in given for row in rows_of_both(record)]).replace("|  |", "| |"))
        return
    head = ["material", "positions", "won", "moves left", "won in time", "too late", "longest", "longest in time"]
    rows = []
    for record in given:
        attack, white = record["white_attacking"], record["white_to_move"]
        legal, fresh = white["legal"] + record["black_to_move"]["legal"], white["at_fresh_count"]
        won, within = attack["won"], attack["won_in_time"]
        left = "-" if fresh["win_clock"] is None else fresh["win_clock"]
        longest = [side["longest_win"]["moves"] if side["longest_win"] else "-" for side in (white, fresh)]
        late = f"{won - within:,}" if won else "-"
        rows.append([f"`{record['material']}`", f"{legal:,}", small_share(won, legal), left, small_share(within, won), late, *longest])
    print(table(head, rows))


def rows_of_both(record):
    """The rows of a material with pieces on both sides. One with like pieces has White to move only."""
    for mover, outcomes in (("White", ("wins", "losses")), ("Black", ("losses", "wins"))):
        side = record[f"{mover.lower()}_to_move"]
        if side is None:
            return
        cells = []
        for outcome in outcomes:
            won, within = side[outcome], side["at_fresh_count"][outcome]
            within = "all" if within == won else small_share(within, won)
            cells += [small_share(won, side["legal"]), within if won else "-"]
        found = [side[key]["moves"] for key in ("longest_win", "longest_loss") if side[key]]
        name = f"`{record['material']}`" if mover == "White" else ""
        yield [name, mover, f"{side['legal']:,}", *cells, max(found, default="-")]


def janggi(given, options):
    """Two men against one, then three against a bare general: the share won and the longest win in moves."""
    against_one, bare = {}, {}
    for record in given:
        if "-" in record["material"]:
            continue
        first, second = (side.lstrip("K") for side in record["material"].split("v"))
        attacker, defender = (first, second) if record["to_move"] == "first" else (second, first)
        if len(attacker) == 2 and len(defender) == 1:
            against_one[attacker, defender] = janggi_cell(record)
        elif len(attacker) == 3:
            bare[attacker] = janggi_cell(record)
    order = lambda men: [JANGGI_PIECES.index(piece) for piece in men]
    rows = [
        [men, *(against_one.get((men, piece), "") for piece in JANGGI_PIECES)]
        for men in sorted({men for men, _ in against_one}, key=order)
    ]
    print(table(["men", *(f"v {piece}" for piece in JANGGI_PIECES)], rows), end="\n\n")
    cells = [text for men in sorted(bare, key=order) for text in (men, bare[men])]
    cells += [""] * (-len(cells) % JANGGI_COLUMNS)
    rows = [cells[first : first + JANGGI_COLUMNS] for first in range(0, len(cells), JANGGI_COLUMNS)]
    print(table(["men", "won"] * (JANGGI_COLUMNS // 2), rows))


def janggi_cell(record):
    """`99.63 ≤ 21`; `-` where nothing is won."""
    won = record["won"]
    if not won:
        return "-"
    percent = 100 * won / (won + record["lost"] + record["drawn"])
    share = f"{percent:.2f}".rstrip("0").rstrip(".")
    share = "< 0.01" if share == "0" else "99.99+" if share == "100" and percent < 100 else share
    return f"{share} ≤ {(record['longest_win_plies'] + 1) // 2}"


def scale(given, options):
    """Core-hours, memory, disk and money of a plan by men and pawns; with --tables CSV of each table."""
    rows = [needs(step, options) for step in given[0]["tables"]]
    rows = [row for row in rows if row["men"] >= options.least_men]
    if options.tables:
        writer = csv.DictWriter(sys.stdout, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows({key: f"{value:.4g}" if isinstance(value, float) else value for key, value in row.items()} for row in rows)
        return
    groups = collections.defaultdict(list)
    for row in rows:
        groups[row["men"], str(row["pawns"])].append(row)
        groups[row["men"], "all"].append(row)
    lines = []
    for (men, pawns), group in sorted(groups.items()):
        total = lambda field: amount(sum(row[field] for row in group))
        most = lambda field: f"{amount(max(row[field] for row in group))} GiB"
        lines.append([
            men, pawns, len(group), f"{amount(sum(row['slots'] for row in group) / 1e9)} G",
            total("solving_core_hours"), total("packing_core_hours"), most("memory_gib"), most("memory_least_gib"),
            f"{total('solved_gib')} GiB", f"{total('packed_gib')} GiB", total("money"),
        ])
    print(table(["men", "pawns", "tables", "slots", "solving, core-hours", "packing, core-hours",
                 "memory of the largest", "at least", "solved files", "packed files", "money"], lines))


def needs(step, rates):
    """The needs of one table; money is for cores or for memory, whichever is more."""
    white, black = step["table"].split(".")[0].split("v")
    slots, memory = step["slots"], step["memory"] / GIB
    solving, packing = slots / rates.solve / 3600, slots / rates.pack / 3600
    return {
        "table": step["table"],
        "men": len(white + black),
        "pawns": (white + black).count("P"),
        "slots": slots,
        "solving_core_hours": solving,
        "packing_core_hours": packing,
        "memory_gib": memory,
        "memory_least_gib": step["memory_least"] / GIB,
        "disk_gib": step["disk"] / GIB,
        "solved_gib": slots * rates.solved_bits / 8 / GIB,
        "packed_gib": slots * rates.packed_bits / 8 / GIB,
        "money": (solving + packing) * max(rates.core_hour, memory * rates.gib_hour / rates.cores),
    }


def amount(number):
    """Three digits, with a comma for thousands."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True, metavar="FIGURES")
    added = {}
    for run in (by_men, fair, in_time, endings, janggi, scale):
        added[run] = commands.add_parser(run.__name__.replace("_", "-"), help=run.__doc__.rstrip("."))
        added[run].set_defaults(run=run)
    added[by_men].add_argument("--kinds", action="store_true", help="also by bare kings and by pawns")
    added[in_time].add_argument("men", type=int, nargs="*", default=[4, 5], help="numbers of men [4 5]")
    added[endings].add_argument("--both", action="store_true", help="a row for each side to move")
    option = added[scale].add_argument
    option("--tables", action="store_true", help="a row for each table, as CSV")
    option("--least-men", type=int, default=3, help="no tables of fewer men [3]")
    option("--solve", type=float, default=46e6, help="slots solved per second and core [46e6]")
    option("--pack", type=float, default=60e6, help="slots packed per second and core [60e6]")
    option("--solved-bits", type=float, default=2.03, help="bits per slot of a solved file [2.03]")
    option("--packed-bits", type=float, default=0.41, help="bits per slot of a packed file [0.41]")
    option("--cores", type=int, default=32, help="cores of a machine [32]")
    option("--core-hour", type=float, default=0.05, help="price of a core-hour [0.05]")
    option("--gib-hour", type=float, default=0.006, help="price of a GiB of memory for an hour [0.006]")
    options = parser.parse_args()
    options.run(given_records(), options)


if __name__ == "__main__":
    main()
