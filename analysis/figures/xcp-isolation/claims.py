# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the mechanism beside other queue discs; one function a claim."""

from lfn.claims import Measured
from lfn.models import xcp as model
from lfn.xcp_beyond import by_path, path_name, runs_of


def share(results):
    """XCP's share less its due."""
    parts, errors, runs = by_path(results, "adaptive", "error")
    return Measured(parts, runs, errors)


def isolation(results):
    """A TCP flow's share less a third, FQ-CoDel."""
    parts, errors, runs = by_path(results, "fq-codel", "error")
    return Measured(parts, runs, errors)


def _compared(results, column, other, compare):
    ours, _, runs = by_path(results, "adaptive", column)
    theirs, _, more = by_path(results, other, column)
    return Measured({path: compare(ours[path], theirs[path]) for path in ours}, runs + more)


def delay(results):
    """Queueing delay over FQ-CoDel's."""
    return _compared(results, "delay", "fq-codel", lambda a, b: a / b)


def less_than_fifo(results):
    """Queueing delay over the FIFO's."""
    return _compared(results, "delay", "fifo", lambda a, b: a / b)


def queue_law(results):
    """Queueing delay over that of the law."""
    table = runs_of(results, "adaptive")
    parts = {}
    for (rate, rtt), group in table.groupby(["rate", "rtt"]):
        law = 8 * model.standing_queue(1 - group["share"].mean(), rate, rtt) / rate
        parts[path_name(rate, rtt)] = group["delay"].mean() / law
    return Measured(parts, len(table))


def utilisation(results):
    """Utilisation less FQ-CoDel's."""
    return _compared(results, "utilisation", "fq-codel", lambda a, b: a - b)
