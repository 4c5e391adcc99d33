# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the cost of a delivered megabyte; one function a claim."""

from lfn.claims import Measured
from lfn.compare import PACKET, rows_of

HEAVY = 0.01


def _control(results, key, loss=0.0):
    """Bytes of control that came in, in kB a delivered MB."""
    rows = rows_of(results, "path", key, lossRate=loss)
    return 1000 * rows["device_control_bytes"].sum() / rows["delivered_bytes"].sum()


def _one(results, key, loss=0.0):
    runs = len(rows_of(results, "path", key, lossRate=loss))
    return Measured.one(_control(results, key, loss), runs)


def _over_newreno(results, key, loss=0.0):
    ratio = _control(results, key, loss) / _control(results, "tcp-newreno", loss)
    return Measured.one(ratio, 2 * len(rows_of(results, "path", key, lossRate=loss)))


def _again(results, *keys):
    """Packets sent again at the heavy loss over p / (1 - p) of those delivered."""
    parts, runs = {}, 0
    for key in keys:
        rows = rows_of(results, "path", key, lossRate=HEAVY)
        packets = rows["delivered_bytes"].sum() / PACKET
        lost = HEAVY / (1 - HEAVY) * packets
        parts[key] = rows["retransmitted_packets"].sum() / lost
        runs += len(rows)
    return Measured(parts, runs)


def rbudp_costs_a_bitmap(results):
    """Each loss up to 1 %."""
    rows = rows_of(results, "path", "rbudp")
    losses = [p for p in rows["--lossRate"].unique() if p <= HEAVY]
    parts = {f"{100 * p:g} %": _control(results, "rbudp", p) for p in losses}
    return Measured(parts, len(rows))


def tcp_acks_every_other(results):
    """Without loss."""
    return _one(results, "tcp-newreno")


def vrp_answers_every_packet(results):
    """Without loss."""
    return _one(results, "vrp")


def jrm_is_silent(results):
    """Without loss."""
    return _one(results, "jrm")


def jrm_asks_for_losses(results):
    """Over NewReno's at 1 %."""
    return _over_newreno(results, "jrm", HEAVY)


def jrm_heartbeats_are_few(results):
    """Control packets of the sender and the receiver."""
    rows = rows_of(results, "path", "jrm", lossRate=0.0)
    return Measured.one(rows["control_packets"].mean(), len(rows))


def fec_pays_in_advance(results):
    """Without loss."""
    return _one(results, "fec-udp")


def nothing_twice(results):
    """Packets sent again."""
    return _again(results, "rbudp", "jrm", "vrp")


def tcp_sends_little_twice(results):
    """Packets sent again."""
    return _again(results, "tcp-newreno", "tcp-cubic", "atou")


def xcp_acks_cost_more(results):
    """Over NewReno's without loss."""
    return _over_newreno(results, "xcp")
