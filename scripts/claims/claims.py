#!/usr/bin/env python3
"""Tests published statements about endings against tables, and writes docs/claims.md.

    scripts/claims/claims.py --sakmak PROGRAM --tables DIR [--cache FILE] > docs/claims.md
    scripts/claims/claims.py --sakmak PROGRAM --tables DIR --men 4 --check docs/claims.md
    scripts/claims/claims.py --data docs/claims.md > claims.json

The statements and their tests are in claims.toml, whose head describes them. With --cache the answers
of the program are kept in a file, so that an interrupted run goes on where it was; the file is of
use as long as the tables are the same. --keep takes rows from a page that was written before: rows
whose tables are missing, that need more than --men men, or that --only does not name.
--check compares the rows that need at most --men men with the page in place of writing it. --data
writes a page as JSON, for `sakmak report --claims`.
"""

import argparse
import collections
import json
import pathlib
import re
import shlex
import subprocess
import sys
import time
import tomllib

from records import records

HERE = pathlib.Path(__file__).parent
PIECES = re.compile(r"\bK[RNSMP]*vK[RNSMP]*\b")
MISSING = re.compile(r"sakmak generate|no table|does not exist|have at most|can be made")
COLUMNS = ["quiet positions", "won in time", "too late", "not won"]
VERDICTS = ["right", "right, with exceptions", "wrong", "not tested"]


class MissingTable(Exception):
    """A table that a command needs is not there."""


class Record(dict):
    """An object of JSON: its fields are attributes."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


class Program:
    """The program, with a cache of its answers."""

    def __init__(self, sakmak, tables, cache):
        self.sakmak, self.tables, self.cache = sakmak, tables, cache
        self.known = {}
        if cache and cache.exists():
            lines = map(json.loads, cache.read_text().splitlines())
            self.known = {line["command"]: line["answer"] for line in lines}

    def ask(self, command):
        """The answer to a command: a list of JSON objects, or of one object with an `error`."""
        if command not in self.known:
            began = time.monotonic()
            self.known[command] = self.run(command)
            took = round(time.monotonic() - began, 1)
            if self.cache:
                line = {"command": command, "answer": self.known[command], "seconds": took}
                with self.cache.open("a") as cache:
                    cache.write(json.dumps(line) + "\n")
        return [json.loads(line, object_hook=Record) for line in self.known[command]]

    def run(self, command):
        words = [self.sakmak, *shlex.split(command), "--tables", self.tables, "--json"]
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode == 0:
            return [json.dumps(record) for record in records(done.stdout)]
        message = done.stderr.strip().removeprefix("sakmak: ").rstrip(".")
        if MISSING.search(message):
            raise MissingTable(message)
        if not command.startswith("probe"):
            raise SystemExit(f"claims.py: {command}: {message}")
        return [json.dumps({"error": message})]


class Words:
    """The functions that expressions of claims may call; there is no object."""

    def percent(part, whole):
        return 100 * part / whole if whole else 0.0

    def mate_in(answer):
        """The moves to mate: in time, if there is such a mate, else with no count."""
        plies = answer.mate_in_time if answer.mate_in_time is not None else answer.dtm
        return None if plies is None else (abs(plies) + 1) // 2

    def result(answer):
        """The result for a player."""
        moves = Words.mate_in(answer)
        if answer.checkmate:
            return "mated"
        return {
            "win": f"won, mate in {moves}",
            "cursed-win": f"drawn, the mate in {moves} comes too late",
            "draw": "drawn",
            "blessed-loss": f"drawn, the opponent's mate in {moves} comes too late",
            "loss": f"lost, mate in {moves}",
        }[answer.category]

    def sans(answer):
        return [move.san for move in answer.moves]

    def mates(answer):
        return [move.san for move in answer.moves if move.checkmate]

    def move(answer, san):
        return next(move for move in answer.moves if move.san == san)

    def move_to(answer, uci):
        return next(move for move in answer.moves if move.uci == uci)

    def after(answer, san):
        return "the other side is " + Words.result(Words.move(answer, san))

    def after_to(answer, uci):
        move = Words.move_to(answer, uci)
        return "drawn" if move.category == "draw" else "for the other side " + Words.result(move)

    def first_call(answer):
        return answer.count.called + 1

    def in_time(statistics):
        attack = statistics.white_attacking
        return Words.percent(attack.won_in_time, attack.won)

    def won_to_move(statistics):
        return Words.percent(statistics.white_to_move.wins, statistics.white_to_move.legal)

    def won_share(statistics):
        """White's wins in time in percent of all positions."""
        legal = statistics.white_to_move.legal + statistics.black_to_move.legal
        return Words.percent(statistics.white_attacking.won_in_time, legal)

    def mean(histogram):
        total = sum(int(moves) * count for moves, count in histogram.items())
        return total / sum(histogram.values())

    def of_pair(found):
        """The positions in which the black king's square has the colour of most white mets."""

        def is_of_pair(fen):
            light = collections.defaultdict(list)
            for rank, row in enumerate(fen.split()[0].split("/")):
                file = 0
                for man in row:
                    light[man].append((rank + file) % 2 == 0)
                    file += int(man) if man.isdigit() else 1
            return (2 * sum(light["M"]) > len(light["M"])) == light["k"][0]

        return sum(is_of_pair(position.fen) for position in found)

    def listed(words):
        return ", ".join(words) or "none"

    def told(line):
        return line.told()


