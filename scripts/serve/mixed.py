"""Asks a service for all that it has, on many connections: positions of every variant and board game
with and without lines, lists of positions, exercises, pages and pictures.

Prints the requests, their statuses, and the most memory of the service's process meanwhile.

usage: mixed.py ADDRESS PROCESS SECONDS [CONNECTIONS]
"""

import collections
import http.client
import json
import pathlib
import random
import sys
import threading
import time
from urllib.parse import quote, urlparse

# Positions of games that are solved by tiers, as files of their tables have them.
BOARD_GAMES = {
    "janggi": ("4k4/9/9/9/9/9/3{}5/9/4K4/9 {}", "rnbpc"),
    "rek": ("3k4/8/8/8/3{}4/8/8/4K3 {}", "r"),
}
SAMPLING = 0.05


def placement(rng, letters):
    """A random position of three or four men, which may be illegal."""
    men = ["K", "k", *(rng.choice(letters) for _ in range(rng.choice([1, 2, 2, 2])))]
    board = [["1"] * 8 for _ in range(8)]
    for square, man in zip(rng.sample(range(64), len(men)), men):
        board[square // 8][square % 8] = man
    return f"{'/'.join(map(''.join, board))} {rng.choice('wb')}"


def question(rng, variants):
    """The path and the body of a request; no body for GET."""
    name, letters = rng.choice(variants)
    fen = placement(rng, letters).replace(" ", "_")
    draw = rng.random()
    if draw < 0.45:
        return f"/{name}?fen={fen}&line=false", None
    if draw < 0.65:
        return f"/{name}?fen={fen}", None
    if draw < 0.75:
        return f"/{name}/mainline?fen={fen}", None
    if draw < 0.85:
        fens = [placement(rng, letters) for _ in range(100)]
        return f"/{name}", json.dumps({"fens": fens, "line": rng.random() < 0.1})
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


def ask(address, variants, seed, end, statuses, lock):
    """Asks until the end, on one connection at a time."""
    rng = random.Random(seed)
    connection = None
    while time.monotonic() < end:
        path, body = question(rng, variants)
        try:
            connection = connection or http.client.HTTPConnection(address, timeout=60)
            method = "GET" if body is None else "POST"
            connection.request(method, path, body, {"Content-Type": "application/json"} if body else {})
            response = connection.getresponse()
            response.read()
            status = response.status
        except (OSError, http.client.HTTPException) as error:
            connection, status = None, type(error).__name__
        with lock:
            statuses[status] += 1


def main(address, process, seconds, connections="64"):
    host = urlparse(address).netloc
    connection = http.client.HTTPConnection(host, timeout=60)
    connection.request("GET", "/variants")
    listed = json.loads(connection.getresponse().read())["variants"]
    variants = []
    for variant in listed:
        letters = [piece["letter"] for kind, piece in variant["pieces"].items()
                   if kind != "K" and not (kind == "P" and variant["refuses_pawns"])]
        variants.append((variant["name"], letters + [letter.lower() for letter in letters]))
    end = time.monotonic() + float(seconds)
    statuses, lock = collections.Counter(), threading.Lock()
    threads = [threading.Thread(target=ask, args=(host, variants, seed, end, statuses, lock))
               for seed in range(int(connections))]
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
    main(*sys.argv[1:])
