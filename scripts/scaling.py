"""Computes from traces of `sakmak generate` how long a batch takes on more cores.

    SAKMAK_TRACE=trace.jsonl sakmak generate 5
    python3 scripts/scaling.py trace.jsonl [more.jsonl] [--svg docs/scale.svg] [--memory 16]

A trace has a line for each table of the plan and one for each step of a table. The model:

- A step of a large table is what its own thread did, on one core, and what the pool did for it, on as
  many cores as there are, up to the king pairs of the table or, for a WDL file, the squares of a king.
  A small table is made by one thread.
- What the pool did between two lines belongs to the steps at work then, in equal parts; less to one
  whose own thread worked.
- Tables start in the order of the plan when those that they need are solved, while memory lasts, and
  at most one more than there are cores. Cores are shared evenly.
- With --bandwidth, all steps slow down together where their planes would be moved faster than that.

Left out: the wait at the end of each phase of a layer, what the pool does one after the other, cores
that share a cache or a clock, disks, and the memory that a job gives back when it is solved.

>>> trace = [
...     {"table": "A", "needs": [], "slots": 9, "parts": 4, "kings": 2, "memory": 1, "small": False, "threads": 1},
...     {"table": "B", "needs": ["A"], "slots": 9, "parts": 9, "kings": 2, "memory": 1, "small": True, "threads": 1},
...     {"table": "A", "step": "solve", "start": 0, "end": 9, "own": 1, "pool": [0, 8], "bytes": 16},
...     {"table": "A", "step": "solved", "start": 9, "end": 9, "own": 0, "pool": [8, 8], "bytes": 0},
...     {"table": "A", "step": "write", "start": 9, "end": 11, "own": 2, "pool": [8, 8], "bytes": 0},
...     {"table": "B", "step": "solve", "start": 11, "end": 14, "own": 3, "pool": [8, 11], "bytes": 0},
... ]
>>> batch = Batch(trace)
>>> [(table.name, [(s.name, s.serial, s.parallel) for s in table.steps]) for table in batch.tables]
[('A', [('solve', 1, 8.0), ('solved', 0, 0.0), ('write', 2, 0.0)]), ('B', [('solve', 3.0, 0.0)])]

Alone, A is solved in 9 s; then writing it and making B share the core. With more cores, 1 s is for the
thread of A, 8 s are shared by as many as four cores, and B is made while A is written.

>>> batch.time(1), batch.time(2), batch.time(4), batch.time(64)
(14.0, 8.0, 6.0, 6.0)
>>> batch.clock, batch.work, batch.threads
(14, 14.0, 1)

A machine that moves 1 byte per second needs 16 s for the planes of A, in place of 3.

>>> batch.time(4, bandwidth=1)
19.0
>>> batch.time(4, memory=1)
8.0

A plan with a table of twice the slots of A:

>>> planned = {"table": "KRNSvKR", "finished": False, "subtables": ["KRNvKR"], "slots": 18, "memory": 1}
>>> batch.planned({"tables": [planned]}, 6).time(1)
22.0
"""

import argparse
import json
import sys
from dataclasses import dataclass, field

CORES = [1, 2, 4, 8, 16, 32, 64, 128]
# The step that begins when a table is solved: others can be made from it.
SOLVED = "solved"
EPSILON = 1e-9


@dataclass
class Step:
    name: str
    serial: float
    parallel: float
    bytes: float = 0


@dataclass
class Table:
    name: str
    needs: list
    slots: int
    parts: int
    kings: int
    memory: int
    small: bool
    steps: list = field(default_factory=list)


@dataclass
class Job:
    """A table at work: its steps that are left, the first one partly done."""

    table: Table
    steps: list

    def segment(self):
        """Whether the step is at its serial part, and the seconds left of the part."""
        step = self.steps[0]
        return (True, step.serial) if step.serial > EPSILON else (False, step.parallel)


