# SPDX-License-Identifier: GPL-2.0-only
"""figure.toml: what a figure needs to be run, and which published statements it judges.

A value of ``runs``, of a flag or of a sweep is either the same for all presets or a table
with one value a preset. What [common] says holds for every [[points]] entry that does not say
otherwise; a flag that an entry fixes in its args is not swept. Where [common] has ``cases``, tables
of flags that go together, all [[points]] are made once with each. Every mistake ends as one line
that names the file and the key.
"""

import importlib.util
import itertools
import re
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    FiniteFloat,
    PositiveInt,
    PrivateAttr,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from lfn.points import Point, canonical
from lfn.toml_lines import line_of
from lfn.units import scaled

Preset = Literal["tiny", "quick", "full"]
PRESETS = get_args(Preset)
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_FLAG = re.compile(r"[A-Za-z][A-Za-z0-9:.]*")


class SpecError(Exception):
    """A figure.toml that cannot be used; the text is one line: file, key, remedy."""


class Table(BaseModel):
    """A table of a TOML file in ``folder``: nothing unknown, no value of another type."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)
    _folder: Path | None = PrivateAttr(None)
    folder = property(lambda self: self._folder)

    def model_post_init(self, context):
        """Note where the file lies."""
        self._folder = context


def refused_unless(accept, words):
    """Return a validator that raises ``words`` of a value that ``accept`` does not take."""

    def check(value):
        if not accept(value):
            raise ValueError(words.format(value))
        return value

    return AfterValidator(check)


def _no_double(values):
    for value in values:
        if values.count(value) > 1:
            raise ValueError(f"'{value}' stands there twice")
    return values


def _spread(value):
    return value if isinstance(value, dict) else dict.fromkeys(PRESETS, value)


def _complete(values, info: ValidationInfo):
    for preset in info.data.get("presets", ()):
        if preset not in values:
            raise ValueError(f"has no value for preset {preset}")
    return values


def _each(kind):
    """Return the type of a value of ``kind``, or of a table of them, as {preset: value}."""
    return Annotated[dict[Preset, kind], BeforeValidator(_spread), AfterValidator(_complete)]


def _is_scalar(value):
    return isinstance(value, str | int | float)


Name = Annotated[
    str, refused_unless(_NAME.fullmatch, "'{}' must be lower-case words joined by '-'")
]
Flag = Annotated[str, refused_unless(_FLAG.fullmatch, "is not a flag's name (no dashes)")]
Value = Annotated[Any, refused_unless(_is_scalar, "must be a text, a number or a switch")]
Values = Annotated[
    Any,
    refused_unless(
        lambda value: isinstance(value, list) and value and all(map(_is_scalar, value)),
        "must be a list of at least one value",
    ),
]
Chance = Annotated[
    Any,
    refused_unless(
        lambda value: (
            isinstance(value, bool)
            or (isinstance(value, dict) and all(isinstance(one, list) for one in value.values()))
        ),
        "must be false, or a table of flags with lists of their values",
    ),
]
Seconds = Annotated[FiniteFloat, Field(gt=0)]
Text = Annotated[str, BeforeValidator(lambda v: str(v) if _is_scalar(v) else v)]
Origin = Literal["paper", "derived", "own", "literature"]
Presets = Annotated[
    tuple[Preset, ...],
    Field(strict=False),
    AfterValidator(lambda given: tuple(preset for preset in PRESETS if preset in given)),
]


class Series(Table):
    """One [[points]] entry: the points of one curve in each of its presets.

    ``seconds`` is the estimated wall time of one run, for the plan before any was measured.
    ``random`` is false where another RngRun changes nothing, or a table of flags: only points at
    which one has one of these values are random.
    """

    name: Name = Field(alias="series")
    program: Name
    presets: Presets = PRESETS
    args: dict[Flag, _each(Value)] = {}
    sweep: dict[Flag, _each(Values)] = {}
    runs: _each(PositiveInt) = Field(1, validate_default=True)
    seconds: _each(Seconds) = Field(1.0, validate_default=True)
    random: Chance = True

    @field_validator("sweep")
    @classmethod
    def _swept_only(cls, sweep, info: ValidationInfo):
        for flag in sweep.keys() & info.data.get("args", {}).keys():
            raise ValueError(f"{flag} stands in args as well")
        return sweep

    def says_exact(self, point):
        """Tell whether ``random`` says of a point that another RngRun changes nothing."""
        if isinstance(self.random, bool):
            return not self.random
        args = dict(point.args)
        return not any(
            args.get(flag) in map(canonical, values) for flag, values in self.random.items()
        )

    def points(self, preset):
        """Return the points of this series in ``preset``; none where it is not part of it."""
        if preset not in self.presets:
            return []
        fixed = {name: values[preset] for name, values in self.args.items()}
        axes = {name: values[preset] for name, values in self.sweep.items()}
        flags = [
            {**fixed, **dict(zip(axes, values, strict=True))}
            for values in itertools.product(*axes.values())
        ]
        try:
            return [Point.make(self.program, f, self.runs[preset], self.folder) for f in flags]
        except OSError as error:
            raise SpecError(
                f"{self.folder.name}/figure.toml: {self.name}: a flag names {error.filename}: "
                f"{error.strerror}"
            ) from error


class Claim(Table):
    """One statement made checkable; see the contract in claims.py.

    ``origin`` says whose it is: printed in the figure's paper, derived from what it prints, a check
    of our own, or of other literature. What the source prints is in ``published`` and nothing
    else is; what a law or our reckoning gives is ``expected``. ``fitted_to`` names the published
    points or numbers that parameters of its runs were set by. A ``calibration`` restates an input,
    a fit, or the protocol itself, and counts nowhere.
    ``presets`` are those that can judge it, ``low`` and ``high`` the accepted band of the
    measured value; ``band`` says where it is from: printed with its rounding, reading error or
    bound ("paper"), computed ("derived", how is told with the figure), or chosen, before or after
    results were known. ``reason`` explains a known mismatch, ``note`` what changed after a result.
    ``half_width`` maps presets to the half width of the 95 % interval, in ``unit``, until which
    runs of ``series`` (all when empty) are added, up to ``most_runs``.
    """

    id: Name
    origin: Origin
    calibration: Literal["", "input", "fit", "protocol"] = ""
    fitted_to: tuple[str, ...] = Field((), strict=False)
    kind: Literal["number", "order", "shape"] = "number"
    statement: str
    place: str
    published: Text = Field("", validate_default=True)
    expected: Text = ""
    band: Literal["paper", "derived", "chosen before", "chosen after"]
    low: float
    high: float
    unit: str = ""
    evidence: Literal["simulation", "arithmetic"] = "simulation"
    presets: Annotated[
        Presets, refused_unless(lambda presets: "full" in presets, "must contain full")
    ] = ("quick", "full")
    reason: str = ""
    note: str = ""
    half_width: dict[Preset, Seconds] = {}
    most_runs: PositiveInt = 100
    series: tuple[str, ...] = Field((), strict=False)

    @field_validator("published")
    @classmethod
    def _printed_only(cls, value, info: ValidationInfo):
        if info.data.get("origin") == "paper" and not value:
            raise ValueError("is missing: what the paper prints, or origin is not 'paper'")
        if info.data.get("origin") == "own" and value:
            raise ValueError("is what a source prints; of origin 'own' it is 'expected'")
        return value

    @field_validator("high")
    @classmethod
    def _not_below_low(cls, high, info: ValidationInfo):
        if not info.data.get("low", high) <= high:
            raise ValueError("must not be below low")
        return high

    @field_validator("half_width", mode="before")
    @classmethod
    def _of_its_presets(cls, value, info: ValidationInfo):
        if isinstance(value, dict):
            return value
        return dict.fromkeys(info.data.get("presets", ()), value) if value != 0 else {}


class Sensitivity(Table):
    """A parameter that was fitted or chosen, and other values at which claims are judged.

    ``parameter`` is a flag or an Attribute of the points that have the ``value``, of some
    ``series`` or of all; where no point names it, they get it. With ``factors`` instead of
    ``value`` and ``others`` each point has as many times its own value, which differ. ``also`` are
    flags that all these points get, too, where a value needs them; they mean what the figure has.
    ``claims`` are those to judge: without them all that simulation judges and that are no
    calibration. ``why`` says how the value was chosen.
    """

    parameter: Flag
    value: Value = None
    others: Annotated[tuple[Value, ...], AfterValidator(_no_double)] = Field(
        (), min_length=1, max_length=4, strict=False
    )
    factors: Annotated[
        tuple[Annotated[FiniteFloat, Field(gt=0)], ...], AfterValidator(_no_double)
    ] = Field((), min_length=1, max_length=4, strict=False)
    also: dict[Flag, Value] = Field(default_factory=dict)
    why: str
    claims: tuple[str, ...] = Field((), strict=False)
    series: tuple[str, ...] = Field((), strict=False)

    @model_validator(mode="after")
    def _values_or_factors(self):
        given = {name for name in ("value", "others", "factors") if name in self.model_fields_set}
        if given not in ({"value", "others"}, {"factors"}):
            raise ValueError(f"{self.parameter}: give value and others, or factors alone")
        return self

    @property
    def used(self):
        """The value that the figure has; of factors 1."""
        return 1 if self.factors else self.value

    @property
    def values(self):
        """All values that are judged, the used one first."""
        return (self.used, *(self.factors or self.others))

    def varied(self, point, value):
        """Return a point with one of the values; raises ValueError where it cannot be scaled."""
        text = canonical(value)
        if self.factors:
            text = scaled(dict(point.args)[self.parameter], value)
        for name, other in self.also.items():
            point = point.with_flag(name, canonical(other))
        return point.with_flag(self.parameter, text)

    def concerns(self, series, point, named):
        """Tell whether a point of a series is varied; ``named``: points name the parameter."""
        has = dict(point.args).get(self.parameter)
        if self.factors:
            wanted = has is not None
        else:
            wanted = has == canonical(self.value) if named else has is None
        return wanted and (not self.series or series in self.series)

    def judged(self, figure):
        """Return the claims of a Figure that are judged."""
        return [
            claim
            for claim in figure.claims
            if claim.id in self.claims
            or (not self.claims and not claim.calibration and claim.evidence == "simulation")
        ]


class Figure(Table):
    """A whole figure.toml; ``id`` is its folder's name, ``paper`` whose statements it judges."""

    id: Name
    title: str
    place: str = ""
    paper: str = ""
    summary: str
    plots: Annotated[tuple[Name, ...], AfterValidator(_no_double)] = Field(
        min_length=1, strict=False
    )
    series: tuple[Series, ...] = Field(alias="points", min_length=1, strict=False)
    claims: tuple[Claim, ...] = Field((), strict=False)
    sensitivity: tuple[Sensitivity, ...] = Field((), strict=False)
    importance: int = 0

    @field_validator("id")
    @classmethod
    def _of_its_folder(cls, name, info: ValidationInfo):
        if info.context and name != info.context.name:
            raise ValueError(f"'{name}' must be the folder's name, {info.context.name}")
        return name

    @field_validator("claims")
    @classmethod
    def _about_its_series(cls, claims, info: ValidationInfo):
        _no_double([claim.id for claim in claims])
        names = {series.name for series in info.data.get("series", ())}
        for claim in claims:
            if claim.origin in ("paper", "derived") and not info.data.get("paper"):
                raise ValueError(
                    f"{claim.id}.origin: '{claim.origin}', but the figure has no paper"
                )
            for name in set(claim.series) - names:
                raise ValueError(f"{claim.id}.series: '{name}' is no series")
        return claims

    @field_validator("sensitivity")
    @classmethod
    def _of_its_claims(cls, blocks, info: ValidationInfo):
        _no_double([block.parameter for block in blocks])
        known = {
            "claims": {claim.id for claim in info.data.get("claims", ())},
            "series": {series.name for series in info.data.get("series", ())},
        }
        for block in blocks:
            for key, names in known.items():
                for name in set(getattr(block, key)) - names:
                    raise ValueError(f"{block.parameter}: {key} has no '{name}'")
            if block.used in block.values[1:]:
                key = "factors" if block.factors else "others"
                raise ValueError(f"{block.parameter}: {key} has the used value {block.used}")
            points = [
                (series.name, point)
                for series in info.data.get("series", ())
                for point in series.points("quick")
            ]
            named = any(block.parameter in dict(point.args) for _, point in points)
            varied = [point for name, point in points if block.concerns(name, point, named)]
            if not varied:
                has = "it" if block.factors else block.value
                raise ValueError(f"{block.parameter}: no point of quick has {has}")
            for point in varied:
                block.varied(point, block.used)
        return blocks

    def points(self, preset):
        """Return [(series name, point)] of one preset, in the file's order."""
        return [(series.name, point) for series in self.series for point in series.points(preset)]

    def said_exact(self, preset):
        """Return {id of a point that is said not to be random: its series} of one preset."""
        return {
            point.id: series.name
            for series in self.series
            for point in series.points(preset)
            if series.says_exact(point)
        }


