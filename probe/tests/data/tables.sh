#!/bin/sh
# Makes the tables that positions.tsv is about and what they lead to, 13 MB, in some seconds.
# usage: tables.sh SAKMAK TABLES
set -eu
exec "$1" generate KRvKN KRvKM KRMvK KSMvK KNvKM KPvKM --tables "$2" --counting makruk \
    --counting makruk-khon-first --counting ouk --counting ouk-traditional
