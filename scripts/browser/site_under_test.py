"""A service and a site to look at, and their texts."""

import contextlib
import http.server
import json
import pathlib
import re
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
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


class PrefixedHandler(http.server.SimpleHTTPRequestHandler):
    """A host that has everything below a prefix, and answers late."""

    protocol_version = "HTTP/1.1"
    prefix = "/some/where"
    # Seconds before each answer.
    delay = 0.0

    def log_message(self, *_: object) -> None:
        pass

    def inner_path(self) -> str | None:
        """The path below the prefix; answers 404 if there is none."""
        time.sleep(self.delay)
        if self.path.startswith(f"{self.prefix}/"):
            return self.path[len(self.prefix) :]
        self.send_error(404)
        return None


class FileHandler(PrefixedHandler):
    """Files of a folder, whole or in one range."""

    folder = ""

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments, directory=self.folder)

    def do_GET(self) -> None:
        path = self.inner_path()
        if path is None:
            return
        self.path = path
        found = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        if not found:
            super().do_GET()
            return
        file = pathlib.Path(self.translate_path(self.path))
        if not file.is_file():
            self.send_error(404)
            return
        first, last = (int(number) for number in found.groups())
        with file.open("rb") as opened:
            opened.seek(first)
            part = opened.read(last + 1 - first)
        self.send_response(206)
        self.send_header("Content-Range", f"bytes {first}-{last}/{file.stat().st_size}")
        self.send_header("Content-Length", str(len(part)))
        self.end_headers()
        self.wfile.write(part)


class ProxyHandler(PrefixedHandler):
    """A reverse proxy of a service."""

    service = ""

    def do_GET(self) -> None:
        path = self.inner_path()
        if path is None:
            return
        languages = {"Accept-Language": self.headers.get("Accept-Language", "")}
        try:
            answer = urllib.request.urlopen(urllib.request.Request(self.service + path, headers=languages))
        except urllib.error.HTTPError as error:
            answer = error
        body = answer.read()
        self.send_response(answer.status)
        for name in ("Content-Type", "Content-Security-Policy", "X-Content-Type-Options"):
            if answer.headers[name]:
                self.send_header(name, answer.headers[name])
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class PatientServer(http.server.ThreadingHTTPServer):
    """Says nothing of browsers that go away before their answer."""

    daemon_threads = True

    def handle_error(self, *arguments: object) -> None:
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(*arguments)


@contextlib.contextmanager
def listening(handler: type[PrefixedHandler], **fields: object) -> Iterator[str]:
    """Answers on a free port, and ends. Gives the address, without a slash at its end."""
    server = PatientServer(("127.0.0.1", 0), type("Handler", (handler,), fields))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}{handler.prefix}"
    finally:
        server.shutdown()
        server.server_close()


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

    def only(self, count: int) -> str:
        return self.say("only.one" if count == 1 else "only.many", count=count)

    def side(self, side: str) -> str:
        return self.say(f"side.{side}")
