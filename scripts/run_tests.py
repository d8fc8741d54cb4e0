"""Compiles and runs all test programs of the workspace, two or more at a time.

usage: run_tests.py PROFILE [FILTER | --include-ignored]      scripts/test.sh calls this

Tests that take long are ignored; --include-ignored runs them too.

At the everyday level a program that passed is run again only after it was compiled again, or a file of
the repository that is no Rust source or a variable SAKMAK_... changed. Others start as soon as they are
compiled and a core is free, the one that took longest the last time first. Programs share
the cores: as many run at once as there are, each with a thread for every core. Tables that tests of one
program share are solved once, so programs are not split into a process per test, as cargo-nextest does:
that takes five times as long here. The output of programs that fail is printed, then the ten slowest
tests.
"""

import concurrent.futures
import contextlib
import hashlib
import json
import math
import os
import pathlib
import queue
import re
import stat
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).parents[1]
# These take longest, and are first where no time is known.
LONG = ("gen program", "gen/make library")
TIMED = re.compile(r"^test (\S+).* \.\.\. (?:.*)?ok <([\d.]+)s>$", re.MULTILINE)
RESULT = re.compile(r"^test result: \w+\. (\d+) passed; (\d+) failed", re.MULTILINE)


def programs(lines):
    """The test programs that cargo reports: a name, the program, the folder of its package, and when what
    it runs was compiled. Tests that run the program of their package follow it."""
    compiled, held = {}, []
    for line in lines:
        message = json.loads(line)
        if not message.get("executable"):
            continue
        package = pathlib.Path(message["manifest_path"]).parent
        kinds = message["target"]["kind"]
        built = os.path.getmtime(message["executable"])
        program = f"{package.relative_to(ROOT)} {message['target']['name']}", message["executable"], package
        if not message["profile"]["test"]:
            if kinds == ["bin"]:
                compiled[package] = built
                yield from ((*test, max(built, own)) for *test, own in held if test[2] == package)
        elif kinds != ["test"] or not (package / "src/main.rs").exists():
            yield *program, built
        elif package in compiled:
            yield *program, max(built, compiled[package])
        else:
            held.append((*program, built))


def data():
    """A digest of what tests may read: names, sizes and times of all files of the repository but Rust
    sources, and variables like SAKMAK_ALL. None without git, which knows the built files."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    variables = sorted(item for item in os.environ.items() if item[0].startswith("SAKMAK_"))
    digest = hashlib.sha256(repr(variables).encode())
    for path in sorted(listed.stdout.split(b"\0")):
        with contextlib.suppress(OSError):
            found = os.stat(ROOT / os.fsdecode(path))
            if not path.endswith(b".rs") and stat.S_ISREG(found.st_mode):
                digest.update(b"%s %d %d\0" % (path, found.st_size, found.st_mtime_ns))
    return digest.hexdigest() if listed.stdout else None


def run(name, program, package, threads, arguments):
    """Runs a program; its name, output, exit code and seconds."""
    began = time.monotonic()
    environment = {**os.environ, "RUSTC_BOOTSTRAP": "1", "CARGO_MANIFEST_DIR": str(package)}
    options = ["-Zunstable-options", "--report-time", f"--test-threads={threads}", *arguments]
    done = subprocess.run(
        [program, *options],
        cwd=package,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    return name, done.stdout, done.returncode, time.monotonic() - began


def main(profile, *arguments):
    level = "full" if "--include-ignored" in arguments else "everyday"
    target = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")
    # By program: the seconds of the last run, and with what it passed.
    runs_file = target / profile / f"test-runs-{level}.json"
    try:
        runs = json.loads(runs_file.read_text())
    except (OSError, ValueError):
        runs = {}
    # With arguments every program is run.
    files = None if arguments else data()
    cores = os.cpu_count() or 1
    waiting, lock = queue.PriorityQueue(), threading.Lock()
    tests, passed, failed, unchanged = [], 0, [], []

    def work():
        nonlocal tests, passed
        while program := waiting.get()[1]:
            *program, built = program
            name, output, code, took = run(*program, cores, arguments)
            with lock:
                runs[name] = {"seconds": took, "passed": None if code else [built, files]}
                tests += [(float(took), f"{name} {test}") for test, took in TIMED.findall(output)]
                found = RESULT.search(output)
                passed += int(found[1]) if found else 0
                if code:
                    failed.append(name)
                    print(output)
                result = found[0] if found else f"exit code {code}"
                print(f"{took:7.1f} s  {name}: {result}", flush=True)

    command = ["cargo", "test", "--profile", profile, "--workspace", "--no-run"]
    command += ["--message-format", "json-render-diagnostics"]
    build = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    with concurrent.futures.ThreadPoolExecutor(cores) as pool:
        workers = [pool.submit(work) for _ in range(cores)]
        try:
            for program in programs(build.stdout):
                last = runs.get(program[0], {"seconds": 1e9 if program[0] in LONG else 1e8, "passed": None})
                if files and last["passed"] == [program[-1], files]:
                    unchanged.append(program[0])
                else:
                    waiting.put((-last["seconds"], program))
        finally:
            # The end: after all that wait, or at once if not all is compiled.
            end = math.inf if build.wait() == 0 else -math.inf
            for _ in workers:
                waiting.put((end, None))
        for worker in workers:
            worker.result()
    if build.returncode:
        return build.returncode
    if set(arguments) <= {"--include-ignored"}:
        runs_file.write_text(json.dumps(runs))
    if unchanged:
        print(f"passed before and unchanged: {', '.join(sorted(unchanged))}")
    if tests:
        print("the ten slowest tests:")
    for took, name in sorted(tests, reverse=True)[:10]:
        print(f"{took:7.1f} s  {name}")
    print(f"{passed} tests passed" + "".join(f"; failed: {name}" for name in failed))
    return 1 if failed or not passed and not unchanged else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
