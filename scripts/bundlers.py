#!/usr/bin/env python3
"""Builds the example page of the npm package with bundlers, each for production and in development, with the
settings that docs/wasm.md names.

usage: bundlers.py PACKED PLACE [CHROMIUM]

PACKED is the file that `npm pack` wrote. Bundlers of pinned versions are installed in the folder PLACE. Each
output has the module, byte for byte, and a worker that answers in Node; the types are checked by TypeScript.
With CHROMIUM there are more bundlers and their development servers, and every page shows its answer in the
browser; this needs Playwright, see scripts/bundlers.sh. Stops with an error at the first failure. Takes half a
minute, two minutes with CHROMIUM.
"""

import contextlib
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable, Iterator

from browser.site_under_test import FileHandler, listening

ROOT = pathlib.Path(__file__).resolve().parents[1]
EXAMPLE = ROOT / "gen/wasm/examples/page.html"
TESTS = ROOT / "gen/wasm/tests"
DOCUMENT = ROOT / "docs/wasm.md"
FEW = {
    "esbuild": "0.28.2",
    "typescript": "5.9.3",
    "vite": "8.4.0",
    "webpack": "5.113.0",
    "webpack-cli": "7.3.1",
}
MORE = {
    "@rollup/plugin-node-resolve": "16.0.3",
    "@rspack/cli": "2.2.8",
    "@rspack/core": "2.3.3",
    "@web/rollup-plugin-import-meta-assets": "2.3.3",
    "parcel": "2.16.4",
    "rollup": "4.68.8",
    "vite7": "npm:vite@7.3.8",
    "webpack-dev-server": "6.1.0",
}
MODES = ("production", "development")
# Seconds for a bundler, and for a page in the browser.
PATIENCE = 120
# The answer of the example page.
ANSWER = "win: Md2 "


def install(place: pathlib.Path, packages: dict[str, str], packed: pathlib.Path) -> None:
    """Installs the packages, unless they are there, and the packed one."""
    package = {"name": "app", "version": "1.0.0", "type": "module", "private": True, "devDependencies": packages}
    text, marker = json.dumps(package), place / "installed.json"
    if not marker.exists() or marker.read_text() != text:
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        (place / "package.json").write_text(text)
        run(place, ["npm", "install", "--silent", "--no-audit", "--no-fund", "--no-package-lock"])
        marker.write_text(text)
    target = place / "node_modules/sakmak"
    shutil.rmtree(target, ignore_errors=True)
    with tarfile.open(packed) as archive:
        archive.extractall(place / "unpacked", filter="data")
    shutil.move(place / "unpacked/package", target)


def run(place: pathlib.Path, command: list[str]) -> str:
    """Runs a program of the place, and gives its output."""
    path = f"{place / 'node_modules/.bin'}{os.pathsep}{os.environ['PATH']}"
    ran = subprocess.run(command, cwd=place, env={**os.environ, "PATH": path}, capture_output=True, text=True, timeout=PATIENCE)
    assert ran.returncode == 0, f"{shlex.join(command)}: {ran.stdout}{ran.stderr}"
    return ran.stdout


def documented(name: str) -> str:
    """The block of code in the document that has the name in its first line."""
    blocks = re.findall(r"^```\w+\n(.*?)^```", DOCUMENT.read_text(), re.MULTILINE | re.DOTALL)
    found = [block for block in blocks if name in block.split("\n", 1)[0]]
    assert len(found) == 1, f"{DOCUMENT}: {len(found)} blocks of {name}"
    return found[0]


def page_with(script: str) -> str:
    """The example page with a script of its own file, and an icon, so that no request fails."""
    page, _ = EXAMPLE.read_text().split('<script type="module">')
    return page.replace("<title>", '<link rel="icon" href="data:,">\n<title>') + script


MODULE_PAGE = page_with('<script type="module" src="./app.js"></script>\n')
CLASSIC_PAGE = page_with('<script defer src="main.js"></script>\n')


def write_app(place: pathlib.Path) -> None:
    """The example page as sources of an application."""
    script = re.search(r'<script type="module">\n(.*)</script>', EXAMPLE.read_text(), re.DOTALL)
    assert script and '"./node_modules/sakmak/index.js"' in script[1]
    (place / "app.js").write_text(script[1].replace("./node_modules/sakmak/index.js", "sakmak"))
    (place / "index.html").write_text(MODULE_PAGE)


