"""Looks a position up in another process: for test_lifetime.py.

usage: python pool.py TABLES METHOD
"""

import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor

import sakmak

tables = sakmak.open_tablebase(sys.argv[1])


def work(fen):
    return tables.probe(fen)


if __name__ == "__main__":
    context = multiprocessing.get_context(sys.argv[2])
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        print(list(pool.map(work, ["8/8/8/4k3/8/4K3/4S3/4M3 w - 88 40 21"])))
