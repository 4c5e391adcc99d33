# SPDX-License-Identifier: GPL-2.0-only
"""From measured values to verdicts.

A figure's claims.py holds one function a claim, named as the claim with '_' for '-'. It takes
the Results and returns a Measured: one value or several named parts, each of which must lie
in the claim's band. It raises MissingDataError when the preset has not run what it needs.
"""

import math
from dataclasses import dataclass, field

from lfn.results import MissingDataError
from lfn.spec import SpecError

REPRODUCED = "reproduced"
REFUTED = "refuted"
PARTLY = "partly"
NOT = "not reproduced"
NEEDS_FULL = "needs --full"
NOT_RUN = "not run"
VERDICTS = (REPRODUCED, REFUTED, PARTLY, NOT, NEEDS_FULL, NOT_RUN)

COLUMNS = (
    "figure",
    "claim",
    "kind",
    "statement",
    "place",
    "published",
    "measured",
    "low",
    "high",
    "verdict",
    "reason",
    "runs",
    "paper",
    "origin",
    "calibration",
    "fitted_to",
    "expected",
    "band",
)


@dataclass
class Measured:
    """What a claim's function found.

    ``parts`` maps a part's name to its value ("" for a claim of one value), ``errors`` to the
    half width of its 95 % interval where it is a mean of something random (not-a-number where
    there is a single run of it; a run that says all has no error); ``runs`` counts the
    simulations behind it (0 for arithmetic); ``note`` is added to the verdict's reason.
    """

    parts: dict
    runs: int = 0
    errors: dict = field(default_factory=dict)
    note: str = ""

    @staticmethod
    def one(value, runs=0, error=None, note=""):
        """A claim with a single value."""
        errors = {} if error is None else {"": float(error)}
        return Measured({"": float(value)}, runs, errors, note)


def widest(figure, claim, measured):
    """Return the largest half width; infinite where one is not finite.

    A claim with a wanted half width must measure some; raises SpecError.
    """
    if not measured.errors:
        raise SpecError(
            f"{figure}/claims.py: {claim.id}: returns no errors, but has a half_width in "
            "figure.toml; return the half widths, or leave it away"
        )
    return max(value if math.isfinite(value) else math.inf for value in measured.errors.values())


def _outside(value, claim):
    """Return by how much a value misses the band; 0 inside; not-a-number misses by infinity."""
    if value != value:
        return float("inf")
    return max(claim.low - value, value - claim.high, 0.0)


def _undecided(measured, claim):
    """Return the parts whose interval reaches over an edge of the band."""
    return [
        name
        for name, value in measured.parts.items()
        if measured.errors.get(name, 0.0) > 0.0
        and any(abs(value - edge) < measured.errors[name] for edge in (claim.low, claim.high))
    ]


def _at(measured, names):
    """Return where something is: nothing to say where it is the whole claim."""
    named = [name for name in names if name]
    if not named or len(named) == len(measured.parts):
        return ""
    return " at " + _listed(named)


def _listed(labels):
    return "; ".join(labels[:6]) + (f"; and {len(labels) - 6} more" if len(labels) > 6 else "")


def _intervals(measured, claim, able):
    """Return what a reader has to know of the intervals behind a verdict."""
    words = []
    over = _undecided(measured, claim) if able else []
    if over:
        where = _at(measured, over)
        words.append(f"the 95 % interval reaches over an edge of the band{where}")
    without = [name for name, half in measured.errors.items() if math.isnan(half)]
    alone = [name for name in without if math.isfinite(measured.parts.get(name, math.nan))]
    if alone:
        each = "" if measured.runs < 2 else " a point"
        words.append(f"one run{each}, no interval{_at(measured, alone)}")
    endless = [name for name in without if name not in alone]
    if endless:
        words.append(f"a run has no finite value, no interval{_at(measured, endless)}")
    return words


def _number(value):
    return f"{value:.4g}"


def describe_band(low, high):
    """Return a band in words, its edges as they are set; an infinite edge is none."""
    if low == high:
        return f"exactly {low:.6g}"
    if low == float("-inf"):
        return f"at most {high:.6g}"
    if high == float("inf"):
        return f"at least {low:.6g}"
    return f"{low:.6g} to {high:.6g}"


