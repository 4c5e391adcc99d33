# SPDX-License-Identifier: GPL-2.0-only
"""Claims about FEC's residual loss; one function per claim."""

import numpy as np

from lfn.average import Average, measured
from lfn.claims import Measured
from lfn.figures import claim
from lfn.models import quanta as model

BLOCKS = (1, 2, 3)
LOSSES = (0.019, 0.174)
"""What is reported of."""


def _residual(results, block, **flags):
    """Rows of a block size and their residual loss; datagrams behind it; network's loss."""
    rows = results.rows(f"k-{block}", **flags)
    packets = np.ceil(rows["offered_bytes"] / rows["--packetSize"])
    return rows.assign(residual=rows["lost_bytes"] / rows["offered_bytes"], packets=packets)


def follows_the_law(results):
    """Residual loss less the law's, in its standard deviations, so that it has no interval."""
    parts, runs = {}, 0
    for block in BLOCKS:
        for loss, rows in _residual(results, block).groupby("--lossRate"):
            law = model.residual_loss(loss, block)
            deviation = model.residual_deviation(loss, block, rows["packets"].sum())
            parts[f"k = {block}, {100 * loss:g} %"] = (rows["residual"].mean() - law) / deviation
            runs += len(rows)
    return Measured(parts, runs, basis="law")


def _average(results, block, loss):
    rows = _residual(results, block, lossRate=loss)
    return Average.of(rows, rows["residual"])


def _reported(results, loss):
    """The residual loss that is reported of ``loss``."""
    table = results.printed("residual")
    return table.loc[np.isclose(table["x"], 100 * loss), "value"].iloc[0] / 100


def _over_reported(results, loss):
    """Residual loss with k = 2 and 3 over the reported one."""
    reported = _reported(results, loss)
    return measured({f"k = {k}": _average(results, k, loss) / reported for k in (2, 3)})


light_loss = claim(_over_reported, 0.019)  # At 1.9 %
heavy_loss = claim(_over_reported, 0.174)  # At 17.4 %


def lies_between(results):
    """The reported residual loss over that with k = 1, and that with k = 2 over it."""
    parts = {}
    for loss in LOSSES:
        reported = _reported(results, loss)
        one, two = (_average(results, block, loss) for block in (1, 2))
        parts[f"{100 * loss:g} %, reported / k = 1"] = Average(reported) / one
        parts[f"{100 * loss:g} %, k = 2 / reported"] = two / reported
    return measured(parts)


def _in_bursts(results, series):
    """Residual loss of each point of a series over the reported one."""
    rows = results.rows(series)
    rows = rows.assign(residual=rows["lost_bytes"] / rows["offered_bytes"])
    parts = {}
    for (transport, loss), part in rows.groupby(["--transport", "--lossRate"]):
        block = transport.removesuffix("]").rpartition("=")[2]
        average = Average.of(part, part["residual"])
        parts[f"k = {block}, {100 * loss:g} %"] = average / _reported(results, loss)
    return measured(parts)


bursts_leave_more = claim(_in_bursts, "bursts")  # With 2 and 3 datagrams per parity
bursts_that_fit = claim(_in_bursts, "fitted")  # With 1 and 2


def high_reliability(results):
    """Share of the losses that are made good at 1.9 %."""
    parts = {f"k = {block}": 1.0 - _average(results, block, 0.019) / 0.019 for block in (2, 3)}
    return measured(parts)
