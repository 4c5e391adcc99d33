# SPDX-License-Identifier: GPL-2.0-only
"""The conditions of a claim: the flags of the points that it looks at, in words."""

import re

OTHER = ("seriesInterval",)
"""Flags that change no result."""
PATH = (
    "linkRate",
    "bottleneckRate",
    "rtt",
    "queue",
    "bufferBdp",
    "lossRate",
    "receiverErrorRate",
    "packetSize",
)
"""Flags of a path and its packets: named even where a program's default is used, unless it is 0."""
MOST = 6
"""The most values of a swept flag that are all named."""


def _short(text):
    return re.sub(r"\bns3::(lfn::)?", "", str(text)).replace(";", ",")


def _values(found):
    """Return the values of a flag; of many the first and the last, as the figure has them."""
    if len(found) <= MOST:
        return " or ".join(found)
    return f"{found[0]} to {found[-1]} ({len(found)} values)"


def in_force(manifests):
    """Return the flags of the points of ``manifests``, [{flag: text}], for conditions().

    Each point has the flags that any of them is given, with what its runs had, and those of PATH.
    """
    given = dict.fromkeys(name for manifest in manifests for name in manifest["args"])
    points = []
    for manifest in manifests:
        had = (manifest.get("run_json") or {}).get("flags", {})
        path = () if had.get("topology") else (name for name in PATH if had.get(name, "0") != "0")
        values = {name: had[name] for name in (*path, *given) if had.get(name)}
        points.append(values | manifest["args"])
    return points


def conditions(points):
    """Return the flags of ``points``, [{flag: text}], as one text: "rtt 10ms; flows 4 or 8".

    What the points have in common comes first. A flag that only some of them give is "not given"
    at the others.
    """
    names = dict.fromkeys(name for point in points for name in point if name not in OTHER)
    found = {
        name: list(dict.fromkeys(_short(point.get(name, "not given")) for point in points))
        for name in names
    }
    ordered = sorted(found, key=lambda name: len(found[name]) > 1)
    return "; ".join(f"{_short(name)} {_values(found[name])}" for name in ordered)
