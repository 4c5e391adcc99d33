# SPDX-License-Identifier: GPL-2.0-only
"""figure.toml: what a figure needs to be run, and which published statements it judges.

Descriptions of the fields are the reference: `python -m lfn schema` makes the JSON schema for
editors of them, lfn.schema the tables of doc/figure-file.rst. Every mistake ends as one line that
names the file and the key.
"""

import importlib.util
import itertools
import math
import tomllib
from pathlib import Path
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    Field,
    FiniteFloat,
    NonNegativeInt,
    PositiveInt,
    PrivateAttr,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from lfn.points import Point, canonical
from lfn.sensitivity_block import Sensitivity
from lfn.toml_lines import line_of
from lfn.toml_types import (
    PRESETS,
    Chance,
    Flag,
    Name,
    Origin,
    Preset,
    Presets,
    Seconds,
    SpecError,
    Table,
    Text,
    Value,
    Values,
    each,
    no_double,
    refused_unless,
)

RUNS = {"tiny": 5, "quick": 5, "full": 20}
"""Runs of a point that is random and of which nothing else is said."""

_LABEL = "Text of the axis of the default plot, before the unit:"
_PROGRAM = "Program that runs: one of the module, or one that campaign.toml names."
_ARGS = "Flags of all points, written without dashes."
_SWEEP = "Flags with lists of values: each value of one goes with each value of every other."
_RANDOM = (
    "false where another RngRun changes nothing. A table of flags with lists of values where only "
    "points with one of these values are random."
)
_RUNS = "Random runs of each point. Without it 5, and 20 in full; 1 unless random is true."
_SECONDS = "Estimated wall time of a run, for the plan before any was measured."


class Series(Table):
    """The points of one series, in each of its presets.

    What the head of figure.toml says holds where an entry does not say otherwise; a flag that an
    entry fixes in its args is not swept.
    """

    name: Name = Field(alias="series", description="Name of the series.")
    program: Name = Field(description=_PROGRAM)
    presets: Presets = Field(PRESETS, description="Presets that have these points.")
    args: dict[Flag, each(Value)] = Field({}, description=_ARGS)
    sweep: dict[Flag, each(Values)] = Field({}, description=_SWEEP)
    random: Chance = Field(True, description=_RANDOM)
    runs: each(PositiveInt) = Field(
        default_factory=lambda data: (
            RUNS if data.get("random") is True else dict.fromkeys(PRESETS, 1)
        ),
        description=_RUNS,
    )
    seconds: each(Seconds) = Field(1.0, validate_default=True, description=_SECONDS)

    @field_validator("sweep")
    @classmethod
    def _swept_only(cls, sweep, info: ValidationInfo):
        for flag in sweep.keys() & info.data.get("args", {}).keys():
            raise ValueError(f"{flag} stands in args as well")
        return sweep

    def says_exact(self, point):
        """Check whether ``random`` says of a point that another RngRun changes nothing."""
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


_HALF_WIDTH = FiniteFloat | dict[Preset, FiniteFloat]
Band = Literal["paper", "derived", "chosen before", "chosen after"]


