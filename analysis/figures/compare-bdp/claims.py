# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the share of links of different rates; one function per claim."""

from lfn.average import measured
from lfn.figures import claim
from lfn.figures.compare import again, average, over_law, rbudp_whole, vrp_bound
from lfn.style import STYLES

RATES = {"rate-10mbps": 10e6, "rate-100mbps": 100e6, "rate-1gbps": 1e9}
BETWEEN = {"rate-30mbps": 30e6, "rate-300mbps": 300e6}
FAST = "rate-1gbps"


def _percent(results, series, key):
    return measured(100 * average(results, series, key) / (RATES | BETWEEN)[series])


def _over(results, key, base):
    ratio = average(results, FAST, key) / average(results, FAST, base)
    own, other = (again(results, FAST, one) for one in (key, base))
    return measured(ratio, f"Retransmitted: {own} segments, by {STYLES[base][0]} {other}")


def _over_law(results, key, law):
    """Goodput over ``law``, a function of the rows and the link's rate."""
    return over_law(results, key, RATES, BETWEEN, lambda rate: f"{rate / 1e6:g} Mb/s", law)


newreno_falls = claim(_percent, FAST, "tcp-newreno")  # Share of 1 Gb/s
newreno_fills_small_pipes = claim(_percent, "rate-10mbps", "tcp-newreno")  # Share of 10 Mb/s


def rbudp_does_not_mind(results):
    """Goodput over equation (4)."""

    def law(rows, rate):
        return rbudp_whole(rows["--bytes"].iloc[0], rate)

    return _over_law(results, "rbudp", law)


xcp_fills_any_link = claim(_percent, FAST, "xcp")  # Share of 1 Gb/s
xcp_overruns_short_queues = claim(_percent, "rate-300mbps", "xcp")  # Share of 300 Mb/s
bbr_over_reno = claim(_over, "tcp-bbr", "tcp-reno")  # On 1 Gb/s
cubic_not_below_reno = claim(_over, "tcp-cubic", "tcp-reno")  # On 1 Gb/s
parallel_tcp_over_one = claim(_over, "parallel-tcp-8", "tcp-newreno")  # On 1 Gb/s
# Goodput over the frames' law.
vrp_needs_larger_frames = claim(_over_law, "vrp", lambda _, rate: vrp_bound(rate))
jrm_does_not_mind = claim(_over_law, "jrm", lambda _, rate: rate / 100)  # Share of each link
