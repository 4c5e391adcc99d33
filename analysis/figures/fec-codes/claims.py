# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the residual loss of codes; one function per claim."""

import itertools

import numpy as np

from lfn.average import Average, measured
from lfn.claims import Measured
from lfn.figures.quanta import CODES, residual_rows
from lfn.models import quanta as model

MOST = 64
"""Most datagrams of data, and of parity, of a code that is looked at."""


def follows_the_law(results):
    """Residual loss less the law's, in its standard errors, so that it has no interval."""
    parts, runs = {}, 0
    for code in CODES:
        for loss, rows in residual_rows(results, code).groupby("--lossRate"):
            law = model.residual_loss(loss, *code)
            packets = np.ceil(rows["offered_bytes"] / rows["--packetSize"]).sum()
            deviation = model.residual_deviation(loss, code[0], packets, code[1])
            name = f"k = {code[0]}, m = {code[1]}, {100 * loss:g} %"
            parts[name] = (rows["residual"].mean() - law) / deviation
            runs += len(rows)
    return Measured(parts, runs, basis="law")


def less_than_xor(results):
    """Residual loss with k = 4 and m = 2 over that with k = 2 and m = 1."""

    def average(code, loss):
        rows = residual_rows(results, code, lossRate=loss)
        return Average.of(rows, rows["residual"])

    losses = sorted(residual_rows(results, (4, 2))["--lossRate"].unique())
    return measured({f"{100 * p:g} %": average((4, 2), p) / average((2, 1), p) for p in losses})


def none_meets_both(results):
    """Factor by which the worse of both losses differs, of the code where that is the least."""
    table = results.printed("residual")
    reported = dict(zip(table["x"] / 100, table["value"] / 100, strict=True))

    def worse(code):
        factors = [model.residual_loss(loss, *code) / left for loss, left in reported.items()]
        return max(max(f, 1 / f) if f > 0 else np.inf for f in factors)

    codes = list(itertools.product(range(1, MOST + 1), range(1, MOST + 1)))
    nearest = min(codes, key=worse)
    note = f"nearest are k = {nearest[0]} and m = {nearest[1]}"
    return Measured.one(worse(nearest), note=note)
