"""What players stumbled over: each function has failed on a page of before."""

import re

from explorer import answered, choose, fen, fresh, sentence, square
from playwright.sync_api import Page, Route, expect
from site_under_test import Texts

KHON = "8/8/8/4k3/8/4K3/4S3/4M3_w"
RUNNING = "8/8/8/4k3/8/4K3/4S3/4M3_w_-_88_40_21"
# Milliseconds that a slow answer takes.
SLOW = 1500


def slowed(page: Page) -> None:
    """Answers of the service come late from now on."""

    def late(route: Route) -> None:
        page.wait_for_timeout(SLOW)
        route.continue_()

    page.route(re.compile(r"/makruk\?"), late)


def held(page: Page, pattern: str) -> list[Route]:
    """Requests of these addresses from now on. They wait for their answers."""
    routes: list[Route] = []
    page.route(re.compile(pattern), lambda route: routes.append(route))
    return routes


def first_of(page: Page, routes: list[Route]) -> Route:
    """The first request that is held, when it comes."""
    while not routes:
        page.wait_for_timeout(10)
    return routes.pop(0)


def stopped(page: Page) -> None:
    """Timers of a page whose clock is installed run from now on only when the clock is told to."""
    page.clock.pause_at(3600)


def bottom(page: Page, selector: str) -> float:
    box = page.locator(selector).bounding_box()
    return box["y"] + box["height"]


def layout(page: Page, base: str, texts: Texts) -> None:
    """The whole board is in the first view, and the verdict with it, in play and in set-up."""
    width, height = page.viewport_size["width"], page.viewport_size["height"]
    fresh(page, f"{base}/")
    for _ in ("play", "set-up"):
        assert bottom(page, "#board") <= height, ("board", width, height, bottom(page, "#board"))
        assert bottom(page, "#verdict .sentence") <= height, ("verdict", width, height)
        board, verdict = (page.locator(name).bounding_box() for name in ("#board", "#verdict"))
        under = verdict["y"] - board["y"] - board["height"]
        assert 0 <= under < 20 or verdict["x"] >= board["x"] + board["width"], (width, board, verdict)
        page.locator("#setup").click()
    page.locator("#setup").click()
    for part in ("#palette-white", "#side"):
        assert bottom(page, part) <= height, (part, width, height, bottom(page, part))
    page.locator("#setup").click()


def men_to_set_up_stay(page: Page, base: str, texts: Texts) -> None:
    """A longer verdict does not move the men away from under the finger."""
    fresh(page, f"{base}/")
    page.locator("#setup").click()
    page.locator("#clear").click()
    men = page.locator("#palette-white")
    at = men.bounding_box()
    for letter, name in (("K", "e3"), ("k", "e5"), ("S", "e2"), ("M", "e1")):
        page.locator(f".palette [data-letter={letter}]").click()
        square(page, name).click()
        answered(page)
        assert men.bounding_box() == at, (name, at, men.bounding_box())
    page.locator("#setup").click()


def head_is_a_row(page: Page, base: str, texts: Texts) -> None:
    """Its choices open by a button and have names that are seen."""
    fresh(page, f"{base}/")
    assert page.locator("header.top").bounding_box()["height"] < 52
    themes = page.locator("header.top select").last
    expect(themes).to_be_hidden()
    page.locator("header.top .open-choices").click()
    expect(themes).to_be_visible()
    expect(page.locator("header.top label").last).to_contain_text(texts.say("head.theme"))
    page.keyboard.press("Escape")
    expect(themes).to_be_hidden()


def old_verdict_is_pale(page: Page, base: str, texts: Texts) -> None:
    fresh(page, f"{base}/?fen={KHON}")
    slowed(page)
    page.locator("#moves button").first.click()
    expect(page.locator("#verdict")).to_have_attribute("aria-busy", "true", timeout=SLOW / 3)
    expect(page.locator("#verdict .mover")).to_have_text(
        texts.say("mover", side=texts.side("black")), timeout=SLOW / 3
    )
    answered(page)
    page.unroute_all(behavior="wait")


def table_at_hand_is_not_computed(page: Page, base: str, texts: Texts) -> None:
    fresh(page, f"{base}/?fen={KHON}")
    slowed(page)
    page.locator("#moves button").first.click()
    expect(sentence(page)).to_have_text(texts.say("wait.answer"), timeout=SLOW)
    page.unroute_all(behavior="wait")
    answered(page)


