# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the cost of a delivered megabyte; one function per claim."""

from lfn.average import measured
from lfn.figures import claim
from lfn.figures.compare import PACKET, again, average, each_loss
from lfn.units import percent

HEAVY = 0.01


def _kilobytes(rows):
    """Bytes of control that came in, in kB a delivered MB."""
    return 1000 * rows["device_control_bytes"] / rows["delivered_bytes"]


def _control(results, key, loss=0.0):
    return average(results, "path", key, _kilobytes, lossRate=loss)


def _one(results, key):
    return measured(_control(results, key))


def _over_newreno(results, key, loss=0.0):
    own, other = (again(results, "path", one, lossRate=loss) for one in (key, "tcp-newreno"))
    note = f"Retransmitted: {own} packets, by NewReno {other}"
    return measured(_control(results, key, loss) / _control(results, "tcp-newreno", loss), note)


def _over_lost(rows):
    """Packets retransmitted over p / (1 - p) of those delivered."""
    lost = HEAVY / (1 - HEAVY) * rows["delivered_bytes"] / PACKET
    return rows["retransmitted_packets"] / lost


def _again(results, *keys):
    return measured(
        {key: average(results, "path", key, _over_lost, lossRate=HEAVY) for key in keys}
    )


def rbudp_costs_a_bitmap(results):
    """Each loss up to 1 %."""
    costs = each_loss(results, "rbudp", _kilobytes, lambda p: p <= HEAVY)
    return measured({percent(p): cost for p, cost in costs.items()})


tcp_acks_every_other = claim(_one, "tcp-newreno")  # Without loss
vrp_answers_every_packet = claim(_one, "vrp")  # Without loss
jrm_is_silent = claim(_one, "jrm")  # Without loss
jrm_asks_for_losses = claim(_over_newreno, "jrm", HEAVY)  # Over NewReno's at 1 %
# Control packets of the sender and the receiver.
jrm_heartbeats_are_few = claim(average, "path", "jrm", "control_packets", lossRate=0.0)
fec_pays_in_advance = claim(_one, "fec-udp")  # Without loss
nothing_twice = claim(_again, "rbudp", "jrm", "vrp")  # Packets retransmitted
tcp_sends_little_twice = claim(_again, "tcp-newreno", "tcp-cubic", "atou")  # Packets retransmitted
xcp_acks_cost_more = claim(_over_newreno, "xcp")  # Over NewReno's without loss
