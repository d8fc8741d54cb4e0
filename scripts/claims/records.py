"""What `sakmak` prints with --json, for every script that reads it."""

import json


def records(text):
    """The JSON values of a text, one after the other."""
    text, decoder = text.strip(), json.JSONDecoder()
    while text:
        value, end = decoder.raw_decode(text)
        yield value
        text = text[end:].lstrip()
