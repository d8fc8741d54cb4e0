"""Compiles and runs all test programs of the workspace, two or more at a time.

usage: run_tests.py PROFILE [FILTER | --include-ignored]

Tests that take long are ignored; --include-ignored runs them too.

Programs share the cores: as many run at once as there are cores, those that took longest the last
time first, each on one thread where it has company. Tables that tests of one program share are
solved once, so programs are not split into a process per test, as cargo-nextest does: that takes
five times as long here. The output of programs that fail is printed, then the ten slowest tests.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).parents[1]
TIMED = re.compile(r"^test (\S+).* \.\.\. (?:.*)?ok <([\d.]+)s>$", re.MULTILINE)
RESULT = re.compile(r"^test result: \w+\. (\d+) passed; (\d+) failed", re.MULTILINE)


def programs(profile):
    """The test programs, compiled: a name, the program, and the folder of its package."""
    command = ["cargo", "test", "--profile", profile, "--workspace", "--no-run", "--message-format"]
    build = subprocess.run(
        [*command, "json-render-diagnostics"], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    if build.returncode:
        sys.exit(build.returncode)
    for line in build.stdout.splitlines():
        message = json.loads(line)
        if message.get("executable") and message.get("profile", {}).get("test"):
            package = pathlib.Path(message["manifest_path"]).parent
            name = f"{package.relative_to(ROOT)} {message['target']['name']}"
            yield name, message["executable"], package


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
    compiled = list(programs(profile))
    seconds_file = pathlib.Path(compiled[0][1]).parent / "test-seconds.json"
    try:
        seconds = json.loads(seconds_file.read_text())
    except (OSError, ValueError):
        seconds = {}
    compiled.sort(key=lambda program: -seconds.get(program[0], 1e9))
    cores = os.cpu_count() or 1
    tests, passed, failed = [], 0, []
    with concurrent.futures.ThreadPoolExecutor(cores) as pool:
        jobs = [pool.submit(run, *program, cores, arguments) for program in compiled]
        for job in concurrent.futures.as_completed(jobs):
            name, output, code, took = job.result()
            seconds[name] = took
            tests += [(float(took), f"{name} {test}") for test, took in TIMED.findall(output)]
            found = RESULT.search(output)
            passed += int(found[1]) if found else 0
            if code:
                failed.append(name)
                print(output)
            print(f"{took:7.1f} s  {name}: {found[0] if found else f'exit code {code}'}", flush=True)
    seconds_file.write_text(json.dumps(seconds))
    print("the ten slowest tests:")
    for took, name in sorted(tests, reverse=True)[:10]:
        print(f"{took:7.1f} s  {name}")
    print(f"{passed} tests passed" + "".join(f"; failed: {name}" for name in failed))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
