# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the share of links of different rates; one function a claim."""

from lfn.average import measured
from lfn.figures.compare import again, average, over_law, rbudp_rate, vrp_bound

RATES = {"rate-10mbps": 10e6, "rate-100mbps": 100e6, "rate-1gbps": 1e9}
BETWEEN = {"rate-30mbps": 30e6, "rate-300mbps": 300e6}
FAST = "rate-1gbps"


def _percent(results, series, key):
    return measured(100 * average(results, series, key) / (RATES | BETWEEN)[series])


def _over_newreno(results, key, series=FAST):
    ratio = average(results, series, key) / average(results, series, "tcp-newreno")
    own, other = (again(results, series, one) for one in (key, "tcp-newreno"))
    return measured(ratio, f"Sent again: {own} segments, by NewReno {other}")


def _over_law(results, key, law):
    """Goodput over ``law``, a function of the rows and the link's rate."""
    return over_law(results, key, RATES, BETWEEN, lambda rate: f"{rate / 1e6:g} Mb/s", law)


def newreno_falls(results):
    """Share of 1 Gb/s."""
    return _percent(results, FAST, "tcp-newreno")


def newreno_fills_small_pipes(results):
    """Share of 10 Mb/s."""
    return _percent(results, "rate-10mbps", "tcp-newreno")


def rbudp_does_not_mind(results):
    """Goodput over equation (4)."""
    return _over_law(results, "rbudp", lambda rows, rate: rbudp_rate(rows["--bytes"].iloc[0], rate))


def xcp_fills_any_link(results):
    """Share of 300 Mb/s."""
    return _percent(results, "rate-300mbps", "xcp")


def xcp_overruns_short_queues(results):
    """Share of 300 Mb/s."""
    return _percent(results, "rate-300mbps", "xcp")


def bbr_over_newreno(results):
    """On 100 Mb/s."""
    return _over_newreno(results, "tcp-bbr", "rate-100mbps")


def cubic_not_below_newreno(results):
    """On 1 Gb/s."""
    return _over_newreno(results, "tcp-cubic")


def parallel_tcp_over_one(results):
    """On 1 Gb/s."""
    return _over_newreno(results, "parallel-tcp-8")


def vrp_needs_larger_frames(results):
    """Goodput over the frames' law."""
    return _over_law(results, "vrp", lambda _, rate: vrp_bound(rate))


def jrm_does_not_mind(results):
    """Share of each link."""
    return _over_law(results, "jrm", lambda _, rate: rate / 100)
