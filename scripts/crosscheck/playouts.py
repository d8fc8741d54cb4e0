"""Plays lines under the count in Fairy-Stockfish, through pyffish.

usage: playouts.py SAKMAK DESCRIBE [--positions N] [--seed S] [--tables DIR]
                   [--wins] [--material NAME]...

SAKMAK is the program. DESCRIBE is the example of that name in tables/examples. The script
generates random positions of three and four men, N of each kind for each variant. The
kinds are: a bare king, pieces on both sides, and pawns. With --material it uses the
materials named instead. If a count may run, the FEN has one: a fresh count, or a running
count, which mostly leaves about as many moves as are needed. With --wins only wins in time
under a fresh count are drawn, of materials with pawns or pieces on both sides.

SAKMAK plays both sides in its `counted_line`. In pyffish that line must be legal and end as
predicted:
- a win or loss in mate, with no claim before;
- a cursed win or blessed loss in a claim by the count, with no mate before;
- a draw in anything but mate.
If the answer has the shortest mate in time, its first move has the same one, and the line
has that length.
The FENs of both must agree where the pieces change and at the end. In one line of ten they
must agree after every move. The differences that `our_fen` handles are allowed. One position
in ten is drawn with every play.

Every call of pyffish takes milliseconds, so the script makes few calls.
"""

import argparse
import collections
import json
import multiprocessing
import os
import random
import re
import subprocess
import sys

import pyffish

from crosscheck import GAMES, SIDES, our_fen
from fen import random_board

# The variants whose results heed all counts.
COUNTED = ("makruk", "ouk")
BARE_KING = "a bare king"
KINDS = {
    BARE_KING: ["R", "N", "S", "M", "RR", "RN", "RS", "RM", "NN", "NS", "NM", "SS", "SM", "MM"],
    "pieces on both sides": [f"{a}v{b}" for a in "RNSM" for b in "RNSM"],
    "pawns": ["P", "RP", "NP", "SP", "MP", "PP", "RvP", "NvP", "SvP", "MvP", "PvP"],
}
# The share of positions in which neither side can force mate. They test little.
DRAWN = 0.1
# The share of lines in which the FEN is compared after every move.
EVERY_MOVE = 0.1


class Process:
    """A program that writes one line for each line it reads."""

    def __init__(self, *command):
        self.run = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True)

    def ask(self, line):
        self.run.stdin.write(line + "\n")
        self.run.stdin.flush()
        return self.run.stdout.readline().rstrip("\n")


def random_position(rng, pieces):
    """Board and side to move of a random placement of pieces such as `RvP`, and the kings."""
    white, _, black = pieces.partition("v")
    letters = "K" + white + "k" + black.lower()
    if rng.random() < 0.5:
        letters = letters.swapcase()
    return f"{random_board(rng, letters)} {rng.choice(SIDES)}"


def with_count(rng, board, answer, fresh):
    """The FEN with a count, and the kind of count."""
    number, count = rng.randint(1, 99), answer["count"]
    if count is None:
        return f"{board} - - 0 {number}", "no count"
    limit, plies = count["limit_plies"], count["plies"]
    kind, needed = "a fresh count", answer["counted"]
    if not fresh and rng.random() < 0.7:
        kind = "a running count"
        least = plies
        plies = rng.randint(least, limit + 1)
        if needed is not None and rng.random() < 0.7:
            # One move more than needed, exactly enough, or one too few, with both parities.
            plies = limit - 2 * needed + rng.randint(-2, 3)
            plies = max(least, min(limit + 1, plies))
    return f"{board} - {limit} {plies} {number}", kind


def draw(rng, sakmak, kinds, positions, wins):
    """`positions` positions of each kind with their answers: (kind, count, answer)."""
    for kind, materials in kinds.items():
        found, drawn = 0, 0
        while found < positions:
            board = random_position(rng, rng.choice(materials))
            answer = json.loads(sakmak.ask(board))
            if "error" in answer:
                if "no table" in answer["error"]:
                    sys.exit(answer["error"])
                continue
            if answer["dtm"] is None:
                if drawn >= DRAWN * positions:
                    continue
                drawn += 1
            if wins and answer["category"] != "win":
                continue
            fen, count = with_count(rng, board, answer, fresh=wins)
            found += 1
            yield kind, count, json.loads(sakmak.ask(fen))


def cases(options, variant):
    """The positions of a variant, with the FENs of this project along their lines."""
    rng = random.Random(f"{options.seed} {variant}")
    kinds = {name: [name.replace("K", "")] for name in options.material} or {
        kind: materials for kind, materials in KINDS.items()
        if not options.wins or kind != BARE_KING}
    command = [options.sakmak, "probe", "--json", "-", "--variant", variant]
    if options.tables:
        command += ["--tables", options.tables]
    drawn = list(draw(
        rng, Process(*command), kinds, options.positions, options.wins))
    fens = iter(described(options.describe, variant, [answer for _, _, answer in drawn]))
    for kind, count, answer in drawn:
        if "error" in answer:
            yield variant, kind, count, answer, []
            continue
        length = len(answer["counted_line"]["moves"])
        line = [next(fens) for _ in range(length + 1)]
        every = rng.random() < EVERY_MOVE
        places = [ply for ply in range(length + 1)
                  if every or ply in (0, length) or pieces_change(line, ply)]
        yield variant, kind, count, answer, [(ply, line[ply]) for ply in places]


def described(describe, variant, answers):
    """The FEN of DESCRIBE at every place of the lines of these answers, in order."""
    inputs = []
    for answer in answers:
        if "error" not in answer:
            moves = answer["counted_line"]["moves"]
            inputs += [f"{variant}\t{answer['fen']}\t{' '.join(moves[:ply])}\n"
                       for ply in range(len(moves) + 1)]
    run = subprocess.run(
        [describe], input="".join(inputs), capture_output=True, text=True, check=True)
    return [line.split("\t")[-1] for line in run.stdout.splitlines()]


