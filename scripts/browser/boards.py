"""Board games on the page of the explorer: looked up, moved on and set up, each once."""

import pathlib
import re
import subprocess
from dataclasses import dataclass

from checks import shown
from explorer import answered, ask, fen, fresh, sentence, square, walk
from playwright.sync_api import Page, expect
from site_under_test import Texts


@dataclass(frozen=True)
class Game:
    """A game with the material of its first example, and positions that cannot be and that have no table."""

    name: str
    material: str
    sides: tuple[str, str]
    ranks: int
    men: dict[str, str]
    impossible: str
    missing: str


GAMES = (
    Game(
        "janggi", "KRRvK", ("cho", "han"), 10, {"d3": "K", "a2": "R", "i10": "R", "e8": "k"},
        "4k4/9/9/9/9/9/9/9/9/K8 w", "4k4/9/9/9/9/9/9/9/RC7/4K4 w",
    ),
    Game(
        "rek", "KMMvK", ("white", "black"), 8, {"a1": "K", "a2": "M", "g2": "M", "g1": "k"},
        "8/8/8/8/8/8/8/K5k1 w a1a2", "8/8/8/8/8/8/MMMM4/K5k1 w",
    ),
    Game(
        "min-rek-chanh", "KMMvKM", ("white", "black"), 8, {"a2": "K", "c2": "M", "a1": "m", "h7": "k"},
        "8/8/8/8/8/8/8/K5k1 w", "8/7k/8/8/8/8/KMMM4/mm6 w",
    ),
)


def written(program: str, tables: str) -> None:
    """Makes the tables of the games."""
    for game in GAMES:
        command = [program, "generate", game.material, "--tables", tables, "--variant", game.name]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def won(texts: Texts, game: Game, answer: dict) -> str:
    """The verdict on a win of the first side, which is to move."""
    moves = texts.moves((abs(answer["dtm"]) + 1) // 2)
    return texts.say("verdict.win", winner=texts.side(game.sides[0]), goals=texts.say("goals.win"), moves=moves)


def looked_up(page: Page, base: str, service: str, texts: Texts, game: Game) -> dict:
    """The first example, chosen in the list of games, with its verdict, moves and line."""
    fresh(page, f"{base}/")
    page.locator("#position [name=variant]").select_option(game.name)
    expect(fen(page)).not_to_have_value(re.compile("^8/8/8/4k3/"))
    answered(page)
    position = fen(page).input_value()
    answer = ask(page, service, f"/{game.name}?fen={position.replace(' ', '_')}")
    assert answer["fen"] == position, answer
    expect(sentence(page)).to_have_text(won(texts, game, answer))
    expect(page.locator("#verdict .mover")).to_have_text(texts.say("mover", side=texts.side(game.sides[0])))
    expect(page.locator("#verdict .count")).to_have_text("")
    expect(page.locator("#count")).to_be_hidden()
    assert page.locator("#moves button").count() == len(answer["moves"])
    passes = page.locator("#moves .san", has_text=re.compile(f"^{re.escape(texts.say('move.pass'))}$"))
    assert passes.count() == (game.name == "janggi")
    assert page.locator("#line button").count() == len(answer["line"])
    assert f"variant={game.name}" in page.url
    assert page.locator("#board [role=row]").count() == game.ranks
    return answer


def played(page: Page, texts: Texts, game: Game, answer: dict) -> None:
    """The best move by the list, by the board and as the best one; the whole line, and back."""
    best = answer["moves"][0]
    start, to = re.findall(r"[a-z]\d+", best["move"])
    by_hand = (
        lambda: page.locator(f"#moves button[data-uci={best['move']}]").click(),
        lambda: (square(page, start).click(), square(page, to).click()),
    )
    for play in by_hand:
        play()
        expect(fen(page)).to_have_value(best["fen"])
        answered(page)
        page.locator("#undo").click()
        expect(fen(page)).to_have_value(answer["fen"])
        answered(page)
    page.locator("#best").click()
    expect(fen(page)).not_to_have_value(answer["fen"])
    page.locator("#undo").click()
    answered(page)
    page.locator("#line button").last.click()
    winner = texts.side(game.sides[0])
    expect(sentence(page)).to_contain_text(texts.say("verdict.won", winner=winner))
    last = fen(page).input_value()
    page.reload()
    expect(fen(page)).to_have_value(last)
    answered(page)


def set_up(page: Page, texts: Texts, game: Game) -> None:
    """Man by man with keys, one too many taken off by a drag, and the other side to move."""
    page.locator("#setup").click()
    page.locator("#clear").click()
    for name, letter in game.men.items():
        page.locator(f".palette [data-letter={letter}]").press("Enter")
        walk(page, name)
        page.keyboard.press("Enter")
    placed = fen(page).input_value().split()[0]
    assert sum(letter.isalpha() for letter in placed) == 4, placed
    man = next(reversed(game.men))
    assert page.locator(f"#board [data-square={man}]").get_attribute("aria-label").startswith(man)
    page.locator(".palette button:visible").last.hover()
    page.mouse.down()
    square(page, "b4").hover()
    page.mouse.up()
    expect(fen(page)).not_to_have_value(re.compile("^" + re.escape(placed)))
    page.mouse.down()
    page.locator("#verdict").hover()
    page.mouse.up()
    expect(fen(page)).to_have_value(re.compile("^" + re.escape(placed) + " w"))
    page.locator("#side select").select_option("black")
    expect(fen(page)).to_have_value(re.compile("^" + re.escape(placed) + " b"))
    expect(page.locator("#verdict .mover")).to_have_text(texts.say("mover", side=texts.side(game.sides[1])))


def refused(page: Page, texts: Texts, game: Game) -> None:
    """What has no answer is said in the language of the page."""
    for position, key in ((game.impossible, "error.not-position"), (game.missing, "error.no-table")):
        fen(page).fill(position)
        page.keyboard.press("Enter")
        expect(sentence(page)).to_have_text(texts.say(key))
        expect(page.locator("#verdict .served")).not_to_have_text("")
        expect(page.locator("#moves button:visible")).to_have_count(0)


def use(page: Page, base: str, service: str, texts: Texts, name: str, shots: pathlib.Path) -> None:
    for game in GAMES:
        answer = looked_up(page, base, service, texts, game)
        shown(page, f"{name}-{game.name}", shots)
        played(page, texts, game, answer)
        set_up(page, texts, game)
        page.locator("#flip").click()
        shown(page, f"{name}-{game.name}-setup", shots)
        page.locator("#setup").click()
        refused(page, texts, game)


def unlisted(page: Page, base: str) -> None:
    """A site of files has the chess-like games only."""
    fresh(page, f"{base}/")
    options = page.locator("#position [name=variant] option")
    listed = [option.get_attribute("value") for option in options.all()]
    assert "makruk" in listed and not {game.name for game in GAMES} & set(listed), listed
