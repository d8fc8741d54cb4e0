# Sourced from the root of the repository: sets `target`, `profile` and `built`, the folder of what is
# compiled, and `python` to one with pyffish.
# Needs python3 with venv; installs one pinned package into target/.
target=${CARGO_TARGET_DIR:-target}
profile=${SAKMAK_PROFILE:-release}
built=$target/$profile
venv=$target/crosscheck-venv
wanted=scripts/crosscheck/requirements.txt
. scripts/venv.sh
