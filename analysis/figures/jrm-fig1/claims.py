# SPDX-License-Identifier: GPL-2.0-only
"""Claims about messages of one packet; one function per claim."""

import numpy as np

from lfn.average import measured, over_runs
from lfn.claims import Measured
from lfn.figures import claim, jrm
from lfn.figures.jrm import RATE, losses, over_paper, paper
from lfn.models import jrm as model
from lfn.units import percent

PACKETS = 1
SOME = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3)


per_message = claim(jrm.per_message, PACKETS)
per_second = claim(jrm.per_second, PACKETS)
overhead_share = claim(jrm.overhead_share, PACKETS)
overhead_per_second = claim(jrm.overhead_per_second, PACKETS)
# Deviations of the simulation from the exact law; requests are lost as data are, or safe.
exact_law_nacks_lost = claim(jrm.misfit, "lost", PACKETS)
exact_law_nacks_safe = claim(jrm.misfit, "safe", PACKETS, nack_loss=0.0)


def _close(results, series):
    return measured(over_paper(results, series, PACKETS, losses(results, series)))


def _overhead(results, series):
    useful = (0.05, 0.1, 0.15, 0.2)
    return measured(over_paper(results, series, PACKETS, useful, overhead=True))


# Simulation over (7); requests are lost as data are, or safe.
very_close = claim(_close, "lost")
very_close_safe = claim(_close, "safe")
# The overhead of the simulation over that of (7).
accurate_overhead = claim(_overhead, "lost")
accurate_overhead_safe = claim(_overhead, "safe")


def model_is_above(_):
    """Equation (7) over the exact law."""
    exact = {loss: RATE * model.expected_transmissions(loss, PACKETS) for loss in SOME}
    return Measured({percent(loss): paper(loss, PACKETS) / exact[loss] for loss in SOME})


def one_seed(results):
    """Transmissions on other networks over those with the same seed on 100 Mb/s, a short way.

    Of each network the run whose ratio is farthest from 1.
    """
    sends = "transmissions_per_message"
    rows, ways = results.rows("systems"), results.rows("ways")
    usual = rows[rows["--linkRate"] == 1e8].set_index("run")[sends]
    parts = {}
    others = rows[rows["--linkRate"] != 1e8]
    for table, flag, scale, unit in (
        (others, "--linkRate", 1e-6, "Mb/s"),
        (ways, "--rtt", 1e3, "ms"),
    ):
        for value, part in table.groupby(flag):
            ratios = (part.set_index("run")[sends] / usual).to_numpy()
            parts[f"{scale * value:g} {unit}"] = ratios[np.argmax(np.abs(np.log(ratios)))]
    basis = "every run" if len(usual) > 1 else "interval"  # one seed on all networks is one trial
    return Measured(parts, len(rows) + len(ways), basis=basis)


def four_seeds(results):
    """The largest over the smallest of four results of the paper's experiment, mean of fours.

    Of fewer than four all of them; those that make no four are left away.
    """
    sends = results.rows("seeds").sort_values("run")["transmissions_per_message"].to_numpy()
    size = min(4, len(sends))
    fours = sends[: len(sends) // size * size].reshape(-1, size)
    return over_runs(fours.max(axis=1) / fours.min(axis=1), fours.size)