class _Finding(Table):
    """What the first page of the report says of a paper, and the figure that it shows."""

    name: str
    picture: Name
    finding: str


class Findings(Table):
    """A findings.toml: the papers in the order of the first page."""

    paper: tuple[_Finding, ...] = Field(min_length=1, strict=False)


class _Common(Table):
    """What [common] may hold; the values are checked where they are used."""

    program: Any = None
    runs: Any = None
    seconds: Any = None
    random: Any = None
    args: dict[str, Any] = {}
    sweep: dict[str, Any] = {}
    cases: tuple[dict[str, Any], ...] = Field(({},), min_length=1, strict=False)


def _with_common(common, entry):
    """Return a [[points]] entry completed by [common]."""
    own = {key: entry.get(key, {}) for key in ("args", "sweep")} if isinstance(entry, dict) else {}
    if not own or not all(isinstance(table, dict) for table in own.values()):
        return entry
    for key, other in (("args", "sweep"), ("sweep", "args")):
        shared = {k: v for k, v in common.get(key, {}).items() if k not in own[other]}
        own[key] = {**shared, **own[key]}
    return {**common, **entry, **own}


_WORDS = {
    "missing": "is missing",
    "extra_forbidden": "is not a known key",
    "too_short": "must not be empty",
    "dict_type": "must be a table",
    "model_type": "must be a table",
    "tuple_type": "must be a list",
    "string_type": "must be a text",
}


