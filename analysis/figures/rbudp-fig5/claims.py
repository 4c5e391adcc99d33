# SPDX-License-Identifier: GPL-2.0-only
"""Claims about RBUDP into a slow computer; one function per claim."""

from lfn.claims import Measured
from lfn.figures import claim
from lfn.figures.rbudp import (
    MBPS,
    first_blast_loss,
    highest_receiver_rate,
    over_send_rate,
    ratio_to_best,
    with_send_rate,
)

BELOW = 611 * MBPS
"""The paper loses nothing at this rate (section 4.2.3), so it is below the capacity."""
BELOW_FAKE = 830 * MBPS
"""Fake RBUDP's capacity is iperf's 878 Mb/s; the step below it is 828.6."""


def _at(results, series, rate, **flags):
    """Throughput at the send rate nearest to ``rate`` (bit/s)."""
    table = over_send_rate(results, series, **flags)
    return float(table["mean"].iloc[(table["send_rate"] - rate).abs().argmin()])


def rate_asked_for(results):
    """Throughput over send rate, below the capacity, with control messages over TCP."""
    table = over_send_rate(results, "real-tcp")
    table = table[table["send_rate"] <= BELOW]
    rates = zip(table["send_rate"], table["mean"], strict=True)
    parts = {f"{rate / MBPS:.1f} Mb/s": value / rate for rate, value in rates}
    return Measured(parts, int(table["runs"].sum()))


def equation_4(results):
    """Throughput over B_best, below the capacity."""
    parts = {
        **ratio_to_best(results, "real", high=BELOW),
        **ratio_to_best(results, "real-constant", high=BELOW),
        **ratio_to_best(results, "fake", high=BELOW_FAKE),
    }
    return Measured(parts, len(parts))


def _equation_4_tcp(results, series):
    parts = ratio_to_best(results, series, high=BELOW)
    return Measured(parts, len(parts))


# Throughput over B_best with control messages over TCP; the same with its first window of 2003.
equation_4_tcp = claim(_equation_4_tcp, "real-tcp")
equation_4_tcp_2003 = claim(_equation_4_tcp, "real-tcp-2003")


def iperf_line(results):
    """Highest rate of the UDP tool that only reads."""
    return Measured.one(highest_receiver_rate(results, "iperf") / MBPS, results.runs("iperf"))


def app_perf_line(results):
    """Highest rate of the UDP tool that also moves the data, on both hosts."""
    parts = {
        "livelock host": highest_receiver_rate(results, "app-perf") / MBPS,
        "constant host": highest_receiver_rate(results, "app-perf-constant") / MBPS,
    }
    return Measured(parts, results.runs("app-perf") + results.runs("app-perf-constant"))


def _near_iperf(results, *fakes):
    """Best throughput of fake RBUDP over that of iperf."""
    best = max(over_send_rate(results, series)["mean"].max() for series in fakes)
    runs = sum(results.runs(series) for series in (*fakes, "iperf"))
    return Measured.one(best / highest_receiver_rate(results, "iperf"), runs)


fake_near_iperf = claim(_near_iperf, "fake", "fake-fine")
fake_near_iperf_tcp = claim(_near_iperf, "fake-tcp")
fake_near_iperf_tcp_2003 = claim(_near_iperf, "fake-tcp-2003")


def real_matches_app_perf(results):
    """Best throughput of real RBUDP over app_perf's, on both hosts."""
    pairs = {"livelock host": ("real", "app-perf")}
    pairs["constant host"] = ("real-constant", "app-perf-constant")
    parts = {
        name: over_send_rate(results, real)["mean"].max() / highest_receiver_rate(results, tool)
        for name, (real, tool) in pairs.items()
    }
    return Measured(parts, sum(results.runs(series) for pair in pairs.values() for series in pair))


def _matches_app_perf(results, series):
    """Best throughput of real RBUDP over app_perf's, livelock host."""
    best = over_send_rate(results, series)["mean"].max()
    runs = results.runs(series) + results.runs("app-perf")
    return Measured.one(best / highest_receiver_rate(results, "app-perf"), runs)


real_matches_app_perf_tcp = claim(_matches_app_perf, "real-tcp")
real_matches_app_perf_tcp_2003 = claim(_matches_app_perf, "real-tcp-2003")


def real_plateau(results):
    """Best throughput of real RBUDP, on both hosts."""
    parts = {
        "livelock host": over_send_rate(results, "real")["mean"].max() / MBPS,
        "constant host": over_send_rate(results, "real-constant")["mean"].max() / MBPS,
    }
    return Measured(parts, results.runs("real") + results.runs("real-constant"))


def real_suffers(results):
    """Real over fake near the capacity, on both hosts."""
    fake = _at(results, "fake", 828.6 * MBPS)
    parts = {
        "livelock host": _at(results, "real", 828.6 * MBPS) / fake,
        "constant host": _at(results, "real-constant", 828.6 * MBPS) / fake,
    }
    return Measured(parts, 3)


def just_below_the_bottleneck(results):
    """Loss of the first blast at 7 % below the rate of the link."""
    rows = results.rows("just-below")
    return Measured.one(100.0 * first_blast_loss(rows).mean(), len(rows))


def _loss(results, series):
    rows = with_send_rate(results.rows(series))
    rows = rows[(rows["send_rate"] / MBPS).between(828, 829)]
    return Measured.one(100.0 * first_blast_loss(rows).mean(), len(rows))


# Loss of the first blast at 828.6 Mb/s, into the livelock host and into one twice as fast.
third_lost = claim(_loss, "real")
faster_receiver = claim(_loss, "twice-as-fast")


def scatter_gather_gains(results):
    """Scatter/gather over naive at 725 Mb/s into the livelock host."""
    rate = 725 * MBPS
    return Measured.one(_at(results, "scatter-gather", rate) / _at(results, "real", rate), 2)


def scatter_gather_idle(results):
    """Scatter/gather over naive at 725 Mb/s into a fast host."""
    rate = 725 * MBPS
    fast = _at(results, "fast-host", rate, receiver="scatter-gather")
    return Measured.one(fast / _at(results, "fast-host", rate, receiver="naive"), 2)
