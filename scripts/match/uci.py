"""An engine that speaks UCI, in a process of its own."""

import os
import queue
import re
import shlex
import subprocess
import threading

# No engine needs longer than this for one answer at the limits used here.
PATIENCE_SECONDS = 120


class EngineError(Exception):
    """An engine that ended, or did not answer."""


class EngineSpec:
    """An engine as the command line names it: `name=A command=/path option.Hash=16`."""

    def __init__(self, text):
        fields = dict(word.partition("=")[::2] for word in shlex.split(text))
        if not {"name", "command"} <= fields.keys():
            raise ValueError(f"'{text}' has no name= or no command=")
        self.name = fields.pop("name")
        self.command = shlex.split(fields.pop("command"))
        unknown = [field for field in fields if not field.startswith("option.")]
        if unknown:
            raise ValueError(f"'{unknown[0]}' is not name, command or option.NAME")
        self.options = {field.removeprefix("option."): value for field, value in fields.items()}


class Answer:
    """The best move of one search, and the last facts the engine gave."""

    def __init__(self, move, facts):
        self.move = move
        self.score = facts.get("score", "")
        self.nodes = int(facts.get("nodes", 0))
        self.table_hits = int(facts.get("tbhits", 0))


class Engine:
    """A running engine."""

    def __init__(self, spec, variant):
        self.name = spec.name
        self.process = subprocess.Popen(
            spec.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, bufsize=1)
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.send("uci")
        known = [line.split(" type ")[0].removeprefix("option name ")
                 for line in self._until("uciok") if line.startswith("option name ")]
        for name, value in {"UCI_Variant": variant, **spec.options}.items():
            if name not in known:
                raise EngineError(f"{self.name} has no option {name}")
            self.send(f"setoption name {name} value {value}")
        self.ready()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def send(self, line):
        """Sends one line."""
        try:
            self.process.stdin.write(line + "\n")
        except OSError as error:
            raise EngineError(f"{self.name} has ended: {error}") from error

    def _until(self, word):
        """The lines up to one that begins with this word, that one included."""
        lines = []
        while True:
            try:
                line = self.lines.get(timeout=PATIENCE_SECONDS)
            except queue.Empty:
                raise EngineError(f"{self.name} sends no {word}") from None
            if line is None:
                raise EngineError(f"{self.name} has ended without {word}")
            lines.append(line)
            if line.split(" ")[0] == word:
                return lines

    def ready(self):
        """Waits until the engine has done all it was told."""
        self.send("isready")
        self._until("readyok")

    def new_game(self):
        """Forgets the last game."""
        self.send("ucinewgame")
        self.ready()

    def best_move(self, fen, moves, limit):
        """The answer to `go` with this limit, such as `nodes 20000`."""
        played = " moves " + " ".join(moves) if moves else ""
        self.send(f"position fen {fen}{played}")
        self.send(f"go {limit}")
        facts = {}
        lines = self._until("bestmove")
        for line in lines:
            if line.startswith("info ") and " score " in line and " multipv 2" not in line:
                facts["score"] = re.search(r" score (\w+ -?\d+)", line)[1]
            for name in ("nodes", "tbhits"):
                found = re.search(rf" {name} (\d+)", line)
                if line.startswith("info ") and found and not line.startswith("info string"):
                    facts[name] = found[1]
        return Answer(lines[-1].split(" ")[1], facts)

    def processor_seconds(self):
        """The processor time of the engine so far; 0 where the system does not report it."""
        try:
            with open(f"/proc/{self.process.pid}/stat") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self):
        """Ends the engine."""
        try:
            self.send("quit")
            self.process.wait(PATIENCE_SECONDS)
        except (EngineError, subprocess.TimeoutExpired):
            self.process.kill()
