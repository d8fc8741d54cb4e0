"""Kills the program at random moments, and makes its reads and writes fail, each in turn.

usage: faults.py SAKMAK INJECT.SO [KILLS [SEED]]      scripts/faults.sh calls this

Every command works in a small world, a folder of its own. An undisturbed run gives the files that
are right. Afterwards

- each command is killed again and again at random moments, until it ends;
- each call on a file of the world fails once, in turn: with an error, transferring half of its
  bytes, or, with all calls after it, because the disk is full. Of more than 250 calls a part.

After each of these every file under a final name must be right: as before the run, or as after
it. A run that is not killed ends with one line of error and no hidden file, or with what is
right. The same command, run again, must end with the files that are right and no other.
"""

import contextlib
import dataclasses
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor

DEFAULT_KILLS = 1000
# Most of the time is spent waiting for the disk and for the end of a life.
WORKERS = 2 * (os.cpu_count() or 1)
LONGEST_RUN = 120
# This many calls fail one after the other, later ones at growing distances: a spilled log is
# written in thousands of like pieces.
IN_TURN = 250

GAMES = """\
% a line that is kept
[White "A"]
[Variant "Makruk"]
[FEN "8/8/8/3k4/8/8/4R3/4K3 w - 32 5 1"]

1. Kd1 Kc4 2. Rd2 Kb3 3. Rc2 Kb4 4. Kc1 {a comment} Kb3 5. Kb1 Kb4 6. Ka2 Ka5 *

[Variant "Chess"]

1. e4 {not read

[Variant "Thai Chess"]
[FEN "8/8/8/8/3k4/8/3nR3/4K3 b - - 0 30"]

30... Nc4 31. Kd1 Na3 32. Ra2 Kc4 33. Rxa3 Kb4 34. Rd3 *
"""


@dataclasses.dataclass(frozen=True)
class Scenario:
    """A command, and the commands that make the world that it begins in.

    `{}` in an argument is the world.
    """

    name: str
    command: tuple
    before: tuple = ()
    # Games to begin with.
    games: str = ""
    # Whether single reads and writes fail, too; without that it is only killed.
    faults: bool = True
    kinds: tuple = ("full", "error", "short")
    # A file that gets one line after the other. If it cannot be written, a warning is enough.
    record: str = ""


GENERATE_3 = ("generate", "3", "--tables", "{}/t")
VERIFY = ("verify", "--tables", "{}/t")
COUNTED = ("generate", "KRvKN", "--counting", "makruk", "--spill", "--tables", "{}/t")
PACKED_4 = ("generate", "KPvKM", "KNMvK", "--packed", "--spill", "--tables", "{}/t")
SCENARIOS = [
    Scenario("generate", GENERATE_3),
    Scenario("generate spilled", ("generate", "KRvK", "KPvK", "--spill", "--tables", "{}/t")),
    Scenario("generate counted", COUNTED, (GENERATE_3,), faults=False),
    Scenario("generate 4", ("generate", "KRNvK", "KPvKM", "--tables", "{}/t"), faults=False),
    Scenario("generate packed", ("generate", "KRvK", "KPvK", "--packed", "--tables", "{}/t")),
    Scenario("generate packed 4", PACKED_4, faults=False),
    Scenario("pack", ("pack", "KRvK", "--tables", "{}/t"), (GENERATE_3,)),
    Scenario("pack 4", ("pack", "KNMvK", "--tables", "{}/t"), (GENERATE_3,), faults=False),
    Scenario("wdl", ("wdl", "--tables", "{}/t"), (GENERATE_3,)),
    Scenario("wdl 4", ("wdl", "KRvKN", "KNMvK", "--tables", "{}/t"), (GENERATE_3,), faults=False),
    Scenario("verify", VERIFY, (GENERATE_3,), record="state/sakmak/verified.txt"),
    Scenario(
        "verify more",
        VERIFY,
        (("generate", "KRvK", "KSvK", "--tables", "{}/t"), VERIFY, GENERATE_3),
        record="state/sakmak/verified.txt",
    ),
    Scenario(
        "verify 4",
        VERIFY,
        (("generate", "KPvKM", "--tables", "{}/t"),),
        faults=False,
        record="state/sakmak/verified.txt",
    ),
    Scenario(
        "report",
        ("report", "--tables", "{}/t", "-o", "{}/atlas"),
        (("generate", "KRvK", "--tables", "{}/t"),),
    ),
    Scenario(
        "report 3",
        ("report", "--tables", "{}/t", "-o", "{}/atlas"),
        (GENERATE_3,),
        faults=False,
    ),
    Scenario(
        "check in place",
        ("check", "{}/games.pgn", "-o", "{}/games.pgn", "--tables", "{}/t"),
        (GENERATE_3,),
        GAMES,
        # Of a table that cannot be read a review has the error and no answers.
        kinds=("full", "short"),
    ),
    Scenario(
        "check many",
        ("check", "{}/games.pgn", "-o", "{}/games.pgn", "--tables", "{}/t"),
        (GENERATE_3,),
        GAMES * 50,
        faults=False,
    ),
]


