"""The panel for analysis boards, on its example page."""

import contextlib
import pathlib
import shutil

from playwright.sync_api import Page, expect
from site_under_test import FileHandler, listening

EXAMPLES = pathlib.Path(__file__).parents[2] / "gen/wasm/examples"
# A mate in 16 moves starts a count that ends before; the shortest one in time has 20.
SLOWER = "6K1/8/8/R7/3p4/8/8/1k6 w"
# Men that no table here has.
MANY = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w"


@contextlib.contextmanager
def written(place: pathlib.Path, module: str):
    """The address of a folder with the example and the npm package."""
    folder = place / "panel"
    shutil.copytree(EXAMPLES, folder)
    (folder / "node_modules").mkdir()
    shutil.copytree(module, folder / "node_modules/sakmak")
    with listening(FileHandler, folder=str(folder)) as host:
        yield f"{host}/panel.html"


def use(page: Page, address: str, service: str | None) -> None:
    """Follows the best moves to mate, goes back, and asks what cannot be answered."""
    page.goto(f"{address}?service={service}" if service else address)
    field, panel = page.locator("input"), page.locator("sakmak-panel")
    verdict, best = panel.locator("p"), panel.locator("tr").nth(1)
    expect(verdict).to_have_text("Win · Mate in 24 · count 20 of 44")
    expect(best).to_have_text("Md2Win24")
    first = field.input_value()
    for _ in range(47):
        before = field.input_value()
        panel.locator("button").first.click()
        expect(field).not_to_have_value(before)
        expect(panel.locator(".asking")).to_have_count(0)
    expect(verdict).to_have_text("Mate")
    expect(panel.locator("button")).to_have_count(0)
    field.fill(first)
    field.press("Enter")
    expect(verdict).to_have_text("Win · Mate in 24 · count 20 of 44")
    field.fill(SLOWER)
    field.press("Enter")
    expect(verdict).to_have_text("Win · Mate in 20")
    expect(best).to_have_text("Kf7Win20")
    field.fill(MANY)
    field.press("Enter")
    expect(verdict).to_have_text("Not in the tables")
    field.fill("8/8 w")
    field.press("Enter")
    expect(verdict).to_contain_text("No answer Try again")
