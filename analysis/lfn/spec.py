# SPDX-License-Identifier: GPL-2.0-only
"""figure.toml: what a figure needs to be run, and which published statements it judges.

A value of ``runs``, of a flag or of a sweep is either the same for all presets or a table
with one value a preset. What [common] says holds for every [[points]] entry that does not say
otherwise; a flag that an entry fixes in its args is not swept. Every mistake ends as one line
that names the file and the key.
"""

import itertools
import math
import re
import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path

from lfn.points import Point

PRESETS = ("tiny", "quick", "full")
KINDS = ("number", "order", "shape")
EVIDENCE = ("simulation", "arithmetic")


class SpecError(Exception):
    """A figure.toml that cannot be used; the text is one line: file, key, remedy."""


@dataclass(frozen=True)
class Series:
    """One [[points]] entry: the points of one curve in each of its presets.

    ``seconds`` is the estimated wall time of one run, for the plan before any was measured,
    ``folder`` where the files are that flags name in braces.
    """

    name: str
    program: str
    args: dict
    sweep: dict
    runs: object
    seconds: object
    presets: tuple
    folder: object = None

    def points(self, preset):
        """Return the points of this series in ``preset``; none where it is not part of it."""
        if preset not in self.presets:
            return []
        fixed = {name: _pick(value, preset) for name, value in self.args.items()}
        axes = {name: _pick(value, preset) for name, value in self.sweep.items()}
        runs = _pick(self.runs, preset)
        flags = [
            {**fixed, **dict(zip(axes, values, strict=True))}
            for values in itertools.product(*axes.values())
        ]
        try:
            return [Point.make(self.program, one, runs, self.folder) for one in flags]
        except OSError as error:
            raise SpecError(
                f"{self.folder.name}/figure.toml: {self.name}: a flag names {error.filename}: "
                f"{error.strerror}"
            ) from error


@dataclass(frozen=True)
class Claim:
    """One statement made checkable, most of them published; see the contract in claims.py.

    ``presets`` are those that can judge it, ``low`` and ``high`` the accepted band of the
    measured value, set from the paper before any run, or else ``note`` says so; ``reason``
    explains a known mismatch.
    ``half_width`` maps presets to the half width of the 95 % interval, in ``unit``, until which
    runs of ``series`` (all when empty) are added, up to ``most_runs``.
    """

    id: str
    kind: str
    statement: str
    place: str
    published: str
    low: float
    high: float
    unit: str
    evidence: str
    presets: tuple
    reason: str
    note: str
    half_width: dict = field(default_factory=dict)
    most_runs: int = 100
    series: tuple = ()


@dataclass(frozen=True)
class Figure:
    """A whole figure.toml; ``folder`` is where it lies, ``id`` that folder's name."""

    id: str
    folder: Path
    title: str
    place: str
    summary: str
    plots: tuple
    series: tuple
    claims: tuple
    importance: int = 0

    def points(self, preset):
        """Return [(series name, point)] of one preset, in the file's order."""
        return [(series.name, point) for series in self.series for point in series.points(preset)]


def _is_per_preset(value):
    return isinstance(value, dict)


def _pick(value, preset):
    return value[preset] if _is_per_preset(value) else value


class Table:
    """One TOML table that is taken apart key by key; what is left over is refused."""

    def __init__(self, data, file, where):
        self.file = file
        self.where = where
        if not isinstance(data, dict):
            raise self.error("", "must be a table")
        self.data = dict(data)

    def error(self, key, message):
        """Return the SpecError for one key."""
        path = f"{self.where}.{key}".strip(".")
        return SpecError(f"{self.file}: {path}: {message}")

    def take(self, key, kind, default=None):
        """Remove and return a key of the given type; without a default it is required."""
        if key not in self.data:
            if default is None:
                raise self.error(key, "is missing")
            return default
        value = self.data.pop(key)
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            names = kind if isinstance(kind, tuple) else (kind,)
            raise self.error(key, "must be " + " or ".join(_TYPES[name] for name in names))
        return value

    def choice(self, key, choices, default=None):
        """Take a text that is one of ``choices``."""
        value = self.take(key, str, default)
        if value not in choices:
            raise self.error(key, f"'{value}' is none of {', '.join(choices)}")
        return value

    def presets(self, default=PRESETS):
        """Take the optional list of presets."""
        value = self.take("presets", list, list(default))
        for name in value:
            if name not in PRESETS:
                raise self.error("presets", f"'{name}' is none of {', '.join(PRESETS)}")
        return tuple(name for name in PRESETS if name in value)

    def end(self):
        """Refuse keys that nobody took."""
        for key in self.data:
            raise self.error(key, "is not a known key")


