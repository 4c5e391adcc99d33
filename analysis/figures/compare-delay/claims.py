# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the queue at the bottleneck; one function a claim."""

from lfn.claims import Measured
from lfn.compare import TOLD, rows_of, value
from lfn.models import tcp

PRODUCTS = {"one-product": 1, "four-products": 4}
RTT_MS = 50.0


def _queue(results, series, key):
    """Mean queue in ms."""
    return 1000 * value(results, series, key, "mean_queue_s")


def _runs(results, *keys):
    return sum(len(rows_of(results, s, key)) for s in PRODUCTS for key in keys)


def _over_sawtooth(results, key):
    parts = {
        f"{n} BDP": _queue(results, series, key) / (RTT_MS * tcp.sawtooth_queue(n))
        for series, n in PRODUCTS.items()
    }
    return Measured(parts, _runs(results, key))


def _both(results, key):
    parts = {f"{n} BDP": _queue(results, series, key) for series, n in PRODUCTS.items()}
    return Measured(parts, _runs(results, key))


def told_a_rate_below_the_link(results):
    """Mean queue of each."""
    parts = {key: _queue(results, "one-product", key) for key in TOLD}
    return Measured(parts, len(TOLD))


def newreno_fills_the_queue(results):
    """Mean queue over the law."""
    return _over_sawtooth(results, "tcp-newreno")


def cubic_fills_it_more(results):
    """Over NewReno's, four products."""
    reno = _queue(results, "four-products", "tcp-newreno")
    return Measured.one(_queue(results, "four-products", "tcp-cubic") / reno, 2)


def bbr_bounds_the_queue(results):
    """Mean queue, four products."""
    return Measured.one(_queue(results, "four-products", "tcp-bbr"), 1)


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
    return Measured(parts, _runs(results, "parallel-tcp-8", "tcp-newreno"))


def atou_fills_the_queue(results):
    """Mean queue over the law."""
    return _over_sawtooth(results, "atou")
