# SPDX-License-Identifier: GPL-2.0-only
"""Claims about what stays lost; one function per claim."""

from lfn.average import measured
from lfn.claims import Measured
from lfn.figures.compare import FEC_BLOCK, PACKET, average, each_loss, rows_of
from lfn.models import quanta
from lfn.units import percent


def _lost(rows):
    """Share of the bytes that was not delivered."""
    return 1.0 - rows["delivered_bytes"] / rows["offered_bytes"]


def _each_loss(results, key, take, losses=lambda p: True):
    """``take`` of the Average of what stays lost, and the loss, at each loss."""
    found = each_loss(results, key, _lost, losses)
    return measured({percent(p): take(lost, p) for p, lost in found.items()})


def udp_keeps_every_gap(results):
    """Residual loss over the network's."""
    return _each_loss(results, "udp", lambda lost, p: lost / p, lambda p: p >= 0.0099)


def fec_follows_the_law(results):
    """Residual loss less the law's, in its standard deviations."""

    def deviations(lost, p):
        sent = rows_of(results, "path", "fec-udp", lossRate=p)["offered_bytes"].sum() / PACKET
        law = quanta.residual_loss(p, FEC_BLOCK)
        return (lost - law) / quanta.residual_deviation(p, FEC_BLOCK, sent)

    return _each_loss(results, "fec-udp", deviations)


def fec_takes_nine_tenths(results):
    """Percentage of the losses made good at 1 %."""
    return measured(100.0 - average(results, "path", "fec-udp", _lost, lossRate=0.01) * 1e4)


def vrp_keeps_its_limit(results):
    """Residual loss in percent, the most of all runs: a largest value has no interval."""
    rows = rows_of(results, "path", "vrp-lossy")
    most = (100 * _lost(rows)).groupby(rows["--lossRate"]).max()
    parts = {percent(p): float(value) for p, value in most.items()}
    return Measured(parts, len(rows), basis="every run")


def vrp_sends_little_again(results):
    """Packets retransmitted in percent of those lost at 1 %."""

    def over_lost(rows):
        return 100 * rows["retransmitted_packets"] / (0.01 * rows["data_packets"])

    return measured(average(results, "path", "vrp-lossy", over_lost, lossRate=0.01))


def jrm_loses_nothing(results):
    """Residual loss in percent."""
    few = 0.1001
    return _each_loss(results, "jrm", lambda lost, _: 100 * lost, lambda p: p <= few)