_TYPES = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    list: "a list",
    dict: "a table",
    bool: "true or false",
}
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_FLAG = re.compile(r"[A-Za-z][A-Za-z0-9:.]*")
_SCALAR = (str, int, float, bool)


def _name(table, key):
    value = table.take(key, str)
    if not _NAME.fullmatch(value):
        raise table.error(key, f"'{value}' must be lower-case words joined by '-'")
    return value


def _check_values(table, key, value, presets, accept, wanted):
    """Check a plain value or each value of a per-preset table."""
    if _is_per_preset(value):
        for preset in value:
            if preset not in PRESETS:
                raise table.error(f"{key}.{preset}", f"is none of {', '.join(PRESETS)}")
        for preset in presets:
            if preset not in value:
                raise table.error(key, f"has no value for preset {preset}")
        values = value.values()
    else:
        values = [value]
    for one in values:
        if not accept(one):
            raise table.error(key, f"must be {wanted}")


def _flag_table(table, key, presets, accept, wanted):
    flags = table.take(key, dict, {})
    for flag, value in flags.items():
        if not _FLAG.fullmatch(flag):
            raise table.error(f"{key}.{flag}", "is not a flag's name (no dashes)")
        _check_values(table, f"{key}.{flag}", value, presets, accept, wanted)
    return flags


_COMMON = ("program", "runs", "seconds", "args", "sweep")


def _common(table):
    common = Table(table.take("common", dict, {}), table.file, "common")
    taken = {key: common.data.pop(key) for key in _COMMON if key in common.data}
    for key in ("args", "sweep"):
        if not isinstance(taken.setdefault(key, {}), dict):
            raise common.error(key, "must be a table")
    common.end()
    return taken


def _with_common(common, entry):
    """Return a [[points]] entry completed by [common]."""
    if not isinstance(entry, dict) or not all(
        isinstance(entry.get(key, {}), dict) for key in ("args", "sweep")
    ):
        return entry
    own_args, own_sweep = entry.get("args", {}), entry.get("sweep", {})
    args = {k: v for k, v in common["args"].items() if k not in own_sweep}
    sweep = {k: v for k, v in common["sweep"].items() if k not in own_args}
    return {**common, **entry, "args": {**args, **own_args}, "sweep": {**sweep, **own_sweep}}


def _series(data, file, index, folder):
    table = Table(data, file, f"points[{index}]")
    presets = table.presets()
    series = Series(
        name=_name(table, "series"),
        program=_name(table, "program"),
        args=_flag_table(
            table, "args", presets, lambda v: isinstance(v, _SCALAR), "a text, a number or a switch"
        ),
        sweep=_flag_table(
            table,
            "sweep",
            presets,
            lambda v: isinstance(v, list) and v and all(isinstance(one, _SCALAR) for one in v),
            "a list of at least one value",
        ),
        runs=table.take("runs", (int, dict), 1),
        seconds=table.take("seconds", (int, float, dict), 1.0),
        presets=presets,
        folder=folder,
    )
    whole = "a whole number above 0"
    _check_values(table, "runs", series.runs, presets, lambda v: type(v) is int and v > 0, whole)
    _check_values(
        table,
        "seconds",
        series.seconds,
        presets,
        lambda v: type(v) in (int, float) and 0 < v < math.inf,
        "a number above 0",
    )
    both = set(series.args) & set(series.sweep)
    if both:
        raise table.error(f"sweep.{sorted(both)[0]}", "stands in args as well")
    table.end()
    return series


