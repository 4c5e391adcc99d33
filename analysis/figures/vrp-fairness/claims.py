# SPDX-License-Identifier: GPL-2.0-only
"""Claims about VRP with a rate alongside TCP; one function per claim."""

from lfn.average import averages, measured
from lfn.figures.vrp import MBPS, sums
from lfn.results import MissingDataError

LINK = 10 * MBPS
FRAMES = {"tfrc": "100 kB", "tfrc-long-frames": "1 MB", "tfrc-one-fragment": "1 MB, fitMtu"}


def _over_flows(results, series, value, least=1):
    """{VRP flows: Average of what ``value`` makes of the runs}, from this number of flows on."""
    runs = sums(results, series)
    means = averages(runs.assign(value=value(runs)), "flows", "value")
    found = {f"{n:g} flow{'s' if n > 1 else ''}": mean for n, mean in means.items() if n >= least}
    if not found:
        raise MissingDataError(f"fewer than {least} VRP flows")
    return found


def _tcp_share(runs):
    """TCP's goodput over an equal share of what all get."""
    return runs["tcp_bps"] * (runs["flows"] + 1) / (runs["tcp_bps"] + runs["goodput_bps"])


def _vrp_share(runs):
    """A VRP flow's goodput over an equal share of what all get."""
    every = runs["tcp_bps"] + runs["goodput_bps"]
    return runs["goodput_bps"] / runs["flows"] * (runs["flows"] + 1) / every


def _used(runs):
    return (runs["tcp_bps"] + runs["goodput_bps"]) / LINK


def _policies(results, value):
    """Parts of both kinds of frames."""
    return measured(
        {
            f"{name}, {frames}": one
            for series, frames in FRAMES.items()
            for name, one in _over_flows(results, series, value).items()
        }
    )


def tcp_keeps_half(results):
    """TCP's share of its fair share alongside VRP with TFRC's rate."""
    return _policies(results, _tcp_share)


def fixed_does_not(results):
    """The same alongside the fixed window, from four flows on."""
    return measured(_over_flows(results, "fixed", _tcp_share, 4))


def vrp_not_starved(results):
    """A VRP flow's share of its fair share."""
    return _policies(results, _vrp_share)


def link_is_used(results):
    """What all deliver over the link's rate."""
    return _policies(results, _used)
