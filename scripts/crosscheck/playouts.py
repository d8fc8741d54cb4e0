"""Plays lines under the count in Fairy-Stockfish, by way of pyffish.

usage: playouts.py SAKMAK DESCRIBE [--positions N] [--seed S] [--tables DIR]
                   [--material NAME]...

SAKMAK is the program, DESCRIBE the example of that name in tables/examples. Random
positions are made up, of three and four men, of three kinds: a bare king, men on both
sides, and pawns on the board; N of each kind for each variant. Or they are of the
materials named. Each has a count in its FEN where one may run: a fresh one, or one that
has run on, mostly so far that little more or less is left than is needed.

Asked for `counted_line` SAKMAK plays both sides. In pyffish that line must be legal and
end as predicted: what is won or lost in time in mate, with no claim before; what comes too
late in a claim by the count, with no mate before; a draw in anything but mate. The FEN of
both must agree wherever the men change and at the end, and in one line of ten after every
move, but for what `our_fen` knows of. Positions drawn whatever is played are one in ten.

A call of pyffish takes milliseconds whatever it does, so as few as will do are made.
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

from crosscheck import NAMES, PAWN_RANKS, SIDES, board_field, our_fen

KINDS = {
    "a bare king": ["R", "N", "S", "M", "RR", "RN", "RS", "RM", "NN", "NS", "NM", "SS", "SM", "MM"],
    "men on both sides": [f"{a}v{b}" for a in "RNSM" for b in "RNSM"],
    "pawns": ["P", "RP", "NP", "SP", "MP", "PP", "RvP", "NvP", "SvP", "MvP", "PvP"],
}
# In what part of the positions nobody can force mate: they say little.
DRAWN = 0.1
# In what part of the lines the FEN is compared after every move.
EVERY_MOVE = 0.1


class Process:
    """A program that answers each line with a line."""

    def __init__(self, *command):
        self.run = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True)

    def ask(self, line):
        self.run.stdin.write(line + "\n")
        self.run.stdin.flush()
        return self.run.stdout.readline().rstrip("\n")


def random_board(rng, men):
    """Board and side to move of a placement of such men, `RvP`, kings added."""
    white, _, black = men.partition("v")
    letters = "K" + white + "k" + black.lower()
    if rng.random() < 0.5:
        letters = letters.swapcase()
    placed = {}
    for letter in letters:
        side = "w" if letter.isupper() else "b"
        free = [(file, rank) for file in range(8) for rank in range(8)
                if (file, rank) not in placed
                and (letter not in "Pp" or rank in PAWN_RANKS[side])]
        placed[rng.choice(free)] = letter
    return f"{board_field(placed)} {rng.choice(SIDES)}"


def with_count(rng, board, answer):
    """The FEN with a count, and what count it is."""
    number, count = rng.randint(1, 99), answer["count"]
    if count is None:
        return f"{board} - - 0 {number}", "no count"
    limit, plies = count["limit_plies"], count["plies"]
    kind, needed = "a fresh count", answer["counted_moves"]
    if rng.random() < 0.7:
        kind = "a running count"
        least = plies
        plies = rng.randint(least, limit + 1)
        if needed is not None and rng.random() < 0.7:
            # One move to spare, none, or one too few, and either parity.
            plies = limit - 2 * needed + rng.randint(-2, 3)
            plies = max(least, min(limit + 1, plies))
    return f"{board} - {limit} {plies} {number}", kind


def draw(rng, sakmak, kinds, positions):
    """So many positions of each kind and the answers about them: (kind, count, answer)."""
    for kind, materials in kinds.items():
        found, drawn = 0, 0
        while found < positions:
            board = random_board(rng, rng.choice(materials))
            answer = json.loads(sakmak.ask(board))
            if "error" in answer:
                if "no table" in answer["error"]:
                    sys.exit(answer["error"])
                continue
            if answer["dtm"] is None:
                if drawn >= DRAWN * positions:
                    continue
                drawn += 1
            fen, count = with_count(rng, board, answer)
            found += 1
            yield kind, count, json.loads(sakmak.ask(fen))


def cases(options, variant):
    """The positions of a variant, with our FENs along their lines."""
    rng = random.Random(f"{options.seed} {variant}")
    kinds = {name: [name.replace("K", "")] for name in options.material} or KINDS
    command = [options.sakmak, "probe", "--json", "-", "--counting", variant]
    if options.tables:
        command += ["--tables", options.tables]
    drawn = list(draw(rng, Process(*command), kinds, options.positions))
    fens = iter(described(options.describe, variant, [answer for _, _, answer in drawn]))
    for kind, count, answer in drawn:
        if "error" in answer:
            yield variant, kind, count, answer, []
            continue
        length = len(answer["counted_line"]["moves"])
        line = [next(fens) for _ in range(length + 1)]
        every = rng.random() < EVERY_MOVE
        places = [ply for ply in range(length + 1)
                  if every or ply in (0, length) or men_change(line, ply)]
        yield variant, kind, count, answer, [(ply, line[ply]) for ply in places]


def described(describe, variant, answers):
    """Our FEN at every place of the lines of these answers, line after line."""
    asked = []
    for answer in answers:
        if "error" not in answer:
            moves = answer["counted_line"]["moves"]
            asked += [f"{variant}\t{answer['fen']}\t{' '.join(moves[:ply])}\n"
                      for ply in range(len(moves) + 1)]
    run = subprocess.run(
        [describe], input="".join(asked), capture_output=True, text=True, check=True)
    return [line.split("\t")[-1] for line in run.stdout.splitlines()]


def men_change(fens, ply):
    """Whether a move that changes the men leads to this place of a line or away from it."""
    def men(place):
        return sorted(re.sub("[^a-zA-Z]", "", fens[place].split()[0]))
    return any(men(place) != men(place + 1)
               for place in (ply - 1, ply) if 0 <= place < len(fens) - 1)


def claimable(name, fen):
    """Whether the draw may be claimed; with no moves told nothing has been repeated."""
    return pyffish.is_optional_game_end(name, fen, [])[0]


def check(case):
    """Plays a line: (variant, kind, count, category, plies, what is wrong or None)."""
    variant, kind, count, answer, places = case
    if "error" in answer:
        return variant, kind, count, "error", 0, f"{answer['fen']}: {answer['error']}"
    line, category = answer["counted_line"], answer["category"]
    wrong = play(variant, answer["fen"], line, category, places)
    if wrong:
        wrong = f"{variant} {answer['fen']}, {category}: {wrong}\n  {' '.join(line['moves'])}"
    return variant, kind, count, category, len(line["moves"]), wrong


def play(variant, fen, line, category, places):
    """What is wrong with a line, if anything."""
    name, moves = NAMES[variant], line["moves"]
    if places[-1][1] != line["fen"]:
        return f"ends at {line['fen']}, and by its moves at {places[-1][1]}"
    sans = pyffish.get_san_moves(name, fen, moves) if moves else []
    if any(san.endswith("#") for san in sans[:-1]):
        return "a mate before its end"
    if moves and claimable(name, fen):
        return "the draw may be claimed at once"
    # From place to place, each FEN from the one before.
    for (before, start), (after, ours) in zip(places, places[1:]):
        theirs = our_fen(variant, start, pyffish.get_fen(name, start, moves[before:after]))
        if theirs != ours:
            return f"pyffish has {theirs} after {after} plies, not {ours}"
        # A count goes up from ply to ply, so this stands for all since the men changed.
        if after < len(moves) and claimable(name, ours):
            return f"the draw may be claimed after {after} plies"
    return wrong_end(variant, fen, line, category, places, sans)


def wrong_end(variant, fen, line, category, places, sans):
    """What is wrong with the end of a line, if anything."""
    name, moves, end = NAMES[variant], line["moves"], line["end"]
    last = line["fen"]
    mated = end == "checkmate"
    if mated != (bool(sans) and sans[-1].endswith("#")) and moves:
        return f"its end is {end}, and in pyffish {sans[-1]}"
    if category in ("win", "loss"):
        wrong_side = (category == "win") == (fen.split()[1] == last.split()[1])
        if not mated or wrong_side:
            return f"its end is {end}"
        if pyffish.game_result(name, last, []) != -pyffish.VALUE_MATE:
            return "no mate in pyffish"
    elif category in ("cursed-win", "blessed-loss"):
        if end != "claim" or not claimable(name, last):
            return f"its end is {end}, which pyffish draws not"
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
    parser.add_argument("--positions", type=int, default=100, help="of each kind and variant")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", help="the directory of tables; small ones need none")
    parser.add_argument("--material", action="append", default=[], help="in place of the kinds")
    options = parser.parse_args()
    counts = collections.defaultdict(collections.Counter)
    totals, wrongs = collections.Counter(), []
    with multiprocessing.Pool(os.cpu_count()) as pool:
        for variant in NAMES:
            results = pool.imap_unordered(check, list(cases(options, variant)), 16)
            for variant, kind, count, category, plies, wrong in results:
                counts[variant, kind][category] += 1
                totals[count] += 1
                totals["plies"] += plies
                if wrong:
                    wrongs.append(wrong)
    for (variant, kind), found in counts.items():
        grades = ", ".join(f"{number} {category}" for category, number in sorted(found.items()))
        print(f"{variant}, {kind}: {sum(found.values())} positions: {grades}")
    print(", ".join(f"{number} {what}" for what, number in sorted(totals.items())))
    if wrongs:
        shown = "\n".join(wrongs[:5])
        sys.exit(f"{len(wrongs)} lines end otherwise, the first:\n{shown}")
    print(f"all end in pyffish {'.'.join(map(str, pyffish.version()))} as predicted")


if __name__ == "__main__":
    main()
