"""Tests the pages of an atlas in Chromium, wide and narrow.

usage: browser.py ATLAS SHOTS [CHROMIUM]

Screenshots go to the folder SHOTS. Stops with an error at the first failure.
"""

import pathlib
import sys

from playwright.sync_api import Page, sync_playwright

WIDTHS = (1280, 390)
# The tables of all materials, and materials with pawns, pieces on both sides, equal sides, mets
# of one colour. Pages that the atlas lacks are skipped.
PAGES = (
    "index", "ouk", "published", "KRvK", "KSMvK", "KRPvK", "KRvKR", "KMMvK",
    "KMMMvK", "KRNvKR", "KRMvKS", "KSPvKP",
)


def look(page: Page, name: str, width: int) -> None:
    """Tests what must hold for every page."""
    needed = page.evaluate("document.documentElement.scrollWidth")
    assert needed <= width, f"{name} is {needed} pixels wide, not {width}"
    empty = page.evaluate(
        """[...document.querySelectorAll("svg:not(.symbols)")].filter((svg) => {
            const box = svg.getBoundingClientRect();
            return box.width < 90 || box.height < 90 || !svg.children.length;
        }).length"""
    )
    assert empty == 0, f"{name}: {empty} pictures are too small or empty"
    # Symbols that boards refer to are on the page.
    lost = page.evaluate(
        """[...document.querySelectorAll("use")].filter(
            (use) => !document.querySelector(use.getAttribute("href"))).length"""
    )
    assert lost == 0, f"{name}: {lost} drawings are missing"


def sort(page: Page, name: str) -> None:
    """Sorts by each column, in both orders."""
    rows = page.locator("table.sortable tbody tr").count()
    assert rows > 0, f"{name} has no rows"
    heads = page.locator("table.sortable thead tr:last-child th")
    for column in range(heads.count()):
        # Narrow pages hide a column.
        if not heads.nth(column).is_visible():
            continue
        for order in range(2):
            heads.nth(column).locator("button").click()
            found = page.evaluate(
                "column => [...document.querySelectorAll('table.sortable tbody tr')]"
                ".map((row) => row.cells[column].dataset.key)",
                column,
            )
            there = [key for key in found if key]
            assert found == there + [""] * (len(found) - len(there)), (name, column)
            try:
                keys = [float(key) for key in there]
                falling = order == 0
            except ValueError:
                keys, falling = there, order == 1
            assert keys == sorted(keys, reverse=falling), (name, column, order)
            assert len(found) == rows
    page.reload()


def play(page: Page, name: str) -> None:
    """Lines, to the end and back."""
    for game in page.locator(".game").all():
        boards = (game.get_attribute("data-boards") or "").split(" ")
        if len(boards) < 2:
            continue
        men = game.locator(".board .men")
        first = men.inner_html()
        on, back, end = (game.get_by_label(name) for name in ("One move on", "One move back", "To the end"))
        on.click()
        assert men.inner_html() != first, f"{name}: nothing moved"
        assert game.locator(".move.now").get_attribute("data-ply") == "1"
        end.click()
        last = men.locator("use").count()
        assert last == sum(letter.isalpha() for letter in boards[-1])
        back.click()
        game.get_by_label("To the start").click()
        assert game.locator(".move.now").count() == 0


def main() -> None:
    atlas, shots = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    chromium = sys.argv[3] if len(sys.argv) > 3 and sys.argv[3] else None
    shots.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        # Pages are files of our own, and no sandbox is to be had as root.
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for script in (True, False):
            for width in WIDTHS:
                context = browser.new_context(
                    viewport={"width": width, "height": 900}, java_script_enabled=script
                )
                asked: list[str] = []
                context.on("request", lambda request: asked.append(request.url))
                wrong: list[str] = []
                page = context.new_page()
                page.on("pageerror", lambda error: wrong.append(str(error)))
                for name in PAGES:
                    path = atlas / f"{name}.html"
                    if not path.exists():
                        continue
                    page.goto(path.as_uri())
                    if script:
                        look(page, name, width)
                        if name in ("index", "ouk"):
                            sort(page, name)
                        play(page, name)
                    note = "" if script else "-no-script"
                    page.screenshot(path=shots / f"{name}-{width}{note}.png", full_page=True)
                assert not wrong, wrong
                abroad = [url for url in asked if not url.startswith(("file:", "data:"))]
                assert not abroad, abroad
                context.close()
        browser.close()
    print(f"pages looked at; pictures of them are in {shots}")


if __name__ == "__main__":
    main()
