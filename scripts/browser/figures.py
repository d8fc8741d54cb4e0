"""How pages load: the first paint, shifts of the layout; and without the network."""

from explorer import fen, fresh, sentence
from playwright.sync_api import Page, expect
from site_under_test import Texts

KHON = "8/8/8/4k3/8/4K3/4S3/4M3_w"
ROOKS = "8/1n2K3/8/3R4/8/7k/8/8_w"
# Milliseconds of a slow mobile network, and for the first paint of a page that was visited before.
LATENCY, PAINT = 400, 1000
# Loads of which the quickest counts: a busy machine is no slower network.
TRIES = 3
# The shift that browsers call good.
SHIFT = 0.1
PHONE, DESKTOP = (390, 844), (1280, 800)

OBSERVED = """() => {
  window.shift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
}"""


def measure(pages, kind: str) -> None:
    """The first paint of a page that was visited before, and the shifts until all is there."""
    for size in (PHONE, DESKTOP):
        with pages.opened("en", size) as page:
            page.add_init_script(f"({OBSERVED})()")
            fresh(page, f"{pages.base}/")
            if kind == "site":
                page.wait_for_function("navigator.serviceWorker.ready.then(() => true)")
            session = page.context.new_cdp_session(page)
            session.send("Network.enable")
            slow = {"offline": False, "latency": LATENCY, "downloadThroughput": -1, "uploadThroughput": -1}
            session.send("Network.emulateNetworkConditions", slow)
            for path in ("/", "/trainer.html"):
                paint, shift = min(loaded(page, pages.base + path) for _ in range(TRIES))
                print(f"{kind} {size[0]} {path}: first paint {paint:.0f} ms, shift {shift:.3f}", flush=True)
                assert shift <= SHIFT, (kind, size, path, shift)
                assert paint <= PAINT, (kind, size, path, paint)


def loaded(page: Page, address: str) -> tuple[float, float]:
    """The first paint of a page, and the shifts until its board and its line are there."""
    page.goto(address)
    done = "#board use" if address.endswith(".html") else "#line button"
    expect(page.locator(done).first).to_be_visible()
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    return paint, page.evaluate("window.shift")


def offline(site) -> None:
    """After the first visit, up to four men, with all that is solved for them; a reload, the trainer."""
    with site.opened("th", PHONE) as page:
        fresh(page, f"{site.base}/")
        page.wait_for_function("navigator.serviceWorker.ready.then(() => true)")
        page.context.set_offline(True)
        fresh(page, f"{site.base}/?fen={ROOKS}")
        expect(page.locator("#line button").first).to_be_visible()
        page.reload()
        expect(fen(page)).to_have_value(ROOKS.replace("_", " ") + " - - 0 1")
        expect(sentence(page)).not_to_have_text("")
        page.goto(f"{site.base}/trainer.html?fen={KHON}")
        expect(page.locator("#task")).to_contain_text(Texts("th").side("white"))
        expect(page.locator("#board use").first).to_be_visible()
    print("site: answers without the network", flush=True)