def _holds(table, keys):
    """Tell whether tables within each other have ``keys``."""
    for key in keys:
        if not isinstance(table, dict) or key not in table:
            return False
        table = table[key]
    return True


def _where(data, keys):
    """Return the path of a mistake as it stands in the file; claims go by their names."""
    path = ""
    for key in keys:
        if not isinstance(data, list if isinstance(key, int) else dict) or key == "[key]":
            break
        data = data[key] if isinstance(key, int) else data.get(key)
        name = data.get("id") if isinstance(data, dict) and path == "claims" else None
        if isinstance(name, str) and _NAME.fullmatch(name):
            key = name
        path += f"[{key + 1}]" if isinstance(key, int) else f".{key}"
        path = path.lstrip(".")
    return path


def check(model, data, file, context=None, line=None):
    """Return ``data`` of a TOML file as a ``model``; raises SpecError about its first mistake.

    ``line`` gives for the keys of a mistake the line with which the message ends.
    """
    try:
        return model.model_validate(data, context=context)
    except ValidationError as errors:
        error = errors.errors()[0]
        words = _WORDS.get(error["type"], error["msg"].replace("Input should be", "must be"))
        if error["type"] == "value_error":
            words = str(error["ctx"]["error"])
        if error["type"] == "literal_error":
            words = f"{error['input']!r} {words}"
        where = _where(data, error["loc"])
        place = f" (line {line(error['loc'])})" if line else ""
        raise SpecError(": ".join(filter(None, (str(file), where, words))) + place) from errors


