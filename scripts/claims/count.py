#!/usr/bin/env python3
"""Writes the figures of docs/count.md and its picture: what limits of the count do.

    sakmak stats 5 --counting makruk --json | scripts/claims/count.py --svg docs/count.svg docs/count.md

Reads statistics, one material after the other. Against a bare king without pawns the moves to mate
decide what is in time, so one set of statistics answers for all limits. Rules are data: ROWS. Needs
Python 3.9; takes seconds.
"""

import argparse
import collections
import pathlib
import re
import sys

from records import filled, given_records, percent, table

# The pieces' honour: pieces that a row asks for, and its limit. The first row that fits decides.
ROWS = [("RR", 8), ("R", 16), ("SS", 22), ("NN", 32), ("S", 44), ("N", 64), ("", 64)]
NAMES = {"RR": "two rooks or more", "R": "one rook", "SS": "two khons or more", "NN": "two knights or more",
         "S": "one khon", "N": "one knight", "": "mets only"}
KNIGHTS_FIRST = [("RR", 8), ("R", 16), ("NN", 32), ("N", 64), ("SS", 22), ("S", 44), ("", 64)]
KHON_FIRST = [("RR", 8), ("R", 16), ("SS", 22), ("S", 44), ("NN", 32), ("N", 64), ("", 64)]
SHARES = [50, 90, 99, 100]
BOARDS = 64
MOST_HARMFUL = 15
PIECES = {"R": "rook", "N": "knight", "S": "khon", "M": "met"}
# Moves that a limit leaves besides limit - men: with White to move, with Black to move.
MAKRUK, OUK = (1, 0), (0, -1)


def row_of(pieces, rows=ROWS):
    """The row that decides for an attacker's pieces."""
    return next(row for row in rows if all(pieces.count(p) >= row[0].count(p) for p in row[0]))


class Ending:
    """Pieces against a bare king: how many wins need how many moves."""

    def __init__(self, statistics):
        self.name = statistics["material"].removesuffix("vK")
        self.pieces = self.name[1:]
        self.men = len(self.name) + 1
        white, black = statistics["white_to_move"], statistics["black_to_move"]
        self.sides = [
            {int(moves): count for moves, count in histogram.items()}
            for histogram in (white["win_histogram"], black["loss_histogram"])
        ]
        self.wins = sum(sum(side.values()) for side in self.sides)
        self.legal = white["legal"] + black["legal"]
        self.longest = max(self.sides[0], default=0)
        self.limit = row_of(self.pieces)[1]
        self.stated = statistics["white_attacking"]["won_in_time"]

    def in_time(self, limit, rule=MAKRUK):
        """The wins that are in time at a limit when a count starts in the position."""
        left = (limit - self.men + extra for extra in rule)
        return sum(
            count for side, most in zip(self.sides, left) for moves, count in side.items() if moves <= most
        )

    def needed(self, share):
        """The lowest limit at which a share of the wins, in percent, is in time."""
        limit = self.men
        while 100 * self.in_time(limit) < share * self.wins:
            limit += 1
        return limit

    def share(self, limit, rule=MAKRUK):
        return percent(self.in_time(limit, rule), self.wins)

    def of_all(self):
        """The share of all positions that is won in time today, at most 1."""
        return self.in_time(self.limit) / self.legal

    def same(self):
        """The lowest and the highest limit with today's results; no highest if all is in time."""
        today = self.in_time(self.limit)
        low = high = self.limit
        while self.in_time(low - 1) == today and low > self.men:
            low -= 1
        if today == self.wins:
            return low, None
        while self.in_time(high + 1) == today:
            high += 1
        return low, high


def needs(endings):
    rows = []
    for ending in endings:
        limits = [ending.needed(share) for share in SHARES]
        today = ending.limit
        rows.append([f"`{ending.name}`", *limits, today, ending.share(today),
                     ending.share(today, OUK), ending.longest])
    return table(["pieces", *(f"{share} %" for share in SHARES), "today", "in time", "in Ouk", "longest"], rows)


def groups(endings):
    found = collections.defaultdict(list)
    for ending in endings:
        found[row_of(ending.pieces)[0]].append(ending)
    return found


