"""Tests the pages of an atlas in Chromium, wide and narrow, light and dark.

usage: report.py ATLAS SHOTS [CHROMIUM]

Screenshots go to the folder SHOTS. Stops with an error at the first failure. scripts/atlas-browser.sh calls this.
"""

import pathlib
import sys

from checks import chromium, is_no_wider
from playwright.sync_api import Browser, Page

WIDTHS = (1280, 390)
SCHEMES = ("light", "dark")
# Minimum contrast of text and background: WCAG, level AA.
CONTRAST = 4.5
# The tables of all materials, and materials with pawns, pieces on both sides, equal sides, mets
# of one colour. Pages that the atlas lacks are skipped.
PAGES = (
    "index", "ouk", "published", "KRvK", "KSMvK", "KRPvK", "KRvKR", "KMMvK",
    "KMMMvK", "KRNvKR", "KRMvKS", "KSPvKP",
)


def look(page: Page, name: str, width: int) -> None:
    """Tests what must hold for every page."""
    is_no_wider(page, name)
    empty = page.evaluate(
        """[...document.querySelectorAll("svg:not(.symbols, .swatch, .sign)")].filter((svg) => {
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
    # Labels of a chart do not touch.
    touching = page.evaluate(
        """[...document.querySelectorAll(".chart svg")].flatMap((svg) => {
            const labels = [...svg.querySelectorAll("text")];
            const boxes = labels.map((label) => label.getBoundingClientRect());
            return labels.flatMap((label, i) => labels.slice(0, i).filter((_, j) =>
                boxes[i].left < boxes[j].right + 1 && boxes[j].left < boxes[i].right + 1 &&
                boxes[i].top < boxes[j].bottom - 2 && boxes[j].top < boxes[i].bottom - 2,
            ).map((other) => label.textContent + " and " + other.textContent));
        })"""
    )
    assert not touching, f"{name}, {width} pixels wide: labels touch: {touching}"
    # A table that goes on beyond the screen shows it.
    plain = page.evaluate(
        """[...document.querySelectorAll(".wide")].filter((box) =>
            box.scrollWidth > box.clientWidth && getComputedStyle(box).backgroundImage === "none",
        ).length"""
    )
    assert plain == 0, f"{name}: {plain} wide tables do not show that there is more"
    if page.locator(".sheet").count():
        box = page.locator(".sheet")
        wide = box.evaluate("box => box.scrollWidth > box.clientWidth")
        assert page.locator(".more").is_visible() == wide, (name, width)


def read(page: Page, name: str, scheme: str) -> None:
    """Tests the contrast of texts, and that the page is light or dark."""
    page.emulate_media(color_scheme=scheme)
    worst, behind = page.evaluate(
        """() => {
            const light = (colour) => {
                const [r, g, b] = colour.match(/[0-9.]+/g).map((n) => n / 255).map(
                    (n) => n <= 0.04045 ? n / 12.92 : ((n + 0.055) / 1.055) ** 2.4);
                return 0.2126 * r + 0.7152 * g + 0.0722 * b;
            };
            const solid = (colour) => !/, 0\\)$/.test(colour) && colour !== "transparent";
            const behind = (element) => {
                for (let at = element; at; at = at.parentElement) {
                    const colour = getComputedStyle(at).backgroundColor;
                    if (solid(colour)) return light(colour);
                }
                return 1;
            };
            const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            const found = [...document.querySelectorAll("body *")]
                .filter((element) => [...element.childNodes].some(
                    (child) => child.nodeType === 3 && child.data.trim()))
                .filter((element) => element.getClientRects().length)
                .map((element) => {
                    const style = getComputedStyle(element);
                    const colour = element.closest("svg") ? style.fill : style.color;
                    return [ratio(light(colour), behind(element)), element.textContent.slice(0, 40)];
                });
            found.sort((one, other) => one[0] - other[0]);
            return [found[0], behind(document.body)];
        }"""
    )
    assert worst[0] >= CONTRAST, f"{name}, {scheme}: {worst[1]!r} has contrast {worst[0]:.1f}"
    assert (behind < 0.2) == (scheme == "dark"), f"{name} is not {scheme}"


def search(page: Page, name: str) -> None:
    """Searches by name, in any order of pieces, by words and by the filters."""
    rows = page.locator("table.overview tbody tr")
    names = rows.locator("th a").all_text_contents()
    form = page.locator("form.search")
    words, men = form.locator("[name=words]"), form.locator("[name=men]")

    def found() -> list[str]:
        shown = [row.locator("th a").text_content() for row in rows.all() if row.is_visible()]
        assert form.locator("output").text_content() == f"{len(shown)} of {len(names)} materials"
        return shown

    assert found() == names
    for text, expected in (
        ("krvk", lambda material: "KRvK" in material),
        ("KvKR", lambda material: "KvKR" in material or "KRvK" in material),
        ("rook met", lambda material: "R" in material and "M" in material),
        ("nothing of this name", lambda material: False),
    ):
        words.fill(text)
        assert found() == [material for material in names if expected(material)], (name, text)
    words.fill("")
    for value in men.locator("option").evaluate_all("all => all.map((one) => one.value)"):
        men.select_option(value)
        assert found() == [m for m in names if value in ("", str(len(m) - 1))], (name, value)
    men.select_option("")
    white = form.locator("[name=white]")
    values = white.locator("option").evaluate_all("all => all.map((one) => one.value)")
    parts = []
    for value in values[1:]:
        white.select_option(value)
        parts += found()
    assert sorted(parts) == sorted(names), name
    page.reload()


def keeps_head(page: Page, name: str) -> None:
    """The head of the table of all materials stays in sight when its end is scrolled to."""
    page.evaluate(
        """() => {
            const sheet = document.querySelector(".sheet");
            const last = sheet.querySelector("tbody tr:last-child");
            if (sheet.scrollHeight > sheet.clientHeight) {
                sheet.scrollIntoView({ block: "start", behavior: "instant" });
                sheet.scrollTop = sheet.scrollHeight;
            } else {
                last.scrollIntoView({ block: "center", behavior: "instant" });
            }
        }"""
    )
    head, last = (
        page.locator(f"table.overview {part}").bounding_box()
        for part in ("thead tr:last-child", "tbody tr:last-child")
    )
    assert head and last and 0 <= head["y"] < last["y"], f"{name}: the head is at {head}, not above {last}"
    seen = page.evaluate(
        """([x, y]) => document.elementFromPoint(x, y)?.closest("thead") !== null""",
        [head["x"] + 40, head["y"] + head["height"] / 2],
    )
    assert seen, f"{name}: the head is covered"
    page.reload()


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
        fens = (game.get_attribute("data-fens") or "").split("|")
        if len(fens) < 2:
            continue
        turn, fen = game.locator(".mover"), game.locator(".fen code")
        # Signs are drawn: not every font has them.
        for button in game.locator(".controls button").all():
            assert button.text_content() == "" and button.locator("svg path").is_visible(), name
        men = game.locator(".board .men")
        first = men.inner_html()
        on, back, end = (game.get_by_label(name) for name in ("One move on", "One move back", "To the end"))
        on.click()
        assert men.inner_html() != first, f"{name}: nothing moved"
        assert game.locator(".move.now").get_attribute("data-ply") == "1"
        assert fen.text_content() == fens[1]
        white = fens[1].split(" ")[1] == "w"
        assert turn.text_content() == f"{'White' if white else 'Black'} to move"
        end.click()
        last = men.locator("use").count()
        assert last == sum(letter.isalpha() for letter in fens[-1].split(" ")[0])
        back.click()
        game.get_by_label("To the start").click()
        assert game.locator(".move.now").count() == 0


def open_all(browser: Browser, atlas: pathlib.Path, names: list[str], shots: pathlib.Path, width: int, script: bool) -> int:
    """Tests the pages in a window of this width. Returns the number of screenshots."""
    context = browser.new_context(viewport={"width": width, "height": 900}, java_script_enabled=script)
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    wrong: list[str] = []
    page = context.new_page()
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: message.type == "error" and wrong.append(message.text))
    for name in names:
        page.goto((atlas / f"{name}.html").as_uri())
        if script:
            look(page, name, width)
            if name in ("index", "ouk"):
                sort(page, name)
                search(page, name)
                keeps_head(page, name)
            play(page, name)
        note = "" if script else "-no-script"
        for scheme in SCHEMES:
            read(page, name, scheme)
            page.screenshot(path=shots / f"{name}-{width}-{scheme}{note}.png", full_page=True)
    assert not wrong, wrong
    abroad = [url for url in asked if not url.startswith(("file:", "data:"))]
    assert not abroad, abroad
    context.close()
    return len(names) * len(SCHEMES)


def main() -> None:
    atlas, shots = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    there = [name for name in PAGES if (atlas / f"{name}.html").exists()]
    missing = {"index", "ouk", "published"} - set(there)
    assert not missing, f"{atlas} has no pages {', '.join(sorted(missing))}"
    assert len(there) > 3, f"{atlas} has none of the materials that are looked at"
    shots.mkdir(parents=True, exist_ok=True)
    with chromium(sys.argv[3] if len(sys.argv) > 3 else None) as browser:
        pictures = sum(
            open_all(browser, atlas, there, shots, width, script) for script in (True, False) for width in WIDTHS
        )
    print(f"{len(there)} pages looked at; {pictures} pictures of them are in {shots}")


if __name__ == "__main__":
    main()
