# SPDX-License-Identifier: GPL-2.0-only
"""Claims about sharing with flows of the same transport; one function per claim."""

from lfn.average import measured
from lfn.figures import claim
from lfn.figures.compare import CONFIGURED, among
from lfn.style import STYLES

PAIRS = ("tcp-newreno", "tcp-cubic", "tcp-bbr", "parallel-tcp-8", "atou", "xcp")


def _first(results, series, keys):
    return measured({STYLES[k][0]: 100 * among(results, series, k, "share") for k in keys})


configured_share_alike = claim(
    _first, "itself", CONFIGURED
)  # The first of two flows, configured rates
tcps_share_alike = claim(_first, "itself", PAIRS[:-1])  # The first of two flows, rates found


def _xcp(results, series, column):
    return 100 * among(results, series, "xcp", column)


xcp_shares_alike = claim(_xcp, "itself", "share")  # The first of two flows of XCP
xcp_is_near_max_min = claim(_xcp, "parking-lot", "share")  # The long flow's share of a hop
xcp_over_hops_fills = claim(_xcp, "parking-lot", "utilisation")  # Utilisation of the first hop


def pairs_fill_the_link(results):
    """Utilisation with two flows."""
    return measured({STYLES[k][0]: 100 * among(results, "itself", k, "utilisation") for k in PAIRS})


# The long flow's share of a hop.
newreno_over_hops = claim(_first, "parking-lot", ("tcp-newreno", "atou"))