def typed_count_counts(page: Page, base: str, texts: Texts) -> None:
    """Without Enter; and what is typed one sign after another is one step."""
    fresh(page, f"{base}/?fen={KHON}")
    page.locator("#count [name=called]").press_sequentially("20")
    limit = 44
    called = texts.say("count.running", runner=texts.side("black"), called=20, limit=limit)
    expect(page.locator("#verdict .count")).to_contain_text(called)
    expect(page.locator("#count [value=called]")).to_be_checked()
    expect(page.locator("#count [name=called]")).to_have_value("20")
    page.locator("#undo").click()
    expect(fen(page)).to_have_value(re.compile(r" - - 0 1$| - 88 \d+ 1$"))
    # Only the bare king counts here, and to 44 at most.
    expect(page.locator("#count [name=counter] option[value=white]")).to_be_disabled()
    page.locator("#count [name=called]").fill("70")
    expect(sentence(page)).to_have_text(texts.say("count.most", limit=limit))
    expect(page.locator("#count [name=called]")).to_have_value("70")


def broken_link_has_no_verdict(page: Page, base: str, texts: Texts) -> None:
    for broken, reason in (
        ("8/8/8/4k3/8/4K3/4S3/4X3_w", texts.say("fen.letter", found="X", letters="K, R, N, S, M, P")),
        ("nonsense", texts.say("fen.ranks", ranks=8, found=1)),
    ):
        page.goto(f"{base}/?fen={broken}")
        expect(sentence(page)).to_have_text(texts.say("fen.address", reason=reason))
        assert page.locator("#moves button:visible").count() == 0
        assert page.evaluate("document.querySelectorAll('#board use').length") == 0
        assert broken in page.url


def errors_in_the_language(page: Page, base: str, texts: Texts) -> None:
    def say(key: str, **holes: object) -> str:
        return texts.say(key, man=texts.say("piece.khun"), **holes)

    pawn = {"man": texts.say("piece.bia"), "side": texts.side("white"), "square": "a8", "least": 3, "most": 5}
    for position, expected, marked in (
        ("8/8/8/4k3/4K3/8/4S3/8_w", say("reason.kings-adjacent"), "e4"),
        ("8/8/8/4k3/8/8/4R3/4K3_w", say("reason.checked-waiter", side=texts.side("black")), "e5"),
        ("P7/8/8/4k3/8/8/8/4K3_w", texts.say("reason.pawn-rank", **pawn), "a8"),
        ("8/8/8/4k3/8/4K3/4S3/8_w&variant=xiangqi", texts.say("error.variant"), None),
    ):
        page.goto(f"{base}/?fen={position}")
        expect(sentence(page)).to_have_text(expected)
        expect(page.locator("#verdict .served")).to_have_text("")
        assert page.locator("#board .mark").count() == (marked is not None), position
    fresh(page, f"{base}/?fen={KHON}")
    page.locator("#count [name=called]").fill("2")
    expect(sentence(page)).to_have_text(texts.say("reason.below-men", given=2, least=4))


def history_keeps_the_game(page: Page, base: str, texts: Texts) -> None:
    """Back, Forward, loading again, another language, and the trainer and back."""
    fresh(page, f"{base}/?fen={KHON}")
    fens = [fen(page).input_value()]
    for _ in range(3):
        page.locator("#moves button").first.click()
        expect(fen(page)).not_to_have_value(fens[-1])
        answered(page)
        fens.append(fen(page).input_value())
    page.go_back()
    expect(fen(page)).to_have_value(fens[2])
    page.go_forward()
    expect(fen(page)).to_have_value(fens[3])
    page.reload()
    expect(fen(page)).to_have_value(fens[3])
    page.locator("#undo").click()
    expect(fen(page)).to_have_value(fens[2])
    choose(page, 0, "th" if texts.language != "th" else "en")
    expect(page.locator("html")).not_to_have_attribute("lang", texts.language)
    expect(fen(page)).to_have_value(fens[2])
    choose(page, 0, texts.language)
    expect(page.locator("html")).to_have_attribute("lang", texts.language)
    page.locator("#redo").click()
    expect(fen(page)).to_have_value(fens[3])
    page.locator("header.top nav a").nth(1).click()
    expect(page.locator("#explore")).to_be_visible()
    page.locator("header.top nav a").first.click()
    expect(fen(page)).to_have_value(fens[3])
    page.locator("#undo").click()
    expect(fen(page)).to_have_value(fens[2])


