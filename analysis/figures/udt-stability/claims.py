# SPDX-License-Identifier: GPL-2.0-only
"""Claims about UDT flows that come and go; one function per claim."""

from lfn.claims import Measured
from lfn.figures import claim
from lfn.figures.udt_phases import each_phase
from lfn.figures.udt_sharing import LONG

SEVERAL = range(1, 6)
"""Phases of more than one flow."""


def _worst(results, series, column, choose, scale=1.0, phases=range(7), interval=None):
    """The worst of the runs in each phase: the talk has one run, so each of ours must hold."""
    table = each_phase(results, series, interval)
    parts = {
        f"phase {phase + 1}": scale * float(choose(table[table["phase"] == phase][column]))
        for phase in phases
    }
    return Measured(parts, results.runs(series), basis="every run")


keeps_the_link_busy = claim(_worst, "udt4", "sum", min, 1e-7)
shares_alike = claim(_worst, "udt4", "jain", min, phases=SEVERAL)
is_stable = claim(_worst, "udt4", "stability", max)
is_stable_over_4_s = claim(_worst, "udt4", "stability", max, interval=LONG)
keeps_the_link_busy_udt3 = claim(_worst, "udt3", "sum", min, 1e-7)
shares_alike_udt3 = claim(_worst, "udt3", "jain", min, phases=SEVERAL)
is_stable_udt3 = claim(_worst, "udt3", "stability", max)
