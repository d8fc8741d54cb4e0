"""Plays endings and matches between engines that speak UCI, refereed by pyffish. See scripts/engine-match.sh.

usage: match.py endings SAKMAK --tables DIR --material NAME... [--keep draw] [--each N] -o FILE
       match.py positions --men N... --number N -o FILE
       match.py keep FILE --engine ENGINE... --opponent ENGINE --results FILE
       match.py games FILE --engine ENGINE --engine ENGINE --results FILE
       match.py report RESULTS...
       match.py hits --engine ENGINE FEN...

`endings` draws endings that the side to move wins in time, or with `--keep draw` does not lose, with
the count in the FEN: of each material N at random and N of each kind of hard ones. `keep` plays each
of them with every engine against the opponent, which must know the result, as `sakmak uci` does: once
it says that it is no longer mated, or that it mates, the result is thrown away, and the game ends. `games` plays each position twice, each engine
with each side.

ENGINE is `name=A command=/path/of/engine option.Hash=16`. Results are lines of JSON; games that
are there already are not played again. `report` prints tables. `hits` fails unless an engine has table hits
in a search of each position of Makruk.
"""

import argparse
import collections
import json
import math
import pathlib
import sys

from positions import balanced_positions, endings
from referee import NAMES, RefereedGame
from uci import Engine, EngineSpec

# Elo is from the logistic curve with this scale.
ELO_SCALE = 400
# Half of a 95 % interval in standard errors.
NORMAL_95 = 1.96


