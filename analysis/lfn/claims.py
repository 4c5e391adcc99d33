# SPDX-License-Identifier: GPL-2.0-only
"""From measured values to verdicts.

A claim without a column has a function in the figure's claims.py, named as the claim with '_' for
'-'. It takes the Results and returns a Measured: one value or several named parts, each of which
must lie in the claim's band. It raises MissingDataError when the preset has not run what it needs.
"""

import math
from dataclasses import dataclass, field

from lfn import prediction
from lfn.results import MissingDataError
from lfn.scope import conditions, in_force
from lfn.spec import SpecError
from lfn.standing import IN, OUT, OVER, edges, outside, standing

REPRODUCED = "reproduced"
REFUTED = "refuted"
PARTLY = "partly"
NOT = "not reproduced"
DEPENDS = "depends"
UNDECIDED = "undecided"
NEEDS_FULL = "needs --full"
NOT_RUN = "not run"
VERDICTS = (REPRODUCED, REFUTED, PARTLY, NOT, DEPENDS, UNDECIDED, NEEDS_FULL, NOT_RUN)

MISS = 0.025
"""The most that one interval of 95 % decides wrongly: the truth is beyond one of its ends."""

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
    "error",
    "parts",
    "intervals",
    "preset",
    "as_run",
    "depends_on",
    "single_runs",
    "conditions",
)


@dataclass
class Measured:
    """What a claim's function found.

    ``parts`` maps a part's name to its value ("" for a claim of one value), ``errors`` to the
    half width of its 95 % interval where it is a mean of something random (not-a-number where
    there is a single run of it; a run that says all has no error); ``runs`` counts the
    simulations behind it (0 for arithmetic); ``note`` is added to the verdict's reason. ``basis``
    says what stands behind a part of something random that has no error: the "law" whose own
    error is the unit, "every run" when no run may lie outside, "some run" when one shows it.
    ``singles`` has the values of the single runs of a part, for claims with ``published_runs``.
    """

    parts: dict
    runs: int = 0
    errors: dict = field(default_factory=dict)
    note: str = ""
    basis: str = "interval"
    singles: dict = field(default_factory=dict)

    @staticmethod
    def one(value, runs=0, error=None, note="", basis="interval"):
        """A claim with a single value."""
        errors = {} if error is None else {"": float(error)}
        return Measured({"": float(value)}, runs, errors, note, basis)


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


def standings(measured, claim, read):
    """Return {part: standing}.

    ``read`` maps the points that the claim looked at to whether they are random, None where a
    single run leaves that open. A part without error that rests on something random, or on what may
    be, has no interval, unless ``basis`` says what it has. Of a claim that has errors for some
    parts, and looked at points that are not random, the others are exact.
    """
    known = set(read.values())
    found = None in known or True in known
    if measured.errors:  # several random runs have an error, so the others are of single ones
        found = None in known or known == {True}
    random = claim.evidence == "simulation" and found
    bare = math.nan if measured.basis == "interval" and random else 0.0
    if measured.basis in ("every run", "some run") and measured.runs < 2 and random:
        bare = math.nan
    return {
        name: standing(value, measured.errors.get(name, bare), claim)
        for name, value in measured.parts.items()
    }


def _verdict(where, claim):
    """Return the verdict of {part: standing}: what is decided counts, what is not does not.

    Arithmetic refutes what the source says or implies, and no threshold of ours.
    """
    found = set(where.values())
    if found == {IN}:
        return REPRODUCED
    if OUT not in found:
        return UNDECIDED
    if IN in found:
        return PARTLY
    exact = claim.evidence == "arithmetic" and claim.band in ("paper", "derived")
    return REFUTED if exact else NOT


def _at(measured, names):
    """Return where something is: nothing to say where it is the whole claim."""
    named = [name for name in names if name]
    if not named or len(named) == len(measured.parts):
        return ""
    return " at " + _listed(named)


def _listed(labels):
    return "; ".join(labels[:6]) + (f"; and {len(labels) - 6} more" if len(labels) > 6 else "")


def _intervals(measured, found, open_):
    """Return what a reader has to know of the intervals behind a verdict.

    ``open_`` reports that single runs were looked at that may be random.
    """
    words = []
    over = [name for name, at in found.items() if at == OVER]
    alone = [name for name in over if math.isnan(measured.errors.get(name, math.nan))]
    if over := [name for name in over if name not in alone]:
        where = _at(measured, over)
        words.append(f"the 95 % interval reaches over an edge of the band{where}")
    if alone:
        each = "" if measured.runs < 2 else " per point"
        few = "one run" + each
        if not any(name in measured.errors for name in alone):
            few = few + " of what may be random" if open_ else "random"
        words.append(f"{few}, no interval{_at(measured, alone)}")
    endless = [
        name
        for name, half in measured.errors.items()
        if math.isnan(half) and not math.isfinite(measured.parts.get(name, math.nan))
    ]
    if endless:
        words.append(f"a run has no finite value, no interval{_at(measured, endless)}")
    if measured.basis == "every run" and measured.runs > 1 and OUT not in found.values():
        share = 100.0 * (1.0 - (2.0 * MISS) ** (1.0 / measured.runs))
        words.append(
            f"none of {measured.runs} runs is outside: at 95 % less than {share:.2g} % are"
        )
    return words


