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
    """{(k, network's loss): Average of the residual loss} of a series."""
    rows = results.rows(series)
    rows = rows.assign(residual=rows["lost_bytes"] / rows["offered_bytes"])
    parts = {}
    for (transport, loss), part in rows.groupby(["--transport", "--lossRate"]):
        block = int(transport.removesuffix("]").rpartition("=")[2])
        parts[block, loss] = Average.of(part, part["residual"])
    return parts


def _name(block, loss):
    return f"k = {block}, {100 * loss:g} %"


def _over_the_reported(results, series):
    return {
        _name(*point): left / _reported(results, point[1])
        for point, left in _in_bursts(results, series).items()
    }


def bursts_leave_more(results):
    """Residual loss with 2 and 3 over the reported one, and over that of independent losses."""
    parts = _over_the_reported(results, "bursts")
    for point, left in _in_bursts(results, "bursts").items():
        parts[f"{_name(*point)}, over independent losses"] = left / _average(results, *point)
    return measured(parts)


bursts_that_fit = claim(_over_the_reported, "fitted")  # With 1 and 2


def _made_good(results, loss):
    """Share of the losses that are made good with 2 and 3 datagrams per parity."""
    return {f"k = {block}": 1.0 - _average(results, block, loss) / loss for block in (2, 3)}


high_reliability = claim(_made_good, 0.019)  # at 1.9 %
high_reliability_congested = claim(_made_good, 0.174)  # at 17.4 %
