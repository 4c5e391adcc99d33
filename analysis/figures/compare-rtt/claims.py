# SPDX-License-Identifier: GPL-2.0-only
"""Claims about goodput over the round-trip time; one function per claim."""

from lfn.average import measured
from lfn.figures import claim
from lfn.figures.compare import LINK, PACKET, average, over_law, rbudp_whole, udp_rate, vrp_bound
from lfn.models import tcp

LONG = "rtt-400ms"
ROUND_TRIPS = {"rtt-10ms": 0.01, "rtt-30ms": 0.03, "rtt-100ms": 0.1, LONG: 0.4}
BETWEEN = {"rtt-200ms": 0.2}
LOSS = 0.001


def _percent(results, key):
    return measured(100 * average(results, LONG, key) / LINK)


def _over(results, key, other, series=LONG, note=""):
    return measured(average(results, series, key) / average(results, series, other), note)


def _over_law(results, key, law):
    """Goodput over ``law``, a function of the rows and the RTT."""
    return over_law(results, key, ROUND_TRIPS, BETWEEN, lambda rtt: f"{1000 * rtt:g} ms", law)


def newreno_pays_each_rtt(results):
    """Goodput at 100 ms over that at 400 ms."""
    near = average(results, "rtt-100ms", "tcp-newreno")
    return measured(near / average(results, LONG, "tcp-newreno"))


newreno_is_lost_at_400 = claim(_percent, "tcp-newreno")  # Goodput at 400 ms


def rbudp_follows_the_law(results):
    """Goodput over the exact law."""

    def law(rows, rtt):
        return rbudp_whole(rows["--bytes"].iloc[0], rtt=rtt, loss=LOSS)

    return _over_law(results, "rbudp", law)


# Goodput over the frames' law.
vrp_follows_its_frames = claim(_over_law, "vrp", lambda _, rtt: vrp_bound(rtt=rtt))
jrm_bears_long_paths = claim(_percent, "jrm")  # Goodput at 400 ms
bbr_over_reno = claim(_over, "tcp-bbr", "tcp-reno", "rtt-30ms")  # At 30 ms


def cubic_over_reno(results):
    """At 400 ms."""
    law = tcp.mathis(LOSS, ROUND_TRIPS[LONG], PACKET)
    reno = (average(results, LONG, "tcp-reno") / law).value
    note = f"Reno has {reno:.2f} of Mathis' law"
    return _over(results, "tcp-cubic", "tcp-reno", note=note)


xcp_over_reno = claim(_over, "xcp", "tcp-reno")  # At 400 ms


def udp_does_not_mind(results):
    """Goodput over the rate less the loss, the last datagram's way counted in."""

    def law(rows, rtt):
        return udp_rate(rows["--bytes"].iloc[0], rtt, LOSS)

    return _over_law(results, "udp", law)
