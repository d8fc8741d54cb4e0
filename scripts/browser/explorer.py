"""The explorer as a player uses it: by pointer, by touch and by keyboard."""

import pathlib
import re

from checks import shown
from playwright.sync_api import Page, expect
from site_under_test import Texts

# Khun, khon and met against a khun, to be set up.
MEN = {"e3": "K", "e2": "S", "e1": "M", "e5": "k"}
PLACEMENT = "8/8/8/4k3/8/4K3/4S3/4M3"


def ask(page: Page, base: str, path: str) -> dict:
    response = page.request.get(base + path)
    assert response.ok, (path, response.text())
    return response.json()


def sentence(page: Page):
    return page.locator("#verdict .sentence")


def fen(page: Page):
    return page.locator("#position [name=fen]")


def square(page: Page, name: str):
    return page.locator(f"#board [data-square={name}]")


def won(texts: Texts, answer: dict, winner: str) -> str:
    """The verdict on a win before the count ends."""
    return texts.say(
        "verdict.win.left",
        winner=texts.side(winner),
        moves=texts.moves((answer["mate_in_time"] + 1) // 2),
        left=texts.left(answer["count"]["moves_left"]),
    )


def fresh(page: Page, address: str) -> None:
    """Opens a page and waits for its first answer."""
    page.goto(address)
    expect(page.locator("#moves button").first).to_be_visible()


def answered(page: Page) -> None:
    """Waits for the answer, or for why there is none."""
    expect(page.locator('#verdict[aria-busy="false"]:not(.waits)')).to_have_count(1)


def cleared(page: Page) -> None:
    page.locator("#setup").click()
    page.locator("#clear").click()
    expect(fen(page)).to_have_value(re.compile("^8/8/8/8/8/8/8/8 "))


def set_up_by_drag(page: Page) -> None:
    cleared(page)
    for name, letter in MEN.items():
        page.locator(f".palette [data-letter={letter}]").hover()
        page.mouse.down()
        box = square(page, name).bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
        page.mouse.up()
    # A man that is dragged off the board is gone.
    page.locator(".palette [data-letter=R]").hover()
    page.mouse.down()
    square(page, "a5").hover()
    page.mouse.up()
    expect(fen(page)).to_have_value(re.compile("^8/8/8/R3k3/"))
    page.mouse.down()
    page.locator("#verdict").hover()
    page.mouse.up()
    expect(fen(page)).to_have_value(re.compile(f"^{PLACEMENT} w"))
    page.locator("#setup").click()


def set_up_by_taps(page: Page) -> None:
    cleared(page)
    for name, letter in MEN.items():
        page.locator(f".palette [data-letter={letter}]").tap()
        square(page, name).tap()
    expect(fen(page)).to_have_value(re.compile(f"^{PLACEMENT} w"))
    page.locator("#setup").tap()


def tab_to(page: Page, selector: str) -> None:
    """Goes on with Tab until an element has the focus."""
    for _ in range(200):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"Tab does not come to {selector}")


def walk(page: Page, to: str) -> None:
    """Goes over the squares with the arrow keys."""
    at = page.evaluate("document.activeElement.dataset.square")
    files = ord(to[0]) - ord(at[0]), ("ArrowLeft", "ArrowRight")
    ranks = int(to[1:]) - int(at[1:]), ("ArrowDown", "ArrowUp")
    for steps, keys in (files, ranks):
        for _ in range(abs(steps)):
            page.keyboard.press(keys[steps > 0])
    assert page.evaluate("document.activeElement.dataset.square") == to


def set_up_by_keyboard(page: Page) -> None:
    tab_to(page, "#setup")
    page.keyboard.press("Enter")
    tab_to(page, "#clear")
    page.keyboard.press("Enter")
    for name, letter in MEN.items():
        tab_to(page, f".palette [data-letter={letter}]")
        page.keyboard.press("Enter")
        walk(page, name)
        page.keyboard.press("Enter")
    # One too many, taken off again.
    tab_to(page, ".palette [data-letter=P]")
    page.keyboard.press("Enter")
    walk(page, "a3")
    page.keyboard.press("Enter")
    expect(fen(page)).to_have_value(re.compile("/P3K3/"))
    page.keyboard.press("Delete")
    expect(fen(page)).to_have_value(re.compile(f"^{PLACEMENT} w"))
    tab_to(page, "#setup")
    page.keyboard.press("Enter")