def pieces_change(fens, ply):
    """Whether a move that changes the pieces leads to this place of a line or away from it."""
    def pieces(place):
        return sorted(re.sub("[^a-zA-Z]", "", fens[place].split()[0]))
    return any(pieces(place) != pieces(place + 1)
               for place in (ply - 1, ply) if 0 <= place < len(fens) - 1)


def claimable(name, fen):
    """Whether the draw may be claimed. No moves are given, so no position is repeated."""
    return pyffish.is_optional_game_end(name, fen, [])[0]


def check(case):
    """Plays a line: (variant, kind, count, category, plies, error or None)."""
    variant, kind, count, answer, places = case
    if "error" in answer:
        return variant, kind, count, "error", 0, f"{answer['fen']}: {answer['error']}"
    line, category = answer["counted_line"], answer["category"]
    wrong = contradiction(answer) or play(variant, answer["fen"], line, category, places)
    if wrong:
        wrong = f"{variant} {answer['fen']}, {category}: {wrong}\n  {' '.join(line['moves'])}"
    if category in ("win", "loss") and answer["mate_in_time"] is None:
        category += " of unknown length"
    return variant, kind, count, category, len(line["moves"]), wrong


def contradiction(answer):
    """How answer, first move and line contradict each other about the mate in time, or None."""
    mate, line = answer["mate_in_time"], answer["counted_line"]["moves"]
    if mate is None:
        return None
    if len(line) != abs(mate):
        return f"a mate in {abs(mate)} plies, but a line of {len(line)}"
    if line and answer["moves"][0]["uci"] != line[0]:
        return f"{answer['moves'][0]['uci']} is the first move, but {line[0]} begins the line"
    after = 1 - mate if mate > 0 else -1 - mate
    if line and answer["moves"][0]["mate_in_time"] != after:
        return f"a mate in {abs(mate)} plies, but the first move has another"
    return None


def play(variant, fen, line, category, places):
    """The error in a line, or None."""
    name, moves = GAMES[variant].name, line["moves"]
    if places[-1][1] != line["fen"]:
        return f"its FEN is {line['fen']}, but its moves lead to {places[-1][1]}"
    sans = pyffish.get_san_moves(name, fen, moves) if moves else []
    if any(san.endswith("#") for san in sans[:-1]):
        return "a mate before its end"
    if moves and claimable(name, fen):
        return "the draw may be claimed at once"
    # From place to place. Each FEN is computed from the one before.
    for (before, start), (after, ours) in zip(places, places[1:]):
        theirs = our_fen(variant, start, pyffish.get_fen(name, start, moves[before:after]))
        if theirs != ours:
            return f"pyffish has {theirs} after {after} plies, not {ours}"
        # A count only increases, so this covers all plies since the pieces changed.
        if after < len(moves) and claimable(name, ours):
            return f"the draw may be claimed after {after} plies"
    return wrong_end(variant, fen, line, category, places, sans)


def wrong_end(variant, fen, line, category, places, sans):
    """The error at the end of a line, or None."""
    name, moves, end = GAMES[variant].name, line["moves"], line["end"]
    last = line["fen"]
    mated = end == "checkmate"
    if mated != (bool(sans) and sans[-1].endswith("#")) and moves:
        return f"its end is {end}, but the last move in pyffish is {sans[-1]}"
    if category in ("win", "loss"):
        wrong_side = (category == "win") == (fen.split()[1] == last.split()[1])
        if not mated or wrong_side:
            return f"its end is {end}"
        if pyffish.game_result(name, last, []) != -pyffish.VALUE_MATE:
            return "pyffish has no mate"
    elif category in ("cursed-win", "blessed-loss"):
        if end != "claim" or not claimable(name, last):
            return f"its end is {end}, but pyffish allows no claim"
    elif mated:
        return "mate in a draw"
    if len(moves) > 1:
        ply, start = [place for place in places if place[0] < len(moves)][-1]
        before = pyffish.get_fen(name, start, moves[ply:-1]) if ply < len(moves) - 1 else start
        if claimable(name, before):
            return "the draw may be claimed before its end"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("sakmak")
    parser.add_argument("describe")
    parser.add_argument("--positions", type=int, default=100, help="positions of each kind and variant")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", help="the directory of tables; small tables need no file")
    parser.add_argument("--wins", action="store_true", help="wins in time under a fresh count only")
    parser.add_argument("--material", action="append", default=[], help="a material to use instead of the kinds; may be repeated")
    options = parser.parse_args()
    counts = collections.defaultdict(collections.Counter)
    totals, wrongs = collections.Counter(), []
    with multiprocessing.Pool(os.cpu_count()) as pool:
        for variant in COUNTED:
            results = pool.imap_unordered(check, list(cases(options, variant)), 16)
            for variant, kind, count, category, plies, wrong in results:
                counts[variant, kind][category] += 1
                totals[count] += 1
                totals["plies"] += plies
                if wrong:
                    wrongs.append(wrong)
    for (variant, kind), found in counts.items():
        categories = ", ".join(f"{number} {category}" for category, number in sorted(found.items()))
        print(f"{variant}, {kind}: {sum(found.values())} positions: {categories}")
    print(", ".join(f"{number} {what}" for what, number in sorted(totals.items())))
    if wrongs:
        shown = "\n".join(wrongs[:5])
        sys.exit(f"{len(wrongs)} lines do not end as predicted. The first:\n{shown}")
    print(f"all lines end as predicted in pyffish {'.'.join(map(str, pyffish.version()))}")


if __name__ == "__main__":
    main()
