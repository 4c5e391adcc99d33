# SPDX-License-Identifier: GPL-2.0-only
"""Claims about messages of ten packets; one function per claim."""

import math

import numpy as np

from lfn.average import extreme, measured
from lfn.claims import Measured
from lfn.figures import claim, jrm
from lfn.figures.jrm import HIGH, each_whole, losses, over_paper, wire_load
from lfn.models import jrm as model
from lfn.results import MissingDataError
from lfn.units import percent

PACKETS = 10
LOW_RATES = (0.05, 0.1, 0.15, 0.2)
HIGH_RATES = (0.25, 0.3)
LINK = 1e8
"""The paper's network, bit/s."""
CLOSE = (0.98, 1.02)
ABOVE = (1.0, 1.1)
"""Transmissions over (7) that are very close to it, and above it, as in figure.toml."""
OBSERVABLE = 0.98
VERY_GOOD = 0.85
"""Shares of complete messages, as in jrm-fig3."""
PLAIN = ("lost", "three", "no-floor", "adaptive", "paced-adaptive", "paced")
"""Series whose parameters were not chosen for Fig. 2."""


per_message = claim(jrm.per_message, PACKETS)
per_second = claim(jrm.per_second, PACKETS)
overhead_share = claim(jrm.overhead_share, PACKETS)
overhead_per_second = claim(jrm.overhead_per_second, PACKETS)
# Deviations of the simulation from the exact law; requests are lost as data are, or safe.
exact_law_nacks_lost = claim(jrm.misfit, "lost", PACKETS)
exact_law_nacks_safe = claim(jrm.misfit, "safe", PACKETS, nack_loss=0.0)


def direct_chances(_):
    """Distance of (1 - e)^n from what is printed, over the rounding of that."""
    return Measured(
        {
            "3 packets, 20 %": abs(model.direct_probability(0.2, 3) - 0.5) / 0.05,
            "10 packets, 30 %": abs(model.direct_probability(HIGH, PACKETS) - 0.028) / 0.0005,
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
    if not chosen:
        raise MissingDataError(f"no runs of series {series} up to {LOW_RATES[-1]:.0%}")
    return measured(over_paper(results, series, PACKETS, chosen, flag))


def _above(results, series, flag="errorRate"):
    return measured(over_paper(results, series, PACKETS, HIGH_RATES, flag))


close_until_20 = claim(_close, "lost")  # Simulation over (7) at low rates
safe_close = claim(_close, "safe")  # The same when no request is lost
paced_adaptive_close = claim(_close, "paced-adaptive")  # The same with adaptive timers and pacing
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
# The same with copies of what waits in the bucket.
paced_copies_close = claim(_close, "paced-copies")
paced_copies_above = claim(_above, "paced-copies")
# A slow host's transmissions over (7) at low rates.
busy_host_close = claim(_close, "slow", "receiverErrorRate")
busy_host_above = claim(_above, "slow", "receiverErrorRate")  # The same at high rates
no_floor_close = claim(_close, "no-floor")  # The same with a sendTimeout that shrinks
no_floor_close_1000 = claim(_close, "no-floor-1000")  # The same for 1000 messages
no_floor_above = claim(_above, "no-floor")
no_floor_above_1000 = claim(_above, "no-floor-1000")


def no_floor_throughput(results):
    """Share of the messages that arrive up to 20 %."""
    shares = each_whole(results, "no-floor")
    return measured({percent(loss): share for loss, share in shares.items() if loss <= 0.2})


def _hold(averages, low=-math.inf, high=math.inf):
    """Whether all Averages lie in a band, three times: with their intervals, their values, at best.

    At best indicates whether each interval reaches into the band.
    """
    ends = [(one.value, math.inf if math.isnan(one.half) else one.half) for one in averages]
    return np.array(
        [
            all(low <= value - half and value + half <= high for value, half in ends),
            all(low <= value <= high for value, _ in ends),
            all(low <= value + half and value - half <= high for value, half in ends),
        ]
    )


def _statements(results, series, flag="errorRate"):
    """Which statements about both figures hold for a series: {name: as _hold() has it}."""
    rates = (0.0, *LOW_RATES, *HIGH_RATES)
    ratio = over_paper(results, series, PACKETS, rates, flag)
    share = each_whole(results, series, flag)
    low = [loss for loss in rates if loss <= LOW_RATES[-1]]
    return {
        "close": _hold([ratio[percent(loss)] for loss in low], *CLOSE),
        "above": _hold([ratio[percent(loss)] for loss in HIGH_RATES], *ABOVE),
        "very good": _hold([share[HIGH]], VERY_GOOD),
        "no decrease": _hold([share[loss] for loss in low], OBSERVABLE),
        "a decrease": _hold([share[loss] for loss in HIGH_RATES], high=OBSERVABLE),
    }


def _reported(series, held):
    """A line of what does not hold for the means."""
    failed = [name for name, (_, holds, _) in held.items() if not holds]
    return f"{series}: {'not ' + ', '.join(failed) if failed else 'all'}"


def _counted(results, flags):
    """The most statements that one of the series {name: flag of its error rate} has.

    Its interval has the counts that the intervals of the numbers allow.
    """
    held = {series: _statements(results, series, flag) for series, flag in flags.items()}
    counts = [np.sum(list(one.values()), axis=0) for one in held.values()]
    least, most, best = (int(count) for count in np.max(counts, axis=0))
    runs = sum(results.runs(series) for series in held)
    note = "; ".join(_reported(*one) for one in held.items())
    return Measured.one(most, runs, max(most - least, best - most), note)


# The most statements that a series has, and those for a host that misses datagrams.
both_figures = claim(_counted, {**dict.fromkeys(PLAIN, "errorRate"), "slow": "receiverErrorRate"})
missing_host = claim(_counted, {"missing": "receiverErrorRate"})
