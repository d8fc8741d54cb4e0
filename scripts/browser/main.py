"""Uses the pages in Chromium, in every language, on a phone upright and sideways and on a desktop: those
of the service, and those of a site of files.

usage: main.py PROGRAM SHOTS MODULE [CHROMIUM]

PROGRAM is sakmak. Its service has the tables of one ending with an atlas of them, and of an ending of each board
game. It stands behind a proxy, below a path. The site, with the module of the npm package in MODULE, is a folder behind a plain
server of files, 30 ms away, below the same path. Screenshots go to the folder SHOTS. Stops with an error
at the first failure. scripts/browser.sh calls this.
"""

import contextlib
import pathlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

import atlas
import boards
import explorer
import figures
import findings
import panel
import trainer
from checks import bracketed, chromium, no_loose_text
from playwright.sync_api import Browser, ConsoleMessage, Page, expect
from site_under_test import LANGUAGES, FileHandler, ProxyHandler, Texts, listening, running

SIZES = ((390, 844), (844, 390), (1280, 800))
# Of a small laptop.
LOW = (1280, 600)
# Milliseconds for what is expected: the first answers wait for tables.
PATIENCE = 60_000
# What links are to show.
URL = "https://example.org/tb"
# Seconds that the host of the site takes for each file.
DELAY = 0.03


def refused(page: Page, message: ConsoleMessage) -> list[str]:
    """The message of the browser, if it is that the policy of the page forbids something."""
    return [f"{page.url}: {message.text}"] if "Content Security Policy" in message.text else []


class Pages:
    """The pages of a service or of a site, opened in a browser."""

    def __init__(self, browser: Browser, base: str, wrong: list[str]) -> None:
        self.browser, self.base, self.wrong = browser, base, wrong

    @contextlib.contextmanager
    def opened(self, language: str, size: tuple[int, int], **options: str) -> Iterator[Page]:
        """A page of a browser in this language, with nothing kept; errors of its scripts are noted."""
        width, height = size
        context = self.browser.new_context(
            viewport={"width": width, "height": height}, locale=language, has_touch=min(size) < 600, **options
        )
        page = context.new_page()
        page.on("pageerror", lambda error: self.wrong.append(f"{page.url}: {error}"))
        page.on("console", lambda message: self.wrong.extend(refused(page, message)))
        abroad: list[str] = []
        page.on("request", lambda request: abroad.append(request.url))
        yield page
        abroad = [url for url in abroad if not url.startswith((self.base, "data:"))]
        assert not abroad, abroad
        context.close()


def use(pages: Pages, service: str, language: str, size: tuple[int, int], kind: str, shots: pathlib.Path) -> None:
    """All that a player does, once."""
    texts, touch = Texts(language), min(size) < 600
    name = f"{kind}-{language}-{size[0]}"
    with pages.opened(language, size) as page:
        page.goto(f"{pages.base}/")
        explorer.use(page, pages.base, service, texts, f"{name}-explorer", shots, touch)
        trainer.use(page, pages.base, service, texts, f"{name}-trainer", shots, touch)
        atlas.use(page, pages.base, texts, f"{name}-atlas", shots)
        if kind == "service":
            boards.use(page, pages.base, service, texts, f"{name}-boards", shots)
        else:
            boards.unlisted(page, pages.base)
    print(f"{name}: used", flush=True)


def find(pages: Pages, language: str, size: tuple[int, int], functions: tuple) -> None:
    for function in functions:
        with pages.opened(language, size) as page:
            function(page, pages.base, Texts(language))
    print(f"{pages.base} {language} {size}: {len(functions)} findings", flush=True)


def written(program: str, module: str, place: pathlib.Path) -> tuple[str, str, str]:
    """The folders of tables, of their atlas and of a site."""
    tables, pages = atlas.written(program, place)
    boards.written(program, tables)
    site = str(place / "site")
    command = [program, "site", site, "--tables", tables, "--module", module, "--atlas", pages]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return tables, pages, site


def main() -> None:
    program, shots, module = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    shots.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=PATIENCE)
    wrong: list[str] = []
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as place, contextlib.ExitStack() as stack:
        tables, atlas_pages, folder = written(program, module, pathlib.Path(place))
        service = stack.enter_context(running(program, "--tables", tables, "--atlas", atlas_pages, "--url", URL))
        proxy = stack.enter_context(listening(ProxyHandler, service=service))
        host = stack.enter_context(listening(FileHandler, folder=folder, delay=DELAY))
        browser = stack.enter_context(chromium(sys.argv[4] if len(sys.argv) > 4 else None))
        served, site = Pages(browser, proxy, wrong), Pages(browser, host, wrong)
        languages = sorted(path.stem for path in LANGUAGES.glob("*.json"))
        for pages, kind in ((served, "service"), (site, "site")):
            for language in languages:
                for size in (*SIZES, LOW):
                    find(pages, language, size, findings.OF_EVERY_SIZE)
                find(pages, language, SIZES[0], findings.OF_ALL)
                if pages is served:
                    find(pages, language, SIZES[0], findings.OF_SERVICE)
                for size in SIZES:
                    use(pages, service, language, size, kind, shots)
            with pages.opened("en", SIZES[2]) as page:
                explorer.choices(page, pages.base)
            # Requests of a service worker are not those of the page.
            with pages.opened("en", SIZES[2], service_workers="block") as page:
                bracketed(page)
                page.goto(f"{pages.base}/")
                expect(page.locator("#line button").first).to_be_visible()
                no_loose_text(page, "explorer")
                trainer.texts_of_files(page, pages.base)
            figures.measure(pages, kind)
        figures.offline(site)
        with panel.written(pathlib.Path(place), module) as address:
            for of in (service, None):
                context = browser.new_context()
                panel.use(context.new_page(), address, of)
                context.close()
    assert not wrong, wrong
    print(f"{time.monotonic() - began:.0f} s; pictures are in {shots}")


if __name__ == "__main__":
    main()
