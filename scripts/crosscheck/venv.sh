# Sourced from the top of the project: sets `target`, and `python` to one that has pyffish.
# Wants python3 with venv; installs the one pinned package into target/.
target=${CARGO_TARGET_DIR:-target}
venv=$target/crosscheck-venv
wanted=scripts/crosscheck/requirements.txt
. scripts/venv.sh