def _number(value):
    return f"{value:.4g}"


def describe_band(low, high):
    """Return a band in words, its edges as they are set; an infinite edge is left out."""
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
        "error": "",
        "parts": 0,
        "intervals": 0,
        "preset": "",
        "as_run": "",
        "depends_on": "",
        "single_runs": "",
        "conditions": "",
    }


def not_run(figure, reason, preset=""):
    """Return the rows of verdicts.csv for the claims of a Figure that was left out."""
    same = {"paper": figure.paper, "verdict": NOT_RUN, "reason": reason, "preset": preset}
    return [{**_row(figure.id, claim), **same} for claim in figure.claims]


def judge(figure, claim, measure, results):
    """Return the row of verdicts.csv, a dictionary, for one claim.

    ``measure`` is the claim's function. The measured column shows the part farthest out of the
    band, or of all parts the one nearest to an edge. In every preset the verdict follows from the
    intervals: all in the band, out of it, or undecided; a part that is decided is not hidden by one
    that is not. Raises SpecError for what the function should not return.
    """
    row = _row(figure, claim)
    able = results.preset in claim.presets
    read = getattr(results, "read", set())
    read.clear()
    try:
        measured = measure(results)
    except MissingDataError as missing:
        full = results.preset == "full"
        why = "the data are missing:" if full else f"the {results.preset} preset has"
        return {
            **row,
            "verdict": UNDECIDED if full else NEEDS_FULL,
            "reason": _joined([f"{why} {missing}", claim.note]),
        }
    if not measured.parts:
        raise SpecError(
            f"{figure}/claims.py: {claim.id}: returns no parts; raise MissingDataError where the "
            "preset has not the points"
        )
    misses = {name: outside(value, claim) for name, value in measured.parts.items()}
    ends = edges(claim)
    edge = {n: min(abs(v - one) for one in ends) for n, v in measured.parts.items()}
    worst = max(misses, key=lambda name: (misses[name], -edge[name]))
    row["measured"] = float(f"{measured.parts[worst]:.6g}")
    row["runs"] = measured.runs
    made = getattr(results, "manifests", {})
    row["conditions"] = conditions(in_force([made[point] for point in made if point in read]))
    known = getattr(results, "random", {})
    random = {point: known.get(point) for point in read}
    found = standings(measured, claim, random)
    single = prediction.applies(claim, measured)
    if single:
        judged = {
            name: prediction.standing(values, claim.published_value, claim.published_runs)
            for name, values in measured.singles.items()
        }
        found = {name: where for name, (where, _) in judged.items()}
        reported, worst = prediction.words(claim, {n: s for n, (_, s) in judged.items()}, measured)
        row["measured"] = float(f"{measured.parts[worst]:.6g}")
        row["single_runs"] = " ".join(f"{value:.4g}" for value in measured.singles[worst])
    row["parts"] = len(found)
    getattr(results, "parts", []).extend(
        {
            "claim": claim.id,
            "part": name,
            "value": measured.parts[name],
            "half_width": measured.errors.get(name, math.nan),
            "standing": found[name],
        }
        for name in found
    )
    half = measured.errors.get(worst, math.nan)
    row["error"] = float(f"{half:.3g}") if math.isfinite(half) else ""
    reasons = []
    if not able and claim.evidence == "simulation":
        verdict = NEEDS_FULL
        reasons.append(f"the {results.preset} preset is too small to judge")
    else:
        verdict = _verdict(found, claim)
        row["intervals"] = sum(
            measured.errors.get(name, 0.0) > 0.0 and where != OVER for name, where in found.items()
        )
        out = [name for name, where in found.items() if where == OUT]
        if single:
            reasons += [reported, claim.reason if out else ""]
        else:
            reasons += [_describe(claim, measured, out), claim.reason] if out else []
            reasons += _intervals(measured, found, None in random.values())
        if claim.published_runs and not single and claim.evidence == "simulation":
            reasons.append("the source has one run, and ours do not differ: the band decides")
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


def judge_all(figure, functions, results):
    """Judge every claim of a Figure with its ``functions``, {claim: function}."""
    return [
        judge(figure.id, claim, functions[claim.id], results)
        | {"paper": figure.paper, "preset": results.preset}
        for claim in figure.claims
    ]


def unmatched(claims, module):
    """Return the names of ``claims`` that have no function in ``module``."""
    return [c.id for c in claims if not hasattr(module, c.id.replace("-", "_"))]
