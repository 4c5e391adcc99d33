# SPDX-License-Identifier: GPL-2.0-only
"""Claims about messages of ten packets; one function a claim."""

from lfn.average import extreme, measured
from lfn.claims import Measured
from lfn.figures import claim, jrm
from lfn.figures.jrm import HIGH, losses, over_paper, wire_load
from lfn.models import jrm as model
from lfn.units import percent

PACKETS = 10
LOW_RATES = (0.05, 0.1, 0.15, 0.2)
HIGH_RATES = (0.25, 0.3)
LINK = 1e8
"""The paper's network, bit/s."""


per_message = claim(jrm.per_message, PACKETS)
per_second = claim(jrm.per_second, PACKETS)
overhead_share = claim(jrm.overhead_share, PACKETS)
# Deviations of the simulation from the exact law; requests are lost as data are, or safe.
exact_law_nacks_lost = claim(jrm.misfit, "lost", PACKETS)
exact_law_nacks_safe = claim(jrm.misfit, "safe", PACKETS, nack_loss=0.0)


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


def _close(results, series, flag="errorRate"):
    chosen = [loss for loss in losses(results, series, flag) if loss <= LOW_RATES[-1]]
    return measured(over_paper(results, series, PACKETS, chosen, flag))


def _above(results, series, flag="errorRate"):
    return measured(over_paper(results, series, PACKETS, HIGH_RATES, flag))


close_until_20 = claim(_close, "lost")  # Simulation over (7) at low rates
underestimated_above_20 = claim(_above, "lost")  # Simulation over (7) at high rates, timers fixed


def nic_is_too_busy(_):
    """Use of the network at the highest rate in per cent."""
    datagrams, bits = wire_load(HIGH, PACKETS)
    before, _ = wire_load(0.0, PACKETS)
    note = f"{datagrams:.0f} datagrams a second, {before:.0f} without errors"
    return Measured.one(100 * bits / LINK, note=note)


adaptive_timers = claim(_above, "adaptive")  # The same with adaptive timers and low bounds


def adaptive_and_paced(results):
    """Excess at the highest rate over the largest at low rates."""
    rates = over_paper(results, "paced-adaptive", PACKETS, (*LOW_RATES, HIGH))
    high = rates.pop(percent(HIGH)) - 1.0
    low = extreme(max, rates)[1] - 1.0
    note = f"{100 * low.value:.1f} % up to 20 %, {100 * high.value:.1f} % at 30 %"
    return measured(high / low, note)


early_requests = claim(_above, "paced")  # The same with paced packets and a short recvTimeout
# A slow host's transmissions over (7) at low rates.
busy_host_close = claim(_close, "slow", "receiverErrorRate")
busy_host_above = claim(_above, "slow", "receiverErrorRate")  # The same at high rates
