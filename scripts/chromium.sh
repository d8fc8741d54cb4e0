# Sourced: sets `python` to the interpreter of an environment with Playwright and axe-core, and `chromium` to
# the program, or to nothing if Playwright has one of its own. Needs `target`.
wanted=scripts/browser/requirements.txt
venv=$target/browser-venv
. scripts/venv.sh
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$chromium" ]; then
    "$python" -m playwright install chromium
fi
