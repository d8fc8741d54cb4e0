"""Compares the rules in `tables` with Fairy-Stockfish, through pyffish.

usage: crosscheck.py DESCRIBE [--positions N] [--games N] [--seed S] [--variant NAME]...

DESCRIBE is the example program of that name in tables/examples. The script generates
random positions and plays some moves from each. pyffish and DESCRIBE both describe them.
If the descriptions differ, the script prints both and exits with status 1.

It compares:
- whether a placement is legal;
- the legal moves, check, mate and stalemate in every position;
- the SAN of every move played, and of all moves of some positions;
- the FEN at the end of each line, with leap rights, count and move number.
It does not compare repetition, insufficient material and claims.

Every call of pyffish takes milliseconds, so the script makes few calls and uses all cores.
The same seed gives the same positions on every machine.
"""

import argparse
import collections
import multiprocessing
import os
import random
import subprocess
import sys
import typing

import pyffish

from fen import PAWN_RANKS, board_field, free_squares, pieces_of

SIDES = "wb"


class Game(typing.NamedTuple):
    """A variant, as it is compared."""

    # pyffish's name.
    name: str
    # White's letters of all pieces but the king.
    letters: str = "RNSMP"
    pawn_ranks: dict = PAWN_RANKS
    # Whether it has first-move leaps and the counts of Ouk.
    is_ouk: bool = False
    # Whether the count against a bare king begins at one, and mets alone have none.
    from_one: bool = False
    # Whether a bare king loses.
    bare_loses: bool = False
    # Whether games from the start are compared.
    plays: bool = True
    # How much is compared unless the options tell.
    positions: int = 1000
    games: int = 2


FROM_SECOND = {side: range(1, 7) for side in SIDES}
FROM_THIRD = {"w": range(2, 7), "b": range(1, 6)}
GAMES = {
    "makruk": Game("makruk", positions=5000, games=8),
    "ouk": Game("cambodian", is_ouk=True, positions=5000, games=8),
    "kar-ouk": Game("karouk", is_ouk=True),
    # Without pawns. A game begins with all pieces in hand.
    "sittuyin": Game("sittuyin", letters="RNSF", from_one=True, plays=False),
    "ai-wok": Game("ai-wok", letters="RNSAP"),
    "shatranj": Game("shatranj", "RNBQP", FROM_SECOND, bare_loses=True),
    "asean": Game("asean", "RNBQP", FROM_THIRD, from_one=True),
    "makpong": Game("makpong"),
    # Castling rights are refused, so games from the start are not compared.
    "chess": Game("chess", "RNBQP", FROM_SECOND, plays=False),
    "advancedpawn": Game("advancedpawn", "RNBQP", FROM_THIRD, plays=False),
    "cornerrook": Game("cornerrook", "RNBQP", FROM_THIRD),
    "upsidedown": Game("upsidedown", "RNBQP", {"w": [6], "b": [1]}),
    "leapers": Game("leapers", "CZQGP", FROM_THIRD),
}
RULES = "gen/make/tests/data/games.ini"
pyffish.load_variant_config(open(RULES).read())
# Letter of the leap right: the piece, its file and its rank.
LEAPS = {"D": ("K", 3, 0), "E": ("M", 4, 0), "d": ("m", 3, 7), "e": ("k", 4, 7)}


def random_placement(rng, variant):
    """The FEN of three to seven men on squares allowed for their kind, legal or not."""
    pieces, rights = {}, ""
    if GAMES[variant].is_ouk and rng.random() < 0.4:
        for letter, (piece, file, rank) in LEAPS.items():
            if rng.random() < 0.6 and (piece in "Mm" or piece not in pieces.values()):
                pieces[file, rank] = piece
                if rng.random() < 0.8:
                    rights += letter
    letters = [king for king in "Kk" if king not in pieces.values()]
    wanted = rng.randint(3, 7) - len(pieces) - len(letters)
    both = GAMES[variant].letters + GAMES[variant].letters.lower()
    letters += rng.choices(both, k=max(wanted, 0))
    if rng.random() < 0.3:
        # A bare king, against which most counts run.
        letters = [letter if letter == "k" else letter.upper() for letter in letters]
    # Sometimes all pieces near one corner if they can stand there: more mates and stalemates.
    width, top = (4 if rng.random() < 0.4 else 8), rng.random() < 0.5
    for letter in letters:
        squares = free_squares(pieces, letter, GAMES[variant].pawn_ranks)
        corner = [(file, rank) for file, rank in squares
                  if file < width and (7 - rank if top else rank) < width]
        square = rng.choice(corner or squares)
        pieces[square] = letter
    return f"{board_field(pieces)} {rng.choice(SIDES)} {rights or '-'} - 0 {rng.randint(1, 99)}"


def passed(fen):
    """The FEN with the other side to move."""
    board, side, rest = fen.split(" ", 2)
    return f"{board} {SIDES[side == 'w']} {rest}"