class Batch:
    def __init__(self, lines):
        self.tables, by_name, records = [], {}, []
        self.threads = 1
        for line in lines:
            if "step" in line:
                records.append(line)
                continue
            self.threads = line["threads"]
            names = ["needs", "slots", "parts", "kings", "memory", "small"]
            table = Table(line["table"], *(line[name] for name in names))
            self.tables.append(table)
            by_name[table.name] = table
        records.sort(key=lambda record: record["start"])
        for record, pool in zip(records, pool_shares(records, by_name)):
            table = by_name[record["table"]]
            serial, parallel = (pool, 0.0) if table.small else (record["own"], pool)
            table.steps.append(Step(record["step"], serial, parallel, record["bytes"]))
        for table in self.tables:
            spread_bytes(table)
        self.clock = max((record["end"] for record in records), default=0)

    @property
    def work(self):
        """Seconds of all cores."""
        return sum(s.serial + s.parallel for table in self.tables for s in table.steps)

    def planned(self, plan, men):
        """The tables of these men of a plan, with the rates that the large tables here had in each step."""
        large = [table for table in self.tables if not table.small and table.steps]
        slots = sum(table.slots for table in large)
        rates = phases(self)
        batch = Batch([])
        for planned in plan["tables"]:
            if planned["finished"] or men_of(planned["table"]) != men:
                continue
            # A position more has no fewer parts than the largest table here.
            parts, kings = (max(getattr(table, name) for table in large) for name in ("parts", "kings"))
            table = Table(
                planned["table"], planned["subtables"], planned["slots"], parts, kings, planned["memory"], False
            )
            for name, (serial, parallel) in rates.items():
                share = table.slots / slots
                table.steps.append(Step(name, serial * share, parallel * share))
            batch.tables.append(table)
        return batch

    def time(self, cores, memory=None, bandwidth=None):
        """The seconds that the batch takes."""
        left = [table for table in self.tables if table.steps]
        missing = {table.name for table in left}
        jobs, now = [], 0.0
        while left or jobs:
            for table in list(left):
                used = sum(job.table.memory for job in jobs) + table.memory
                if len(jobs) > cores:
                    break
                if missing.isdisjoint(table.needs) and (not jobs or not memory or used <= memory):
                    left.remove(table)
                    steps = [Step(s.name, s.serial, s.parallel, s.bytes) for s in table.steps]
                    jobs.append(Job(table, steps))
            if not jobs:
                raise SystemExit("scaling.py: the trace has no table that can be made next")
            rates = core_shares(jobs, cores)
            slow_down(jobs, rates, bandwidth)
            step = min(job.segment()[1] / rate for job, rate in zip(jobs, rates))
            now += step
            for job, rate in zip(jobs, rates):
                current, (serial, _) = job.steps[0], job.segment()
                if serial:
                    current.serial -= rate * step
                else:
                    current.parallel -= rate * step
                while job.steps and job.segment()[1] <= EPSILON:
                    if job.steps.pop(0).name == SOLVED:
                        missing.discard(job.table.name)
                if not job.steps:
                    missing.discard(job.table.name)
            jobs = [job for job in jobs if job.steps]
        return round(now, 9)


def men_of(name):
    """The men of a table, such as four of KRvKN.makruk."""
    return len(name.split(".")[0]) - 1


def pool_shares(records, tables):
    """The seconds of the pool that belong to each step."""
    moments = {}
    for record in records:
        for at, pool in [(record["start"], record["pool"][0]), (record["end"], record["pool"][1])]:
            moments[at] = max(moments.get(at, pool), pool)
    times = sorted(moments)
    shares, open_steps, first = [0.0] * len(records), [], 0
    for start, end in zip(times, times[1:]):
        while first < len(records) and records[first]["start"] <= start:
            open_steps.append(first)
            first += 1
        open_steps = [number for number in open_steps if records[number]["end"] > start]
        weights = [waiting(records[number], tables) for number in open_steps]
        work = max(moments[end] - moments[start], 0)
        for number, weight in zip(open_steps, weights):
            shares[number] += work * weight / sum(weights)
    return shares


def waiting(record, tables):
    """The part of its time that a step leaves to the pool."""
    if tables[record["table"]].small:
        return 1.0
    return max(1 - record["own"] / (record["end"] - record["start"]), EPSILON)


def spread_bytes(table):
    """Shares out the bytes of the solver, which its last step has, by the work of its steps."""
    solving = [step for step in table.steps if step.name in ("solve", "layer")]
    work = sum(step.serial + step.parallel for step in solving)
    total = sum(step.bytes for step in solving)
    for step in table.steps:
        step.bytes = total * (step.serial + step.parallel) / work if step in solving and work else 0
        work_of_step = step.serial + step.parallel
        # From here on: bytes for each second of work.
        step.bytes = step.bytes / work_of_step if work_of_step else 0


def core_shares(jobs, cores):
    """The cores of each job: as many for each, and no more than it can use."""
    most = [most_cores(job) for job in jobs]
    rates, free, open_jobs = [0.0] * len(jobs), float(cores), sorted(range(len(jobs)), key=most.__getitem__)
    while open_jobs:
        job = open_jobs.pop(0)
        rates[job] = min(most[job], free / (len(open_jobs) + 1))
        free -= rates[job]
    return rates


def most_cores(job):
    """The cores that a job can use."""
    if job.table.small or job.segment()[0]:
        return 1
    return job.table.kings if job.steps[0].name == "wdl" else job.table.parts


def slow_down(jobs, rates, bandwidth):
    """Slows all jobs that move planes down to the bandwidth."""
    moved = sum(job.steps[0].bytes * rate for job, rate in zip(jobs, rates))
    if bandwidth and moved > bandwidth:
        for number, job in enumerate(jobs):
            if job.steps[0].bytes:
                rates[number] *= bandwidth / moved


