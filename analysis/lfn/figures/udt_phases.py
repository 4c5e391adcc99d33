# SPDX-License-Identifier: GPL-2.0-only
"""The phases of udt-stability: four flows that come one after the other and go in reverse order."""

import numpy as np
import pandas as pd

from lfn.figures.udt_sharing import jain, stability, steady
from lfn.results import MissingDataError

PHASES = 7
SETTLING = 0.2
"""Part of a phase that does not count."""

ORIGINAL = 20.0
"""Length of a phase of the measured original, in s."""


def active(phase):
    """The flows of a phase, 0 to 6: one more in each, then one fewer."""
    return range(min(phase, PHASES - 1 - phase) + 1)


def length(results, series):
    """Length of a phase in s."""
    return float(results.rows(series)["--duration"].iloc[0]) / PHASES


def _measures(flows, phase):
    flows = flows[flows["flow"].isin(active(phase))]
    return {
        "phase": phase,
        "sum": float(flows["mean"].sum()),
        "jain": jain(flows["mean"]),
        "stability": stability(flows),
        **{
            f"flow {flow + 1}": mean
            for flow, mean in zip(flows["flow"], flows["mean"], strict=True)
        },
    }


def each_phase(results, series, interval=None):
    """A table of run, phase, sum (bit/s), jain and stability, and a column per flow (bit/s).

    ``interval``: of the samples of stability in s, those of series.csv without it.
    """
    samples = results.samples(series, "goodput_bps")
    samples = samples[samples["flow"] >= 0]
    whole = length(results, series)
    found = []
    for phase in range(PHASES):
        flows = steady(samples, (phase + SETTLING) * whole, (phase + 1) * whole, interval)
        for run, mine in flows.groupby("run"):
            found.append({"run": run, **_measures(mine, phase)})
    return pd.DataFrame(found)


def original(path, variant):
    """each_phase() of the measured original of originals/udt.csv, phases of ORIGINAL seconds."""
    table = pd.read_csv(path)
    rows = table[table["case"] == f"h_table_{variant}"]
    if rows.empty:
        raise MissingDataError(f"{path.name} has no case h_table_{variant}")
    parts = []
    for flow, text in zip(rows["flow"], rows["Mbps_by_second"], strict=True):
        values = 1e6 * np.array([float(word) for word in str(text).split(";")])
        times = np.arange(1, len(values) + 1.0)
        part = pd.DataFrame({"time_s": times, "value": values})
        parts.append(part.assign(point=variant, run=1, flow=flow))
    samples = pd.concat(parts)
    phases = range(PHASES)
    ends = [((phase + SETTLING) * ORIGINAL, (phase + 1) * ORIGINAL) for phase in phases]
    return pd.DataFrame([_measures(steady(samples, *ends[phase]), phase) for phase in phases])