def _describe(claim, measured, names):
    labels = [f"{name}: {_number(measured.parts[name])}" for name in names if name]
    band = describe_band(claim.low, claim.high)
    return f"not {band}" + (f" at {_listed(labels)}" if labels else "")


def _joined(reasons):
    return ". ".join(text.strip().rstrip(".") for text in reasons if text.strip())


def _row(figure, claim):
    """Return what a row of verdicts.csv says of a claim before anything is measured."""
    return {
        "figure": figure,
        "claim": claim.id,
        "kind": claim.kind,
        "statement": claim.statement,
        "place": claim.place,
        "published": claim.published,
        "measured": "",
        "low": claim.low,
        "high": claim.high,
        "runs": 0,
        "paper": "",
        "origin": claim.origin,
        "calibration": claim.calibration,
        "fitted_to": "; ".join(claim.fitted_to),
        "expected": claim.expected,
        "band": claim.band,
    }


def not_run(figure, reason):
    """Return the rows of verdicts.csv for the claims of a Figure that was left out."""
    return [
        {**_row(figure.id, claim), "paper": figure.paper, "verdict": NOT_RUN, "reason": reason}
        for claim in figure.claims
    ]


def judge(figure, claim, measure, results):
    """Return the row of verdicts.csv, a dictionary, for one claim.

    ``measure`` is the claim's function. The measured column shows the part farthest out of the
    band, or of all parts the one nearest to an edge. Below full an interval over an edge leaves
    the verdict to full; there, and where a single run has none, the reason tells. Raises SpecError
    for what the function should not return.
    """
    row = _row(figure, claim)
    able = results.preset in claim.presets
    try:
        measured = measure(results)
    except MissingDataError as missing:
        full = results.preset == "full"
        why = "the data are missing:" if full else f"the {results.preset} preset has"
        return {
            **row,
            "verdict": NOT if full else NEEDS_FULL,
            "reason": _joined([f"{why} {missing}", claim.note]),
        }
    if not measured.parts:
        raise SpecError(
            f"{figure}/claims.py: {claim.id}: returns no parts; raise MissingDataError where the "
            "preset has not the points"
        )
    misses = {name: _outside(value, claim) for name, value in measured.parts.items()}
    edge = {n: min(abs(v - claim.low), abs(v - claim.high)) for n, v in measured.parts.items()}
    worst = max(misses, key=lambda name: (misses[name], -edge[name]))
    row["measured"] = float(f"{measured.parts[worst]:.6g}")
    row["runs"] = measured.runs
    out = [name for name, miss in misses.items() if miss > 0.0]
    reasons = []
    if not able and claim.evidence == "simulation":
        verdict = NEEDS_FULL
        reasons.append(f"the {results.preset} preset is too small to judge")
    elif results.preset != "full" and _undecided(measured, claim):
        verdict = NEEDS_FULL
        reasons.append("the 95 % interval of so few runs reaches over the edge of the band")
    elif not out:
        verdict = REPRODUCED
    elif len(out) < len(misses):
        verdict = PARTLY
    else:
        verdict = REFUTED if claim.evidence == "arithmetic" else NOT
    if verdict != NEEDS_FULL:
        if out:
            reasons += [_describe(claim, measured, out), claim.reason]
        reasons += _intervals(measured, claim, able)
    wanted = claim.half_width.get(results.preset)
    width = widest(figure, claim, measured) if wanted else 0.0
    if wanted and width > wanted:
        if math.isfinite(width):
            reasons.append(f"95 % half width {_number(width)} above the wanted {_number(wanted)}")
        else:
            reasons.append(f"no 95 % interval, a half width of {_number(wanted)} was wanted")
    reasons += [measured.note, claim.note]
    row["verdict"] = verdict
    row["reason"] = _joined(reasons)
    return row


def judge_all(figure, module, results):
    """Judge every claim of a Figure with the functions of its claims.py."""
    return [
        judge(figure.id, claim, getattr(module, claim.id.replace("-", "_")), results)
        | {"paper": figure.paper}
        for claim in figure.claims
    ]


def unmatched(figure, module):
    """Return the claims that have no function in ``module``."""
    return [c.id for c in figure.claims if not hasattr(module, c.id.replace("-", "_"))]
