# SPDX-License-Identifier: GPL-2.0-only
"""Where the keys of a TOML file stand, which its reader forgets. Standard library only."""

import re

_HEADER = re.compile(r"\s*\[(\[?)\s*([^\[\]]+?)\s*\]")
_KEY = re.compile(r"""\s*["']?([\w-]+)["']?\s*[.=]""")


def _paths(text):
    """Yield (line, which of the tables of that name or None, path of the header or key on it)."""
    table, which, counted = [], None, {}
    for line, content in enumerate(text.splitlines(), 1):
        header, key = _HEADER.match(content), _KEY.match(content)
        if header:
            table = [key.strip("\"' ") for key in header[2].split(".")]
            if header[1] and len(table) == 1:
                counted[table[0]] = counted.get(table[0], -1) + 1
            which = counted.get(table[0])
            yield line, which, table
        elif key:
            yield line, which, [*table, key[1]]


def line_of(text, keys):
    """Return the line where ``keys`` stand, such as ("points", 2, "runs").

    Where the last of them is nowhere it is the line of the one before, such as a header, else 1. It
    goes by headers and by what lines begin with: text of several lines may mislead it.
    """
    entry = next((key for key in keys[1:2] if isinstance(key, int)), None)
    names = [key for key in keys if isinstance(key, str)]
    best, found = 0, 1
    for line, which, path in _paths(text):
        mine = entry is None or which is None or which == entry
        path = path[: len(names)]
        if mine and names[: len(path)] == path and len(path) > best:
            best, found = len(path), line
    return found
