# SPDX-License-Identifier: GPL-2.0-only
"""Claims about sharing with TCP; one function a claim."""

from lfn.average import measured
from lfn.figures.compare import TOLD, harm, share


def _share(results, key, series="default"):
    return measured(100 * share(results, series, key))


def _left(results, series):
    """What harm leaves of NewReno's goodput, in percent."""
    return measured({key: 100 * (1.0 - harm(results, series, key)) for key in TOLD})


def newreno_shares(results):
    """NewReno's share beside NewReno."""
    return _share(results, "tcp-newreno")


def told_the_fair_share(results):
    """What is left at the default rate."""
    return _left(results, "default")


def told_the_link(results):
    """What is left at nine tenths of the link."""
    return _left(results, "near-link")


def parallel_tcp_takes_n_shares(results):
    """Share of eight connections."""
    return _share(results, "parallel-tcp-8")


def bbr_takes_more(results):
    """BBR's share."""
    return _share(results, "tcp-bbr")


def cubic_shares(results):
    """CUBIC's share."""
    return _share(results, "tcp-cubic")


def atou_shares(results):
    """atou's share."""
    return _share(results, "atou")


def atou_takes_more(results):
    """atou's share."""
    return _share(results, "atou")


def acknowledged_alike(results):
    """atou's share where both receivers acknowledge every segment."""
    return _share(results, "atou", "each-acknowledged")


def xcp_gives_way(results):
    """XCP's share."""
    return _share(results, "xcp")
