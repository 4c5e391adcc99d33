# SPDX-License-Identifier: GPL-2.0-only
"""Claims about messages of one packet; one function a claim."""

from lfn.average import measured
from lfn.claims import Measured
from lfn.figures.jrm import RATE, losses, misfit, over_paper, paper
from lfn.models import jrm as model
from lfn.units import percent

PACKETS = 1
HIGH = 0.3
"""The error rate of the paper's printed numbers."""
SOME = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3)


def per_message(_):
    """Equation (7) at 0.3."""
    return Measured.one(model.transmissions(HIGH, PACKETS))


def per_second(_):
    """The same, of 30 messages a second."""
    return Measured.one(RATE * model.transmissions(HIGH, PACKETS))


def overhead_share(_):
    """Overhead by (7) in per cent of all transmissions."""
    return Measured.one(100 * model.overhead_share(model.transmissions(HIGH, PACKETS), PACKETS))


def direct_chance(_):
    """(1 - e)^n in per cent."""
    return Measured.one(100 * model.direct_probability(HIGH, PACKETS))


def very_close(results):
    """Simulation over (7)."""
    return measured(over_paper(results, "lost", PACKETS, losses(results, "lost")))


def accurate_overhead(results):
    """The overhead of the simulation over that of (7)."""
    useful = (0.05, 0.1, 0.15, 0.2)
    return measured(over_paper(results, "lost", PACKETS, useful, overhead=True))


def exact_law_nacks_lost(results):
    """Deviation of the simulation from the exact law."""
    return Measured(*misfit(results, "lost", PACKETS))


def exact_law_nacks_safe(results):
    """The same with safe NACK requests."""
    return Measured(*misfit(results, "safe", PACKETS, nack_loss=0.0))


def model_is_above(_):
    """Equation (7) over the exact law."""
    exact = {loss: RATE * model.expected_transmissions(loss, PACKETS) for loss in SOME}
    return Measured({percent(loss): paper(loss, PACKETS) / exact[loss] for loss in SOME})


def one_seed(results):
    """Transmissions with one seed on slower and faster networks over those on 100 Mb/s."""
    rows = results.rows("systems").set_index("--linkRate")["transmissions_per_message"]
    parts = {f"{rate / 1e6:g} Mb/s": rows[rate] / rows[1e8] for rate in rows.index if rate != 1e8}
    return Measured(parts, len(rows))


def four_seeds(results):
    """The largest over the smallest result of the paper's experiment: extremes, no interval."""
    sends = results.rows("seeds")["transmissions_per_message"]
    return Measured.one(sends.max() / sends.min(), len(sends))
