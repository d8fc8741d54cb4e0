"""The atlas inside the service: found by its search, and a position opened on the board."""

import pathlib
import subprocess

from checks import shown
from playwright.sync_api import Page, expect
from site_under_test import LANGUAGES, Texts


def written(program: str, place: pathlib.Path) -> tuple[str, str]:
    """The directories of tables of one ending and those that it leads to, and of their atlas."""
    tables, atlas = place / "tables", place / "atlas"
    quiet = {"check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run([program, "generate", "KSMvK", "--tables", tables], **quiet)
    for code in sorted(path.stem for path in LANGUAGES.glob("*.json")):
        folder = atlas if code == "en" else atlas / code
        subprocess.run([program, "report", "--tables", tables, "-o", folder, "--language", code], **quiet)
    return str(tables), str(atlas)


def use(page: Page, base: str, texts: Texts, name: str, shots: pathlib.Path) -> None:
    page.goto(f"{base}/atlas/")
    # In the language of the reader, with the head of all pages.
    names = {"first": texts.say("variant.makruk"), "last": texts.say("variant.ouk")}
    games = texts.say("atlas.and", **names)
    expect(page.locator("h1")).to_have_text(texts.say("atlas.heading", games=games))
    expect(page.locator("header.top nav a[aria-current]")).to_have_text(texts.say("head.atlas"))
    rows = page.locator("table.overview tbody tr")
    search = page.locator("form.search [name=words]")
    # Words are joined as people join them, and the address has them.
    found = page.locator("table.overview tbody tr:visible")
    for words in ("khon and met", "K S M", "khons + met"):
        search.fill(words)
        expect(found).to_have_count(1)
    page.reload()
    expect(search).to_have_value("khons + met")
    expect(found).to_have_count(1)
    search.fill("KMSvK")
    expect(page.locator("form.search output")).to_have_text(
        texts.say("atlas.found", shown=1, all=rows.count())
    )
    shown(page, f"{name}-search", shots)
    page.locator("table.overview tbody tr:visible a").click()
    expect(page.locator("h1")).to_have_text("KSMvK")
    shown(page, f"{name}-material", shots)
    game = page.locator(".game").first
    game.get_by_label(texts.say("atlas.play.on")).click()
    fen = game.locator(".fen code").text_content()
    game.get_by_text(texts.say("atlas.open")).click()
    expect(page.locator("#position [name=fen]")).to_have_value(fen)