class Claim(Table):
    """One statement made checkable.

    Its value is that of `column`, or what the function of its name in claims.py measures.
    """

    _id: str = PrivateAttr("")
    id = property(lambda self: self._id)
    statement: str = Field(description="The statement, paraphrased.")
    column: str = Field(
        "",
        description="Column of summary.csv, or formula of columns. Each point that `at` selects is "
        "a part, which must lie in the band. Without it claims.py measures.",
    )
    at: dict[str, Value] = Field(
        {}, description="Flags with values, and `series`: the points that count. Without it all."
    )
    over: dict[str, Value] = Field(
        {},
        description="As `at`, of other points: the value is divided by theirs, each part by that "
        "of the point with the same flags as far as the parts differ.",
    )
    reduce: Literal["mean", "min", "max"] = Field(
        "mean",
        description="mean over the runs, with its 95 % interval; min, max: the least or largest "
        "of all runs, which has none.",
    )
    low: float = Field(-math.inf, description="Lower edge of the band; none without it.")
    high: float = Field(math.inf, description="Upper edge.")
    unit: str = Field("", description="Unit of the value and of the band.")
    origin: Origin = Field(
        "own",
        description="paper: printed in the figure's `paper`; derived: follows from what it prints; "
        "literature: of another source; own: a check of ours.",
    )
    place: str = Field("", description="Where the statement stands.")
    published: Text = Field(
        "",
        validate_default=True,
        description="What the source prints, and nothing else. Required of paper, refused of own.",
    )
    expected: Text = Field("", description="What a law or our own computation gives.")
    band: Band = Field(
        "chosen after",
        description="Where low and high are from: printed with rounding, reading error or bound; "
        "computed; chosen before or after results were known.",
    )
    kind: Literal["number", "order", "shape"] = Field("number", description="What is compared.")
    presets: Annotated[
        Presets, refused_unless(lambda presets: "full" in presets, "must contain full")
    ] = Field(("quick", "full"), description="Presets that can judge the claim; full is one.")
    evidence: Literal["simulation", "arithmetic"] = Field(
        "simulation", description="What decides the claim."
    )
    calibration: Literal["", "input", "fit", "protocol"] = Field(
        "",
        description="The claim restates an input, a fit or the protocol itself. It counts nowhere.",
    )
    fitted_to: tuple[str, ...] = Field(
        (), strict=False, description="Published points or numbers that set parameters of its runs."
    )
    published_runs: NonNegativeInt = Field(
        0,
        description="Runs behind the published number, where they are few: 1 for a single "
        "transfer. Then single runs of the model judge it, if they differ, and no band.",
    )
    published_value: FiniteFloat = Field(
        None, description="The published number in the claim's unit; published_runs needs it."
    )
    variant_of: str = Field(
        "",
        description="Claim of the same statement, whose runs lack `choice`. It is `depends` where "
        "the two verdicts differ; this one counts nowhere.",
    )
    choice: str = Field(
        "", description="What the runs of a variant have, and its source does not say."
    )
    reason: str = Field("", description="Explanation of a known mismatch.")
    note: str = Field("", description="What changed after a result was known.")
    half_width: dict[Preset, Seconds] = Field(
        {},
        description="Half width of the 95 % interval, in the claim's unit, until which runs are "
        "added. One number, or a value per preset.",
    )
    most_runs: PositiveInt = Field(100, description="Most runs of a point that are added.")
    series: tuple[str, ...] = Field(
        (), strict=False, description="Series that get more runs. Without it any."
    )

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

    @model_validator(mode="after")
    def _has_a_band_and_selects_of_a_column(self):
        if not {"low", "high"} & self.model_fields_set:
            raise ValueError("low or high is missing: an edge of the band")
        if not self.column and {"at", "over", "reduce"} & self.model_fields_set:
            raise ValueError("at, over and reduce need a column")
        if self.over and self.reduce != "mean":
            raise ValueError(f"over takes means, not reduce = '{self.reduce}'")
        if bool(self.published_runs) != (self.published_value is not None):
            raise ValueError("published_runs and published_value need each other")
        if bool(self.variant_of) != bool(self.choice):
            raise ValueError("variant_of and choice need each other")
        return self

    @field_validator("half_width", mode="before", json_schema_input_type=_HALF_WIDTH)
    @classmethod
    def _of_its_presets(cls, value, info: ValidationInfo):
        if isinstance(value, dict):
            return value
        return dict.fromkeys(info.data.get("presets", ()), value) if value != 0 else {}