def least_number_of_moves_is_said(page: Page, base: str, texts: Texts) -> None:
    """Where the tables lack the length of a mate in time."""

    def unknown(route: Route) -> None:
        route.fulfill(json={**route.fetch().json(), "mate_in_time": None})

    page.route(re.compile(r"/makruk\?"), unknown)
    fresh(page, f"{base}/?fen={KHON}")
    least = texts.say("verdict.win.least", winner=texts.side("white"), moves=texts.moves(24))
    expect(sentence(page)).to_have_text(least)
    page.unroute_all(behavior="wait")


def lost_service_is_asked_again(page: Page, base: str, texts: Texts) -> None:
    fresh(page, f"{base}/?fen={KHON}")
    page.route(re.compile(r"/makruk"), lambda route: route.abort())
    page.locator("#moves button").first.click()
    expect(sentence(page)).to_have_text(texts.say("error.network"))
    expect(page.locator("#retry")).to_be_visible()
    # What was known stays, pale.
    expect(page.locator("#moves button").first).to_be_visible()
    page.unroute_all(behavior="wait")
    # By itself after a while.
    answered(page)
    expect(page.locator("#retry")).to_be_hidden()


def lost_service_is_asked_by_hand(page: Page, base: str, texts: Texts) -> None:
    """By the button, and when the network is back."""
    # Nothing happens by itself after a while.
    page.add_init_script("const set = setTimeout; window.setTimeout = (run, time) => set(run, time < 3000 ? time : 1e9)")
    fresh(page, f"{base}/?fen={KHON}")
    for again in ("document.getElementById('retry').click()", "dispatchEvent(new Event('online'))"):
        page.route(re.compile(r"/makruk"), lambda route: route.abort())
        page.locator("#moves button").first.click()
        expect(page.locator("#retry")).to_be_visible()
        page.unroute_all(behavior="wait")
        page.evaluate(again)
        answered(page)
        expect(page.locator("#retry")).to_be_hidden()


def table_does_not_move_for_the_player(page: Page, base: str, texts: Texts) -> None:
    """Who goes back before the table has moved, though its answer was shown twice."""

    def unknown(route: Route) -> None:
        if "mate_in_time=true" in route.request.url:
            route.continue_()
        else:
            route.fulfill(json={**route.fetch().json(), "mate_in_time": None})

    page.clock.install(time=0)
    page.route(re.compile(r"/makruk\?"), unknown)
    fresh(page, f"{base}/?fen={KHON}")
    page.locator("#position [name=opponent]").select_option("black")
    answered(page)
    start = fen(page).input_value()
    stopped(page)
    with page.expect_response(re.compile(r"/makruk\?.*mate_in_time=true")):
        page.locator("#moves button").first.click()
    expect(page.locator("#verdict .note").first).to_have_text("")
    page.locator("#undo").click()
    answered(page)
    page.clock.run_for(600)
    answered(page)
    expect(fen(page)).to_have_value(start)
    page.unroute_all(behavior="wait")


def old_question_is_silent(page: Page, base: str, texts: Texts) -> None:
    """A question that the service was too busy for does not speak of its position in another one."""
    page.clock.install(time=0)
    fresh(page, f"{base}/?fen={KHON}")
    answered(page)
    verdict = sentence(page).text_content()
    stopped(page)
    page.route(re.compile(r"/makruk\?"), lambda route: route.fulfill(status=503, json={}))
    with page.expect_response(re.compile(r"/makruk\?")):
        page.locator("#moves button").first.click()
    page.unroute_all(behavior="wait")
    page.locator("#undo").click()
    answered(page)
    page.clock.run_for(600)
    expect(sentence(page)).to_have_text(verdict)


