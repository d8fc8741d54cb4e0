#!/bin/sh
# Makes the tables for positions.tsv and for variants.py, and all tables that they lead to, 20 MB, in some seconds.
# Also makes WDL files for three of the five counting rules; the others are answered from tables.
# usage: tables.sh SAKMAK TABLES
# The golden file tables/KRvK.dtm.smt is that of `sakmak generate KRvK --tables probe/tests/data/tables`.
set -eu
"$1" generate KRvKN KRvKM KRMvK KSMvK KNvKM KPvKM --tables "$2" --counting makruk \
    --counting makruk-khon-first --counting ouk --counting ouk-traditional
"$1" generate KRvKN KRvKM KRMvK KSMvK KNvKM KPvKM --tables "$2" --variant kar-ouk
"$1" generate KPvK --tables "$2" --variant chess
"$1" wdl --tables "$2" --variant makruk
"$1" wdl --tables "$2" --variant ouk
"$1" wdl --tables "$2" --variant kar-ouk
"$1" generate KRHvK --tables "$2" --variant janggi
"$1" generate KMMvK --tables "$2" --variant rek
"$1" generate 4 --tables "$2" --variant min-rek-chanh
