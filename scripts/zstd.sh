# Sourced: sets `zstd` to the folder of the source of zstd that libsakmak.a has in it.
zstd=$(cargo metadata --format-version 1 --filter-platform "$(rustc -vV | sed -n 's/^host: //p')" | python3 -c 'import json, os, sys
packages = json.load(sys.stdin)["packages"]
print(next(os.path.dirname(p["manifest_path"]) for p in packages if p["name"] == "zstd-sys"))')/zstd