def esbuild(*options: str) -> list[str]:
    command = shlex.split(documented("npx esbuild").replace("\\\n", " "))
    assert command.pop(0) == "npx" and command.pop() == "--outdir=out"
    return [*command, "--log-level=error", *options]


def vite(program: list[str], mode: str, out: str) -> list[str]:
    options = ["--base", "./", "--outDir", out, "--emptyOutDir", "--mode", mode, "--logLevel", "error"]
    return [*program, "build", *options, *["--minify", "false"] * (mode == "development")]


VITE_7 = ["node", "node_modules/vite7/bin/vite.js"]

# Of each bundler its command for a mode and an output, and the page if it writes none.
FEW_BUILDS: dict[str, tuple[Callable[[str, str], list[str]], str | None]] = {
    "webpack": (lambda mode, out: ["webpack", "--mode", mode, "--entry", "./app.js", "-o", out], CLASSIC_PAGE),
    "esbuild": (lambda mode, out: esbuild(f"--outdir={out}", *["--minify"] * (mode == "production")), MODULE_PAGE),
    "vite": (lambda mode, out: vite(["vite"], mode, out), None),
}
MORE_BUILDS: dict[str, tuple[Callable[[str, str], list[str]], str | None]] = {
    "rspack": (lambda mode, out: ["rspack", "build", "--mode", mode, "--entry", "./app.js", "-o", out], CLASSIC_PAGE),
    "vite 7": (lambda mode, out: vite(VITE_7, mode, out), None),
    "rollup": (lambda mode, out: ["rollup", "-c", "--silent", "--environment", f"NODE_ENV:{mode}", "-d", out], MODULE_PAGE),
    "parcel": (
        lambda mode, out: ["parcel", "build", "index.html", "--no-cache", "--no-autoinstall", "--public-url", "./",
                           "--log-level", "error", "--dist-dir", out, *["--no-optimize"] * (mode == "development")],
        None,
    ),
}
# Of each development server its command for a port.
SERVERS: dict[str, Callable[[int], list[str]]] = {
    "webpack": lambda port: ["webpack", "serve", "--mode", "development", "--entry", "./app.js",
                             "--static", "classic", "--host", "127.0.0.1", "--port", str(port)],
    "esbuild": lambda port: esbuild("--outdir=served", "--servedir=served", f"--serve=127.0.0.1:{port}"),
    "vite": lambda port: ["vite", "--host", "127.0.0.1", "--port", str(port), "--strictPort"],
    "vite 7": lambda port: [*VITE_7, "--config", "vite.config.js", "--host", "127.0.0.1", "--port", str(port), "--strictPort"],
    "parcel": lambda port: ["parcel", "serve", "index.html", "--no-cache", "--no-autoinstall", "--host", "127.0.0.1",
                            "--port", str(port), "--dist-dir", "parcel-served"],
}


def check(place: pathlib.Path, name: str, out: pathlib.Path) -> None:
    """The output has the module, no import of Node, and a worker that answers."""
    module = (place / "node_modules/sakmak/sakmak.wasm").read_bytes()
    modules = list(out.rglob("*.wasm"))
    assert [path.read_bytes() == module for path in modules] == [True], f"{name}: {modules}"
    scripts = {path: path.read_text() for path in out.rglob("*.js")}
    of_node = [path for path, text in scripts.items() if re.search(r"['\"`]node:", text)]
    assert not of_node, f"{name}: Node is named in {of_node}"
    workers = [path for path, text in scripts.items() if "self.onmessage" in text]
    assert len(workers) == 1, f"{name}: workers {workers} of {list(scripts)}"
    answer = run(place, ["node", str(TESTS / "bundled_worker.mjs"), str(workers[0]), str(modules[0])])
    assert answer == "win Md2\n", f"{name}: {answer}"


def check_types(place: pathlib.Path) -> None:
    """TypeScript takes the types, as bundlers and as Node resolve them."""
    (place / "types.ts").write_text((TESTS / "types.ts").read_text())
    for kind, module in (("bundler", "esnext"), ("nodenext", "nodenext")):
        options = ["--moduleResolution", kind, "--module", module, "--target", "es2022", "--lib", "es2022,dom"]
        run(place, ["tsc", "--noEmit", "--strict", "--exactOptionalPropertyTypes", *options, "types.ts"])


