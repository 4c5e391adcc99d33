# SPDX-License-Identifier: GPL-2.0-only
"""The results of a figure as tidy tables, and the statistics that figures and claims share."""

from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from scipy.special import ndtri, stdtrit

from lfn.files import read_json
from lfn.spec import SpecError
from lfn.units import number_or_text, settings

PUBLISHED = ("quantity", "series", "x", "value", "unit", "error", "place")


class MissingDataError(Exception):
    """The preset has no such points; a claim that needs them cannot be judged."""


def _with_switches(table):
    """Return ``table`` with "false" where a point of a series lacks a switch that others have."""
    for column in [name for name in table.columns if name.startswith("--") and "." not in name]:
        for _, flag in table.groupby("series")[column]:
            if flag.isna().any() and set(flag.dropna()) == {"true"}:
                table.loc[flag.index[flag.isna()], column] = "false"
    return table


def load_published(folder):
    """Return published.csv of a figure's folder; one without printed numbers needs none."""
    path = folder / "published.csv"
    return pd.read_csv(path) if path.is_file() else pd.DataFrame(columns=PUBLISHED)


def _flags(manifest):
    """Return {"--flag": value}; numbers as the program has read them, where it says so."""
    read = (manifest.get("run_json") or {}).get("values", {})
    numbers = {name: float(value) for name, value in read.items() if not isinstance(value, bool)}
    flags = {}
    for name, text in manifest["args"].items():
        flags[f"--{name}"] = numbers.get(name, number_or_text(text))
        parts = settings(name, text).items()
        flags.update((f"--{part}", number_or_text(value)) for part, value in parts)
    return flags


def _is_random(rows):
    """Whether another RngRun changed anything in summary.csv of a point; None of a single run."""
    each = [run.drop(columns="run").reset_index(drop=True) for _, run in rows.groupby("run")]
    if len(each) < 2:
        return None
    return not all(run.equals(each[0]) for run in each[1:])


def _randomness(figure, exact, point, rows):
    """Whether a point is random; None of a single run of which ``exact`` does not say it is not.

    Raises SpecError where figure.toml says so and the runs say otherwise.
    """
    found = _is_random(rows)
    if point not in exact:
        return found
    if found:
        raise SpecError(
            f"{figure.id}/figure.toml: {exact[point]}: random says that RngRun changes nothing, "
            f"but runs of {point} differ; leave it away and give several runs"
        )
    return False


@dataclass
class Results:
    """All runs of a figure's points.

    ``table`` has one row per run and flow: the columns of summary.csv, ``series`` and ``point``,
    and each flag under its own name with the dashes ("--sendRate", a number in base units where
    it is one; of a switch that a series sweeps "true" or "false"), the Attributes of a topology
    that a flag gives as well ("--topology.LinkRate"). ``published`` is published.csv,
    ``manifests`` the manifests by point id. ``random`` reports each point whether its RngRun
    matters: two or more of all its runs, shown or not, that differ, or what figure.toml says; None
    of a single run of which it says nothing.
    ``read`` are the points that were looked at, ``claims`` the figure's own by their ids,
    ``parts`` the rows of parts.csv of the claims that were judged.
    """

    preset: str
    table: pd.DataFrame
    published: pd.DataFrame
    manifests: dict
    folder: object
    limits: dict = field(default_factory=dict)
    random: dict = field(default_factory=dict)
    read: set = field(default_factory=set)
    claims: dict = field(default_factory=dict)
    parts: list = field(default_factory=list)

    @staticmethod
    def load(figure, build, preset, members, limits=None, exact=None):
        """Read the points ``members`` [(series, point id)] of a Figure from ``build``.

        ``limits`` maps a point to the number of runs to take; a folder may hold more of them,
        made for another preset, which must not change what this one shows. ``exact`` are the points
        that are said not to be random, as Figure.said_exact() gives them by default.
        """
        limits = limits or {}
        parts = []
        manifests = {}
        random = {}
        exact = figure.said_exact(preset) if exact is None else exact
        for series, point in members:
            folder = build / "results" / point
            manifest = read_json(folder / "manifest.json")
            runs = min(limits.get(point, manifest["runs"]), manifest["runs"])
            manifests[point] = {**manifest, "runs": runs, "wall_s": manifest["wall_s"][:runs]}
            part = pd.read_csv(folder / "summary.csv")
            random[point] = _randomness(figure, exact, point, part)
            part = part[part["run"] <= runs]
            parts.append(part.assign(series=series, point=point, **_flags(manifest)))
        table = _with_switches(pd.concat(parts, ignore_index=True))
        printed = load_published(figure.folder)
        claims = figure.claims_by_id
        where = build / "results"
        return Results(preset, table, printed, manifests, where, limits, random, claims=claims)

    def rows(self, series, **flags):
        """Return the rows of a series, of given flag values (base units, 1 part in 10^6)."""
        found = self.table[self.table["series"] == series]
        for flag, value in flags.items():
            column = found.get(f"--{flag}")
            if column is None:
                raise MissingDataError(f"series {series} has no flag {flag}")
            if isinstance(value, str):
                found = found[column == value]
            else:
                found = found[np.isclose(column.astype(float), value, rtol=1e-6, atol=0)]
        if found.empty:
            asked = ", ".join(
                f"{k}={v:g}" if not isinstance(v, str) else f"{k}={v}" for k, v in flags.items()
            )
            raise MissingDataError(
                f"no runs of series {series}" + (f" at {asked}" if asked else "")
            )
        self.read.update(found["point"])
        return found

    def extra(self, series, name, **flags):
        """Return another CSV file of the points of rows(); ``name`` is one of these, without .csv:

        series, messages, background.
        """
        points = self.rows(series, **flags)["point"].unique()
        paths = [self.folder / point / f"{name}.csv" for point in points]
        parts = []
        for path, point in zip(paths, points, strict=True):
            if path.exists():
                part = pd.read_csv(path).assign(point=point)
                parts.append(part[part["run"] <= self.limits.get(point, np.inf)])
        if not parts:
            raise MissingDataError(f"series {series} wrote no {name}.csv")
        return pd.concat(parts, ignore_index=True)

    def samples(self, series, metric, flow=None, run=None, **flags):
        """Return the rows of series.csv of one metric, those of a flow (-1: the path) and run."""
        table = self.extra(series, "series", **flags)
        for column, value in (("metric", metric), ("flow", flow), ("run", run)):
            if value is not None:
                table = table[table[column] == value]
        return table

    def text(self, series, name, **flags):
        """Return the text file ``name`` of rows() that are one run; ValueError if they are more.

        Of several runs of a point only the first one's text files are kept.
        """
        if self.runs(series, **flags) > 1:
            raise ValueError(f"series {series} has several runs, {name} is of the first one only")
        path = self.folder / self.rows(series, **flags)["point"].iloc[0] / name
        if not path.exists():
            raise MissingDataError(f"series {series} wrote no {name}")
        return path.read_text(encoding="utf-8")

    def printed(self, quantity):
        """Return the rows of published.csv for one quantity."""
        return self.published[self.published["quantity"] == quantity]

    def runs(self, series, **flags):
        """Return how many simulations stand behind the rows of a series."""
        rows = self.rows(series, **flags)
        return len(rows[["point", "run"]].drop_duplicates())