def _half_width(table):
    """Take the optional half width, a number or a table of presets; 0 stands for none."""
    value = table.take("half_width", (int, float, dict), 0)
    for preset, one in value.items() if isinstance(value, dict) else [("", value)]:
        if preset and preset not in PRESETS:
            raise table.error(f"half_width.{preset}", f"is none of {', '.join(PRESETS)}")
        if type(one) not in (int, float) or not 0 <= one < math.inf or (preset and one == 0):
            raise table.error("half_width", "must be a number above 0")
    return value


def _claim(data, file, index):
    table = Table(data, file, f"claims[{index}]")
    identity = _name(table, "id")
    table.where = f"claims.{identity}"
    claim = Claim(
        id=identity,
        kind=table.choice("kind", KINDS),
        statement=table.take("statement", str),
        place=table.take("place", str),
        published=str(table.take("published", (str, int, float))),
        low=float(table.take("low", (int, float))),
        high=float(table.take("high", (int, float))),
        unit=table.take("unit", str, ""),
        evidence=table.choice("evidence", EVIDENCE, "simulation"),
        presets=table.presets(("quick", "full")),
        reason=table.take("reason", str, ""),
        note=table.take("note", str, ""),
        half_width=_half_width(table),
        most_runs=table.take("most_runs", int, 100),
        series=tuple(table.take("series", list, [])),
    )
    half_width = claim.half_width
    if not isinstance(half_width, dict):
        half_width = {preset: half_width for preset in claim.presets if half_width}
    claim = replace(claim, half_width=half_width)
    if claim.most_runs < 1:
        raise table.error("most_runs", "must be a whole number above 0")
    if not claim.low <= claim.high:
        raise table.error("low", "must not be above high")
    if "full" not in claim.presets:
        raise table.error("presets", "must contain full")
    table.end()
    return claim


def _no_double(entries, key, table):
    seen = set()
    for entry in entries:
        if entry in seen:
            raise table.error(key, f"'{entry}' stands there twice")
        seen.add(entry)


def load_figure(folder):
    """Read and validate ``folder``/figure.toml; raises SpecError."""
    folder = Path(folder)
    path = folder / "figure.toml"
    file = f"{folder.name}/figure.toml"
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SpecError(f"{file}: cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SpecError(f"{file}: is not TOML: {error}") from error
    table = Table(data, file, "")
    identity = _name(table, "id")
    if identity != folder.name:
        raise table.error("id", f"'{identity}' must be the folder's name, {folder.name}")
    common = _common(table)
    entries = [_with_common(common, entry) for entry in table.take("points", list)]
    figure = Figure(
        id=identity,
        folder=folder,
        title=table.take("title", str),
        place=table.take("place", str, ""),
        summary=table.take("summary", str),
        plots=tuple(table.take("plots", list)),
        series=tuple(_series(e, file, i, folder) for i, e in enumerate(entries, 1)),
        claims=tuple(_claim(e, file, i) for i, e in enumerate(table.take("claims", list, []), 1)),
        importance=table.take("importance", int, 0),
    )
    names = {series.name for series in figure.series}
    for claim in figure.claims:
        for name in claim.series:
            if not isinstance(name, str) or name not in names:
                raise table.error(f"claims.{claim.id}.series", f"'{name}' is no series")
    for plot in figure.plots:
        if not isinstance(plot, str) or not _NAME.fullmatch(plot):
            raise table.error("plots", f"'{plot}' must be lower-case words joined by '-'")
    if not figure.plots or not figure.series:
        raise table.error("plots" if not figure.plots else "points", "must not be empty")
    _no_double(figure.plots, "plots", table)
    _no_double([claim.id for claim in figure.claims], "claims", table)
    table.end()
    return figure


def load_figures(root):
    """Read all figures below ``root``; returns {id: Figure} in alphabetical order."""
    return {
        path.parent.name: load_figure(path.parent)
        for path in sorted(Path(root).glob("*/figure.toml"))
    }