class Wrong(Exception):
    """Something that the program promises did not hold."""


def files_of(world):
    """The bytes of all files by their relative names."""
    paths = [path for path in world.rglob("*") if path.is_file()]
    return {str(path.relative_to(world)): path.read_bytes() for path in paths}


def is_hidden(name):
    """Whether a file is a temporary one or a lock, or is in a hidden folder."""
    return any(part.startswith(".") for part in pathlib.PurePath(name).parts)


def is_scratch(name):
    """Whether a file is a finished scratch file, which a later run uses."""
    path = pathlib.PurePath(name)
    return path.parent.name == ".scratch" and not path.name.startswith(".")


class Prepared:
    """A scenario with the files before the command and the expected files after it."""

    def __init__(self, program, scenario, place):
        self.program = program
        self.scenario = scenario
        self.start = place / f"{scenario.name.replace(' ', '-')}-start"
        self.start.mkdir()
        if scenario.games:
            (self.start / "games.pgn").write_text(scenario.games)
        for command in scenario.before:
            self.must_end(self.start, command)
        self.before = files_of(self.start)
        with self.world(place) as world:
            begin = time.monotonic()
            self.must_end(world, scenario.command)
            self.time = time.monotonic() - begin
            self.after = files_of(world)
            # A second run changes nothing.
            self.must_end(world, scenario.command)
            self.compare_all(world, "after a second run")

    @contextlib.contextmanager
    def world(self, place):
        """A copy of the world at the start for one experiment."""
        with tempfile.TemporaryDirectory(dir=place) as folder:
            yield shutil.copytree(self.start, pathlib.Path(folder), dirs_exist_ok=True)

    def argv(self, world, command=None):
        """The command line in a world."""
        words = command or self.scenario.command
        return [self.program, *(word.replace("{}", str(world)) for word in words)]

    def environment(self, world, more=()):
        """Files are read on demand, so that their reads can fail."""
        state = {"XDG_STATE_HOME": str(world / "state"), "SAKMAK_ACCESS": "read"}
        return {**os.environ, **state, **dict(more)}

    def must_end(self, world, command=None):
        """Runs a command, which must succeed; `check` reports an unread game."""
        run = subprocess.run(
            self.argv(world, command),
            env=self.environment(world),
            capture_output=True,
            timeout=LONGEST_RUN,
        )
        expected = 1 if (command or self.scenario.command)[0] == "check" else 0
        if run.returncode != expected:
            raise Wrong(f"ends with {run.returncode}: {run.stderr.decode()}")

    def compare_names(self, world, when):
        """Every file under a final name must be as before or as after the command."""
        for name, found in files_of(world).items():
            if is_hidden(name):
                continue
            right = [files[name] for files in (self.before, self.after) if name in files]
            if found in right:
                continue
            if name == self.scenario.record:
                first, lines, last = (
                    set(text.splitlines(keepends=True))
                    for text in (self.before.get(name, b""), found, self.after[name])
                )
                if first <= lines <= last:
                    continue
            raise Wrong(f"{name} is wrong {when}")
        for name in self.before:
            if not (world / name).is_file():
                raise Wrong(f"{name} is gone {when}")

    def compare_all(self, world, when):
        """The files must be the expected ones, and no other."""
        found = files_of(world)
        if found != self.after:
            names = sorted(
                name
                for name in found.keys() | self.after.keys()
                if found.get(name) != self.after.get(name)
            )
            raise Wrong(f"{', '.join(names)} differ {when}")


