#!/bin/sh
# Makes the tables for positions.tsv and all tables that they lead to, 15 MB, in some seconds.
# Also makes WDL files for two of the four counting rules; the others are answered from tables.
# usage: tables.sh SAKMAK TABLES
set -eu
"$1" generate KRvKN KRvKM KRMvK KSMvK KNvKM KPvKM --tables "$2" --counting makruk \
    --counting makruk-khon-first --counting ouk --counting ouk-traditional
"$1" wdl "$2" --counting makruk
"$1" wdl "$2" --counting ouk
