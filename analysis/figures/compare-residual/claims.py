# SPDX-License-Identifier: GPL-2.0-only
"""Claims about what stays lost; one function a claim."""

from lfn.claims import Measured
from lfn.compare import FEC_BLOCK, PACKET, rows_of
from lfn.models import quanta


def _lost(rows):
    """Share of the bytes that was not delivered."""
    return 1.0 - rows["delivered_bytes"].sum() / rows["offered_bytes"].sum()


def _each_loss(results, key, take, losses=lambda p: True):
    """``take`` of the rows and the loss, at each loss."""
    rows = rows_of(results, "path", key)
    parts = {f"{100 * p:g} %": take(part, p) for p, part in rows.groupby("--lossRate") if losses(p)}
    return Measured(parts, len(rows))


def udp_keeps_every_hole(results):
    """Residual loss over the network's."""
    return _each_loss(results, "udp", lambda rows, p: _lost(rows) / p, lambda p: p >= 0.0099)


def fec_follows_the_law(results):
    """Residual loss less the law's, in its standard deviations."""

    def deviations(rows, p):
        packets = rows["offered_bytes"].sum() / PACKET
        law = quanta.residual_loss(p, FEC_BLOCK)
        return (_lost(rows) - law) / quanta.residual_deviation(p, FEC_BLOCK, packets)

    return _each_loss(results, "fec-udp", deviations)


def fec_takes_nine_tenths(results):
    """Share of the losses made good at 1 %."""
    rows = rows_of(results, "path", "fec-udp", lossRate=0.01)
    return Measured.one(1 - _lost(rows) / 0.01, len(rows))


def vrp_keeps_its_limit(results):
    """Residual loss in percent."""
    return _each_loss(results, "vrp-lossy", lambda rows, _: 100 * _lost(rows))


def vrp_sends_little_again(results):
    """Packets sent again over packets lost at 1 %."""
    rows = rows_of(results, "path", "vrp-lossy", lossRate=0.01)
    lost = 0.01 * rows["data_packets"].sum()
    return Measured.one(rows["retransmitted_packets"].sum() / lost, len(rows))


def jrm_loses_nothing(results):
    """Residual loss in percent."""
    few = 0.1001
    return _each_loss(results, "jrm", lambda rows, _: 100 * _lost(rows), lambda p: p <= few)
