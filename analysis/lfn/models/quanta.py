# SPDX-License-Identifier: GPL-2.0-only
"""Closed forms of Quanta's parallel TCP and FEC (FGCS 2003, sections 2 and 3.2)."""

import itertools

import numpy as np
from scipy.optimize import brentq
from scipy.stats import binom


def windows_rate(streams, window, rtt, capacity):
    """Rate of ``streams`` connections of ``window`` bytes, at most ``capacity``, in bit/s."""
    return np.minimum(8.0 * streams * window / rtt, capacity)


def residual_loss(loss, block, parities=1):
    """Share of datagrams that stay lost, of blocks of ``block`` and ``parities``.

    A datagram stays lost when it is lost and as many others of its block, parities included, as
    there are parities.
    """
    return loss * binom.sf(parities - 1, block + parities - 1, loss)


def residual_loss_bursts(loss, block, burst):
    """The same when losses come in bursts of ``burst`` packets on average, at least 1.

    A chain of two states, one of which loses all, over the data of a block and its parity, which
    follow each other; 1 / (1 - loss) is the mean burst of independent losses.
    """
    leave = 1.0 / burst
    enter = leave * loss / (1.0 - loss)
    stay = np.array([[1.0 - enter, enter], [leave, 1.0 - leave]])
    stays = 0.0
    for pattern in itertools.product((0, 1), repeat=block + 1):
        if sum(pattern) > 1:
            chance = loss if pattern[0] else 1.0 - loss
            for before, after in itertools.pairwise(pattern):
                chance *= stay[before, after]
            stays += chance * sum(pattern[:block])
    return stays / block


def burst_for(loss, block, residual):
    """Mean burst that leaves ``residual`` of ``loss``; NaN when none of 1 to 50 packets does."""

    def over(burst):
        return residual_loss_bursts(loss, block, burst) - residual

    return brentq(over, 1.0, 50.0) if over(1.0) < 0.0 < over(50.0) else float("nan")


def residual_deviation(loss, block, packets, parities=1):
    """Standard deviation of the residual loss of ``packets`` datagrams.

    A block of ``block`` datagrams and ``parities`` is one draw; its losses that stay are counted
    over all patterns.
    """
    first = second = 0.0
    for lost in range(1, block + 1):
        stays = binom.pmf(lost, block, loss) * binom.sf(parities - lost, parities, loss)
        first += lost * stays
        second += lost**2 * stays
    return float(np.sqrt((second - first**2) * block / packets) / block)
