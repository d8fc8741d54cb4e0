# Sourced: sets `python` to that of the environment in `$venv`, with the packages that the file
# `$wanted` lists.
python=$venv/bin/python
# Made again if it is incomplete or the list has changed.
if ! cmp -s "$wanted" "$venv/installed.txt"; then
    rm -rf "$venv"
    python3 -m venv "$venv"
    "$python" -m pip install --quiet --disable-pip-version-check -r "$wanted"
    cp "$wanted" "$venv/installed.txt"
fi
