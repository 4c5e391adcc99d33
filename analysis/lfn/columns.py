# SPDX-License-Identifier: GPL-2.0-only
"""What figure.toml says of a column: its values, and the claims that need no claims.py."""

from difflib import get_close_matches

import pandas as pd

from lfn.average import Average, measured
from lfn.claims import Measured, unmatched
from lfn.points import canonical
from lfn.results import MissingDataError
from lfn.spec import SpecError, load_module
from lfn.units import number_or_text


def values(rows, formula, where):
    """Return a column of ``rows``, or what a formula of columns gives, ``where`` figure.toml is.

    A column whose name has other characters than letters, digits and '_' stands in backticks.
    """
    if formula in rows.columns:
        return rows[formula]
    try:
        found = rows.eval(formula, engine="python")
    except Exception as error:  # anything that a user's formula raises
        names = [name for name in rows.columns if not name.startswith("--")]
        near = get_close_matches(formula, names) or names
        raise SpecError(f"{where}: {formula!r}: {error}; there are {', '.join(near)}") from error
    if not isinstance(found, pd.Series):
        raise SpecError(f"{where}: {formula!r}: is no column and no formula of columns")
    return found


def _is(column, value):
    """Return for each row whether a flag has a value, written as on the command line."""
    wanted = number_or_text(canonical(str(value).lower() if isinstance(value, bool) else value))
    if isinstance(wanted, str):
        return column.astype(str) == wanted
    return (column.astype(float) - wanted).abs() <= 1e-6 * abs(wanted)


def _selected(rows, chosen, where):
    """Return the rows whose flags, and ``series``, have the values of ``chosen``."""
    for name, value in chosen.items():
        column = rows.get("series" if name == "series" else f"--{name}")
        if column is None:
            raise SpecError(f"{where}: {name}: is no flag of the figure's points")
        rows = rows[column == value if name == "series" else _is(column, value)]
    return rows


def _settings(results, rows):
    """Return {(series, point): {"series": name, flag: text}} of rows."""
    pairs = rows[["series", "point"]].drop_duplicates().itertuples(index=False, name=None)
    return {(s, p): {"series": s, **results.manifests[p]["args"]} for s, p in pairs}


def _differing(settings):
    """Return the flags in which points differ."""
    every = list(settings.values())
    keys = dict.fromkeys(key for one in every for key in one)
    return [key for key in keys if len({one.get(key) for one in every}) > 1]


def _part(results, pair, claim, where):
    """Return the rows of a point, which the claim looks at, and its column of them."""
    rows = results.table
    rows = rows[(rows["series"] == pair[0]) & (rows["point"] == pair[1])]
    results.read.add(pair[1])
    return rows, values(rows, claim.column, where)


def _average(results, pair, claim, where):
    random = results.random.get(pair[1]) is not False
    return Average.of(*_part(results, pair, claim, where), random)


def _partner(flags, others, keys, where):
    """Return which of the ``others`` has the ``flags`` of a point as far as ``keys`` go."""
    found = [
        pair
        for pair, other in others.items()
        if all(other.get(key) == flags.get(key) for key in keys)
    ]
    if not found:
        at = ", ".join(f"{key} {flags.get(key)}" for key in keys)
        raise MissingDataError("no point to divide by" + (f" at {at}" if at else ""))
    if len(found) > 1:
        raise SpecError(f"{where}: selects {len(found)} points to divide one by; name more flags")
    return found[0]


def measure_of(figure, claim):
    """Return what claims.py would have for a claim that has a column: Results to a Measured."""
    where = f"{figure}/figure.toml: claims.{claim.id}"

    def measure(results):
        rows = results.table
        chosen = _settings(results, _selected(rows, claim.at, f"{where}.at"))
        if not chosen:
            raise MissingDataError(f"no points at {', '.join(map(str, claim.at.values()))}")
        keys = _differing(chosen)
        names = {
            pair: ", ".join(f"{key} {flags[key]}" for key in keys if key in flags)
            for pair, flags in chosen.items()
        }
        if claim.reduce != "mean":
            found = {pair: _part(results, pair, claim, f"{where}.column")[1] for pair in chosen}
            parts = {names[pair]: float(found[pair].agg(claim.reduce)) for pair in chosen}
            runs = sum(map(len, found.values()))
            return Measured(parts, runs, basis="every run")
        wanted = {**claim.at, **claim.over}
        others = _settings(results, _selected(rows, wanted, f"{where}.over")) if claim.over else {}
        same = [key for key in keys if key not in {*claim.over, "series"}]
        parts = {}
        for pair, flags in chosen.items():
            mean = _average(results, pair, claim, f"{where}.column")
            if claim.over:
                under = _partner(flags, others, same, f"{where}.over")
                mean = mean / _average(results, under, claim, f"{where}.column")
            parts[names[pair]] = mean
        return measured(parts)

    return measure


def functions(figure):
    """Return {claim: function of the Results that measures it} of a Figure.

    Raises SpecError where claims.py lacks one, and any error in there.
    """
    own = [claim for claim in figure.claims if not claim.column]
    module = load_module(figure.folder / "claims.py") if own else None
    for claim in unmatched(own, module):
        raise SpecError(f"{figure.id}/claims.py: no function for claim {claim}")
    return {
        claim.id: measure_of(figure.id, claim)
        if claim.column
        else getattr(module, claim.id.replace("-", "_"))
        for claim in figure.claims
    }
