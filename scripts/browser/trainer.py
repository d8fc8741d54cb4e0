"""The trainer as a player uses it: one exercise won, one lost, one drawn at random."""

import json
import pathlib

from checks import no_loose_text, shown
from explorer import ask, walk
from playwright.sync_api import Page, expect
from site_under_test import Texts

# Mate in two with the rook.
WON = "8/8/8/8/8/2K5/7R/k7_w"
# 25 moves are left for a mate in 24; after Sd3 it takes 26.
LOST = "8/8/8/4k3/8/4K3/4S3/4M3_w_-_88_40_21"
WRONG = {"from": "e2", "to": "d3", "move": "Sd3", "before": 24, "after": 26, "left": 25}
# More moves than the player needs.
MOST = 6


def said(page: Page):
    return page.locator("#said")


def shown_fen(page: Page) -> str:
    """The position on the board, from the link that opens it in the explorer."""
    return page.locator("#explore").evaluate("link => new URL(link.href).searchParams.get('fen')")


def play(page: Page, uci: str, keyboard: bool) -> None:
    for square in (uci[:2], uci[2:4]):
        if keyboard:
            page.locator("#board [tabindex='0']").focus()
            walk(page, square)
            page.keyboard.press("Enter")
        else:
            page.locator(f"#board [data-square={square}]").click()


def progress(page: Page) -> dict:
    return json.loads(page.evaluate("localStorage.getItem('sakmak.trainer') ?? '{}'"))


def win(page: Page, base: str, service: str, texts: Texts, name: str, shots: pathlib.Path, keyboard: bool) -> None:
    """The best moves of the table, until mate."""
    page.goto(f"{base}/trainer.html?variant=makruk&fen={WON}")
    answer = ask(page, service, f"/makruk?fen={WON}&line=false")
    left = texts.moves(answer["count"]["moves_left"])
    task = texts.say("trainer.task.mate", side=texts.side("white"), moves=left)
    expect(page.locator("#task")).to_have_text(task)
    shown(page, f"{name}-task", shots)
    for _ in range(MOST):
        fen = shown_fen(page)
        best = ask(page, service, f"/makruk?fen={fen.replace(' ', '_')}&line=false")["moves"][0]
        play(page, best["uci"], keyboard)
        if best["checkmate"]:
            break
        # The reply of the table.
        page.wait_for_function(
            "fen => { const now = new URL(document.getElementById('explore').href).searchParams.get('fen');"
            " return now !== fen && now.split('_')[1] === 'w'; }",
            arg=fen,
        )
    done = f"{texts.say('trainer.end.mate')} {texts.say('trainer.done')}"
    expect(said(page)).to_have_text(done)
    assert progress(page)["makruk KRvK mate"] == {"tried": 1, "done": 1, "streak": 1}
    shown(page, f"{name}-won", shots)


def lose(page: Page, base: str, texts: Texts, name: str, shots: pathlib.Path) -> None:
    """A move that throws the win away, told at once; then it is taken back."""
    page.goto(f"{base}/trainer.html?variant=makruk&fen={LOST}")
    expect(page.locator("#explore")).to_be_visible()
    play(page, WRONG["from"] + WRONG["to"], keyboard=False)
    holes = {key: WRONG[key] for key in ("move", "before", "after", "left")}
    expect(said(page)).to_have_text(texts.say("trainer.cost.late", other=texts.side("black"), **holes))
    expect(page.locator("#said.bad")).to_be_visible()
    assert progress(page)["makruk KSMvK mate"] == {"tried": 1, "done": 0, "streak": 0}
    shown(page, f"{name}-lost", shots)
    page.locator("#back").click()
    expect(said(page)).to_have_text("")
    assert shown_fen(page).startswith("8/8/8/4k3/8/4K3/4S3/4M3_w")
    page.locator("#solution").click()
    expect(said(page)).to_have_text(texts.say("trainer.solution.moves", moves="Md2, Mf2"))
    expect(page.locator("#board .arrow").first).to_be_visible()


def draw(page: Page, texts: Texts) -> None:
    """A position drawn by the form, and a request that no position fits."""
    form = page.locator("#choice")
    form.locator("[name=material]").select_option("KRvK")
    form.locator("[name=moves]").select_option("6-12")
    form.locator("[name=margin]").select_option("1-3")
    form.locator("[name=side]").select_option("white")
    form.locator("[type=submit]").click()
    page.wait_for_function("() => new URL(document.getElementById('explore').href).searchParams.get('fen').includes('R')")
    expect(page.locator("#refused")).to_have_text("")
    form.locator("[name=moves]").select_option("26-999")
    form.locator("[type=submit]").click()
    expect(page.locator("#refused")).to_have_text(texts.say("trainer.error.no_exercise"))
    page.locator("#clear").click()
    assert progress(page) == {}
    expect(page.locator("#progress")).to_have_text(texts.say("trainer.progress.none"))


def use(page: Page, base: str, service: str, texts: Texts, name: str, shots: pathlib.Path, touch: bool) -> None:
    win(page, base, service, texts, name, shots, keyboard=not touch)
    lose(page, base, texts, name, shots)
    draw(page, texts)


def texts_of_files(page: Page, base: str) -> None:
    """Every text of the page is in the files of languages; texts are in brackets."""
    page.goto(f"{base}/trainer.html?variant=makruk&fen={LOST}")
    expect(page.locator("#task")).to_contain_text("⟦")
    no_loose_text(page, "trainer")