class Figure(Table):
    """A figure: what runs, what the plot shows, what is claimed.

    The keys from `program` to `cases` hold for all `[[points]]`, and are all there is without them;
    `origin` and `band` hold for all claims.
    """

    id: Name = Field(description="Name of the figure and of its folder.")
    title: str = Field(description="Heading of the figure.")
    program: Name = Field(None, description=_PROGRAM)
    y: str = Field("", description="What the default plot shows: a column or a formula of columns.")
    x: Flag = Field(None, description="Flag on the abscissa. Without it the first key of sweep.")
    x_label: str = Field("", description=f"{_LABEL} x. Without it the flag in words.")
    y_label: str = Field("", description=f"{_LABEL} y. Without it the column in words.")
    args: dict[Flag, each(Value)] = Field({}, description=_ARGS)
    sweep: dict[Flag, each(Values)] = Field({}, description=_SWEEP)
    random: Chance = Field(True, description=_RANDOM)
    runs: each(PositiveInt) = Field(None, description=_RUNS)
    seconds: each(Seconds) = Field(None, description=_SECONDS)
    cases: tuple[dict[Flag, each(Value)], ...] = Field(
        ({},),
        min_length=1,
        strict=False,
        description="Tables of flags that go together: all points once with each.",
    )
    series: tuple[Series, ...] = Field(
        (), alias="points", min_length=1, strict=False, description="Several series of points."
    )
    plots: Annotated[tuple[Name, ...], AfterValidator(no_double)] = Field(
        default_factory=lambda data: (data.get("id"),),
        min_length=1,
        strict=False,
        description="Names of the plots that plot.py draws. Without it the id.",
    )
    summary: str = Field("", description="Caption.")
    place: str = Field("", description="Where the figure stands in the paper.")
    paper: str = Field("", description="The paper whose statements are judged.")
    origin: Origin = Field("own", description="`origin` of claims that give none.")
    band: Band = Field("chosen after", description="`band` of claims that give none.")
    claims_by_id: dict[Name, Claim] = Field(
        {},
        alias="claims",
        description="Statements to judge by name, that of a function in claims.py with _ for -.",
    )
    blocks: dict[Flag, Sensitivity] = Field(
        {},
        alias="sensitivity",
        description="Parameters to vary: flags, or Attributes by their full names in quotes.",
    )
    importance: int = Field(0, description="Figures of higher importance come first in a budget.")

    @field_validator("id")
    @classmethod
    def _of_its_folder(cls, name, info: ValidationInfo):
        if info.context and name != info.context.name:
            raise ValueError(f"'{name}' must be the folder's name, {info.context.name}")
        return name

    @field_validator("claims_by_id")
    @classmethod
    def _about_its_series(cls, claims, info: ValidationInfo):
        names = {series.name for series in info.data.get("series", ())}
        for name, claim in claims.items():
            claim._id = name
            if claim.origin in ("paper", "derived") and not info.data.get("paper"):
                raise ValueError(
                    f"{claim.id}.origin: '{claim.origin}', but the figure has no paper"
                )
            if claim.variant_of and claim.variant_of not in claims.keys() - {claim.id}:
                raise ValueError(f"{claim.id}.variant_of: '{claim.variant_of}' is no other claim")
            for name in set(claim.series) - names:
                raise ValueError(f"{claim.id}.series: '{name}' is no series")
        return claims

    @field_validator("blocks")
    @classmethod
    def _of_its_claims(cls, blocks, info: ValidationInfo):
        known = {
            "claims": info.data.get("claims_by_id", {}).keys(),
            "series": {series.name for series in info.data.get("series", ())},
        }
        for parameter, block in blocks.items():
            block._parameter = parameter
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

    @property
    def claims(self):
        """The claims, in the file's order."""
        return tuple(self.claims_by_id.values())

    @property
    def sensitivity(self):
        """The parameters to vary, in the file's order."""
        return tuple(self.blocks.values())

    @property
    def abscissa(self):
        """Flag that the default plot has on its abscissa; None where nothing is swept."""
        swept = (flag for series in self.series for flag in (self.sweep or series.sweep))
        return self.x or next(swept, None)

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


class _Question(Table):
    """A question about a paper, and the claims, "figure claim", whose verdicts answer it."""

    text: str
    claims: tuple[str, ...] = Field(min_length=1, strict=False)


