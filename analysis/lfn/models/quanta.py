# SPDX-License-Identifier: GPL-2.0-only
"""Closed forms of Quanta's parallel TCP and FEC (FGCS 2003, sections 2 and 3.2)."""

import numpy as np


def windows_rate(streams, window, rtt, capacity):
    """Rate of ``streams`` connections of ``window`` bytes, at most ``capacity``, in bit/s."""
    return np.minimum(8.0 * streams * window / rtt, capacity)


def residual_loss(loss, block):
    """Share of datagrams that stay lost, of blocks of ``block`` and one parity.

    A datagram stays lost when it is lost and any other of its block, or the parity, is lost too.
    """
    return loss * (1.0 - (1.0 - loss) ** block)


def residual_deviation(loss, block, packets):
    """Standard deviation of the residual loss of ``packets`` datagrams.

    A block of ``block`` datagrams and a parity is one draw; its losses that stay are counted over
    all patterns.
    """
    first = second = 0.0
    for lost in range(1, block + 1):
        ways = np.prod([(block - i) / (i + 1) for i in range(lost)])
        pattern = ways * loss**lost * (1.0 - loss) ** (block - lost)
        stays = pattern if lost > 1 else pattern * loss
        first += lost * stays
        second += lost**2 * stays
    return float(np.sqrt((second - first**2) * block / packets) / block)
