# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the effective throughput; one function a claim."""

import numpy as np

from lfn.claims import Measured
from lfn.jrm import RATE, percent, share_complete, transmissions
from lfn.models import jrm as model
from lfn.results import MissingDataError

SERIES = {"one-3": (1, 3), "one-10": (1, 10), "ten-3": (10, 3), "ten-10": (10, 10)}
"""Series: packets a message, requests until it is given up."""
NAMES = {
    "one-3": "1 packet, 3 requests",
    "one-10": "1 packet, 10 requests",
    "ten-3": "10 packets, 3 requests",
    "ten-10": "10 packets, 10 requests",
}
FEW = ("one-3", "ten-3")


def _shares(results, chosen, wanted):
    """Shares of the series ``chosen`` at error rates for which ``wanted`` is true."""
    parts, errors, runs = {}, {}, 0
    for series in chosen:
        for _, row in share_complete(results, series).iterrows():
            if wanted(row["loss"]):
                name = f"{NAMES[series]}, {percent(row['loss'])}"
                parts[name] = row["mean"]
                errors[name] = row["high"] - row["mean"]
                runs += int(row["runs"])
    if not parts:
        raise MissingDataError("no such error rates")
    return Measured(parts, runs, errors)


def all_without_errors(results):
    """Messages complete in the window, of every series."""
    parts = {}
    for series, name in NAMES.items():
        parts[name] = results.rows(series, errorRate=0.0)["window_messages_complete"].mean()
    return Measured(parts, len(parts))


def very_good(results):
    """Shares at 30 %."""
    return _shares(results, SERIES, lambda loss: loss == 0.3)


def flat_until_15(results):
    """Shares up to 15 %."""
    return _shares(results, FEW, lambda loss: loss <= 0.15)


def nearly_flat_at_20(results):
    """Shares at 20 %."""
    return _shares(results, FEW, lambda loss: loss == 0.2)


def observable_from_25(results):
    """Shares at 25 and 30 %."""
    return _shares(results, FEW, lambda loss: loss >= 0.25)


def ten_requests_hide_it(results):
    """The same with ten requests."""
    return _shares(results, ("one-10", "ten-10"), lambda loss: loss >= 0.25)


def _changes(results, series):
    """Error rates, relative decrease of throughput, relative increase of transmissions."""
    share = share_complete(results, series)["mean"].to_numpy()
    table = transmissions(results, series)
    packets, _ = SERIES[series]
    return table["loss"].to_numpy(), 1.0 - share, table["mean"].to_numpy() / (RATE * packets) - 1


def much_less(results):
    """Decrease over increase."""
    parts = {}
    for series in FEW:
        for loss, decrease, increase in zip(*_changes(results, series), strict=True):
            if loss >= 0.2:
                parts[f"{NAMES[series]}, {percent(loss)}"] = decrease / increase
    if not parts:
        raise MissingDataError("no such error rates")
    return Measured(parts, sum(results.runs(series) for series in FEW))


def coincide(results):
    """Correlation of the transmissions and the throughput."""
    parts = {}
    for series in FEW:
        _, decrease, increase = _changes(results, series)
        parts[NAMES[series]] = -np.corrcoef(decrease, increase)[0, 1]
    return Measured(parts, sum(results.runs(series) for series in FEW))


def retry_cap_law(results):
    """Simulation minus law in per cent of what was sent."""
    measured = _shares(results, SERIES, lambda loss: True)
    parts = {}
    for series, (packets, attempts) in SERIES.items():
        for _, row in share_complete(results, series).iterrows():
            law = 1.0 - model.capped(row["loss"], packets, attempts).lost
            parts[f"{NAMES[series]}, {percent(row['loss'])}"] = 100 * (row["mean"] - law)
    errors = {name: 100 * error for name, error in measured.errors.items()}
    return Measured(parts, measured.runs, errors)
