"""Signals during a batch, sequences that lie, and forks."""

import itertools
import os
import signal
import threading
import time

import pytest

import sakmak

WON = "8/8/8/4k3/8/4K3/4S3/4M3 w"
BATCHES = {"probe_batch": 100_000, "category_batch": 4_000_000, "wdl_batch": 4_000_000}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", BATCHES)
def test_ctrl_c_ends_a_batch_within_a_second(tables, name, threads):
    sent = []

    def interrupt():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    # A shell that starts the tests in the background has them ignore the signal.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # The same text each time: a long batch that needs little memory in Python.
    fens = [WON] * BATCHES[name]
    timer = threading.Timer(0.5, interrupt)
    finished = False
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        getattr(tables, name)(fens, threads=threads)
        finished = True
        time.sleep(10)
    assert not finished, "too short a batch to interrupt"
    assert time.monotonic() - sent[0] < 1


def test_a_handler_of_signals_may_use_the_tablebase(directory):
    tables = sakmak.Tablebase(directory)
    handled = []

    def handle(*_):
        tables.add_directory(directory)
        handled.append(tables.category(WON))

    before = signal.signal(signal.SIGALRM, handle)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05, 0.1)
        fens = [WON] * 200_000
        assert tables.category_batch(fens, threads=2) == ["win"] * len(fens)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert handled and set(handled) == {"win"}
    assert len(tables.directories) == 1 + len(handled)


@pytest.mark.parametrize("name", BATCHES)
def test_the_length_of_a_sequence_is_not_trusted(tables, name):
    class Liar(list):
        def __len__(self):
            return 10**12

    batch = getattr(tables, name)
    assert len(batch(Liar([WON, WON]))) == 2
    assert len(batch(fen for fen in [WON, WON])) == 2
    for wrong in [WON, [WON, 1], WON.encode(), 1, None]:
        with pytest.raises(TypeError):
            batch(wrong)


def test_an_endless_iterable_is_refused(tables):
    with pytest.raises(ValueError, match="split the batch"):
        tables.wdl_batch(itertools.repeat(WON))


@pytest.mark.parametrize("adding", [False, True])
def test_a_child_of_a_fork_probes_whatever_the_threads_of_its_parent_do(directory, rows, adding):
    rows = [row for row in rows if row.counting == "makruk"][::4]

    def probed(tables):
        return all(tables.category(row.fen) == row.category for row in rows)

    for _ in range(15):
        tables = sakmak.Tablebase(directory)
        stop = threading.Event()

        def work(start):
            for row in itertools.cycle(rows[start:] + rows[:start]):
                if stop.is_set():
                    return
                tables.category(row.fen)
                if adding:
                    tables.add_directory(directory)

        threads = [threading.Thread(target=work, args=(start * 3,)) for start in range(4)]
        for thread in threads:
            thread.start()
        child = os.fork()
        if child == 0:
            # The default action of the signal ends a child that hangs.
            signal.alarm(20)
            code = 1
            try:
                tables.add_directory(directory)
                if probed(tables) and tables.category_batch([WON] * 200) == ["win"] * 200:
                    code = 0
            finally:
                os._exit(code)
        stop.set()
        for thread in threads:
            thread.join()
        _, status = os.waitpid(child, 0)
        assert status == 0
