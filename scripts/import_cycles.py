"""Fails when modules of a crate import one another in a circle.

usage: import_cycles.py CRATE_ROOT...

A crate root is a file such as gen/src/lib.rs; its modules are found by their `mod` lines.
Module a imports module b when a names b, or something in b, by a path that begins with
`crate`, `self`, `super` or a child of a; also where it makes such a thing public as its
own. A path counts for the deepest module it names. Code under `#[cfg(test)]` does not
count, nor does `mod b;` alone. Files are read as tokens, not compiled: paths that macros
make up are not seen.
"""

import pathlib
import re
import sys

TOKEN = re.compile(
    r"""
    (?P<skip> //[^\n]* | /\*.*?\*/ | \s+ )
  | (?P<text> b?r(?P<hashes>\#*)".*?"(?P=hashes) | b?"(?:\\.|[^"\\])*"
            | b?'(?:\\.[^']*|[^'\\])' )
  | (?P<word> '?[A-Za-z_]\w* )
  | (?P<sign> :: | . )
    """,
    re.VERBOSE | re.DOTALL,
)
TEST = ["#", "[", "cfg", "(", "test", ")", "]"]


def tokens_of(source):
    """The words and signs of a file, tests left out."""
    tokens = [match[0] for match in TOKEN.finditer(source) if match["word"] or match["sign"]]
    kept, at = [], 0
    while at < len(tokens):
        if tokens[at : at + len(TEST)] == TEST:
            at = after_item(tokens, at + len(TEST))
        else:
            kept.append(tokens[at])
            at += 1
    return kept


def after_item(tokens, at):
    """Where the item that begins here has ended: at its `;` or closing brace."""
    depth = 0
    while at < len(tokens):
        depth += (tokens[at] in "({[") - (tokens[at] in ")}]")
        at += 1
        if depth == 0 and tokens[at - 1] in ";}":
            break
    return at


def children_of(tokens):
    """The modules declared with `mod name;`."""
    return [
        tokens[at + 1]
        for at in range(len(tokens) - 2)
        if tokens[at] == "mod" and tokens[at + 2] == ";"
    ]


def modules_of(root):
    """All modules of a crate: {path as a tuple: tokens}."""
    modules, waiting = {}, [((), root, root.parent)]
    while waiting:
        path, file, folder = waiting.pop()
        modules[path] = tokens_of(file.read_text())
        for name in children_of(modules[path]):
            inside = folder / name
            flat = inside.with_suffix(".rs")
            waiting.append((path + (name,), flat if flat.exists() else inside / "mod.rs", inside))
    return modules


def tree(tokens, at, prefix):
    """The paths of a use tree, `a::{b, c::d}` and the like, and where it ends."""
    path, paths = prefix, []
    while at < len(tokens):
        token = tokens[at]
        if token == "{":
            at += 1
            while tokens[at] != "}":
                more, at = tree(tokens, at, path)
                paths += more
                at += tokens[at] == ","
            return paths, at + 1
        if token == "*" or re.match(r"[A-Za-z_]", token):
            path, at = path + (token,), at + 1
        if at >= len(tokens) or tokens[at] != "::":
            break
        at += 1
    if tokens[at : at + 1] == ["as"]:
        at += 2
    return paths + [path], at


def imports_of(module, tokens, modules):
    """The modules that a module imports."""
    children = {path[-1] for path in modules if path and path[:-1] == module}
    starts, found, at = {"crate", "self", "super"} | children, set(), 0
    while at < len(tokens):
        begins = tokens[at] in starts and (at == 0 or tokens[at - 1] not in ("::", "."))
        used = at > 0 and tokens[at - 1] == "use"
        if not (begins and (used or tokens[at + 1 : at + 2] == ["::"])):
            at += 1
            continue
        paths, at = tree(tokens, at, ())
        found |= {target(module, path, modules) for path in paths}
    return found - {module}


def target(module, path, modules):
    """The deepest module that a path names."""
    here = () if path[0] == "crate" else module
    names = list(path[1:] if path[0] in ("crate", "self") else path)
    while names and names[0] == "super":
        here, names = here[:-1], names[1:]
    while names and here + (names[0],) in modules:
        here, names = here + (names[0],), names[1:]
    return here


def cycle_in(imports):
    """Modules that import one another in a circle, the first one again at the end."""
    done, chain = set(), []

    def visit(module):
        if module in chain:
            return chain[chain.index(module) :] + [module]
        if module in done:
            return None
        chain.append(module)
        for other in sorted(imports[module]):
            if found := visit(other):
                return found
        chain.pop()
        done.add(module)
        return None

    return next((found for module in sorted(imports) if (found := visit(module))), None)


def main(roots):
    for root in map(pathlib.Path, roots):
        modules = modules_of(root)
        imports = {path: imports_of(path, tokens, modules) for path, tokens in modules.items()}
        edges = sum(map(len, imports.values()))
        if cycle := cycle_in(imports):
            sys.exit(f"{root}: " + " -> ".join("::".join(("crate",) + path) for path in cycle))
        print(f"{root}: {len(modules)} modules, {edges} imports, no cycle")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1:])