def of_rows(endings):
    """For each row the limits for all its endings together."""
    rows = []
    for asked, limit in ROWS:
        members = groups(endings)[asked]
        wins = sum(ending.wins for ending in members)
        limits = []
        for share in SHARES:
            needed = 1
            while 100 * sum(ending.in_time(needed) for ending in members) < share * wins:
                needed += 1
            limits.append(needed)
        today = sum(ending.in_time(limit) for ending in members)
        rows.append([NAMES[asked], *limits, limit, percent(today, wins)])
    return table(["row", *(f"{share} %" for share in SHARES), "today", "in time"], rows)


def shortest(endings):
    """The lowest limits with the same results, and the fewest different ones."""
    rows, spans = [], []
    for asked, limit in ROWS:
        members = groups(endings)[asked]
        if not members:
            continue
        same = [ending.same() for ending in members]
        low = max(low for low, _ in same)
        high = min((high for _, high in same if high is not None), default=None)
        rows.append([NAMES[asked], limit, low, "any above" if high is None else high])
        spans.append((low, high))
    chosen = []
    # The classic way to hit all spans with the fewest points: the lowest upper end first.
    for low, high in sorted(spans, key=lambda span: (span[1] is None, span[1])):
        if not any(low <= point and (high is None or point <= high) for point in chosen):
            chosen.append(high if high is not None else max(low for low, high in spans if high is None))
    return table(["row", "today", "lowest", "highest"], rows), sorted(chosen)


def changed(endings, rows, rule=MAKRUK):
    """The endings whose limit other rows change: name, limits, shares in time."""
    found = []
    for ending in endings:
        limit = row_of(ending.pieces, rows)[1]
        if limit != ending.limit:
            found.append([f"`{ending.name}`", ending.limit, limit, ending.share(ending.limit, rule),
                          ending.share(limit, rule)])
    return table(["pieces", "today", "then", "in time today", "in time then"], found)


def harmful(endings):
    """Pieces whose gain, alone or for a weaker one, lowers the share of positions won in time."""
    by_pieces = {"".join(sorted(ending.pieces)): ending for ending in endings}
    found = []
    for before in endings:
        changes = [(before.pieces + piece, f"a {PIECES[piece]} more") for piece in PIECES]
        for weaker in set(before.pieces):
            for piece in list(PIECES)[: list(PIECES).index(weaker)]:
                pieces = before.pieces.replace(weaker, piece, 1)
                changes.append((pieces, f"a {PIECES[piece]} for a {PIECES[weaker]}"))
        for pieces, change in changes:
            after = by_pieces.get("".join(sorted(pieces)))
            # Not where it wins less on the board already.
            stronger = after and after.wins / after.legal >= before.wins / before.legal
            if stronger and after.of_all() < before.of_all():
                found.append((before.of_all() - after.of_all(), before, change, after))
    found.sort(key=lambda entry: -entry[0])

    def limits(before, after):
        return before.limit if before.limit == after.limit else f"{before.limit} to {after.limit}"

    rows = [
        [f"`{before.name}`", change, limits(before, after), percent(before.of_all(), 1),
         percent(after.of_all(), 1), percent(after.wins, after.legal)]
        for _, before, change, after in found[:MOST_HARMFUL]
    ]
    head = ["pieces", "gained", "limit", "won in time before", "after", "won without a count"]
    return table(head, rows), len(found)


def boards(statistics):
    """The endings with pieces on both sides and no pawns, by the board's honour that they need."""
    rows, endings, late, total = [], 0, 0, 0
    for material in statistics:
        stronger, weaker = material["material"].split("v")
        if weaker == "K" or "P" in material["material"]:
            continue
        for name, attack, sides in (
            (f"{stronger} v {weaker}", "white_attacking", (("white_to_move", "win"), ("black_to_move", "loss"))),
            (f"{weaker} v {stronger}", "black_attacking", (("black_to_move", "win"), ("white_to_move", "loss"))),
        ):
            attack = material[attack]
            if not attack["won"] or (stronger == weaker and name.startswith(weaker) and attack is material["black_attacking"]):
                continue
            endings += 1
            total += attack["won"]
            late += attack["won"] - attack["won_in_time"]
            needed = collections.Counter()
            for (side, kind), extra in zip(sides, MAKRUK):
                counted = material[side]["counted"]
                for moves, count in (counted or {}).get(f"{kind}_histogram", {}).items():
                    if int(moves) - extra <= BOARDS:
                        needed[int(moves) - extra] += count
            known, limits = sum(needed.values()), []
            for share in SHARES:
                limit = min(needed, default=0)
                while 100 * sum(count for moves, count in needed.items() if moves <= limit) < share * known:
                    limit += 1
                limits.append(max(limit, 0))
            rows.append([name, *limits, percent(attack["won_in_time"], attack["won"])])
            if known != attack["won_in_time"]:
                sys.exit(f"count.py: {name}: the counted distances differ from the wins in time")
    rows.sort(key=lambda row: -row[4])
    return rows, endings, total, late