class Line:
    """A line of moves, replayed and rated by the tables."""

    def __init__(self, program, fen, sans):
        self.keeps, self.slips, self.weak, attacker = True, [], [], None
        answer = program.ask(f"probe '{fen}'")[0]
        attacks = answer.category == "win"
        for number, san in enumerate(sans.split()):
            is_attacker = attacks == (number % 2 == 0)
            move = next((move for move in answer.moves if move.san == san), None)
            if move is None:
                raise SystemExit(f"claims.py: {san} is not a move in {answer.fen}")
            lost = abs(move.mate_in_time or 0) - abs(answer.moves[0].mate_in_time or 0)
            if is_attacker and move.category != "loss":
                self.keeps = False
            if is_attacker and lost:
                self.slips.append((san, number, abs(lost) // 2))
            if not is_attacker and lost:
                self.weak.append((san, number, abs(lost) // 2))
            answer = program.ask(f"probe '{move.fen}'")[0]
        self.mates = answer.checkmate
        # The line may begin with Black.
        self.offset = 0 if " w" in fen else 1

    def told(self):
        if not self.keeps:
            return "The line gives the win away."

        def named(moves):
            def one(san, number, lost):
                number += self.offset
                dots = "..." if number % 2 else "."
                return f"{number // 2 + 1}{dots}{san} by {lost}"

            return ", ".join(one(*move) for move in moves)

        told = [f"Every move of the attacker keeps the win{', to the mate' if self.mates else ''}."]
        if self.slips:
            told.append(f"Slower than best: {named(self.slips)}.")
        if self.weak:
            told.append(f"The defender could hold out longer: {named(self.weak)}.")
        return " ".join(told)


class Answer:
    """The answer to a claim: a verdict, the words for it, positions with their results, and rows of
    quiet positions."""

    def __init__(self, verdict, text, exceptions=(), rows=()):
        self.verdict, self.text, self.exceptions, self.rows = verdict, text, exceptions, rows

    def lines(self):
        """The lines of the answer on the page."""
        lines = [f"**{self.verdict.capitalize()}.** {self.text}"]
        if self.rows:
            lines += ["", f"| {' | '.join(COLUMNS)} |", "|---|---|---|---|"]
            lines += [f"| {' | '.join(row)} |" for row in self.rows]
        if self.exceptions:
            lines += ["", *(f"- `{fen}`: {told}" for fen, told in self.exceptions)]
        return lines

    @staticmethod
    def of_block(block):
        """The answer of a block of the page."""
        lines = block.splitlines()
        verdict, text = next(filter(None, (re.match(r"\*\*(.*?)\.\*\* (.*)", line) for line in lines))).groups()
        rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("| ")][1:]
        exceptions = [match.groups() for match in (re.match(r"- `(.*?)`: (.*)", line) for line in lines) if match]
        return Answer(verdict.lower(), text, exceptions, rows)


class Claims:
    def __init__(self, data, program):
        self.data, self.program = data, program
        limits = data["limits"]
        functions = {name: value for name, value in vars(Words).items() if name[0] != "_"}
        plain = {function.__name__: function for function in (abs, len, max, min, round, sum)}
        names = {f"limit_{name}": limit for name, limit in limits.items()}
        self.names = {**functions, **plain, **names, "__builtins__": {}}

    def quiet(self, material):
        """The condition for quiet positions of a material, with the sample if it is large."""
        conditions, count = self.data["conditions"], len(material) - 1
        parts = [name for name in ("sample", "selection") if count >= conditions[f"{name}_from"]]
        return " and ".join(conditions[name] for name in ("quiet", *parts))

    def ask(self, text):
        material = PIECES.search(text)
        command = text.replace("$quiet", self.quiet(material[0])) if material else text
        listed = any(option in command for option in ("--first", "--sample", "--longest"))
        if command.startswith("query") and not listed:
            return sum(count.positions for count in self.program.ask(command + " --count"))
        found = self.program.ask(command)
        return found if listed else found[0]

    def value(self, expression, names):
        return eval(expression, names)  # The expressions are this project's own.

    def filled(self, text, names):
        def shown(match):
            value = self.value(match[1].replace('\\"', '"'), names)
            match value:
                case float():
                    return number(value)
                case int():
                    return f"{value:,}"
                case _:
                    return str(value)

        return re.sub(r"\{([^}]*)\}", shown, text)

    def by_share(self, share, always=False):
        limits = self.data["limits"]
        right, nearly = (100, limits["right"]) if always else (limits["right"], limits["nearly"])
        if share >= right:
            return "right"
        return "right, with exceptions" if share >= nearly else "wrong"

    def answer(self, claim):
        if "untested" in claim:
            return Answer("not tested", sentence(claim["untested"]))
        try:
            return self.holds(claim) if "holds" in claim else self.tested(claim)
        except MissingTable:
            return not_made(claim)

    def holds(self, claim):
        material = claim["holds"]
        quiet = self.quiet(material)
        of_all = quiet == self.data["conditions"]["quiet"]
        if "where" in claim:
            quiet += f" and {claim['where']}"
        splits = claim.get("split", {"all": ""})
        rows, total, held = [], 0, 0
        for name, condition in splits.items():
            part = f"{quiet} and {condition}" if condition else quiet
            won, late, rest = (
                self.ask(f"query {material} '{part} and {result}'")
                for result in ("win and in_time", "win and too_late", "(draw or loss)")
            )
            rows.append(row(name, won, late, rest))
            total, held = total + won + late + rest, held + late + rest
        share = Words.percent(held, total)
        verdict = self.by_share(share)
        text = f"The weaker side holds {number(share)} % of {total:,} quiet positions"
        text += self.accuracy(material) if of_all else " of the sample."
        exceptions = []
        if verdict != "right":
            example = self.data["conditions"]["example"]
            won = f"{quiet} and win and in_time and {example}"
            exceptions = positions(self.ask(f"query {material} '{won}' --first 3"), claim)
        return Answer(verdict, text, exceptions, rows)

    def accuracy(self, material):
        """The share in the sample that larger materials have, for a small material."""
        part = f"{self.data['conditions']['quiet']} and {self.data['conditions']['sample']}"
        won, rest = (
            self.ask(f"query {material} '{part} and {result}'")
            for result in ("win and in_time", "not (win and in_time)")
        )
        return f", and {number(Words.percent(rest, won + rest))} % of the sample that larger endings have."

    def tested(self, claim):
        names = dict(self.names)
        if "fen" in claim:
            names["p"] = self.ask(f"probe '{claim['fen']}' {claim.get('probe', '')}".strip())
        if "line" in claim:
            names["line"] = Line(self.program, claim["fen"], claim["line"])
        for name, command in claim.get("ask", {}).items():
            names[name] = self.ask(command)
        for key in ("as_a_rule", "always"):
            if key in claim:
                verdict = self.by_share(self.value(claim[key], names), key == "always")
                break
        else:
            verdict = "wrong"
            if self.value(claim["right"], names):
                verdict = "right"
            elif "nearly" in claim and self.value(claim["nearly"], names):
                verdict = "right, with exceptions"
        exceptions = []
        if "exceptions" in claim and verdict != "right":
            exceptions = positions(self.ask(claim["exceptions"]), claim)
        return Answer(verdict, self.filled(claim["answer"], names), exceptions)


def not_made(claim):
    return Answer("not tested", f"It needs tables of {men(claim)} men that are not made.")


def sentence(text):
    return text[0].upper() + text[1:] + "."


def number(share):
    """A number with one decimal, or with more where it would be 0 or 100."""
    if share in (0, 100):
        return f"{share:.0f}"
    for decimals in (1, 2, 3, 4):
        text = f"{share:.{decimals}f}"
        if float(text) not in (0, 100):
            return text
    return text


def men(claim):
    """The men that a claim needs at most; 0 if it needs no table."""
    if "untested" in claim:
        return 0
    if "men" in claim:
        return claim["men"]
    fens = [claim["fen"]] if "fen" in claim else []
    texts = [claim.get("holds", ""), claim.get("material", ""), *claim.get("ask", {}).values()]
    materials = [len(name) - 1 for text in texts for name in PIECES.findall(text)]
    return max([*materials, *(sum(map(str.isalpha, fen.split()[0])) for fen in fens)], default=0)


def block(claim, answer):
    """The lines of a claim on the page."""
    about = claim.get("holds") or claim.get("material") or (f"`{claim['fen']}`" if "fen" in claim else "")
    title = f"### {claim['id']}" + (f": {about}" if about else "")
    return "\n".join([title, "", f"{claim['says']} *({claim['source']})*", "", *answer.lines()])


def row(name, *counts):
    """A line of quiet positions: won in time, too late, not won."""
    return [f"{name}: {sum(counts):,}", *(f"{number(Words.percent(count, sum(counts)))} %" for count in counts)]


def is_counted(claim):
    """Whether its game has a count. In Shatranj a bare king has lost too, and nothing is counted."""
    return "--variant shatranj" not in claim.get("exceptions", "")


def positions(found, claim):
    """The positions of a query with their results in words."""
    return [(position.fen, told(position, is_counted(claim))) for position in found]


def told(found, counts):
    """A position of a query in words; `counts` says whether its game has a count."""
    mover = "White" if found.fen.split()[1] == "w" else "Black"
    match found.category or found.result:
        case "win" | "loss":
            if not counts:
                verb = "wins" if found.category == "win" else "loses"
                return f"{mover} {verb} in {found.dtm}"
            verb = "mates" if found.category == "win" else "is mated"
            if found.dtm == 0:
                return f"{mover} is mated"
            in_time = " in time," if found.category else ""
            return f"{mover} {verb}{in_time} in {found.dtm} without a count"
        case "cursed-win" | "blessed-loss":
            return f"mate in {found.dtm} comes too late"
        case _:
            return "drawn"


def page(data, claims, answers):
    counts = collections.Counter(answer.verdict for answer in answers.values())
    lines = [data["head"].format(**data["limits"], **data["conditions"])]
    lines += ["| verdict | statements |", "|---|---|"]
    lines += [f"| {verdict} | {counts[verdict]} |" for verdict in VERDICTS]
    for verdict in VERDICTS[:3]:
        ids = [claim["id"] for claim in claims if answers[claim["id"]].verdict == verdict]
        lines += ["", f"{verdict.capitalize()}: {', '.join(ids)}."]
    missing = [claim for claim in claims if answers[claim["id"]].text == not_made(claim).text]
    lines += ["", f"Of {counts['not tested']} that are not tested, {len(missing)} need tables that are not made."]
    for part in data["sections"]:
        lines += ["", f"## {part['title']}", "", part["text"]]
        for claim in part["claims"]:
            lines += ["", block(claim, answers[claim["id"]])]
    lines += ["", "## Sources", "", "| | |", "|---|---|"]
    lines += [f"| {key} | {text} |" for key, text in data["sources"].items() if len(key) == 1]
    return "\n".join(lines) + "\n"


def plain(text):
    """A text without the marks of Markdown."""
    return text.replace("`", "")


def page_data(data, page):
    """A page for the atlas: its sections, claims and sources."""
    answers = {id: Answer.of_block(block) for id, block in blocks(page).items()}

    def of_claim(claim):
        answer = answers[claim["id"]]
        about = claim.get("holds") or claim.get("material") or ""
        # The atlas has boards of variants with a count only.
        exceptions = answer.exceptions if is_counted(claim) else []
        shown = [(claim["fen"], "")] if "fen" in claim else []
        return {
            "id": claim["id"],
            "says": plain(claim["says"]),
            "source": claim["source"],
            "materials": PIECES.findall(about),
            "verdict": answer.verdict.replace(",", "").replace(" ", "-"),
            "answer": plain(answer.text),
            "shares": answer.rows,
            "positions": [{"fen": fen, "told": told} for fen, told in [*shown, *exceptions]],
        }

    def of_section(part):
        claims = [of_claim(claim) for claim in part["claims"]]
        return {"title": part["title"], "text": plain(part["text"]), "claims": claims}

    sources = {key: text for key, text in data["sources"].items() if len(key) == 1}
    return {"sections": [of_section(part) for part in data["sections"]], "sources": sources}


def blocks(text):
    """The blocks of a page by the id of their claim."""
    parts = re.split(r"^(?=##)", text, flags=re.MULTILINE)
    found = (re.match(r"### (\w+)", part) for part in parts)
    return {match[1]: part.strip() for match, part in zip(found, parts) if match}


def parser_of(description):
    """A parser of arguments that name the program, its tables and the number of men."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--sakmak", default="sakmak", help="the program")
    parser.add_argument("--tables", default="sakmak-tables", help="the directory of tables")
    parser.add_argument("--men", type=int, default=5, help="endings of at most this many men")
    return parser


def load():
    """The data, with claims put below their sections, and all claims."""
    text = (HERE / "claims.toml").read_text()
    data = tomllib.loads(text)
    # TOML keeps the two kinds of tables apart: the lines have their order.
    kinds = re.findall(r"^\[\[(section|claim)\]\]", text, re.MULTILINE)
    sections, claims = iter(data["section"]), iter(data["claim"])
    data["sections"] = []
    for kind in kinds:
        if kind == "section":
            data["sections"].append({**next(sections), "claims": []})
        else:
            data["sections"][-1]["claims"].append(next(claims))
    return data, data["claim"]


def main():
    parser = parser_of(__doc__)
    parser.set_defaults(men=8)
    parser.add_argument("--only", type=lambda text: text.split(","), help="test these claims: IDs with commas")
    parser.add_argument("--cache", type=pathlib.Path, help="the file that keeps answers")
    parser.add_argument("--keep", type=pathlib.Path, help="the page with the rows to keep")
    parser.add_argument("--data", type=pathlib.Path, help="the page to write as JSON")
    parser.add_argument("--check", type=pathlib.Path, help="the page to compare with")
    arguments = parser.parse_args()
    data, claims = load()
    if arguments.data:
        print(json.dumps(page_data(data, arguments.data.read_text()), ensure_ascii=False, indent=1))
        return 0
    unknown = set(arguments.only or []) - {claim["id"] for claim in claims}
    if unknown:
        parser.error(f"no claim has the ID {min(unknown)}")
    if arguments.only and not (arguments.keep or arguments.check):
        parser.error("--only needs --keep or --check")

    def is_tested(claim):
        return men(claim) <= arguments.men and claim["id"] in (arguments.only or [claim["id"]])

    kept = blocks(arguments.keep.read_text()) if arguments.keep else {}
    runner = Claims(data, Program(arguments.sakmak, arguments.tables, arguments.cache))
    answers = {}
    for claim in claims:
        answer = not_made(claim)
        if is_tested(claim):
            if not arguments.check:
                print(claim["id"], file=sys.stderr, flush=True)
            answer = runner.answer(claim)
        if answer.text == not_made(claim).text and claim["id"] in kept:
            answer = Answer.of_block(kept[claim["id"]])
        answers[claim["id"]] = answer
    if not arguments.check:
        print(page(data, claims, answers), end="")
        return 0
    written, wrong = blocks(arguments.check.read_text()), 0
    compared = [claim for claim in claims if is_tested(claim)]
    for claim in compared:
        now = block(claim, answers[claim["id"]])
        if written.get(claim["id"]) != now:
            wrong += 1
            print(f"{claim['id']} differs; now:\n{now}\n", file=sys.stderr)
    print(f"{len(compared)} of {len(claims)} claims compared, {wrong} differ")
    return 1 if wrong or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