def refused_input_stays(page: Page, base: str, texts: Texts) -> None:
    """The table does not move, and a lost service is not asked again, while something typed is wrong."""
    page.clock.install(time=0)
    fresh(page, f"{base}/?fen={KHON}")
    page.locator("#position [name=opponent]").select_option("black")
    answered(page)
    stopped(page)
    wrong = texts.say("fen.ranks", ranks=8, found=4)
    for lost in (False, True):
        if lost:
            page.route(re.compile(r"/makruk"), lambda route: route.abort())
        page.locator("#moves button").first.click()
        answered(page)
        expect(page.locator("#verdict .mover")).to_have_text(texts.say("mover", side=texts.side("black")))
        fen(page).fill("8/8/8/8 w")
        page.keyboard.press("Enter")
        expect(sentence(page)).to_have_text(wrong)
        page.unroute_all(behavior="wait")
        page.clock.run_for(4000)
        page.wait_for_timeout(100)
        expect(sentence(page)).to_have_text(wrong)
        page.locator("#undo").click()
        answered(page)


def what_is_said_is_announced(page: Page, base: str, texts: Texts) -> None:
    """Screen readers leave out what is busy."""
    verdict = page.locator('#verdict[aria-busy="false"] .sentence')
    fresh(page, f"{base}/?fen={KHON}")
    routes = held(page, r"/makruk\?")
    page.locator("#moves button").first.click()
    expect(verdict).to_have_text(texts.say("wait.answer"))
    first_of(page, routes).abort()
    expect(verdict).to_have_text(texts.say("error.network"))
    page.unroute_all(behavior="wait")


def trainer_goes_where_the_address_is(page: Page, base: str, texts: Texts) -> None:
    """Back while the service is waited for, and what may not be opened meanwhile."""
    exercises = page.locator("#lists button")
    listed = {"fen": RUNNING.replace("_", " "), "material": "KSMvK", "goal": "mate", "dtm": 47}
    lists = {"hardest": [{**listed, "good_moves": 2, "legal_moves": 9}], "tightest": [], "classic": []}
    page.route(re.compile(r"/makruk/lists"), lambda route: route.fulfill(json=lists))
    page.goto(f"{base}/trainer.html?variant=makruk&fen={KHON}")
    expect(page.locator("#next")).to_be_enabled()
    page.locator("#open-lists").click()
    expect(exercises).to_have_count(1)
    page.locator("#next").click()
    page.wait_for_url(lambda url: KHON not in url)
    address = page.url
    routes = held(page, r"/makruk/draw")
    page.locator("#next").click()
    request = first_of(page, routes)
    exercises.click()
    assert page.url == address
    page.go_back()
    assert KHON in page.url
    request.continue_()
    expect(page.locator("#explore")).to_have_attribute("href", re.compile(KHON))
    expect(page.locator("body:not([aria-busy])")).to_have_count(1)
    assert KHON in page.url
    page.unroute_all(behavior="wait")
    exercises.click()
    page.wait_for_url(lambda url: RUNNING in url)


def keys_go_on(page: Page, base: str, texts: Texts) -> None:
    """Enter on a move keeps the focus in the list, and arrows step through the line."""
    fresh(page, f"{base}/?fen={KHON}")
    start = fen(page).input_value()
    page.locator("#moves button").first.focus()
    page.keyboard.press("Enter")
    expect(fen(page)).not_to_have_value(start)
    answered(page)
    assert page.evaluate("document.activeElement.closest('#moves') !== null")
    expect(page.locator("#line-section")).to_have_attribute("aria-busy", "false")
    first = fen(page).input_value()
    page.keyboard.press("ArrowRight")
    expect(fen(page)).not_to_have_value(first)
    page.keyboard.press("ArrowLeft")
    expect(fen(page)).to_have_value(first)
    page.keyboard.press("ArrowLeft")
    expect(fen(page)).to_have_value(start)
    # Nobody has called yet after the first move of a count that starts with it.
    page.keyboard.press("ArrowRight")
    expect(page.locator("#verdict .count")).to_contain_text(
        texts.say("count.next", runner=texts.side("black"), first=5, limit=44)
    )


def pieces_need_no_language(page: Page, base: str, texts: Texts) -> None:
    fresh(page, f"{base}/?fen={KHON}")
    expect(page.locator("#moves button").first.locator("svg.figurine")).to_have_count(1)
    expect(page.locator("#line button svg.figurine").first).to_be_visible()
    legend = page.locator("#legend li")
    expect(legend).to_have_count(6)
    expect(legend.nth(3)).to_have_text(texts.say("piece.khon"))
    for index in range(legend.count()):
        expect(legend.nth(index).locator("svg")).to_be_visible()


