"""The data of an atlas in other programs: one example each.

usage: data.py ATLAS

One question, answered three ways: in which materials does Makruk's count turn the largest
share of White's wins into draws? Columns are described in docs/data.md.
"""

import json
import pathlib
import sys

import duckdb
import pandas
import polars

MOST = 5


def with_duckdb(atlas: pathlib.Path) -> list[tuple[str, float]]:
    """SQL over Parquet; `read_csv` does the same with the CSV."""
    question = f"""
        SELECT material, white_too_late / white_won AS lost
        FROM read_parquet('{atlas / "overview.parquet"}')
        WHERE counting = 'makruk' AND white_won > 0
        ORDER BY lost DESC, material LIMIT {MOST}
    """
    return duckdb.sql(question).fetchall()


def with_polars(atlas: pathlib.Path) -> list[tuple[str, float]]:
    """Expressions over Parquet."""
    lost = (polars.col("white_too_late") / polars.col("white_won")).alias("lost")
    return (
        polars.read_parquet(atlas / "overview.parquet")
        .filter((polars.col("counting") == "makruk") & (polars.col("white_won") > 0))
        .select("material", lost)
        .drop_nulls()
        .sort(["lost", "material"], descending=[True, False])
        .head(MOST)
        .rows()
    )


def with_pandas(atlas: pathlib.Path) -> list[tuple[str, float]]:
    """Frames over CSV; an unknown number is an empty field there and NaN here."""
    frame = pandas.read_csv(atlas / "overview.csv")
    frame = frame[(frame.counting == "makruk") & (frame.white_won > 0)]
    frame = frame.assign(lost=frame.white_too_late / frame.white_won)
    frame = frame.dropna(subset="lost").sort_values(["lost", "material"], ascending=[False, True])
    return list(frame[["material", "lost"]].head(MOST).itertuples(index=False, name=None))


def longest(atlas: pathlib.Path, material: str) -> str:
    """One material's JSON: its histogram and its longest win."""
    data = json.loads((atlas / "data" / f"{material}.json").read_text())
    side = data["countings"][0]["white_to_move"]
    moves = max(map(int, side["win_histogram"]), default=0)
    return f"mate in {moves}: {side['longest_win']['fen']}" if moves else "never won"


def main() -> None:
    atlas = pathlib.Path(sys.argv[1])
    readers = {"DuckDB": with_duckdb, "polars": with_polars, "pandas": with_pandas}
    answers = {name: reader(atlas) for name, reader in readers.items()}
    first, *others = answers.values()
    rounded = lambda rows: [(material, round(lost, 9)) for material, lost in rows]
    assert all(rounded(other) == rounded(first) for other in others), answers
    print(f"{', '.join(answers)} agree. Wins that come too late in Makruk:")
    for material, lost in first:
        print(f"  {material:<8}{100 * lost:6.2f} %   {longest(atlas, material)}")


if __name__ == "__main__":
    main()
