# SPDX-License-Identifier: GPL-2.0-only
"""Values with units as the scenario programs take them, 450MB, 100ms, 600Mbps; names of values."""

import re

_SCALES = {
    "B": 1.0,
    "kB": 1e3,
    "KB": 1e3,
    "MB": 1e6,
    "GB": 1e9,
    "KiB": 2.0**10,
    "MiB": 2.0**20,
    "GiB": 2.0**30,
    "bps": 1.0,
    "kbps": 1e3,
    "Kbps": 1e3,
    "Mbps": 1e6,
    "Gbps": 1e9,
    "ns": 1e-9,
    "us": 1e-6,
    "ms": 1e-3,
    "s": 1.0,
    "min": 60.0,
    "h": 3600.0,
    "d": 86400.0,
    "p": 1.0,
    "": 1.0,
}
_PATTERN = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*([A-Za-z]*)")


def to_number(text):
    """Return the value of ``text`` in base units (bytes, bit/s, seconds, packets), a float.

    Raises ValueError for text that is not a number with a known unit.
    """
    match = _PATTERN.fullmatch(str(text).strip())
    if match is None or match.group(2) not in _SCALES:
        raise ValueError(f"'{text}' is not a number with a unit")
    return float(match.group(1)) * _SCALES[match.group(2)]


def quantity(text):
    """Return (value in base units, name of the base unit); "" for a plain number.

    Names are bytes, bps, s and packets. Raises ValueError as to_number() does.
    """
    value = to_number(text)
    unit = _PATTERN.fullmatch(str(text).strip()).group(2)
    if unit.endswith("bps"):
        return value, "bps"
    if unit.endswith("B"):
        return value, "bytes"
    return value, {"": "", "p": "packets"}.get(unit, "s")


def number_or_text(text):
    """Return ``to_number(text)`` where that works, else the text itself."""
    try:
        return to_number(text)
    except ValueError:
        return str(text)


def percent(share):
    """Name a share, such as a loss: 0.001 is "0.1 %"."""
    return f"{100 * share:g} %"


def path_name(rate, rtt):
    """Name a path of ``rate`` bit/s and ``rtt`` s."""
    return f"{rate / 1e6:g} Mb/s, {1e3 * rtt:g} ms"