def student(degrees):
    """97.5 % quantile of Student's t: the factor of a 95 % confidence interval."""
    return float(stdtrit(degrees, 0.975)) if np.isfinite(degrees) else float(ndtri(0.975))


def mean_interval(values, random=True):
    """Return (mean, half width of the 95 % confidence interval).

    One value has no such, NaN, but where nothing is ``random`` and it says all: 0.
    """
    values = np.asarray(values, dtype=float)
    if len(values) < 2:
        return float(values.mean()), float("nan") if random else 0.0
    error = values.std(ddof=1) / np.sqrt(len(values))
    return float(values.mean()), float(student(len(values) - 1) * error)


def resampled(values, statistic):
    """Half width of a 95 % bootstrap interval of ``statistic``(values); NaN for a single value.

    The farther of the two percentiles, for what is no mean, such as a largest value. Its random
    numbers are fixed.
    """
    from scipy.stats import bootstrap  # noqa: PLC0415 - takes a second, and few claims need it

    values = np.asarray(values, dtype=float)
    if len(values) < 2:
        return float("nan")
    drawn = np.random.default_rng(1)
    found = bootstrap(
        (values,), statistic, vectorized=False, method="percentile", rng=drawn
    ).confidence_interval
    here = statistic(values)
    return float(max(here - found.low, found.high - here))


def mean_and_band(values):
    """As mean_interval(), but 0 for one value: it is drawn as a line without a band."""
    mean, half = mean_interval(values)
    return mean, half if len(values) > 1 else 0.0


def means(rows, by, value):
    """Group ``rows`` by a column: a table of by, mean, low, high (95 %) and runs, sorted.

    Where no value is below 0 the lower limits are 0 at least: times, rates, counts and losses
    cannot be negative, but Student's interval of a few runs is symmetric.
    """
    groups = []
    least = 0.0 if (rows[value] >= 0).all() else -np.inf
    for key, group in rows.groupby(by):
        mean, half = mean_and_band(group[value])
        groups.append((key, mean, max(mean - half, least), mean + half, len(group)))
    return pd.DataFrame(groups, columns=[by, "mean", "low", "high", "runs"])


def throughput(rows, by):
    """Group ``rows`` by a column: mean throughput in bit/s, 8 * bytes / mean duration.

    The mean is taken over durations, as one would time a series of transfers; so are the 95 %
    limits. Columns: by, mean, low, high, runs. A run that did not complete counts as 0.
    """
    groups = []
    for key, group in rows.groupby(by):
        if not group["completed"].all():
            groups.append((key, 0.0, 0.0, 0.0, len(group)))
            continue
        bits = 8.0 * group["delivered_bytes"].mean()
        mean, half = mean_and_band(group["finish_s"] - group["start_s"])
        highest = bits / (mean - half) if half < mean else np.inf
        groups.append((key, bits / mean, bits / (mean + half), highest, len(group)))
    return pd.DataFrame(groups, columns=[by, "mean", "low", "high", "runs"])
