"""Chromium, and what must hold for every page."""

import contextlib
import pathlib
from collections.abc import Iterator

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright

AXE = Axe()


@contextlib.contextmanager
def chromium(path: str | None) -> Iterator[Browser]:
    """Chromium of this path, or Playwright's own."""
    with sync_playwright() as playwright:
        # Pages are our own, and there is no sandbox for root.
        browser = playwright.chromium.launch(executable_path=path or None, args=["--no-sandbox"])
        yield browser
        browser.close()


def is_no_wider(page: Page, name: str) -> None:
    """Nothing is wider than the page."""
    width = page.viewport_size["width"]
    needed = page.evaluate("document.documentElement.scrollWidth")
    assert needed <= width, f"{name} is {needed} pixels wide, not {width}"


def fits(page: Page, name: str) -> None:
    """Nothing is wider than the page, cut off or too small to be tapped."""
    is_no_wider(page, name)
    cut = page.evaluate(
        """[...document.querySelectorAll("button, label, h1, h2, h3, p, a, select")]
            .filter((box) => box.getClientRects().length && !box.classList.contains("unseen"))
            .filter((box) => box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).display !== "inline")
            .map((box) => box.textContent)"""
    )
    assert not cut, f"{name}: cut off: {cut}"
    small = page.evaluate(
        """[...document.querySelectorAll("button, select, input")]
            .map((box) => [box, box.getBoundingClientRect()])
            .filter(([box, { width, height }]) => width && (width < 15 || height < 18))
            .map(([box, { width, height }]) => `${box.outerHTML.slice(0, 80)}: ${width} x ${height}`)"""
    )
    assert not small, f"{name}: too small to be tapped: {small}"


def accessible(page: Page, name: str) -> None:
    """axe-core finds no error."""
    results = AXE.run(page)
    assert results.violations_count == 0, f"{name}: {results.generate_report()}"


def shown(page: Page, name: str, shots: pathlib.Path) -> None:
    """Light and dark: the page fits and is accessible. Takes a picture of each."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        fits(page, name)
        accessible(page, f"{name}, {scheme}")
        page.screenshot(path=shots / f"{name}-{scheme}.png", full_page=True)
    page.emulate_media(color_scheme="light")


def bracketed(page: Page) -> None:
    """Sets every text of a language file in brackets, for pages opened from now on."""

    def answer(route) -> None:
        texts = route.fetch().json()
        route.fulfill(json={key: f"⟦{text}⟧" for key, text in texts.items()})

    page.route("**/languages/*.json", answer)


def no_loose_text(page: Page, name: str) -> None:
    """All that is read on a page whose texts are in brackets is in brackets, or is no word."""
    loose = page.evaluate(
        """() => {
            const own = (element) => element.closest('[translate="no"], script, style, #line .number');
            const word = (text) => {
                const outer = text.replace(/⟦[^⟦⟧]*⟧/gu, "");
                return outer === text ? /\\p{L}/u.test(text) : word(outer);
            };
            const found = [];
            const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            while (walker.nextNode()) {
                const { data, parentElement } = walker.currentNode;
                if (!own(parentElement) && word(data)) found.push(data);
            }
            for (const element of document.querySelectorAll("[aria-label], [title], [placeholder]")) {
                for (const name of ["aria-label", "title", "placeholder"]) {
                    const text = element.getAttribute(name) ?? "";
                    if (word(text)) found.push(text);
                }
            }
            return found;
        }"""
    )
    assert not loose, f"{name}: texts that are in no file of a language: {loose}"
