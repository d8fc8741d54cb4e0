"""What the tables of a plan take, in core-hours, memory, disk and money, from measured rates.

usage: sakmak plan 7 --json --rate 1 --packed --memory 9T | python3 scripts/cluster/scale.py [OPTION...]

Prints a Markdown table with a row for each number of men and pawns, or with --tables CSV with a row
for each table. The rates are those of one core; the defaults are those of docs/scale.md. The money
is for machines rented by the hour: for cores or for memory, whichever is more.
"""

import argparse
import csv
import json
import sys
from collections import defaultdict

GIB = 1 << 30
FIELDS = ["table", "men", "pawns", "slots", "solving_core_hours", "packing_core_hours",
          "memory_gib", "memory_least_gib", "disk_gib", "solved_gib", "packed_gib", "money"]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", action="store_true", help="a row for each table, as CSV")
    parser.add_argument("--least-men", type=int, default=3, help="no tables of fewer men [3]")
    parser.add_argument("--solve", type=float, default=46e6, help="slots solved per second [46e6]")
    parser.add_argument("--pack", type=float, default=60e6, help="slots packed per second [60e6]")
    parser.add_argument("--solved-bits", type=float, default=2.03,
                        help="bits per slot of a solved file [2.03]")
    parser.add_argument("--packed-bits", type=float, default=0.41,
                        help="bits per slot of a packed file [0.41]")
    parser.add_argument("--cores", type=int, default=32, help="cores of a machine [32]")
    parser.add_argument("--core-hour", type=float, default=0.05, help="price of a core-hour [0.05]")
    parser.add_argument("--gib-hour", type=float, default=0.006,
                        help="price of a GiB of memory for an hour [0.006]")
    return parser.parse_args()


def needs(table, rates):
    """What one table takes."""
    white, black = table["table"].split(".")[0].split("v")
    slots = table["slots"]
    solving, packing = slots / rates.solve / 3600, slots / rates.pack / 3600
    memory = table["memory"] / GIB
    hours = (solving + packing) / rates.cores
    return {
        "table": table["table"],
        "men": len(white + black),
        "pawns": (white + black).count("P"),
        "slots": slots,
        "solving_core_hours": solving,
        "packing_core_hours": packing,
        "memory_gib": memory,
        "memory_least_gib": table["memory_least"] / GIB,
        "disk_gib": table["disk"] / GIB,
        "solved_gib": slots * rates.solved_bits / 8 / GIB,
        "packed_gib": slots * rates.packed_bits / 8 / GIB,
        "money": max((solving + packing) * rates.core_hour, hours * memory * rates.gib_hour),
    }


def amount(number):
    """Three digits, with a comma for thousands."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def summary(rows):
    print("| men | pawns | tables | slots | solving, core-hours | packing, core-hours |"
          " memory of the largest | at least | solved files | packed files | money |")
    print("|---" * 11 + "|")
    groups = defaultdict(list)
    for row in rows:
        groups[row["men"], row["pawns"]].append(row)
        groups[row["men"], "all"].append(row)
    for (men, pawns), group in sorted(groups.items(), key=lambda item: (item[0][0], str(item[0][1]))):
        total = lambda field: amount(sum(row[field] for row in group))
        memory = amount(max(row["memory_gib"] for row in group))
        least = amount(max(row["memory_least_gib"] for row in group))
        billions = amount(sum(row["slots"] for row in group) / 1e9)
        print(f"| {men} | {pawns} | {len(group)} | {billions} G | {total('solving_core_hours')} |"
              f" {total('packing_core_hours')} | {memory} GiB | {least} GiB |"
              f" {total('solved_gib')} GiB |"
              f" {total('packed_gib')} GiB | {total('money')} |")


def main():
    rates = arguments()
    rows = [needs(table, rates) for table in json.load(sys.stdin)["tables"]]
    rows = [row for row in rows if row["men"] >= rates.least_men]
    if rates.tables:
        writer = csv.DictWriter(sys.stdout, FIELDS, lineterminator="\n")
        writer.writeheader()
        for table in rows:
            writer.writerow({field: f"{value:.4g}" if isinstance(value, float) else value
                             for field, value in table.items()})
    else:
        summary(rows)


if __name__ == "__main__":
    main()
