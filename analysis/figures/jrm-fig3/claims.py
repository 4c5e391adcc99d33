# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the effective throughput; one function per claim."""

from lfn.average import Average, measured
from lfn.figures import claim
from lfn.figures.jrm import HIGH, RATE, each_share, each_transmissions
from lfn.models import jrm as model
from lfn.results import MissingDataError
from lfn.units import percent

SERIES = {"one-3": (1, 3), "one-10": (1, 10), "ten-3": (10, 3), "ten-10": (10, 10)}
"""Series: packets a message, requests until it is given up."""
NAMES = {
    "one-3": "1 packet, 3 requests",
    "one-10": "1 packet, 10 requests",
    "ten-3": "10 packets, 3 requests",
    "ten-10": "10 packets, 10 requests",
}
FEW = ("one-3", "ten-3")


def _named(series, loss):
    return f"{NAMES[series]}, {percent(loss)}"


def _shares(results, chosen, wanted):
    """Shares of the series ``chosen`` at error rates for which ``wanted`` is true."""
    parts = {
        _named(series, loss): share
        for series in chosen
        for loss, share in each_share(results, series).items()
        if wanted(loss)
    }
    if not parts:
        raise MissingDataError("no such error rates")
    return measured(parts)


def all_without_errors(results):
    """Messages complete in the window, of every series."""
    parts = {}
    for series, name in NAMES.items():
        rows = results.rows(series, errorRate=0.0)
        parts[name] = Average.of(rows, rows["window_messages_complete"], random=False)
    return measured(parts)


very_good = claim(_shares, SERIES, lambda loss: loss == HIGH)  # Shares at 30 %
flat_until_15 = claim(_shares, FEW, lambda loss: loss <= 0.15)  # Shares up to 15 %
nearly_flat_at_20 = claim(_shares, FEW, lambda loss: loss == 0.2)  # Shares at 20 %
observable_from_25 = claim(_shares, FEW, lambda loss: loss >= 0.25)  # Shares at 25 and 30 %
# The same with ten requests.
ten_requests_hide_it = claim(_shares, ("one-10", "ten-10"), lambda loss: loss >= 0.25)


def much_less(results):
    """Decrease over increase."""
    parts = {}
    for series in FEW:
        sends = each_transmissions(results, series)
        for loss, share in each_share(results, series).items():
            if loss >= 0.2:
                increase = sends[loss] / (RATE * SERIES[series][0]) - 1.0
                parts[_named(series, loss)] = (1.0 - share) / increase
    if not parts:
        raise MissingDataError("no such error rates")
    return measured(parts)


def coincide(results):
    """Part of the decrease up to 30 % over part of the increase, both from no errors on."""
    parts = {}
    for series in FEW:
        shares, sends = each_share(results, series), each_transmissions(results, series)
        useful = RATE * SERIES[series][0]
        for loss, share in shares.items():
            if 0.0 < loss < HIGH:
                decrease = (1.0 - share) / (1.0 - shares[HIGH])
                increase = (sends[loss] - useful) / (sends[HIGH] - useful)
                parts[_named(series, loss)] = decrease / increase
    if not parts:
        raise MissingDataError("no such error rates")
    return measured(parts)


def retry_cap_law(results):
    """Simulation minus law in per cent of what was sent."""
    parts = {}
    for series, (packets, attempts) in SERIES.items():
        for loss, share in each_share(results, series).items():
            law = model.effective_rate(loss, packets, attempts) / RATE
            parts[_named(series, loss)] = 100.0 * (share - law)
    return measured(parts)
