# SPDX-License-Identifier: GPL-2.0-only
"""Claims about RBUDP and TCP in classes of service; one function per claim."""

from lfn.average import measured
from lfn.figures import claim
from lfn.figures.rbudp_class import (
    LINK,
    SHARE,
    at_rates,
    law,
    lost_law,
    rbudp_goodput,
    rbudp_lost,
    tcp_alone,
    tcp_share,
)

REST = 1.0 - SHARE


def _name(rate):
    return f"RBUDP at {rate:g} of the link"


def _shares(results, series, wanted, left):
    """TCP's share of the link in percent of left(rate), at each of the ``wanted`` rates."""
    return measured(
        {
            _name(rate): 100.0 * tcp_share(results, series, rate) / (LINK * left(rate))
            for rate in at_rates(results, series, wanted)
        }
    )


# TCP's share alongside a class that is full.
tcp_keeps_its_class = claim(_shares, "class", lambda r: r >= SHARE, lambda _: REST)
# TCP's share alongside a class that is not.
tcp_gets_what_is_unused = claim(_shares, "class", lambda r: r < SHARE, lambda r: 1.0 - r)
# TCP's share in a FIFO.
fifo_leaves_the_rest = claim(_shares, "fifo", lambda r: r < 1.0, lambda r: 1.0 - r)
# TCP's share in a FIFO that RBUDP fills.
fifo_starves_tcp = claim(_shares, "fifo", lambda r: r >= 1.0, lambda _: 1.0)


def equation_4_in_a_class(results):
    """RBUDP's goodput over the law."""
    return measured(rbudp_goodput(results, "class", SHARE) / law(results, SHARE))


def no_losses_at_its_share(results):
    """Datagrams that RBUDP retransmits."""
    return measured(rbudp_lost(results, "class", SHARE, "retransmitted_packets"))


def a_sixth_lost(results):
    """Datagrams that RBUDP loses over the law."""
    lost = rbudp_lost(results, "class", 1.2 * SHARE, "retransmitted_packets")
    return measured(lost / lost_law(results, 1.2 * SHARE))


def class_is_a_circuit(results):
    """RBUDP's goodput and TCP's share in the class over those on circuits."""
    parts = {
        f"RBUDP, {rate:g} of the link": rbudp_goodput(results, "class", rate)
        / rbudp_goodput(results, "circuit", rate).value
        for rate in at_rates(results, "circuit", lambda _: True)
    }
    parts["TCP"] = tcp_share(results, "class", SHARE) / tcp_alone(results).value
    return measured(parts)
