"""The calls of python-chess, and positions as bitboards."""

import sakmak

WON = "8/8/8/4k3/8/4K3/4S3/4M3 w - 88 40 21"
LATE = "8/8/8/4k3/8/4K3/4S3/4M3 w - 88 80 41"
MISSING = "8/8/8/3k4/8/8/4N3/2K3S1 w"

with sakmak.open_tablebase("sakmak-tables") as tables:
    print(tables.probe_wdl(WON))  # 2: won, in time
    print(tables.probe_wdl(LATE))  # 1: mate can be forced, but too late
    print(tables.probe_dtm(WON))  # 47 plies to mate, with nothing counted
    print(tables.get_wdl(MISSING, default="no table"))

    e1, e2, e3, e5 = 1 << 4, 1 << 12, 1 << 20, 1 << 36
    position = sakmak.Position.from_bitboards(
        white=e1 | e2 | e3, black=e5, kings=e3 | e5, khons=e2, mets=e1, turn="white"
    )
    print(position.fen, tables.wdl(position))

    positions = sakmak.Position.from_arrays(
        white=[e1 | e2 | e3, e2 | e3],
        black=[e5, e5],
        kings=[e3 | e5, e3 | e5],
        khons=[e2, e2],
        mets=[e1, 0],
        turn=["white", "black"],
    )
    print(tables.category_batch(positions))
    print(tables.category_batch(positions, numbers=True).tolist())
