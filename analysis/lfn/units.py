# SPDX-License-Identifier: GPL-2.0-only
"""Values with units as the scenario programs take them, 450MB, 100ms, 600Mbps; names of values."""

import re

_DECIMAL = {"": 1.0, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9}
_BINARY = {"Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30}
_PREFIXES = {**_DECIMAL, **_BINARY}
_BITS = {"b/s": 1, "B/s": 8}
_TIMES = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "ps": 1e-12, "fs": 1e-15}
_TIMES |= {"min": 60.0, "h": 3600.0, "d": 86400.0, "y": 365 * 86400.0}

UNITS = {
    "bytes": {f"{p}B": scale for p, scale in [*_PREFIXES.items(), ("T", 1e12), ("Ti", 2.0**40)]},
    "bps": {
        **{f"{p}{unit}": n * bits for p, n in _PREFIXES.items() for unit, bits in _BITS.items()},
        **{f"{p}bps": scale for p, scale in _DECIMAL.items()},
        **{f"{p}Bps": 8 * scale for p, scale in _DECIMAL.items()},
    },
    "packets": {f"{p}p": scale for p, scale in _PREFIXES.items() if p[:1] != "G"},
    "s": _TIMES,
    "": {"": 1.0},
}
"""By base unit: what may stand behind a number, and how many of the base unit it is."""

_BY_NAME = {unit: (base, scale) for base, units in UNITS.items() for unit, scale in units.items()}
_OBJECT = re.compile(r"[\w:]+\[([^\[\]]*)\]")
_PATTERN = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*([A-Za-z/]*)")


def quantity(text):
    """Return (value in base units, a float, name of the base unit); "" for a plain number.

    Names are bytes, bps, s and packets. Raises ValueError for text that is not a number with a
    known unit.
    """
    match = _PATTERN.fullmatch(str(text).strip())
    if match is None or match[2] not in _BY_NAME:
        raise ValueError(f"'{text}' is not a number with a unit")
    base, scale = _BY_NAME[match[2]]
    return float(match[1]) * scale, base


def to_number(text):
    """Return the value of quantity()."""
    return quantity(text)[0]


def scaled(text, factor):
    """Return ``factor`` times a number with a unit, as text with the same unit.

    A factor of 1 leaves the text as it is. Packets and bytes are whole, and one at least. Raises
    ValueError for text that has no number.
    """
    match = _PATTERN.fullmatch(str(text).strip())
    if match is None:
        raise ValueError(f"'{text}' is not a number with a unit")
    if factor == 1:
        return str(text)
    number = float(match[1]) * factor
    if match[2] in ("p", "B"):
        number = max(1, round(number))
    return f"{number:.10g}{match[2]}"


def number_or_text(text):
    """Return ``to_number(text)`` where that works, else the text itself."""
    try:
        return to_number(text)
    except ValueError:
        return str(text)


def settings(name, text):
    """Return {"name.Attribute": text} of a flag that is an object, topology=X[Rate=1Mbps|Pairs=2].

    Empty for any other, and for one with an object among its settings.
    """
    found = _OBJECT.fullmatch(str(text))
    pairs = [pair.partition("=") for pair in found[1].split("|")] if found else []
    return {f"{name}.{key.strip()}": value for key, equals, value in pairs if equals}


def percent(share):
    """Name a share, such as a loss: 0.001 is "0.1 %"."""
    return f"{100 * share:g} %"


def path_name(rate, rtt):
    """Name a path of ``rate`` bit/s and ``rtt`` s."""
    return f"{rate / 1e6:g} Mb/s, {1e3 * rtt:g} ms"
