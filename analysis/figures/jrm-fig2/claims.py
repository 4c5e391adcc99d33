# SPDX-License-Identifier: GPL-2.0-only
"""Claims about messages of ten packets; one function a claim."""

from lfn.average import extreme, measured
from lfn.claims import Measured
from lfn.figures.jrm import RATE, losses, misfit, over_paper, wire_load
from lfn.models import jrm as model
from lfn.units import percent

PACKETS = 10
HIGH = 0.3
"""The error rate of the paper's printed numbers."""
LOW_RATES = (0.05, 0.1, 0.15, 0.2)
HIGH_RATES = (0.25, 0.3)
LINK = 1e8
"""The paper's network, bit/s."""


def per_message(_):
    """Equation (7) at 0.3."""
    return Measured.one(model.transmissions(HIGH, PACKETS))


def per_second(_):
    """The same, of 30 messages a second."""
    return Measured.one(RATE * model.transmissions(HIGH, PACKETS))


def overhead_share(_):
    """Overhead by (7) in per cent of all transmissions."""
    return Measured.one(100 * model.overhead_share(model.transmissions(HIGH, PACKETS), PACKETS))


def direct_chances(_):
    """(1 - e)^n over what is printed."""
    return Measured(
        {
            "3 packets, 20 %": model.direct_probability(0.2, 3) / 0.5,
            "10 packets, 30 %": model.direct_probability(HIGH, PACKETS) / 0.028,
        }
    )


def exact_is_intractable(_):
    """Terms of the exact sum until they are below 10^-12."""
    terms = 0
    while 1.0 - (1.0 - HIGH ** (terms + 1)) ** 1000 >= 1e-12:
        terms += 1
    return Measured.one(terms)


def exact_law_nacks_lost(results):
    """Deviation of the simulation from the exact law."""
    return Measured(*misfit(results, "lost", PACKETS))


def exact_law_nacks_safe(results):
    """The same with safe NACK requests."""
    return Measured(*misfit(results, "safe", PACKETS, nack_loss=0.0))


def _close(results, series, flag="errorRate"):
    chosen = [loss for loss in losses(results, series, flag) if loss <= LOW_RATES[-1]]
    return measured(over_paper(results, series, PACKETS, chosen, flag))


def _above(results, series, flag="errorRate"):
    return measured(over_paper(results, series, PACKETS, HIGH_RATES, flag))


def close_until_20(results):
    """Simulation over (7) at low rates."""
    return _close(results, "lost")


def underestimated_above_20(results):
    """Simulation over (7) at high rates, timers fixed."""
    return _above(results, "lost")


def nic_is_too_busy(_):
    """Use of the network at the highest rate in per cent."""
    datagrams, bits = wire_load(HIGH, PACKETS)
    before, _ = wire_load(0.0, PACKETS)
    note = f"{datagrams:.0f} datagrams a second, {before:.0f} without errors"
    return Measured.one(100 * bits / LINK, note=note)


def adaptive_timers(results):
    """The same with adaptive timers and low bounds."""
    return _above(results, "adaptive")


def adaptive_and_paced(results):
    """Excess at the highest rate over the largest at low rates."""
    rates = over_paper(results, "paced-adaptive", PACKETS, (*LOW_RATES, HIGH))
    high = rates.pop(percent(HIGH)) - 1.0
    low = extreme(max, rates)[1] - 1.0
    note = f"{100 * low.value:.1f} % up to 20 %, {100 * high.value:.1f} % at 30 %"
    return measured(high / low, note)


def early_requests(results):
    """The same with paced packets and a short recvTimeout."""
    return _above(results, "paced")


def busy_host_close(results):
    """A slow host's transmissions over (7) at low rates."""
    return _close(results, "slow", "receiverErrorRate")


def busy_host_above(results):
    """The same at high rates."""
    return _above(results, "slow", "receiverErrorRate")