def killed(prepared, place, number, wanted):
    """Runs the command and kills it until it ends or was killed often enough. Returns the kills."""
    kills = 0
    with prepared.world(place) as world:
        while kills < wanted:
            # Short lives reach the beginnings of the work, long ones its end.
            life = number.uniform(0, prepared.time * number.choice((1.2, 0.5, 0.1)))
            child = subprocess.Popen(
                prepared.argv(world),
                env=prepared.environment(world),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            try:
                child.wait(life)
                break
            except subprocess.TimeoutExpired:
                child.kill()
            if child.wait() != -9:
                break
            kills += 1
            prepared.compare_names(world, f"after {kills} kills")
        prepared.must_end(world)
        prepared.compare_all(world, f"after {kills} kills and a whole run")
    return kills


def failed(prepared, place, inject, kind, call):
    """Makes one call fail. Returns whether there was such a call, and whether it was an error."""
    with prepared.world(place) as world:
        mark = world.with_suffix(".mark")
        when = f"after the fault '{kind}' of call {call}"
        more = {
            "LD_PRELOAD": inject,
            "FAULT_UNDER": str(world),
            "FAULT_CALL": str(call),
            "FAULT_KIND": kind,
            "FAULT_MARK": str(mark),
            # With one thread the calls come in one order.
            "RAYON_NUM_THREADS": "1",
        }
        run = subprocess.run(
            prepared.argv(world),
            env=prepared.environment(world, more),
            capture_output=True,
            timeout=LONGEST_RUN,
        )
        happened = mark.exists()
        mark.unlink(missing_ok=True)
        prepared.compare_names(world, when)
        told = run.stderr.decode()
        found = files_of(world)
        is_right = found == prepared.after
        is_error = run.returncode != 0 and not is_right
        lines = [line for line in told.splitlines() if line.startswith("sakmak: ")]
        if run.returncode not in (0, 1, 2):
            raise Wrong(f"ends with {run.returncode} {when}: {told}")
        is_warned = prepared.scenario.record and "continues without" in "".join(lines)
        if run.returncode == 0 and not (is_right or is_warned):
            raise Wrong(f"ends with 0 and the files are not right {when}")
        if run.returncode != 0 and len(lines) != 1:
            raise Wrong(f"not one line of error {when}: {told}")
        if kind == "short" and not is_right:
            raise Wrong(f"a short transfer is an error {when}: {told}")
        left = [
            name
            for name in found
            if is_hidden(name) and not is_scratch(name) and name not in prepared.before
        ]
        if left:
            raise Wrong(f"{', '.join(left)} left {when}: {told}")
        prepared.must_end(world)
        prepared.compare_all(world, f"{when} and a whole run: {told}")
    return happened, is_error


def numbers_of_calls():
    """The numbers of the calls that fail, without an end."""
    call = 1
    while True:
        yield call
        call += 1 + max(0, call - IN_TURN) // 8


class Campaign:
    """All experiments, some at a time, and what went wrong."""

    def __init__(self, place, inject, seed):
        self.place = place
        self.inject = inject
        self.seed = seed
        self.lock = threading.Lock()
        self.wrong = []

    def attempt(self, prepared, work):
        """Does an experiment. Notes what is wrong and returns `None` then."""
        try:
            return work()
        except (Wrong, subprocess.TimeoutExpired, OSError) as error:
            with self.lock:
                self.wrong.append(f"{prepared.scenario.name}: {error}")
                print(f"WRONG {self.wrong[-1]}", flush=True)
            return None

    def kill(self, pool, prepared, wanted):
        """Kills a command this often in worlds one after the other. Prints the numbers."""
        counts = {"kills": 0, "worlds": 0}

        def lives(worker):
            number = random.Random(f"{self.seed} {prepared.scenario.name} {worker}")
            while counts["kills"] < wanted:
                most = number.randint(1, 8)
                kills = self.attempt(
                    prepared, lambda: killed(prepared, self.place, number, most)
                )
                with self.lock:
                    counts["kills"] += kills or 0
                    counts["worlds"] += 1
                if len(self.wrong) > 20:
                    break

        list(pool.map(lives, range(WORKERS)))
        print(
            f"{prepared.scenario.name:<18} {counts['kills']:>5} kills in {counts['worlds']} worlds",
            flush=True,
        )
        return counts["kills"]

    def fail(self, pool, prepared, kind):
        """Makes each call fail in turn, until there is no further one. Prints the numbers."""
        counts = {"faults": 0, "errors": 0}
        end = threading.Event()
        next_call = numbers_of_calls()

        def calls(_):
            while not end.is_set() and len(self.wrong) <= 20:
                with self.lock:
                    call = next(next_call)
                outcome = self.attempt(
                    prepared, lambda: failed(prepared, self.place, self.inject, kind, call)
                )
                happened, is_error = outcome or (True, False)
                with self.lock:
                    if not happened:
                        end.set()
                    counts["faults"] += happened
                    counts["errors"] += is_error

        list(pool.map(calls, range(WORKERS)))
        print(
            f"{prepared.scenario.name:<18} {counts['faults']:>5} faults '{kind}', of which"
            f" {counts['errors']} ended the command",
            flush=True,
        )
        return counts["faults"]


def main(program, inject, kills=DEFAULT_KILLS, seed=None):
    """Runs the campaign."""
    kills = int(kills)
    seed = seed or str(time.time_ns())
    print(f"seed {seed}", flush=True)
    begin = time.monotonic()
    program, inject = os.path.abspath(program), os.path.abspath(inject)
    total_kills = total_faults = 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(WORKERS) as pool:
        place = pathlib.Path(folder).resolve()
        campaign = Campaign(place, inject, seed)
        each = -(-kills // len(SCENARIOS))
        for scenario in SCENARIOS:
            prepared = Prepared(program, scenario, place)
            total_kills += campaign.kill(pool, prepared, each)
            if scenario.faults:
                for kind in scenario.kinds:
                    total_faults += campaign.fail(pool, prepared, kind)
    minutes = (time.monotonic() - begin) / 60
    print(f"{total_kills} kills, {total_faults} faults, {minutes:.0f} minutes")
    if campaign.wrong:
        sys.exit(f"{len(campaign.wrong)} wrong")
    print("no file lost, none wrong, the same bytes each time")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