def picture(endings):
    """A bar for each ending, from the limit for half of its wins to that for all; a mark for today's."""
    width, left, row, top = 400, 74, 17, 62
    most = max(ending.needed(100) for ending in endings)
    x = lambda limit: left + (width - left - 12) * limit / max(most, 64)
    height = top + row * len(endings) + 10
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        '<text x="8" y="16" font-weight="bold">Limits that win half, 90 %, all</text>',
        f'<rect x="8" y="24" width="30" height="9" fill="#1f5fa8"/><text x="42" y="33">50 to 90 %</text>',
        f'<rect x="122" y="24" width="30" height="9" fill="#a9c4e2"/><text x="156" y="33">90 to 100 %</text>',
        f'<path d="M246 22V36" stroke="#c0392b" stroke-width="3"/><text x="252" y="33">limit today</text>',
    ]
    for limit in range(0, max(most, 64) + 1, 16):
        parts.append(f'<path d="M{x(limit):.1f} {top - 6}V{height - 8}" stroke="#ddd"/>')
        parts.append(f'<text x="{x(limit):.1f}" y="{top - 10}" text-anchor="middle" fill="#555">{limit}</text>')
    for number, ending in enumerate(endings):
        y = top + row * number
        half, most_of, everything = (x(ending.needed(share)) for share in (50, 90, 100))
        parts.append(f'<text x="{left - 8}" y="{y + 10}" text-anchor="end">{ending.name}</text>')
        parts.append(f'<rect x="{most_of:.1f}" y="{y + 1}" width="{max(everything - most_of, 1):.1f}" height="10" fill="#a9c4e2"/>')
        parts.append(f'<rect x="{half:.1f}" y="{y + 1}" width="{max(most_of - half, 2):.1f}" height="10" fill="#1f5fa8"/>')
        today = x(ending.limit)
        parts.append(f'<path d="M{today:.1f} {y - 1}V{y + 13}" stroke="#c0392b" stroke-width="3"/>')
    return "\n".join(parts) + "\n</svg>\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("page", type=pathlib.Path, help="the page whose figures are written")
    parser.add_argument("--svg", type=pathlib.Path, metavar="FILE", help="draw the picture")
    arguments = parser.parse_args()
    statistics = given_records()
    bare = [Ending(material) for material in statistics if re.fullmatch(r"K[RNSM]+vK", material["material"])]
    order = {piece: number for number, piece in enumerate("RNSM")}
    endings = [ending for ending in bare if ending.wins > 1000]
    endings.sort(key=lambda ending: (ending.men, [order[piece] for piece in ending.pieces]))
    if any(ending.in_time(ending.limit) != ending.stated for ending in bare):
        sys.exit("count.py: the limits of ROWS differ from the program's")
    table_of_rows, chosen = shortest(endings)
    rows, both, total, late = boards(statistics)
    harm, harms = harmful(endings)
    khons = [(asked, 30 if asked == "SS" else limit) for asked, limit in ROWS]
    figures = {
        "needs": needs(endings),
        "rows": of_rows(endings),
        "shortest": table_of_rows,
        "fewest": f"The fewest different limits with these results are {len(chosen)}: {', '.join(map(str, chosen))}.\n"
                  f"Today there are {len({limit for _, limit in ROWS})}.",
        "khons": changed(endings, khons),
        "knights": changed(endings, KNIGHTS_FIRST),
        "khon_first": changed(endings, KHON_FIRST),
        "harms": f"{harms} changes by one piece",
        "harmful": harm,
        "late": f"{both} such endings without pawns have wins, those of like sides counted for one of them: {total:,}\n"
                f"positions. Of these {late:,} ({percent(late, total)}) come too late.",
        "boards": table(["ending", *(f"{share} %" for share in SHARES), "won in time"], rows[:10]),
        "others": f"with a limit of {rows[10][4]}",
    }
    arguments.page.write_text(filled(arguments.page.read_text(), figures))
    if arguments.svg:
        arguments.svg.write_text(picture(endings))


if __name__ == "__main__":
    main()