def games_have_other_names(page: Page, base: str, texts: Texts) -> None:
    fresh(page, f"{base}/?variant=cambodian&fen={KHON}")
    expect(page.locator("#position [name=variant]")).to_have_value("ouk")
    expect(sentence(page)).to_contain_text(texts.say("goals.mate"))


def other_positions_have_no_last_move(page: Page, base: str, texts: Texts) -> None:
    fields = page.locator("#position")
    last = page.locator("#board .last")

    def typed() -> None:
        fen(page).fill("8/8/8/3k4/8/8/8/R3K3 w")
        page.keyboard.press("Enter")

    def set_up() -> None:
        page.locator("#setup").click()
        page.locator(".palette [data-letter=R]").click()
        square(page, "a1").click()

    for change in (
        typed,
        lambda: fields.locator("[name=example]").select_option(index=2),
        lambda: fields.locator("[name=variant]").select_option("ouk"),
        set_up,
    ):
        fresh(page, f"{base}/?fen={KHON}")
        page.locator("#moves button").first.click()
        expect(last).to_have_count(2)
        answered(page)
        change()
        expect(last).to_have_count(0)


def first_position_is_gone_back_to(page: Page, base: str, texts: Texts) -> None:
    """Though it had no answer."""
    alone = texts.say("reason.kings-adjacent", man=texts.say("piece.khun"))
    unread = texts.say("fen.address", reason=texts.say("fen.ranks", ranks=8, found=1))
    for first, error, shown in (
        ("8/8/8/4k3/4K3/8/4S3/8_w", alone, "8/8/8/4k3/4K3/8/4S3/8 w"),
        ("nonsense", unread, "8/8/8/8/8/8/8/8 w"),
    ):
        page.goto(f"{base}/?fen={first}")
        expect(sentence(page)).to_have_text(error)
        fen(page).fill(KHON.replace("_", " "))
        page.keyboard.press("Enter")
        expect(page.locator("#moves button").first).to_be_visible()
        page.go_back()
        expect(sentence(page)).to_have_text(error)
        expect(fen(page)).to_have_value(re.compile(f"^{shown}"))
        assert first in page.url, page.url


def pages_that_cannot_load_say_so(page: Page, base: str, texts: Texts) -> None:
    """And load when they are asked to again."""
    # Files of a site come from its host each time.
    page.add_init_script("delete Navigator.prototype.serviceWorker")
    english = Texts("en")
    for address, said, done in (
        (f"{base}/?fen={KHON}", "#verdict .sentence", "#moves button"),
        (f"{base}/trainer.html?fen={KHON}", "#refused", "#explore"),
    ):
        for missing, told in ((r"/variants$|/sakmak\.wasm$", texts), (r"/languages/\w+\.json$", english)):
            page.route(re.compile(missing), lambda route: route.abort())
            page.goto(address)
            expect(page.locator(said)).to_have_text(told.say("error.network"))
            expect(page.locator("#retry")).to_have_text(told.say("error.retry"))
            page.unroute_all(behavior="wait")
            page.locator("#retry").click()
            expect(page.locator(done).first).to_be_visible()
            expect(page.locator("#retry")).to_be_hidden()


def unknown_language_is_not_taken(page: Page, base: str, texts: Texts) -> None:
    """Names that objects have are no languages either."""
    fresh(page, f"{base}/?lang=constructor&fen={KHON}")
    expect(page.locator("html")).to_have_attribute("lang", texts.language)


def cleared_board_is_white_to_move(page: Page, base: str, texts: Texts) -> None:
    fresh(page, f"{base}/?fen=8/8/8/3k4/8/8/8/R3K3_b")
    page.locator("#setup").click()
    page.locator("#clear").click()
    expect(fen(page)).to_have_value("8/8/8/8/8/8/8/8 w - - 0 1")
    expect(page.locator("#side select")).to_have_value("white")


def trainer_begins(page: Page, base: str, texts: Texts) -> None:
    """With an exercise, which its address has; the next one is beside the result."""
    height = page.viewport_size["height"]
    page.goto(f"{base}/trainer.html")
    expect(page.locator("#explore")).to_be_visible()
    assert "fen=" in page.url, page.url
    if page.viewport_size["width"] < height:
        assert bottom(page, "#next") <= height, ("next", bottom(page, "#next"))
    task, address = page.locator("#task").text_content(), page.url
    page.reload()
    expect(page.locator("#explore")).to_be_visible()
    expect(page.locator("#task")).to_have_text(task)
    page.locator("#next").click()
    page.wait_for_url(lambda url: url != address)
    page.go_back()
    expect(page.locator("#explore")).to_be_visible()
    assert page.url == address


