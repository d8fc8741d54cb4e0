# Sourced from the top of the project: sets `target`, and `python` to one that has pyffish.
# Wants python3 with venv; installs the one pinned package into target/.
target=${CARGO_TARGET_DIR:-target}
venv=$target/crosscheck-venv
wanted=scripts/crosscheck/requirements.txt
python=$venv/bin/python

# Made anew when it was left half done or the pin has changed.
if ! cmp -s "$wanted" "$venv/installed.txt"; then
    rm -rf "$venv"
    python3 -m venv "$venv"
    "$python" -m pip install --quiet --disable-pip-version-check -r "$wanted"
    cp "$wanted" "$venv/installed.txt"
fi
