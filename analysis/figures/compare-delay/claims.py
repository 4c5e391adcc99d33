# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the queue at the bottleneck; one function per claim."""

from lfn.average import measured
from lfn.figures import claim
from lfn.figures.compare import CONFIGURED, average
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


def configured_below_the_link(results):
    """Mean queue of each."""
    return measured({key: _queue(results, "one-product", key) for key in CONFIGURED})


newreno_fills_the_queue = claim(_over_sawtooth, "tcp-newreno")  # Mean queue over the law


def cubic_fills_it_more(results):
    """Over NewReno's, four products."""
    reno = _queue(results, "four-products", "tcp-newreno")
    return measured(_queue(results, "four-products", "tcp-cubic") / reno)


bbr_bounds_the_queue = claim(_queue, "four-products", "tcp-bbr")  # Mean queue, four products
xcp_keeps_queues_short = claim(_both, "xcp")  # Mean queue


def parallel_tcp_fills_it_more(results):
    """Over NewReno's, both queues."""
    parts = {
        f"{n} BDP": _queue(results, series, "parallel-tcp-8")
        / _queue(results, series, "tcp-newreno")
        for series, n in PRODUCTS.items()
    }
    return measured(parts)


atou_fills_the_queue = claim(_over_sawtooth, "atou")  # Mean queue over the law