def is_legal(name, fen):
    """Whether the kings are apart and the side not to move is not in check."""
    board, side = fen.split()[:2]
    kings = [place for place, letter in pieces_of(board).items() if letter in "Kk"]
    if all(abs(a - b) <= 1 for a, b in zip(*kings)):
        return False
    waiter = SIDES[side == "w"]
    return not pyffish.gives_check(name, f"{board} {waiter} - - 0 1", [])


def army(board, side):
    """The letters of a side's pieces besides the king."""
    own = str.isupper if side == "w" else str.islower
    return [letter for letter in board if letter.isalpha() and own(letter) and letter not in "Kk"]


def must_bare(fen):
    """Whether the king of the side to move is bare and the other is not."""
    board, side = fen.split()[:2]
    return not army(board, side) and bool(army(board, SIDES[side == "w"]))


def our_moves(fen, moves):
    """Those moves of a side that has a bare king, and loses with it, that bare the other king.

    pyffish lists all; after the others the game is lost at once.
    """
    board, side = fen.split()[:2]
    if len(army(board, SIDES[side == "w"])) > 1:
        return []
    return [move for move in moves
            if not army(pyffish.get_fen("shatranj", fen, [move]).split()[0], SIDES[side == "w"])]


def with_checks(variant, fen, check):
    """The FEN, in Kar Ouk with the checks left: none for the side that has given one."""
    if variant != "kar-ouk":
        return fen
    fields = fen.split()
    gone = "0+1" if fields[1] == "b" else "1+0"
    return " ".join(fields[:4] + [gone if check else "1+1"] + fields[4:])


def our_fen(variant, before, after):
    """pyffish's FEN `after` some moves from `before`, changed to this project's where they
    differ on purpose.

    In Ouk there must be one move between them, unless no count runs before it. The count is the
    last field but one.
    """
    before, after = before.split(), after.replace("[]", "").split()
    # Two bare kings are a draw, and the count stops.
    men = [letter.upper() for letter in after[0] if letter.isalpha() and letter not in "Kk"]
    if not men:
        after[3] = "-"
    # The count ends when the attacker has no piece left for which a count may start.
    elif GAMES[variant].from_one and not any(letter in "RNSB" for letter in men):
        after[3] = "-"
    # The runner keeps the count that ends sooner. pyffish does not get the start of the first
    # count and takes the new one.
    elif GAMES[variant].is_ouk and before[3] != "-" and after[3] != "-":
        old, new = (int(before[3]), int(before[-2]) + 1), (int(after[3]), int(after[-2]))
        if old[0] - old[1] < new[0] - new[1]:
            after[3], after[-2] = map(str, old)
    # If no count runs, pyffish writes a clock that is not part of the game.
    if after[3] == "-":
        after[-2] = "0"
    return " ".join(after)


def is_over(fen):
    """Whether the count is past its limit."""
    limit, count = fen.split()[3], fen.split()[-2]
    return limit != "-" and int(count) > int(limit)


