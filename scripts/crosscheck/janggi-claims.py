"""Tests the published Janggi positions against tables.

usage: janggi-claims.py SAKMAK TABLES POSITIONS_CSV

SAKMAK is the program, TABLES a directory that has the tables of the materials in POSITIONS_CSV, as
far as they are made. For each position and variant the script prints the result, the plies of the line
that change it, those whose move alone keeps it, and, where the source shows no Han general, for how many
of its nine points the claim holds.
"""

import csv
import json
import subprocess
import sys

from fen import board_field

VARIANTS = ["janggi-casual", "janggi", "janggi-seed"]
PALACE = [(file, rank) for rank in range(7, 10) for file in range(3, 6)]


def answers(program, tables, variant, fens):
    """The answers of `sakmak probe`, None where there is none."""
    found = []
    for fen in fens:
        run = subprocess.run([program, "probe", "--variant", variant, "--tables", tables, "--json", fen],
                             capture_output=True, text=True)
        found.append(json.loads(run.stdout) if run.returncode == 0 else None)
    return found


def board(fen):
    """{(file, rank): letter} of a FEN."""
    men = {}
    for above, row in enumerate(fen.split()[0].split("/")):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                men[file, 9 - above] = letter
                file += 1
    return men


def fen_of(men, side):
    return f"{board_field(men, 9, 10)} {side}"


def point(text):
    return ord(text[0]) - ord("a"), int(text[1:]) - 1


def played(fen, move):
    """The FEN after a move."""
    men, side = board(fen), fen.split()[1]
    cut = 3 if move[2:3] == "0" else 2
    start, end = point(move[:cut]), point(move[cut:])
    men[end] = men.pop(start)
    return fen_of(men, "wb"[side == "w"])


def for_han(answer, side):
    """`win`, `draw` or `loss`, of the attacker."""
    if answer is None:
        return None
    word = answer["result"].split()[0].replace("lost", "loss")
    if side == "b" or word == "draw":
        return word
    return {"win": "loss", "loss": "win"}[word]


def is_only(answer):
    """Whether one move of several keeps the result."""
    if answer is None:
        return False
    kept = [move for move in answer["moves"] if move["result"].split()[0] == answer["result"].split()[0]]
    return len(kept) == 1 < len(answer["moves"])


def main(program, tables, path):
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        if "v" not in row["material"] or not row["claim_for_han"]:
            continue
        for variant in VARIANTS:
            fens = [row["fen"]]
            for move in row["line"].split():
                fens.append(played(fens[-1], move))
            found = answers(program, tables, variant, fens)
            if found[0] is None:
                print(f"{row['id']:4} {variant:13} no table")
                continue
            results = [for_han(answer, fen.split()[1]) for answer, fen in zip(found, fens)]
            changes = [f"ply {ply} {row['line'].split()[ply - 1]} to {after}"
                       for ply, (before, after) in enumerate(zip(results, results[1:]), 1) if before != after]
            text = f"{row['id']:4} {variant:13} claim {row['claim_for_han']}: {results[0]}"
            if found[0]["plies"] is not None:
                text += f", {found[0]['plies']} plies (line {row['plies']})"
            text += "; " + ("; ".join(changes) if changes else "no ply changes it")
            only = [str(ply) for ply, answer in enumerate(found[:-1], 1) if is_only(answer)]
            text += f"; only moves at {', '.join(only) or 'no ply'}"
            if row["generals_printed"] == "no":
                men = board(row["fen"])
                men = {at: letter for at, letter in men.items() if letter != "k"}
                side = row["fen"].split()[1]
                all_nine = [fen_of({**men, at: "k"}, side) for at in PALACE if at not in men]
                values = [for_han(answer, side) for answer in answers(program, tables, variant, all_nine)]
                text += f"; claim holds for {values.count(row['claim_for_han'])} of {sum(v is not None for v in values)}"
            print(text, flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
