#!/bin/sh
# Reads the data of an atlas with DuckDB, polars and pandas: an example of each, and a check
# that all three find the same.
#   scripts/atlas-data.sh ATLAS
# Wants python3 with venv; installs the pinned packages into target/.
set -eu
atlas=$(cd "${1:?which atlas}" && pwd)
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
wanted=scripts/atlas/data-requirements.txt
venv=$target/atlas-data-venv
. scripts/venv.sh
exec "$python" scripts/atlas/data.py "$atlas"
