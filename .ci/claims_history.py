# SPDX-License-Identifier: GPL-2.0-only
"""Claims whose sentence, band or metric has changed since they were first committed say so.

The first commit of a claim is taken for its first result: what changes later is changed with
results known, and the claim's ``note`` has to tell. The metric is what ``unit`` says of it.
"""

import subprocess
import tomllib
from pathlib import Path

FIGURES = "analysis/figures/*/figure.toml"
WATCHED = ("statement", "low", "high", "unit")


def _git(*words, given=None):
    return subprocess.run(["git", *words], input=given, capture_output=True, check=True).stdout


def _blobs(names):
    """The contents of "commit:path" names, one after the other, None of what is not there."""
    data = _git("cat-file", "--batch", given="\n".join(names).encode())
    found, at = [], 0
    for _ in names:
        end = data.index(b"\n", at)
        head, at = data[at:end].split(), end + 1
        if head[-1] == b"missing":
            found.append(None)
            continue
        size = int(head[-1])
        found.append(data[at : at + size])
        at += size + 1
    return found


def versions():
    """Committed figure.toml files, oldest first, and what stands there now: [bytes]."""
    log = _git("log", "--reverse", "--format=%x00%H", "--name-only", "--no-renames", "--", FIGURES)
    names = []
    for part in log.decode().split("\0")[1:]:
        commit, *paths = part.split()
        names += [f"{commit}:{path}" for path in paths]
    here = [path.read_bytes() for path in sorted(Path().glob(FIGURES))]
    return [*filter(None, _blobs(names)), *here]


def _claims(data):
    """{(figure, claim): table} of a figure.toml; none of one that is no TOML."""
    try:
        table = tomllib.loads(data.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        return {}
    return {(table.get("id"), claim.get("id")): claim for claim in table.get("claims", [])}


def changes(texts):
    """{(figure, claim): {key: [values that it had, oldest first]}} of what has changed."""
    had = {}
    for text in texts:
        for name, claim in _claims(text).items():
            for key in WATCHED:
                values = had.setdefault(name, {}).setdefault(key, [])
                value = claim.get(key, "")
                if not values or values[-1] != value:
                    values.append(value)
    return {
        name: {key: values for key, values in keys.items() if len(values) > 1}
        for name, keys in had.items()
        if any(len(values) > 1 for values in keys.values())
    }


def faults(texts, now):
    """Lines about claims among ``now``, files as they are, that changed and have no note."""
    changed = changes(texts)
    for path, data in now.items():
        for name, claim in _claims(data).items():
            if name in changed and not claim.get("note"):
                keys = ", ".join(changed[name])
                yield (
                    f"{path}: {name[1]}: {keys} changed since results were known; say what in note"
                )


def check():
    """(ok, what is wrong) of the claims of this clone; a shallow one cannot tell."""
    if _git("rev-parse", "--is-shallow-repository").strip() != b"false":
        return True, ""
    now = {str(path): path.read_bytes() for path in sorted(Path().glob(FIGURES))}
    found = list(faults(versions(), now))
    return not found, "\n".join(found)
