"""JSON that `sakmak` prints, and figures of pages in Markdown, for every script that reads or writes them."""

import json
import pathlib
import re
import sys


def records(text):
    """The JSON values of a text, one after the other."""
    text, decoder = text.strip(), json.JSONDecoder()
    while text:
        value, end = decoder.raw_decode(text)
        yield value
        text = text[end:].lstrip()


def given_records():
    """The JSON values on standard input, of which there must be one."""
    found = list(records(sys.stdin.read()))
    return found or sys.exit(f"{pathlib.Path(sys.argv[0]).name}: nothing to read")


def percent(part, whole):
    """A share, never rounded to 0 or 100."""
    if part in (0, whole):
        return f"{100 * part // whole} %" if whole else "-"
    return f"{min(max(100 * part / whole, 0.01), 99.99):.2f} %"


def table(head, rows):
    """A table of Markdown."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


def filled(page, figures):
    """A page with new figures: each is between `<!-- NAME -->` and `<!-- end -->`."""

    def put(match):
        return match[1] + figures.pop(match[2]) + match[3]

    text = re.sub(r"(<!-- (\w+) -->\s*).*?(\s*<!-- end -->)", put, page, flags=re.DOTALL)
    return text if not figures else sys.exit(f"the page has no place for {', '.join(figures)}")
