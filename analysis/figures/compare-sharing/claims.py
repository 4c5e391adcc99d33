# SPDX-License-Identifier: GPL-2.0-only
"""Claims about sharing with flows of the same transport; one function a claim."""

from lfn.average import measured
from lfn.figures import claim
from lfn.figures.compare import TOLD, among
from lfn.style import STYLES

PAIRS = ("tcp-newreno", "tcp-cubic", "tcp-bbr", "parallel-tcp-8", "atou", "xcp")


def _first(results, series, keys):
    return measured({STYLES[k][0]: 100 * among(results, series, k, "share") for k in keys})


told_share_alike = claim(_first, "itself", TOLD)  # The first of two flows, rates told
tcps_share_alike = claim(_first, "itself", PAIRS[:-1])  # The first of two flows, rates found


def xcp_shares_alike(results):
    """The first of two flows of XCP."""
    return measured(100 * among(results, "itself", "xcp", "share"))


def pairs_fill_the_link(results):
    """Utilisation with two flows."""
    return measured({STYLES[k][0]: 100 * among(results, "itself", k, "utilisation") for k in PAIRS})


# The long flow's share of a hop.
newreno_over_hops = claim(_first, "parking-lot", ("tcp-newreno", "atou"))


def xcp_is_near_max_min(results):
    """The same of XCP."""
    return measured(100 * among(results, "parking-lot", "xcp", "share"))


def xcp_over_hops_fills(results):
    """Utilisation of the first hop."""
    return measured(100 * among(results, "parking-lot", "xcp", "utilisation"))
