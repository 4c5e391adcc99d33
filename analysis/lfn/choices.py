# SPDX-License-Identifier: GPL-2.0-only
"""Verdicts that depend on what the source does not say.

A parameter that was fitted or chosen is varied in two ways: a block [sensitivity.PARAMETER] runs
the same points with other values, and a claim with `variant_of` judges other points. Where some of
the values reproduce the statement and others do not, the verdict is `depends`, whichever verdict
the used value gives. Values at which nothing is decided say nothing.
"""

from lfn.claims import DEPENDS, NOT, PARTLY, REPRODUCED, UNDECIDED

_OPEN = (REPRODUCED, PARTLY, NOT, UNDECIDED)


def _listed(values):
    return ", ".join(values[:-1]) + (" or " if len(values) > 1 else "") + values[-1]


def _split(found):
    """Return (values that reproduce, values that do not) of [(value, verdict)]."""
    holds = [value for value, verdict in found if verdict == REPRODUCED]
    fails = [value for value, verdict in found if verdict in (PARTLY, NOT)]
    return holds, fails


def _named(block, value):
    """Return a value of a Sensitivity as a reader needs it: "76ms", or "0.9 of the used one"."""
    if not block.factors:
        return str(value)
    return "the used one" if float(value) == 1.0 else f"{value} of the used one"


def _tried(figure, claim, as_run, table):
    """Yield what each parameter of the table shows of a claim that has both outcomes."""
    for block in figure.sensitivity:
        if block.printed:
            continue
        rows = table[(table["parameter"] == block.parameter) & (table["claim"] == claim)]
        used = rows["used"].astype(str) == "True"  # of a file as well
        values = [_named(block, value) for value in rows["value"]]
        verdicts = rows["verdict"].where(~used, as_run)
        holds, fails = _split(list(zip(values, verdicts, strict=True)))
        if holds and fails:
            yield f"{block.parameter}: reproduced with {_listed(holds)}, not with {_listed(fails)}"


def decided(figure, rows, table=None):
    """Return the rows of verdicts.csv of a Figure, dictionaries, with `depends` where it applies.

    ``table`` has the columns of lfn.sensitivity; None where nothing was varied. `as_run` keeps the
    verdict at the used values, from which a row that was decided before is decided again.
    """
    as_run = {row["claim"]: row.get("as_run") or row["verdict"] for row in rows}
    variants = {}
    for one in figure.claims:
        if one.variant_of:
            variants.setdefault(one.variant_of, []).append(one)
    done = []
    for row in rows:
        name, verdict = row["claim"], as_run[row["claim"]]
        words = []
        if verdict in _OPEN:
            words += _tried(figure, name, verdict, table) if table is not None else ()
            for one in variants.get(name, ()):
                mine = [("the values as run", verdict), (one.choice, as_run.get(one.id, ""))]
                holds, fails = _split(mine)
                if holds and fails:
                    words.append(f"reproduced with {holds[0]}, not with {fails[0]}")
        changed = {"verdict": DEPENDS} if words else {"verdict": verdict}
        done.append({**row, **changed, "as_run": verdict, "depends_on": "; ".join(words)})
    return done
