"""Times answers of five men on a site of files, 30 ms away: of positions never seen, and one move later.

usage: far.py PROGRAM MODULE TABLES [CHROMIUM [COUNT]]

PROGRAM is sakmak, MODULE the folder of the npm package, TABLES a directory with packed files of a
material of five men and its counts, such as `sakmak generate KRNvKM --counting makruk --packed` makes.
Needs Playwright, as scripts/browser.sh installs it; 50 positions take some minutes.
Each of COUNT positions is asked on a page of its own whose tables of three men are there; the clock runs
from the position to the verdict.
"""

import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

from checks import chromium
from playwright.sync_api import Page
from site_under_test import FileHandler, listening

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "crosscheck"))
from fen import random_board  # noqa: E402

DELAY = 0.03

# Clicks or types, and waits for the verdict: the milliseconds between.
TIMED = """async (act) => {
  const verdict = document.getElementById("verdict");
  const began = performance.now();
  const done = new Promise((ready, fail) => {
    setTimeout(() => fail(new Error(verdict.textContent)), 60_000);
    let waited = false;
    const look = () => {
      waited ||= verdict.getAttribute("aria-busy") === "true";
      // What cannot be is known at once, without waiting.
      const wrong = verdict.classList.contains("wrong");
      const waits = verdict.classList.contains("waits");
      if (wrong || (waited && !waits && verdict.getAttribute("aria-busy") === "false")) ready();
    };
    new MutationObserver(look).observe(verdict, { attributes: true });
  });
  if (act) {
    const field = document.querySelector("#position [name=fen]");
    field.value = act;
    field.dispatchEvent(new Event("change"));
  } else {
    document.querySelector("#moves button").click();
  }
  await done;
  return { time: performance.now() - began, sentence: document.querySelector("#verdict .sentence").textContent };
}"""


def placed(material: str) -> str:
    strong, weak = material.split("v")
    return f"{random_board(random, strong + weak.lower())} {random.choice('wb')}"


def ask(page: Page, fen: str | None) -> float | None:
    """The milliseconds of an answer, none for a position that has none."""
    found = page.evaluate(TIMED, fen)
    kind = page.locator("#verdict").get_attribute("class")
    return None if kind == "wrong" else found["time"]


def main() -> None:
    program, module, tables = sys.argv[1:4]
    path = sys.argv[4] if len(sys.argv) > 4 else None
    count = int(sys.argv[5]) if len(sys.argv) > 5 else 50
    random.seed(1)
    materials = {path.name.split(".")[0] for path in pathlib.Path(tables).glob("*.smp")}
    materials = sorted(name for name in materials if len(name) == 6)
    assert materials, f"no packed files of five men in {tables}"
    cold: list[float] = []
    later: list[float] = []
    requests: list[int] = []
    with tempfile.TemporaryDirectory() as place, chromium(path) as browser:
        command = [program, "site", place, "--tables", tables, "--module", module]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with listening(FileHandler, folder=place, delay=DELAY) as base:
            while len(later) < count:
                page = browser.new_context(service_workers="block").new_page()
                asked: list[str] = []
                page.on("request", lambda request: asked.append(request.url))
                page.goto(f"{base}/?fen=8/8/8/3k4/8/8/8/R3K3_w")
                page.locator("#line-section[aria-busy=false]").wait_for()
                asked.clear()
                time = ask(page, placed(random.choice(materials)))
                if time is not None and page.locator("#moves button:visible").count():
                    cold.append(time)
                    requests.append(len(asked))
                    # Hidden where there is no line, as in a draw.
                    page.locator("#line-section[aria-busy=false]").wait_for(state="attached")
                    later.append(ask(page, None) or 0)
                page.context.close()
    for name, values in (("cold", cold), ("a move later", later), ("requests", requests)):
        ordered = sorted(values)
        print(f"{name}: median {statistics.median(values):.0f}, nine of ten {ordered[len(ordered) * 9 // 10]:.0f}, most {ordered[-1]:.0f}")


if __name__ == "__main__":
    main()
