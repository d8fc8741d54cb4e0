# Sourced from the root of the repository: as built.sh, and sets `python` to one with pyffish.
# Needs python3 with venv; installs one pinned package into target/.
. scripts/built.sh
venv=$target/crosscheck-venv
wanted=scripts/crosscheck/requirements.txt
. scripts/venv.sh
