"""Checks the structure of the workspace.

usage: structure.py CRATE_ROOT...

A crate root is a file such as tables/src/lib.rs; its modules are found by their `mod` lines.
Two things are errors:

- an import cycle between modules of a crate. Module a imports module b when a names b, or
  something in b, by a path that begins with `crate`, `self`, `super` or a child of a; also
  where a makes such a thing public as its own. A path counts for the deepest module it
  names. Code under `#[cfg(test)]` does not count, nor does `mod b;` alone;
- an import cycle between folders: the same, where a module represents all modules below it.

Files are read as tokens, not compiled: paths and types that macros make up are not seen. Takes seconds.
"""

import collections
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


def all_tokens_of(source):
    """The words and signs of a file."""
    return [match[0] for match in TOKEN.finditer(source) if match["word"] or match["sign"]]


def tokens_of(source):
    """The words and signs of a file, tests left out."""
    tokens = all_tokens_of(source)
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


def split_inline(tokens):
    """The tokens outside `mod name { ... }`, and the tokens inside each of those."""
    outside, inline, at = [], {}, 0
    while at < len(tokens):
        if tokens[at] == "mod" and tokens[at + 2 : at + 3] == ["{"]:
            end = after_item(tokens, at + 2)
            inline[tokens[at + 1]] = tokens[at + 3 : end - 1]
            at = end
        else:
            outside.append(tokens[at])
            at += 1
    return outside, inline


def modules_of(root):
    """All modules of a crate: {path as a tuple: tokens}."""
    modules = {}
    waiting = [((), tokens_of(root.read_text()), root.parent)]
    while waiting:
        path, tokens, folder = waiting.pop()
        tokens, inline = split_inline(tokens)
        modules[path] = tokens
        for name, inside in inline.items():
            waiting.append((path + (name,), inside, folder / name))
        for at in range(len(tokens) - 2):
            if tokens[at] == "mod" and tokens[at + 2] == ";":
                name = tokens[at + 1]
                flat = folder / f"{name}.rs"
                file = flat if flat.exists() else folder / name / "mod.rs"
                waiting.append((path + (name,), tokens_of(file.read_text()), folder / name))
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


def imports_between_folders(imports):
    """For each folder: its modules as nodes, each standing for all modules below it."""
    folders = collections.defaultdict(lambda: collections.defaultdict(set))
    for module, others in imports.items():
        for other in others:
            shared = 0
            while module[shared : shared + 1] == other[shared : shared + 1] != ():
                shared += 1
            if shared < len(module) and shared < len(other):
                folder = folders[module[:shared]]
                folder[module[: shared + 1]].add(other[: shared + 1])
                folder[other[: shared + 1]] |= set()
    return folders


def main(roots):
    for root in map(pathlib.Path, roots):
        modules = modules_of(root)
        imports = {path: imports_of(path, tokens, modules) for path, tokens in modules.items()}
        edges = sum(map(len, imports.values()))
        graphs = [imports, *imports_between_folders(imports).values()]
        for cycle in filter(None, map(cycle_in, graphs)):
            sys.exit(f"{root}: " + " -> ".join("::".join(("crate",) + path) for path in cycle))
        print(f"{root}: {len(modules)} modules, {edges} imports, no cycle")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1:])
