#!/bin/sh
# Reads the data of an atlas with DuckDB, polars and pandas: one example each, and a test that
# the results are equal. Needs python3 with venv; installs the pinned packages into target/.
# usage: scripts/atlas-data.sh ATLAS
set -eu
atlas=$(cd "${1:?usage: atlas-data.sh ATLAS}" && pwd)
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
wanted=scripts/atlas/data-requirements.txt
venv=$target/atlas-data-venv
. scripts/venv.sh
exec "$python" scripts/atlas/data.py "$atlas"
