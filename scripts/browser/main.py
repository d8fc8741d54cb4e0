"""Uses the pages of the service in Chromium: wide and narrow, light and dark, in every language.

usage: main.py PROGRAM SHOTS [CHROMIUM]

PROGRAM is sakmak, whose service is started with no tables. Screenshots go to the folder SHOTS. Stops
with an error at the first failure.
"""

import pathlib
import sys
import tempfile

import atlas
import explorer
import trainer
from checks import bracketed, no_loose_text
from playwright.sync_api import Browser, Page, expect, sync_playwright
from site_under_test import LANGUAGES, Texts, running

WIDTHS = (1280, 390)
# Milliseconds for what is expected: the first answers wait for tables.
PATIENCE = 60_000


def opened(browser: Browser, language: str, width: int, wrong: list[str]) -> Page:
    """A page of a browser in this language; errors of its scripts go to `wrong`."""
    context = browser.new_context(
        viewport={"width": width, "height": 900}, locale=language, has_touch=width < 600
    )
    page = context.new_page()
    page.on("pageerror", lambda error: wrong.append(f"{page.url}: {error}"))
    return page


def main() -> None:
    program, shots = sys.argv[1], pathlib.Path(sys.argv[2])
    chromium = sys.argv[3] if len(sys.argv) > 3 and sys.argv[3] else None
    shots.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=PATIENCE)
    wrong: list[str] = []
    with (
        tempfile.TemporaryDirectory() as place,
        running(program, "--atlas", atlas.written(program, pathlib.Path(place))) as base,
        sync_playwright() as playwright,
    ):
        # Pages are of our own program, and no sandbox is to be had as root.
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for language in sorted(path.stem for path in LANGUAGES.glob("*.json")):
            for width in WIDTHS:
                page = opened(browser, language, width, wrong)
                abroad: list[str] = []
                page.on("request", lambda request: abroad.append(request.url))
                name = f"explorer-{language}-{width}"
                page.goto(base)
                explorer.use(page, base, Texts(language), name, shots, touch=width < 600)
                abroad = [url for url in abroad if not url.startswith((base, "data:"))]
                assert not abroad, abroad
                name = f"trainer-{language}-{width}"
                trainer.use(page, base, Texts(language), name, shots, touch=width < 600)
                print(f"{name}: used", flush=True)
                name = f"atlas-{language}-{width}"
                atlas.use(page, base, Texts(language), name, shots)
                page.context.close()
                print(f"{name}: used", flush=True)
        page = opened(browser, "en", WIDTHS[0], wrong)
        explorer.choices(page, base)
        page.context.close()
        page = opened(browser, "en", WIDTHS[0], wrong)
        bracketed(page)
        page.goto(base)
        expect(page.locator("#line button").first).to_be_visible()
        no_loose_text(page, "explorer")
        trainer.texts_of_files(page, base)
        browser.close()
    assert not wrong, wrong
    print(f"pictures are in {shots}")


if __name__ == "__main__":
    main()