def check_node(place: pathlib.Path) -> None:
    """An application for Node, bundled, reads the module from its file."""
    example = ROOT / "gen/wasm/examples/verdict.mjs"
    (place / "verdict.mjs").write_text(example.read_text())
    command = esbuild("--outdir=out/node", "--platform=node")
    command[command.index("app.js")] = "app=verdict.mjs"
    run(place, command)
    answer = run(place, ["node", "out/node/app.js"])
    assert answer == "win Md2\n", f"esbuild for Node: {answer}"


@contextlib.contextmanager
def developing(place: pathlib.Path, command: list[str], port: int) -> Iterator[str]:
    """A development server. Gives its address as soon as it listens."""
    path = f"{place / 'node_modules/.bin'}{os.pathsep}{os.environ['PATH']}"
    # esbuild ends with its input.
    with (place / "server.log").open("w") as log:
        process = subprocess.Popen(
            command, cwd=place, env={**os.environ, "PATH": path}, stdin=subprocess.PIPE, stdout=log, stderr=log, start_new_session=True
        )
    try:
        for _ in range(10 * PATIENCE):
            assert process.poll() is None, f"{shlex.join(command)}: {(place / 'server.log').read_text()}"
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.1)
        else:
            raise AssertionError(f"{shlex.join(command)} does not listen")
        yield f"http://127.0.0.1:{port}/"
    finally:
        # With the processes that it has started.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        process.wait(PATIENCE)


def look(browser, name: str, address: str) -> None:
    """The page at the address shows the answer, by a worker and without an error."""
    page = browser.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: message.type == "error" and wrong.append(message.text))
    page.goto(address)
    value = ""
    for _ in range(10 * PATIENCE):
        value = page.evaluate("document.querySelector('output')?.value ?? ''")
        if value or wrong:
            break
        page.wait_for_timeout(100)
    assert value.startswith(ANSWER) and not wrong, f"{name}: '{value}' {wrong}"
    assert len(page.workers) == 1, f"{name}: {page.workers}"
    page.close()


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def main() -> None:
    packed, place = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    chromium = sys.argv[3] if len(sys.argv) > 3 else None
    builds = {**FEW_BUILDS, **(MORE_BUILDS if chromium else {})}
    install(place, {**FEW, **(MORE if chromium else {})}, packed)
    shutil.rmtree(place / "out", ignore_errors=True)
    write_app(place)
    (place / "rollup.config.js").write_text(documented("rollup.config.js"))
    check_types(place)
    check_node(place)
    outputs = {}
    for name, (command, page) in builds.items():
        for mode in MODES:
            out = place / "out" / f"{name} {mode}"
            run(place, command(mode, str(out)))
            if page:
                (out / "index.html").write_text(page)
            check(place, f"{name}, {mode}", out)
            outputs[f"{name}, {mode}"] = out
    print(f"ok: built by {', '.join(builds)}, for {' and '.join(MODES)}", flush=True)
    if not chromium:
        return
    from browser.checks import chromium as launched

    for folder, page in (("classic", CLASSIC_PAGE), ("served", MODULE_PAGE)):
        (place / folder).mkdir(exist_ok=True)
        (place / folder / "index.html").write_text(page)
    with launched(chromium) as browser:
        # Without a bundler.
        plain = place / "plain"
        (plain / "node_modules").mkdir(parents=True, exist_ok=True)
        shutil.copytree(place / "node_modules/sakmak", plain / "node_modules/sakmak", dirs_exist_ok=True)
        (plain / "index.html").write_text(EXAMPLE.read_text().replace("<title>", '<link rel="icon" href="data:,">\n<title>'))
        for name, folder in {"the plain page": plain, **outputs}.items():
            with listening(FileHandler, folder=str(folder)) as address:
                look(browser, name, f"{address}/")
        print(f"ok: {len(outputs) + 1} pages answer in Chromium", flush=True)
        (place / "vite.config.js").write_text(documented("vite.config.js"))
        for name, command in SERVERS.items():
            if name == "vite":
                # Needs no settings.
                (place / "vite.config.js").rename(place / "vite7.config.js")
            port = free_port()
            with developing(place, command(port), port) as address:
                look(browser, f"{name}, development server", address)
            if name == "vite":
                (place / "vite7.config.js").rename(place / "vite.config.js")
    (place / "vite.config.js").unlink()
    print(f"ok: {len(SERVERS)} development servers answer in Chromium: {', '.join(SERVERS)}", flush=True)


if __name__ == "__main__":
    main()
