# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the queue at the bottleneck; one function a claim."""

from lfn.average import measured
from lfn.figures.compare import TOLD, average
from lfn.models import tcp

PRODUCTS = {"one-product": 1, "four-products": 4}
RTT_MS = 50.0


def _queue(results, series, key):
    """Mean queue in ms."""
    return 1000 * average(results, series, key, "mean_queue_s")


def _over_sawtooth(results, key):
    parts = {
        f"{n} BDP": _queue(results, series, key) / (RTT_MS * tcp.sawtooth_queue(n))
        for series, n in PRODUCTS.items()
    }
    return measured(parts)


def _both(results, key):
    parts = {f"{n} BDP": _queue(results, series, key) for series, n in PRODUCTS.items()}
    return measured(parts)


def told_a_rate_below_the_link(results):
    """Mean queue of each."""
    return measured({key: _queue(results, "one-product", key) for key in TOLD})


def newreno_fills_the_queue(results):
    """Mean queue over the law."""
    return _over_sawtooth(results, "tcp-newreno")


def cubic_fills_it_more(results):
    """Over NewReno's, four products."""
    reno = _queue(results, "four-products", "tcp-newreno")
    return measured(_queue(results, "four-products", "tcp-cubic") / reno)


def bbr_bounds_the_queue(results):
    """Mean queue, four products."""
    return measured(_queue(results, "four-products", "tcp-bbr"))


def xcp_keeps_queues_short(results):
    """Mean queue."""
    return _both(results, "xcp")


def parallel_tcp_fills_it_more(results):
    """Over NewReno's, both queues."""
    parts = {
        f"{n} BDP": _queue(results, series, "parallel-tcp-8")
        / _queue(results, series, "tcp-newreno")
        for series, n in PRODUCTS.items()
    }
    return measured(parts)


def atou_fills_the_queue(results):
    """Mean queue over the law."""
    return _over_sawtooth(results, "atou")
