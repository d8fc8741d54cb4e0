"""A service to look at, and its texts."""

import contextlib
import json
import pathlib
import re
import subprocess
from collections.abc import Iterator

LANGUAGES = pathlib.Path(__file__).parents[2] / "gen/atlas/web/languages"
# Seconds that the service has to say where it listens.
PATIENCE = 60


@contextlib.contextmanager
def running(program: str, *arguments: str) -> Iterator[str]:
    """Starts the service on a free port, and ends it. Gives its address."""
    command = [program, "serve", "--listen", "127.0.0.1:0", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        assert process.stdout
        for line in process.stdout:
            found = re.search(r"http://127\.0\.0\.1:\d+", line)
            if found:
                break
        else:
            raise AssertionError(f"{command} told no address: it ended with {process.wait(PATIENCE)}")
        yield found.group()
    finally:
        process.terminate()
        process.wait(PATIENCE)


class Texts:
    """The texts of a language, as pages of Makruk fill them."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.texts = json.loads((LANGUAGES / f"{language}.json").read_text())

    def say(self, key: str, **holes: object) -> str:
        words = {name: self.texts[f"{name}.mate"] for name in ("goal", "goals")}
        return self.texts[key].format(**{**words, **holes})

    def moves(self, count: int) -> str:
        return self.say("moves.one" if count == 1 else "moves.many", count=count)

    def left(self, count: int) -> str:
        return self.say("left.one" if count == 1 else "left.many", count=count)

    def side(self, side: str) -> str:
        return self.say(f"side.{side}")
