"""Prints positions.tsv: positions and their results, which Rust, C and Python must agree on.

usage: positions.py SAKMAK TABLES > positions.tsv

SAKMAK is the program, TABLES a directory made by tables.sh. Positions are random, the same in
every run; some have counts that are about to end.
"""

import json
import random
import subprocess
import sys

COUNTINGS = ["makruk", "makruk-khon-first", "ouk", "ouk-traditional", "kar-ouk"]
MATERIALS = ["KRvKN", "KRvKM", "KSMvK", "KPvKM", "KMvKP", "KRvK", "KPvK", "KMvK", "KvK"]
PER_MATERIAL = 8
COLUMNS = ["fen", "counting", "category", "plies", "counted moves", "mate in time", "best move"]
WRITTEN = {
    "makruk": [
        "8/8/8/4k3/8/4K3/4S3/4M3 w - 88 40 21",
        "8/8/8/4k3/8/4K3/4S3/4M3 w - 88 42 21",
        "8/8/8/3k4/8/8/4R3/4K3 b - 32 6 1",
        "8/8/8/3k4/8/8/4R3/4K3 b - 32 4 1",
        "8/8/8/3k4/4n3/8/4R3/4K3 b - 128 60 1",
        "8/8/8/3k4/4n3/8/4R3/4K3 w - 128 129 1",
        # Mate, stalemate.
        "k7/8/K7/8/8/8/8/R7 b - 32 8 5",
        "R6k/8/7K/8/8/8/8/8 b - 32 8 5",
        "k7/1R6/2K5/8/8/8/8/8 b - 32 8 5",
    ],
    "ouk": [
        "8/8/8/3k4/8/8/4R3/4K3 b - 30 6 1",
        "8/8/8/3k4/4n3/8/4R3/4K3 b - 126 60 1",
    ],
    "kar-ouk": [
        "8/8/8/3k4/4n3/8/4R3/4K3 b - 126 1+1 60 1",
        # A check, and no legal move.
        "8/8/8/3k4/8/3R4/8/4K3 b - 30 0+1 6 1",
        "k7/8/K7/8/8/8/8/1R6 b - 30 1+1 8 5",
    ],
}


def board(men):
    ranks = []
    for rank in reversed(range(8)):
        text = "".join(men.get((file, rank), ".") for file in range(8))
        for empty in range(8, 0, -1):
            text = text.replace("." * empty, str(empty))
        ranks.append(text)
    return "/".join(ranks)


def placed(material, random_numbers):
    """A FEN with these pieces on random squares; the position may be illegal."""
    white, black = material.split("v")
    letters = list(white.upper() + black.lower())
    if random_numbers.random() < 0.5:
        letters = [letter.swapcase() for letter in letters]
    squares = [(file, rank) for file in range(8) for rank in range(8)]
    squares = random_numbers.sample(squares, len(letters))
    return f"{board(dict(zip(squares, letters)))} {random_numbers.choice('wb')}"


def answered(program, tables, counting, fens):
    """The program's JSON results, in the order of the FENs."""
    variant = counting if counting == "kar-ouk" else counting.split("-")[0]
    rules = ["--variant", variant, "--counting", counting]
    command = [program, "probe", "-", "--json", *rules, "--tables", tables]
    run = subprocess.run(command, input="\n".join(fens), capture_output=True, text=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def row(answer):
    def shown(value):
        return "-" if value is None else value

    plies = [number if number is None else abs(number) for number in (answer["dtm"], answer["mate_in_time"])]
    best = answer["moves"][0]["uci"] if answer["moves"] else None
    return [
        answer["fen"],
        answer["counting"],
        answer["category"],
        shown(plies[0]),
        shown(answer["counted"]),
        shown(plies[1]),
        shown(best),
    ]


def with_count(answer, random_numbers):
    """The position with a count that is just low enough for the win, or just too high."""
    count, needed = answer["count"], answer["counted"]
    if count is None or needed is None:
        return None
    spare = 2 * (count["moves_left"] - needed)
    plies = count["plies"] + spare + random_numbers.choice([-1, 0, 1, 2])
    board, side = answer["fen"].split()[:2]
    return f"{board} {side} - {count['limit_plies']} {max(plies, 0)} 9"


def main(program, tables):
    print("# Made by tables.sh and positions.py beside this file. For the side to move. Plies to")
    print("# mate with no count; counted moves of the attacker; plies to the shortest mate in time;")
    print("# - for none.")
    print("#" + "\t".join(COLUMNS))
    random_numbers = random.Random(1)
    for counting in COUNTINGS:
        fens = list(WRITTEN.get(counting, []))
        for material in MATERIALS:
            some = [placed(material, random_numbers) for _ in range(60)]
            some = answered(program, tables, counting, some)
            some = [answer for answer in some if "error" not in answer][:PER_MATERIAL]
            fens += [answer["fen"] for answer in some]
            fens += filter(None, (with_count(answer, random_numbers) for answer in some))
        for answer in answered(program, tables, counting, fens):
            if "error" not in answer:
                print("\t".join(map(str, row(answer))))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