class Results:
    """Lines of JSON in a file, by key. Existing lines are kept."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.rows = read_lines(path) if self.path.exists() else []
        self.keys = {row["key"] for row in self.rows}

    def add(self, row):
        self.rows.append(row)
        self.keys.add(row["key"])
        with self.path.open("a") as file:
            file.write(json.dumps(row) + "\n")


def read_lines(path):
    """The objects of a file of JSON lines. The last line may be cut off."""
    rows = []
    for line in pathlib.Path(path).read_text().splitlines():
        try:
            rows.append(json.loads(line))
        except json.JSONDecodeError:
            print(f"{path}: a line that is not JSON is left out", file=sys.stderr)
    return rows


def write_lines(path, rows):
    pathlib.Path(path).write_text("".join(json.dumps(row) + "\n" for row in rows))


class Players:
    """Engines by name, started when they are first needed for a variant."""

    def __init__(self, specs, limit):
        self.specs = {spec.name: spec for spec in specs}
        self.limit = limit
        self.running = {}

    def engine(self, name, variant):
        if (name, variant) not in self.running:
            self.running[name, variant] = Engine(self.specs[name], NAMES[variant])
        return self.running[name, variant]

    def close(self):
        for engine in self.running.values():
            engine.close()


def play(players, variant, fen, sides, stop=None):
    """Plays a game; `sides` has the names of the engines by `w` and `b`. Returns the game and the
    facts by side. `stop` is called with the side and every answer, and may end the game."""
    game = RefereedGame(variant, fen)
    engines = {side: players.engine(name, variant) for side, name in sides.items()}
    facts = {side: collections.Counter() for side in sides}
    before = {side: engine.processor_seconds() for side, engine in engines.items()}
    for engine in set(engines.values()):
        engine.new_game()
    while game.result is None:
        side = game.side()
        answer = engines[side].best_move(game.start, game.moves, players.limit)
        facts[side].update(nodes=answer.nodes, table_hits=answer.table_hits, answers=1)
        if stop and stop(side, answer):
            break
        game.play(answer.move)
    for side, engine in engines.items():
        facts[side]["seconds"] = engine.processor_seconds() - before[side]
    return game, facts


def sign(score):
    """Whether a score is a win or a loss by a mate or by the tables: 1 or -1; 0 for anything else."""
    kind, number = score.split() if score else ("cp", "0")
    decided = kind == "mate" or abs(int(number)) > 15_000
    return (-1 if number.startswith("-") else 1) if decided else 0


def keep(options):
    """Plays every ending with every engine."""
    results = Results(options.results)
    players = Players([*options.engine, options.opponent], options.limit)
    for number, ending in enumerate(read_lines(options.positions)):
        # The worst result of the side to move that is kept, and the best score of the opponent then.
        worst, best = {"win": (1, -1), "draw": (0, 0)}[ending["keep"]]
        for spec in options.engine:
            key = f"{number} {spec.name}"
            if key in results.keys:
                continue
            side = ending["fen"].split()[1]
            other = "b" if side == "w" else "w"
            sides = {side: spec.name, other: options.opponent.name}
            game, facts = play(
                players, ending["variant"], ending["fen"], sides,
                lambda mover, answer: mover == other and sign(answer.score) > best)
            kept = game.result is not None and game.result * (1 if side == "w" else -1) >= worst
            results.add({
                "key": key, "type": "keep", "engine": spec.name, "kept": kept,
                "end": game.end or "thrown away", "moves": game.moves, **facts[side],
                **{name: ending[name] for name in ("variant", "material", "kind", "keep", "fen")}})
    players.close()
    report_rows(results.rows)


def games(options):
    """Plays every position twice."""
    first, second = (spec.name for spec in options.engine)
    results = Results(options.results)
    players = Players(options.engine, options.limit)
    for number, position in enumerate(read_lines(options.positions)):
        for white, black in ((first, second), (second, first)):
            key = f"{number} {white}"
            if key in results.keys:
                continue
            game, facts = play(
                players, position["variant"], position["fen"], {"w": white, "b": black})
            results.add({
                "key": key, "type": "game", "pair": number, "white": white, "black": black,
                "first": first, "second": second, "result": game.result, "end": game.end,
                "moves": game.moves, "fen": position["fen"], "variant": position["variant"],
                "facts": {white: facts["w"], black: facts["b"]}})
    players.close()
    report_rows(results.rows)


def rate(rows):
    """Positions a second of processor time, to three digits."""
    seconds = sum(row["seconds"] for row in rows)
    return float(f"{sum(row['nodes'] for row in rows) / seconds:.3g}") if seconds else 0


def keep_summary(rows):
    """Endings and results thrown away by engine, in all, by kind and by material."""
    rows = [row | {"kind": f"{row['variant']}, {row['keep']}, {row['kind']}"} for row in rows]
    summary = {}
    for engine in sorted({row["engine"] for row in rows}):
        own = [row for row in rows if row["engine"] == engine]

        def count(chosen):
            return {"endings": len(chosen), "thrown_away": sum(not row["kept"] for row in chosen)}
        summary[engine] = {
            **count(own), "nodes_per_second": rate(own),
            "illegal": sum(row["end"].startswith("illegal") for row in own),
            "table_hits": sum(row.get("table_hits", 0) for row in own),
            "kinds": {kind: count([row for row in own if row["kind"] == kind])
                      for kind in sorted({row["kind"] for row in own})},
            "materials": {material: count([row for row in own if row["material"] == material])
                          for material in sorted({row["material"] for row in own})}}
    return summary


def game_summary(rows):
    """The score of the first engine, and Elo with its error, from whole pairs of games."""
    first, second = rows[0]["first"], rows[0]["second"]
    pairs = collections.defaultdict(dict)
    for row in rows:
        points = (row["result"] + 1) / 2
        pairs[row["pair"]][row["white"]] = points if row["white"] == first else 1 - points
    scores = [sum(pair.values()) / 2 for pair in pairs.values() if len(pair) == 2]
    counts = collections.Counter()
    for pair in pairs.values():
        counts.update({1: "won", 0.5: "drawn", 0: "lost"}[points] for points in pair.values())
    summary = {"first": first, "second": second, "games": len(rows), "pairs": len(scores),
               **{name: counts[name] for name in ("won", "drawn", "lost")},
               "illegal": sum(row["end"].startswith("illegal") for row in rows),
               "nodes_per_second": {
                   name: rate([row["facts"][name] for row in rows]) for name in (first, second)}}
    if len(scores) > 1:
        mean = sum(scores) / len(scores)
        variance = sum((score - mean) ** 2 for score in scores) / (len(scores) - 1)
        error = math.sqrt(variance / len(scores))
        summary.update(score=round(mean, 4), standard_error=round(error, 4))
        if 0 < mean < 1:
            slope = ELO_SCALE / math.log(10) / (mean * (1 - mean))
            summary.update(elo=round(elo(mean), 1), elo_error_95=round(NORMAL_95 * error * slope, 1))
    return summary


def elo(score):
    return ELO_SCALE * math.log10(score / (1 - score))


def report_rows(rows):
    """Prints what results say."""
    kept = [row for row in rows if row["type"] == "keep"]
    played = [row for row in rows if row["type"] == "game"]
    if kept:
        print_kept(keep_summary(kept))
    if played:
        print_games(game_summary(played))


def report(options):
    """Prints what results say, and fails if an engine that should be perfect is not."""
    rows = [row for path in options.results for row in read_lines(path)]
    report_rows(rows)
    if options.perfect is None:
        return
    own = [row for row in rows if row.get("engine") == options.perfect]
    wrong = [row for row in own if not row["kept"]]
    wrong += [row for row in rows if row["end"].startswith("illegal")]
    if not own or wrong:
        sys.exit(f"{len(wrong)} of {len(rows)} games are wrong: {wrong[:1]}")


def hits(options):
    """Fails unless an engine has table hits in each position of Makruk."""
    engine = Engine(options.engine, "makruk")
    for fen in options.fen:
        found = engine.best_move(fen, [], "nodes 3000").table_hits
        print(f"{fen}: {found} table hits")
        if not found:
            sys.exit(f"{engine.name} has no table hits in {fen}")
    engine.close()


def print_kept(summary):
    names = list(summary)
    print("| endings | number | " + " | ".join(f"{name} throws away" for name in names)
          + " |")
    print("|---|---|" + "---|" * len(names))

    def line(title, counts):
        cells = [f"{count['thrown_away']}" for count in counts]
        print(f"| {title} | {counts[0]['endings']} | " + " | ".join(cells) + " |")
    line("all", [summary[name] for name in names])
    for part in ("kinds", "materials"):
        titles = sorted({title for name in names for title in summary[name][part]})
        for title in titles:
            none = {"endings": 0, "thrown_away": 0}
            line(title, [summary[name][part].get(title, none) for name in names])
    for name in names:
        print(f"{name}: {summary[name]['nodes_per_second']:,.0f} positions a second, "
              f"{summary[name]['table_hits']} probes, {summary[name]['illegal']} illegal moves")


def print_games(summary):
    print(f"{summary['first']} against {summary['second']}: {summary['games']} games, "
          f"{summary['won']} won, {summary['drawn']} drawn, {summary['lost']} lost, "
          f"{summary['illegal']} ended by an illegal move")
    if "score" in summary:
        print(f"score {100 * summary['score']:.1f} % in {summary['pairs']} pairs, standard error "
              f"{100 * summary['standard_error']:.1f} %")
    if "elo" in summary:
        print(f"Elo {summary['elo']:+.1f}, 95 % within {summary['elo_error_95']:.1f}")
    for name, number in summary["nodes_per_second"].items():
        print(f"{name}: {number:,.0f} positions a second")


def engine_spec(text):
    try:
        return EngineSpec(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def parser():
    top = argparse.ArgumentParser(description="Plays endings and matches between UCI engines.")
    commands = top.add_subparsers(required=True)

    command = commands.add_parser("endings", help="draw endings with a result to keep")
    command.add_argument("sakmak")
    command.add_argument("--tables", required=True)
    command.add_argument("--material", nargs="+", required=True)
    command.add_argument("--variant", default="makruk", choices=NAMES)
    command.add_argument("--keep", default="win", choices=("win", "draw"))
    command.add_argument("--each", type=int, default=7, help="of each material and kind")
    command.add_argument("--seed", type=int, default=1)
    command.add_argument("-o", "--output", required=True)
    command.set_defaults(run=lambda options: write_lines(options.output, endings(
        options.sakmak, options.tables, options.variant, options.keep, options.material,
        options.each, options.seed)))

    command = commands.add_parser("positions", help="draw balanced positions")
    command.add_argument("--men", nargs="+", type=int, default=[6, 7, 8])
    command.add_argument("--number", type=int, default=200)
    command.add_argument("--variant", default="makruk", choices=NAMES)
    command.add_argument("--seed", type=int, default=1)
    command.add_argument("-o", "--output", required=True)
    command.set_defaults(run=lambda options: write_lines(options.output, balanced_positions(
        options.variant, options.number, options.men, options.seed)))

    for name, run, what in (
            ("keep", keep, "play endings against a perfect opponent"),
            ("games", games, "play positions in pairs of games")):
        command = commands.add_parser(name, help=what)
        command.add_argument("positions")
        command.add_argument("--engine", type=engine_spec, action="append", required=True)
        if run is keep:
            command.add_argument("--opponent", type=engine_spec, required=True)
        command.add_argument("--limit", default="nodes 20000", help="what follows 'go'")
        command.add_argument("--results", required=True)
        command.set_defaults(run=run)

    command = commands.add_parser("report", help="print what results say")
    command.add_argument("results", nargs="+")
    command.add_argument("--perfect", metavar="NAME", help="fail if it threw a result away")
    command.set_defaults(run=report)

    command = commands.add_parser("hits", help="fail unless an engine has table hits")
    command.add_argument("--engine", type=engine_spec, required=True)
    command.add_argument("fen", nargs="+")
    command.set_defaults(run=hits)
    return top


def main():
    options = parser().parse_args()
    if options.run is games and len(options.engine) != 2:
        sys.exit("a match has two engines: expected --engine twice")
    options.run(options)


if __name__ == "__main__":
    main()
