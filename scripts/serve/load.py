"""Asks a service that scripts/serve-load.sh measures.

usage: load.py positions ADDRESS NUMBER [PARAMETERS] > PATHS
       load.py idle ADDRESS NUMBER
       load.py mixed ADDRESS PROCESS SECONDS [CONNECTIONS]

`positions` writes paths of random positions of five men, one a line; positions
without an answer are left out: illegal ones, and ones without a table. `idle` holds idle connections
until it is ended, and says when all are open. `mixed` asks for all that the service has, on many
connections: positions of every variant with and without lines, lists of positions, exercises, pages and
pictures; it prints the requests, their statuses, and the most memory of the service's process meanwhile.
"""

import collections
import http.client
import json
import pathlib
import random
import resource
import socket
import sys
import threading
import time
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "crosscheck"))
from fen import random_board  # noqa: E402

BATCH = 100
# Positions of board games of three men.
BOARD_GAMES = {
    "janggi": ("4k4/9/9/9/9/9/3{}5/9/4K4/9 {}", "rnbpc"),
    "rek": ("3k4/8/8/8/3{}4/8/8/4K3 {}", "r"),
}
SAMPLING = 0.05


def placement(rng, letters, others):
    """A FEN with two kings and so many other men; it may be illegal."""
    return f"{random_board(rng, ['K', 'k', *rng.choices(letters, k=others)])} {rng.choice('wb')}"


def positions(address, number, parameters=""):
    rng, written = random.Random(1), 0
    while written < int(number):
        body = json.dumps({"fens": [placement(rng, "RNSMPrnsmp", 3) for _ in range(BATCH)], "line": False}).encode()
        with urlopen(Request(f"{address}makruk", data=body)) as response:
            answers = json.load(response)
        for answer in answers:
            if not {"error", "missing"} & answer.keys() and written < int(number):
                path = f"/makruk?fen={answer['fen'].replace(' ', '_')}"
                print(path + (f"&{parameters}" if parameters else ""))
                written += 1


def idle(address, number):
    address = urlsplit(address)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    held = [socket.create_connection((address.hostname, address.port)) for _ in range(int(number))]
    print(f"{len(held)} idle connections", flush=True)
    while True:
        time.sleep(60)


def question(rng, variants):
    """The path and the body of a request; no body for GET."""
    name, letters = rng.choice(variants)
    one = lambda: placement(rng, letters, rng.choice([1, 2, 2, 2]))
    fen = one().replace(" ", "_")
    draw = rng.random()
    if draw < 0.45:
        return f"/{name}?fen={fen}&line=false", None
    if draw < 0.65:
        return f"/{name}?fen={fen}", None
    if draw < 0.75:
        return f"/{name}/mainline?fen={fen}", None
    if draw < 0.85:
        return f"/{name}", json.dumps({"fens": [one() for _ in range(BATCH)], "line": rng.random() < 0.1})
    if draw < 0.88:
        return f"/{name}?fen={fen}&line=false&mate_in_time=true", None
    if draw < 0.90:
        return f"/{name}/draw?goal=mate&material=KRvK", None
    if draw < 0.96:
        game, (board, men) = rng.choice(list(BOARD_GAMES.items()))
        path = f"/{game}" if rng.random() < 0.8 else f"/{game}/board.svg"
        return f"{path}?fen={quote(board.format(rng.choice(men), rng.choice('wb')))}", None
    return rng.choice([f"/?fen={fen}", f"/board.png?fen={fen}", "/variants", "/metrics"]), None


def memory(process):
    """Kilobytes of a process: of its own, and with files that it maps."""
    lines = pathlib.Path(f"/proc/{process}/status").read_text().splitlines()
    fields = dict(line.split(":", 1) for line in lines if ":" in line)
    return [int(fields[name].split()[0]) for name in ("RssAnon", "VmRSS")]


def ask(host, variants, seed, end, statuses, lock):
    """Asks until the end, on one connection at a time."""
    rng = random.Random(seed)
    connection = None
    while time.monotonic() < end:
        path, body = question(rng, variants)
        try:
            connection = connection or http.client.HTTPConnection(host, timeout=60)
            headers = {"Content-Type": "application/json"} if body else {}
            connection.request("POST" if body else "GET", path, body, headers)
            response = connection.getresponse()
            response.read()
            status = response.status
        except (OSError, http.client.HTTPException) as error:
            connection, status = None, type(error).__name__
        with lock:
            statuses[status] += 1


def mixed(address, process, seconds, connections="64"):
    with urlopen(f"{address}variants") as response:
        listed = json.load(response)["variants"]
    variants = []
    for variant in listed:
        letters = [piece["letter"] for kind, piece in variant["pieces"].items()
                   if kind != "K" and not (kind == "P" and variant["refuses_pawns"])]
        variants.append((variant["name"], letters + [letter.lower() for letter in letters]))
    end = time.monotonic() + float(seconds)
    statuses, lock = collections.Counter(), threading.Lock()
    asked = (urlsplit(address).netloc, variants)
    threads = [threading.Thread(target=ask, args=(*asked, seed, end, statuses, lock)) for seed in range(int(connections))]
    for thread in threads:
        thread.start()
    most = [0, 0]
    while any(thread.is_alive() for thread in threads):
        most = [max(pair) for pair in zip(most, memory(process))]
        time.sleep(SAMPLING)
    answered = ", ".join(f"{count} with {status}" for status, count in statuses.most_common())
    print(f"requests: {sum(statuses.values())}, {answered}")
    print(f"memory: {most[0] >> 10} MiB at most, {most[1] >> 10} MiB with mapped files")


if __name__ == "__main__":
    commands = {"positions": positions, "idle": idle, "mixed": mixed}
    if len(sys.argv) < 4 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    commands[sys.argv[1]](*sys.argv[2:])