def trainer_speaks_as_players(page: Page, base: str, texts: Texts) -> None:
    """Nobody has called yet when a count starts, and endings have the names of their men."""
    page.goto(f"{base}/trainer.html?variant=makruk&fen={KHON}")
    sides = {"runner": texts.side("black"), "attacker": texts.side("white")}
    called = texts.say("trainer.count.next", first=5, limit=44, moves="MOVES", **sides).split("MOVES")[0]
    expect(page.locator("#count")).to_contain_text(called)
    ending = page.locator("#choice [name=material] option[value=KSMvK]")
    for piece in ("khon", "met"):
        expect(ending).to_contain_text(texts.say(f"piece.{piece}"))


def few_requests(page: Page, base: str, texts: Texts) -> None:
    """Before the first answer, from nothing."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    fresh(page, f"{base}/?fen={KHON}")
    asked = [url for url in asked if "mainline" not in url and "service-worker" not in url]
    assert len(set(asked)) <= 10, asked


def links_show_the_verdict(page: Page, base: str, texts: Texts) -> None:
    """What other programs show of a link is what the board says."""
    for position in (
        f"fen={KHON}",
        f"fen={RUNNING}",
        "fen=8/8/8/4k3/8/4K3/4S3/4M3_w_-_88_60_21",
        "fen=8/8/8/4k3/8/8/4M3/4K3_b",
        "variant=ouk&fen=8/8/8/4k3/8/4K3/4S3/4M3_b",
        "fen=7k/8/8/8/8/8/8/K7_w",
        "fen=k7/2K5/8/8/8/8/8/R7_b",
    ):
        page.goto(f"{base}/?{position}")
        answered(page)
        verdict = sentence(page).text_content()
        # The tables are there by now.
        page.reload()
        expect(page.locator('meta[property="og:description"]')).to_have_attribute("content", verdict)
    # The trainer shows the exercise, and does not tell how it ends.
    page.goto(f"{base}/trainer.html?variant=makruk&fen={KHON}")
    about = page.locator('meta[property="og:description"]')
    expect(about).to_have_attribute("content", texts.say("atlas.about"))
    pictures = [page.request.get(f"{base}/board.png")]
    for address in (f"trainer.html?variant=makruk&fen={KHON}", f"?variant=ouk&fen={KHON.replace('w', 'b')}", f"?fen={RUNNING}"):
        page.goto(f"{base}/{address}")
        image = page.locator('meta[property="og:image"]').get_attribute("content")
        assert image.startswith("https://example.org/tb/board.png?"), image
        pictures.append(page.request.get(image.replace("https://example.org/tb", base)))
    assert all(picture.headers["content-type"] == "image/png" for picture in pictures)
    # The men are the same.
    assert len({picture.body() for picture in pictures[1:]}) == 1
    moved = page.request.get(f"{base}/board.png?fen={KHON.replace('4M3', '3M4')}")
    assert moved.body() != pictures[1].body()


OF_EVERY_SIZE = (layout, trainer_begins)
OF_SERVICE = (
    old_verdict_is_pale,
    table_at_hand_is_not_computed,
    least_number_of_moves_is_said,
    lost_service_is_asked_again,
    lost_service_is_asked_by_hand,
    table_does_not_move_for_the_player,
    old_question_is_silent,
    refused_input_stays,
    what_is_said_is_announced,
    trainer_goes_where_the_address_is,
    links_show_the_verdict,
)
OF_ALL = (
    few_requests,
    typed_count_counts,
    broken_link_has_no_verdict,
    errors_in_the_language,
    head_is_a_row,
    history_keeps_the_game,
    men_to_set_up_stay,
    keys_go_on,
    pieces_need_no_language,
    games_have_other_names,
    cleared_board_is_white_to_move,
    other_positions_have_no_last_move,
    first_position_is_gone_back_to,
    pages_that_cannot_load_say_so,
    unknown_language_is_not_taken,
    trainer_speaks_as_players,
)
