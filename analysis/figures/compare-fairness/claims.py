# SPDX-License-Identifier: GPL-2.0-only
"""Claims about sharing with TCP; one function per claim."""

from lfn.average import measured
from lfn.figures import claim
from lfn.figures.compare import CONFIGURED, harm, share


def _share(results, key, series="default"):
    return measured(100 * share(results, series, key))


def _left(results, series):
    """What harm leaves of Reno's goodput, in percent."""
    return measured({key: 100 * (1.0 - harm(results, series, key)) for key in CONFIGURED})


reno_shares = claim(_share, "tcp-reno")  # Reno's share alongside Reno
newreno_gives_way = claim(_share, "tcp-newreno")  # NewReno's share
configured_the_fair_share = claim(_left, "default")  # What is left at the default rate
configured_the_link = claim(_left, "near-link")  # What is left at nine tenths of the link
parallel_tcp_takes_n_shares = claim(_share, "parallel-reno-8")  # Share of eight connections
bbr_takes_more = claim(_share, "tcp-bbr")  # BBR's share
cubic_shares = claim(_share, "tcp-cubic")  # CUBIC's share
atou_shares = claim(_share, "atou")  # atou's share
# atou's share where both receivers acknowledge every segment.
acknowledged_alike = claim(_share, "atou", "each-acknowledged")
xcp_gives_way = claim(_share, "xcp")  # XCP's share
