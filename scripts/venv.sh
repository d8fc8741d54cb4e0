# Sourced: sets `python` to that of the environment `venv`, with what `wanted` lists.
python=$venv/bin/python
# Made anew when it was left half done or the pins have changed.
if ! cmp -s "$wanted" "$venv/installed.txt"; then
    rm -rf "$venv"
    python3 -m venv "$venv"
    "$python" -m pip install --quiet --disable-pip-version-check -r "$wanted"
    cp "$wanted" "$venv/installed.txt"
fi