def _read(path, file):
    """Return (text, content) of a TOML file, which messages call ``file``; raises SpecError."""
    try:
        text = path.read_text(encoding="utf-8")
        return text, tomllib.loads(text)
    except OSError as error:
        raise SpecError(f"{file}: cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SpecError(f"{file}: is not TOML: {error}") from error


def read_toml(path, file):
    """Return the content of a TOML file, which messages call ``file``; raises SpecError."""
    return _read(path, file)[1]


def load_module(path):
    """Import a figure's plot.py or claims.py by its path; raises whatever is wrong in there."""
    name = f"{path.parent.name}-{path.stem}".replace("-", "_")
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def load_figure(folder):
    """Read and validate ``folder``/figure.toml; raises SpecError."""
    folder = Path(folder)
    file = f"{folder.name}/figure.toml"
    text, data = _read(folder / "figure.toml", file)
    entries = data.get("points")
    common = data.pop("common", {})
    shared = dict(common) if isinstance(common, dict) else {}

    def line(keys):
        if keys[:1] == ("points",) and len(keys) > 2:
            own = keys[1] % len(entries)  # all were made once with each case
            keys = ("points", own, *keys[2:])
            about = keys[2 : 4 if keys[2] in ("args", "sweep") else 3]
            if not _holds(entries[own], about) and _holds(shared, about):
                keys = ("common", *keys[2:])
        return line_of(text, keys)

    check(_Common, common, f"{file}: common", line=lambda keys: line(("common", *keys)))
    args, cases = common.pop("args", {}), common.pop("cases", [{}])
    if isinstance(data.get("points"), list):
        data["points"] = [
            _with_common({**common, "args": {**args, **case}}, entry)
            for case in cases
            for entry in data["points"]
        ]
    return check(Figure, data, file, folder, line)


def load_figures(root):
    """Read all figures below ``root``; returns {id: Figure} in alphabetical order."""
    return {
        path.parent.name: load_figure(path.parent)
        for path in sorted(Path(root).glob("*/figure.toml"))
    }