class Cases:
    """Lines of moves, and the expected output of DESCRIBE according to pyffish."""

    def __init__(self, variant, seed):
        self.variant, self.rules = variant, GAMES[variant]
        self.name = self.rules.name
        self.rng = random.Random(seed)
        self.inputs, self.expected = [], []
        self.counts = collections.Counter()

    def add(self, fen, moves, expected):
        self.inputs.append(f"{self.variant}\t{fen}\t{' '.join(moves)}")
        self.expected.append(expected)

    def choose(self, moves):
        """A random move. Half the time one that shares its target square, if there is one."""
        together = collections.Counter(move[2:4] for move in moves)
        rivals = [move for move in moves if together[move[2:4]] > 1]
        return self.rng.choice(rivals if rivals and self.rng.random() < 0.5 else moves)

    def line(self, fen, plies, check):
        """Adds a random line. Returns the FEN at its end and whether it is check.

        The FEN is None if the game is over.
        """
        if self.rules.is_ouk:
            # See our_fen. A new count of a few plies never ends sooner.
            plies = min(plies, 5 if fen.split()[3] == "-" else 1)
        moves, legal = [], [sorted(pyffish.legal_moves(self.name, fen, []))]
        while legal[-1] and len(moves) < plies:
            moves.append(self.choose(legal[-1]))
            legal.append(sorted(pyffish.legal_moves(self.name, fen, moves)))
        sans = pyffish.get_san_moves(self.name, fen, moves) if moves else []
        checks = [check] + [san[-1] in "+#" for san in sans]
        bare = [False] * len(legal)
        if self.rules.bare_loses:
            moves, legal, sans, bare = self.until_bare(fen, moves, legal, sans)
        fields = [fen]
        for place, (check, ucis) in enumerate(zip(checks, legal)):
            states = ("check", "playing") if ucis else ("checkmate", "stalemate")
            if bare[place] and not ucis:
                states = ("bare king", "bare king")
            fields += [states[not check], " ".join(ucis)] + sans[place : place + 1]
            self.counts["positions"] += 1
            self.counts["moves"] += len(ucis)
            self.counts[states[not check]] += 1
        after = pyffish.get_fen(self.name, fen, moves) if moves else fen
        after = our_fen(self.variant, fen, after)
        self.add(fen, moves, "\t".join(fields + [after]))
        self.counts["lines with a leap right"] += fen.split()[2] != "-"
        self.counts["lines with a count"] += after.split()[3] != "-"
        return after if legal[-1] else None, check

    def until_bare(self, fen, moves, legal, sans):
        """The line up to a bare king that loses, and where a bare king is to move."""
        bare = []
        for place in range(len(legal)):
            now = pyffish.get_fen(self.name, fen, moves[:place]) if place else fen
            bare.append(must_bare(now))
            if not bare[-1]:
                continue
            legal[place] = our_moves(now, legal[place])
            if place and not legal[place]:
                sans[place - 1] = sans[place - 1].replace("+", "#")
            if place < len(moves) and moves[place] not in legal[place]:
                return moves[:place], legal[:place + 1], sans[:place], bare
        return moves, legal, sans, bare

    def placements(self, positions):
        """Adds lines from random placements until there are this many positions."""
        while self.counts["positions"] < positions:
            fen = random_placement(self.rng, self.variant)
            if not is_legal(self.name, fen):
                self.add(fen, [], "illegal")
                self.counts["illegal placements"] += 1
                continue
            if self.rules.bare_loses and must_bare(passed(fen)):
                # The game was over a move before.
                continue
            check = pyffish.gives_check(self.name, fen, [])
            fen, check = self.line(with_checks(self.variant, fen, check), 9, check)
            if fen and fen.split()[3] != "-" and not is_over(fen) and self.rng.random() < 0.5:
                # Any place in a count, up to one ply past its end.
                fields = fen.split()
                fields[-2] = str(self.rng.randint(int(fields[-2]), int(fields[3]) + 1))
                self.line(" ".join(fields), 3, check)

    def game(self):
        """Adds a random game, divided into lines."""
        fen, check = with_checks(self.variant, pyffish.start_fen(self.name), False), False
        for _ in range(self.rng.randint(5, 40)):
            fen, check = self.line(fen, 8, check)
            # The draw is claimed. A FEN with a higher count would be refused.
            if not fen or is_over(fen):
                break

    def sans(self, positions):
        """Adds the SAN of every move of some random placements."""
        for _ in range(positions):
            fen = random_placement(self.rng, self.variant)
            over = self.rules.bare_loses and (must_bare(fen) or must_bare(passed(fen)))
            if is_legal(self.name, fen) and not over:
                fen = with_checks(self.variant, fen, pyffish.gives_check(self.name, fen, []))
                for uci in pyffish.legal_moves(self.name, fen, []):
                    self.add(fen, [uci], ("san", pyffish.get_san(self.name, fen, uci)))
                    self.counts["single SANs"] += 1


def differs(expected, answer):
    """Whether the answer of DESCRIBE differs from the expected one."""
    fields = answer.split("\t")
    if expected == "illegal":
        return fields[0] != "illegal"
    if isinstance(expected, tuple):
        return fields[3:4] != [expected[1]]
    return answer != expected


def check(job):
    """Generates and compares one share of the cases: (variant, counts, differences)."""
    describe, variant, seed, positions, games = job
    cases = Cases(variant, seed)
    cases.placements(positions)
    for _ in range(games if GAMES[variant].plays else 0):
        cases.game()
    cases.sans(positions // 200)
    lines = "".join(line + "\n" for line in cases.inputs)
    run = subprocess.run([describe, RULES], input=lines, capture_output=True, text=True)
    answers = run.stdout.splitlines()
    if run.returncode != 0 or len(answers) != len(cases.inputs):
        failure = f"{len(answers)} answers to {len(cases.inputs)} lines: {run.stderr}"
        return variant, cases.counts, [failure]
    found = [
        f"{line}\n  pyffish: {expected}\n  sakmak:  {answer}"
        for line, expected, answer in zip(cases.inputs, cases.expected, answers)
        if differs(expected, answer)
    ]
    return variant, cases.counts, found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("describe")
    parser.add_argument("--positions", type=int, help="of each variant [default: 5000 of makruk and ouk, 1000 of others]")
    parser.add_argument("--games", type=int, help="of each variant [default: 8 of makruk and ouk, 2 of others]")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--variant", action="append", choices=GAMES, help="may be repeated [default: all]")
    options = parser.parse_args()
    variants = options.variant or list(GAMES)
    shares = 8
    jobs = [
        (options.describe, variant, f"{options.seed} {variant} {share}",
         -(-(options.positions or GAMES[variant].positions) // shares),
         -(-(options.games or GAMES[variant].games) // shares))
        for share in range(shares)
        for variant in variants
    ]
    totals = {variant: collections.Counter() for variant in variants}
    with multiprocessing.Pool(os.cpu_count()) as pool:
        for variant, counts, differences in pool.imap_unordered(check, jobs):
            totals[variant].update(counts)
            if differences:
                shown = "\n".join(differences[:3])
                sys.exit(f"{len(differences)} differences. The first:\n{shown}")
    version = ".".join(map(str, pyffish.version()))
    for variant, counts in totals.items():
        text = ", ".join(f"{count} {what}" for what, count in sorted(counts.items()))
        print(f"{variant}: no difference from pyffish {version}: {text}")


if __name__ == "__main__":
    main()
