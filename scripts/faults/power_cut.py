"""Cuts the power at random moments of commands that write into a new directory.

usage: power_cut.py SAKMAK [CUTS [SEED]]      scripts/power-cut.sh calls this

Each command works on a file system that keeps only what was synced (lazy_fs.py, with two models of what
that is). An undisturbed run elsewhere gives the files that are right. The command is killed at a random
moment; half of the times the power is cut then, and otherwise the next run goes on first, so that it may
find files whose names the killed one has not synced. After each cut

- every file under a final name must have the bytes that are right;
- after a run that ended, no file may be missing.

The last run must end with the files that are right and no other, and they must survive a cut. The exit
code is 3 if FUSE cannot be mounted here.
"""

import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

try:
    from lazy_fs import is_final, mount
except OSError as error:
    # Without libfuse.
    print(f"power_cut.py: {error}", file=sys.stderr)
    sys.exit(3)

CUTS = 10
MODELS = ("strict", "ordered")
GENERATE = ("generate", "3", "--counting", "makruk", "--packed", "--wdl")
JANGGI = ("generate", "KRHvK", "KRCvK", "KRvKC", "--variant", "janggi")
LISTS = pathlib.Path(__file__).parents[1] / "release/lists.py"
LONGEST_RUN = 600


def is_left_by_fuse(path):
    """Whether a file is one that was removed while it was open."""
    return path.rsplit("/", 1)[-1].startswith(".fuse_hidden")


def files_of(folder):
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


class Campaign:
    def __init__(self, program, place, seed):
        self.program = program
        self.random = random.Random(seed)
        random.seed(seed)
        self.mounted = place / "mounted"
        self.mounted.mkdir()
        self.system = mount(self.mounted)
        # Two folders are new, and both must be synced in their parents.
        self.directory = self.mounted / "new" / "tables"
        self.wrong = 0

    def start(self, command, directory):
        words = [self.program, *map(str, command), "--tables", str(directory)]
        environment = {**os.environ, "SAKMAK_PROGRESS": "0"}
        return subprocess.Popen(
            words, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )

    def must_end(self, command, directory):
        """Runs a command, which must succeed. Returns its time."""
        begin = time.monotonic()
        run = self.start(command, directory)
        told = run.communicate(timeout=LONGEST_RUN)[1]
        if run.returncode:
            sys.exit(f"{' '.join(map(str, command))} ends with {run.returncode}: {told}")
        return time.monotonic() - begin

    def fault(self, text):
        self.wrong += 1
        print(f"WRONG {text}", flush=True)

    def compare(self, right, is_ended, when):
        """Compares the files with the expected ones."""
        found = {path.removeprefix("new/tables/"): held for path, held in self.system.files().items()}
        for path, held in found.items():
            if is_final(path) and held != right.get(path):
                self.fault(f"{path}, {len(held)} bytes, is wrong {when}")
        lost = right.keys() - found.keys() if is_ended else ()
        if lost:
            self.fault(f"{len(lost)} of {len(right)} files are lost {when}: {min(lost)}")
        return found

    def cut(self, name, command, right, model, wanted):
        """Cuts the power so often while a command runs. Prints the numbers."""
        self.system.clear()
        longest = 1.5 * self.must_end(command, self.directory)
        self.system.clear()
        cuts = kills = ends = 0
        while cuts < wanted:
            run = self.start(command, self.directory)
            try:
                told = run.communicate(timeout=self.random.uniform(0, longest))[1]
                is_ended = True
                if run.returncode:
                    self.fault(f"{name} ends with {run.returncode}: {told}")
            except subprocess.TimeoutExpired:
                run.kill()
                run.communicate()
                is_ended = False
                kills += 1
                if self.random.random() < 0.5:
                    continue
            self.system.cut_power(model)
            cuts += 1
            self.compare(right, is_ended, f"after {cuts} cuts, {'ended' if is_ended else 'killed'}")
            if is_ended:
                ends += 1
                self.system.clear()
        self.must_end(command, self.directory)
        found = self.compare(right, True, "after the last run")
        left = [path for path in found.keys() - right.keys() if not is_left_by_fuse(path)]
        if left:
            self.fault(f"{', '.join(left)} left after the last run")
        self.system.cut_power(model)
        self.compare(right, True, "after the last run and a cut")
        for path in self.system.early:
            self.fault(f"{path} was renamed before its bytes were synced")
        self.system.early.clear()
        print(f"{name:<10} {model:<8} {cuts:>3} cuts, {kills} kills, {ends} after an end", flush=True)


def main(program, cuts=CUTS, seed=None):
    cuts, seed = int(cuts), seed or str(time.time_ns())
    print(f"seed {seed}", flush=True)
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder).resolve()
        campaign = Campaign(os.path.abspath(program), place, seed)
        try:
            chess, board, both = place / "chess", place / "board", place / "set"
            campaign.must_end(GENERATE, chess)
            campaign.must_end(JANGGI, board)
            for command in (GENERATE, JANGGI):
                campaign.must_end(command, both)
            subprocess.run([sys.executable, LISTS, "a set", both], check=True)
            listed = {**files_of(chess), **files_of(board)}
            for name, command, right in (
                ("generate", GENERATE, files_of(chess)),
                ("janggi", JANGGI, files_of(board)),
                ("fetch", ("fetch", both), listed),
            ):
                for model in MODELS:
                    campaign.cut(name, command, right, model, cuts)
        finally:
            subprocess.run(["umount", campaign.mounted], check=True)
    print(f"{(time.monotonic() - begin) / 60:.1f} minutes")
    if campaign.wrong:
        sys.exit(f"{campaign.wrong} wrong")
    print("no finished file lost, none half written")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
