# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the mechanism alongside other queue discs; one function per claim."""

from lfn.average import over_runs
from lfn.figures import claim
from lfn.figures.xcp_beyond import by_path, path_name, runs_of
from lfn.models import xcp as model


def share(results):
    """XCP's share less its fair share."""
    return over_runs(by_path(results, "adaptive", "error"))


def isolation(results):
    """Largest distance of a flow's share from a third, FQ-CoDel; mean of the runs."""
    rows = results.rows("fq-codel")
    far = (rows["share"] - 1 / 3).abs()
    table = far.groupby([rows["--bottleneckRate"], rows["--rtt"], rows["run"]]).max()
    return _averaged(table.rename_axis(["rate", "rtt", "run"]), len(table))


def _averaged(values, runs):
    """Measured of values by rate, RTT and run: means of each path's ``runs`` simulations."""
    return over_runs({path_name(*path): one for path, one in values.groupby(["rate", "rtt"])}, runs)


def _by_run(results, series):
    return runs_of(results, series).set_index(["rate", "rtt", "run"])


def _compared(results, column, other, compare):
    """Compare a column with that of another series, paired by run."""
    ours, theirs = (_by_run(results, series)[column] for series in ("adaptive", other))
    both = compare(ours, theirs).dropna()
    return _averaged(both, 2 * len(both))


delay = claim(_compared, "delay", "fq-codel", lambda a, b: a / b)  # Queueing delay over FQ-CoDel's
# Queueing delay over the FIFO's.
less_than_fifo = claim(_compared, "delay", "fifo", lambda a, b: a / b)


def queue_law(results):
    """Queueing delay over that of the law."""
    table = _by_run(results, "adaptive")
    rate, rtt = (table.index.get_level_values(name) for name in ("rate", "rtt"))
    law = 8 * model.standing_queue(1 - table["share"], rate, rtt) / rate
    return _averaged(table["delay"] / law, len(table))


# Utilisation less FQ-CoDel's.
utilisation = claim(_compared, "utilisation", "fq-codel", lambda a, b: a - b)
