# Sourced: sets `python` to the interpreter of the environment in `$venv`, with the packages that the file
# `$wanted` lists.
python=$venv/bin/python
case $venv in /*) place=$venv ;; *) place=$PWD/$venv ;; esac
# Made again if it is incomplete, the list has changed, or it was moved: its programs have its path in them.
installed=$(echo "$place" && cat "$wanted")
if [ "$installed" != "$(cat "$venv/installed.txt" 2>/dev/null)" ]; then
    rm -rf "$venv"
    python3 -m venv "$venv"
    "$python" -m pip install --quiet --disable-pip-version-check -r "$wanted"
    echo "$installed" >"$venv/installed.txt"
fi