class _Finding(Table):
    """What the first page of the report says of a paper, and the figure that it shows."""

    name: str
    picture: Name
    finding: str
    question: tuple[_Question, ...] = Field((), strict=False)


class Findings(Table):
    """A findings.toml: the papers in the order of the first page."""

    paper: tuple[_Finding, ...] = Field(min_length=1, strict=False)


_SHARED = ("program", "runs", "seconds", "random")
_OF_CLAIMS = ("origin", "band")


def _with_head(head, entry):
    """Return a [[points]] entry completed by what the head of the file says."""
    own = {key: entry.get(key, {}) for key in ("args", "sweep")} if isinstance(entry, dict) else {}
    if not own or not all(isinstance(table, dict) for table in own.values()):
        return entry
    for key, other in (("args", "sweep"), ("sweep", "args")):
        shared = {k: v for k, v in head.get(key, {}).items() if k not in own[other]}
        own[key] = {**shared, **own[key]}
    return {**{key: head[key] for key in _SHARED if key in head}, **entry, **own}


def _completed(data, entries):
    """Return the content of a figure.toml with complete tables, [[points]] once with each case."""
    if isinstance(claims := data.get("claims"), dict):
        shared = {key: data[key] for key in _OF_CLAIMS if key in data}
        own = {name: shared | one if isinstance(one, dict) else one for name, one in claims.items()}
        data = {**data, "claims": own}
    tables = [data.get("args", {}), data.get("sweep", {}), *(cases := data.get("cases", [{}]))]
    if not isinstance(entries, list) or not all(isinstance(table, dict) for table in tables):
        return data  # the models say what is wrong
    heads = [{**data, "args": {**data.get("args", {}), **case}} for case in cases]
    return {**data, "points": [_with_head(head, one) for head in heads for one in entries]}


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
    """Check whether tables within each other have ``keys``."""
    for key in keys:
        if not isinstance(table, dict) or key not in table:
            return False
        table = table[key]
    return True


def _where(data, keys):
    """Return the path of a mistake as it stands in the file."""
    path = ""
    for key in keys:
        if not isinstance(data, list if isinstance(key, int) else dict) or key == "[key]":
            break
        data = data[key] if isinstance(key, int) else data.get(key)
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
    """Import a figure's plot.py or claims.py by its path; raises any error in there."""
    name = f"{path.parent.name}-{path.stem}".replace("-", "_")
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _made(folder):
    """Return the tables that the points() of a figure's points.py makes, like [[points]]."""
    if not (folder / "points.py").is_file():
        return []
    from lfn.mistakes import reported_in_one_line  # noqa: PLC0415 - which needs SpecError

    with reported_in_one_line(folder):
        return list(load_module(folder / "points.py").points())


def load_figure(folder):
    """Read and validate ``folder``/figure.toml; raises SpecError.

    Points that points.py makes come before those of the file. Without either there is one series,
    called as the figure is, of what the head of the file says.
    """
    folder = Path(folder)
    file = f"{folder.name}/figure.toml"
    text, data = _read(folder / "figure.toml", file)
    made = _made(folder)
    entries = data.get("points", [] if made else [{"series": folder.name}])
    if isinstance(entries, list):
        entries = made + entries

    def line(keys):
        if keys[:1] == ("points",) and len(keys) > 1:
            own = keys[1] % len(entries)  # all were made once with each case
            about = keys[2 : 4 if keys[2:3] in (("args",), ("sweep",)) else 3]
            if not _holds(entries[own], about) and _holds(data, about):
                keys = keys[2:]
            else:
                keys = ("points", own - len(made), *keys[2:])
        return line_of(text, keys)

    figure = check(Figure, _completed(data, entries), file, folder, line)
    if not figure.y and not (folder / "plot.py").is_file():
        raise SpecError(f"{file}: y: is missing: a column that the plot shows; or write a plot.py")
    return figure


def load_figures(root):
    """Read all figures below ``root``; returns {id: Figure} in alphabetical order."""
    return {
        path.parent.name: load_figure(path.parent)
        for path in sorted(Path(root).glob("*/figure.toml"))
    }