def phases(batch):
    """For each step of large tables: seconds of their own threads and of the pool."""
    sums = {}
    for table in batch.tables:
        if not table.small:
            for step in table.steps:
                serial, parallel = sums.get(step.name, (0.0, 0.0))
                sums[step.name] = (serial + step.serial, parallel + step.parallel)
    return sums


def svg(curves):
    """A drawing of the cores at work by cores: a line for each trace."""
    left, bottom, width, height = 60, 330, 560, 300
    x = lambda number: left + width * number / (len(CORES) - 1)
    y = lambda cores: bottom - height * max(cores, 1) ** 0.5 / CORES[-1] ** 0.5
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 380" font-family="sans-serif" font-size="13">',
        '<rect width="700" height="380" fill="white"/>',
        f'<text x="{left + width / 2}" y="370" text-anchor="middle">cores</text>',
        '<text x="8" y="20">cores at work</text>',
    ]
    for number, cores in enumerate(CORES):
        parts.append(f'<text x="{x(number):.0f}" y="350" text-anchor="middle">{cores}</text>')
        if cores == 1 or cores > 4:
            parts.append(f'<text x="{left - 8}" y="{y(cores) + 4:.0f}" text-anchor="end">{cores}</text>')
            parts.append(f'<path d="M{left} {y(cores):.1f}H{left + width}" stroke="#ddd"/>')
    colours = ["#bbb", "#1f5fa8", "#b3541e", "#2f7d4f", "#7a4aa0"]
    for number, (name, values) in enumerate([("all", CORES), *curves]):
        colour = colours[number % len(colours)]
        points = " ".join(f"{x(place):.1f},{y(value):.1f}" for place, value in enumerate(values))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(f'<text x="{left + 16}" y="{50 + 18 * number}" fill="{colour}">{name}</text>')
    return "\n".join(parts) + "\n</svg>\n"


def main():
    parser = argparse.ArgumentParser(description="How long a traced batch takes on more cores.")
    parser.add_argument("traces", nargs="+", metavar="TRACE")
    parser.add_argument("--memory", type=float, help="memory of the machine in GiB")
    parser.add_argument("--bandwidth", type=float, help="bytes of planes moved per second, in GB")
    parser.add_argument("--svg", metavar="FILE", help="draw the cores at work")
    parser.add_argument("--plan", metavar="FILE", help="also a plan, with the rates of the first trace")
    parser.add_argument("--men", type=int, default=6, help="men of the tables of the plan [default: 6]")
    parser.add_argument("--title", action="append", default=[], help="what a trace is, in their order")
    arguments = parser.parse_args()
    memory = arguments.memory and arguments.memory * 2**30
    bandwidth = arguments.bandwidth and arguments.bandwidth * 1e9
    batches = []
    for path in arguments.traces:
        with open(path, encoding="utf-8") as lines:
            batches.append(Batch([json.loads(line) for line in lines]))
    titles = arguments.title + arguments.traces[len(arguments.title) :]
    curves = []
    for title, batch in zip(titles, batches):
        print(f"\n{title}: {len(batch.tables)} tables, {batch.work:.1f} s of work, {batch.threads} threads\n")
        print("| cores | time | cores at work |\n|---|---|---|")
        at_work = []
        for cores in CORES:
            time = batch.time(cores, memory, bandwidth)
            at_work.append(batch.work / time)
            print(f"| {cores} | {time:.1f} s | {at_work[-1]:.1f} |")
        curves.append((title, at_work))
        print("\n| step of large tables | one core | pool | serial |\n|---|---|---|---|")
        sums = phases(batch)
        whole = sum(map(sum, sums.values())) or 1
        for step, (serial, parallel) in sums.items():
            print(f"| {step} | {serial:.2f} s | {parallel:.2f} s | {100 * serial / whole:.2f} % |")
    print("\n| made by | with threads | the clock | from its own trace |" + "\n|---|---|---|---|")
    for title, batch in zip(titles, batches):
        time = batch.time(batch.threads, memory, bandwidth)
        print(f"| {title} | {batch.threads} | {batch.clock:.2f} s | {time:.2f} s, {100 * (time / batch.clock - 1):+.1f} % |")
    if arguments.plan:
        with open(arguments.plan, encoding="utf-8") as text:
            batch = batches[0].planned(json.load(text), arguments.men)
        hours = batch.work / 3600
        print(f"\n{len(batch.tables)} tables of {arguments.men} men: {hours:.0f} core-hours\n")
        print("| cores | hours | cores at work |\n|---|---|---|")
        for cores in CORES:
            time = batch.time(cores, memory, bandwidth)
            print(f"| {cores} | {time / 3600:.1f} | {batch.work / time:.1f} |")
    if arguments.svg:
        with open(arguments.svg, "w", encoding="utf-8") as drawing:
            drawing.write(svg(curves))


if __name__ == "__main__":
    sys.exit(main())