def moves_by_keyboard(page: Page, base: str) -> None:
    """Plays the best move on the board, with keys only."""
    best = ask(page, base, f"/makruk?fen={PLACEMENT}_w")["moves"][0]
    expect(page.locator("#moves button").first).to_be_visible()
    tab_to(page, "#board [data-square]")
    walk(page, best["uci"][:2])
    page.keyboard.press("Enter")
    expect(page.locator("#board .mark").first).to_be_visible()
    walk(page, best["uci"][2:4])
    page.keyboard.press("Enter")
    expect(fen(page)).to_have_value(best["fen"])
    tab_to(page, "#undo")
    page.keyboard.press("Enter")
    expect(fen(page)).to_have_value(re.compile(f"^{PLACEMENT} w"))


def sets_count(page: Page, base: str, texts: Texts) -> None:
    """Tells the count, and reads the verdict."""
    fresh = ask(page, base, f"/makruk?fen={PLACEMENT}_w")
    expect(sentence(page)).to_have_text(won(texts, fresh, "white"))
    called = fresh["count"]["limit"] - (fresh["mate_in_time"] + 1) // 2
    page.locator("#count [name=called]").fill(str(called))
    page.keyboard.press("Enter")
    running = ask(page, base, f"/makruk?fen={PLACEMENT}_w&called={called}")
    assert running["category"] == "win", running
    expect(sentence(page)).to_have_text(won(texts, running, "white"))
    expect(page.locator("#verdict .count")).to_contain_text(
        texts.say("count.running", runner=texts.side("black"), called=called, limit=running["count"]["limit"])
    )
    # Two calls later it is a draw, and another two earlier a win again.
    page.locator("#count [name=called]").fill(str(called + 2))
    page.keyboard.press("Enter")
    late = ask(page, base, f"/makruk?fen={PLACEMENT}_w&called={called + 2}")
    assert late["category"] == "cursed-win", late
    expect(sentence(page)).to_have_text(
        texts.say(
            "verdict.late.left",
            winner=texts.side("white"),
            moves=texts.moves((late["dtm"] + 1) // 2),
            left=texts.only(late["count"]["moves_left"]),
        )
    )
    page.locator("#undo").click()
    expect(sentence(page)).to_have_text(won(texts, running, "white"))
    assert page.locator("#moves .group.win button").count() == sum(
        move["category"] == "loss" for move in running["moves"]
    )
    assert page.locator("#moves .group.late button").count() == sum(
        move["category"] == "blessed-loss" for move in running["moves"]
    )


def plays_line(page: Page, texts: Texts) -> None:
    """Best play to its end, and back."""
    line = page.locator("#line button")
    expect(line.first).to_be_visible()
    line.last.click()
    expect(sentence(page)).to_have_text(
        texts.say("verdict.mate", winner=texts.side("white"))
    )
    before = fen(page).input_value()
    page.locator("#undo").click()
    expect(fen(page)).not_to_have_value(before)
    page.locator("#redo").click()
    expect(fen(page)).to_have_value(before)


def shares_link(page: Page, texts: Texts) -> None:
    """The address holds the position with its count."""
    fresh(page, page.url.split("?")[0] + f"?fen={PLACEMENT}_w_-_88_40_21")
    verdict, address = sentence(page).text_content(), page.url
    other = page.context.new_page()
    other.goto(address)
    expect(sentence(other)).to_have_text(verdict)
    expect(fen(other)).to_have_value(f"{PLACEMENT} w - 88 40 21")
    other.close()


def tells_errors(page: Page, service: str, texts: Texts) -> None:
    """What cannot be answered is said in a line."""
    fen(page).fill("8/8/8/8 w")
    page.keyboard.press("Enter")
    expect(sentence(page)).to_have_text(texts.say("fen.ranks", ranks=8, found=4))
    fen(page).fill("8/8/8/8/8/8/8/4K3 w")
    page.keyboard.press("Enter")
    expect(sentence(page)).to_have_text(
        texts.say("position.king", side=texts.side("black"), man=texts.say("piece.khun"))
    )
    fen(page).fill("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w")
    page.keyboard.press("Enter")
    refused = page.request.get(f"{service}/makruk?fen=rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR_w")
    largest = refused.json()["error"]["missing"]["largest"]
    expect(sentence(page)).to_have_text(
        texts.say("error.men", men=32, largest=largest, surplus=32 - largest)
    )


def speaks_of_the_game(page: Page, base: str, service: str, texts: Texts) -> None:
    """Pieces have the names and letters of the game."""
    page.goto(f"{base}/?variant=shatranj&fen=8/8/8/4k3/8/4K3/4B3/4Q3_w")
    alfil = texts.say("man.white", man=texts.say("piece.alfil"))
    expect(square(page, "e2")).to_have_attribute("aria-label", re.compile(re.escape(alfil)))
    expect(fen(page)).to_have_value(re.compile("^8/8/8/4k3/8/4K3/4B3/4Q3 w "))
    page.locator("#position [name=variant]").select_option("ai-wok")
    expect(fen(page)).to_have_value(re.compile("^8/8/8/4k3/8/4K3/4S3/4A3 w "))
    expect(page.locator("#moves button").first).to_be_visible()
    page.goto(f"{base}/?variant=kar-ouk&fen=5M2/8/8/8/8/8/6k1/K7_w")
    check = texts.say(
        "verdict.win.left",
        winner=texts.side("white"),
        goals=texts.say("goals.check"),
        moves=texts.moves(30),
        left=texts.left(ask(page, service, "/kar-ouk?fen=5M2/8/8/8/8/8/6k1/K7_w")["count"]["moves_left"]),
    )
    expect(sentence(page)).to_have_text(check)


def plays_against_table(page: Page) -> None:
    """The table answers a move."""
    page.locator("#position [name=example]").select_option(index=1)
    expect(page.locator("#verdict")).to_have_attribute("aria-busy", "false")
    page.locator("#position [name=opponent]").select_option("black")
    expect(page.locator("#verdict")).to_have_attribute("aria-busy", "false")
    page.locator("#moves button").first.click()
    # White is to move again, one move later.
    expect(fen(page)).to_have_value(re.compile(" w .* 2$"))
    # Both moves are taken back.
    page.locator("#undo").click()
    expect(fen(page)).to_have_value(re.compile(" w .* 1$"))


def use(page: Page, base: str, service: str, texts: Texts, name: str, shots: pathlib.Path, touch: bool) -> None:
    """All of it, on a page at `base` that is open in this language. `service`: for the right answers."""
    expect(page.locator("html")).to_have_attribute("lang", texts.language)
    expect(page.locator("#moves button").first).to_be_visible()
    shown(page, f"{name}-first", shots)
    page.locator("#setup").click()
    shown(page, f"{name}-setup", shots)
    page.locator("#setup").click()
    set_up_by_drag(page)
    if touch:
        set_up_by_taps(page)
    fresh(page, f"{base}/")
    set_up_by_keyboard(page)
    moves_by_keyboard(page, service)
    sets_count(page, service, texts)
    shown(page, f"{name}-count", shots)
    plays_line(page, texts)
    shown(page, f"{name}-mate", shots)
    shares_link(page, texts)
    tells_errors(page, service, texts)
    shown(page, f"{name}-error", shots)
    plays_against_table(page)
    speaks_of_the_game(page, base, service, texts)
    page.locator("#flip").click()
    shown(page, f"{name}-flipped", shots)


def choose(page: Page, number: int, value: str) -> None:
    """Chooses language, digits or light in the head, which a phone opens by a button."""
    opens = page.locator("header.top .open-choices")
    if opens.is_visible():
        opens.click()
    page.locator("header.top select").nth(number).select_option(value)


def choices(page: Page, base: str) -> None:
    """Language, digits and light are chosen by hand and kept."""
    page.goto(f"{base}/")
    choose(page, 0, "km")
    expect(page.locator("html")).to_have_attribute("lang", "km")
    choose(page, 1, "khmr")
    expect(sentence(page)).to_have_text(re.compile("[០-៩]"))
    choose(page, 2, "dark")
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "km")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(sentence(page)).to_have_text(re.compile("[០-៩]"))
