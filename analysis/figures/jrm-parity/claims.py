# SPDX-License-Identifier: GPL-2.0-only
"""Claims about repair by parity; one function per claim."""

from lfn.average import averages, by_run, measured
from lfn.figures.jrm import PARITY_SERIES, a_packet, sends_law

LARGE = 10
"""Receivers from which on groups are large, or the largest where there are no more."""


def _sends(results, series):
    """{receivers: Average of the sends a packet}."""
    return averages(a_packet(results, series), "receivers", "value")


def _over_law(results, wanted):
    """Sends over the law, of all series that are wanted."""
    parts = {}
    for series, (loss, block, _) in PARITY_SERIES.items():
        if wanted(block):
            name = f"blocks of {block}" if block > 1 else "repeats"
            for receivers, sends in _sends(results, series).items():
                key = f"{100 * loss:g} %, {name}, {receivers:g} receivers"
                parts[key] = sends / sends_law(loss, int(receivers), block)
    return measured(parts)


def parity_law(results):
    """Sends over the law of parities."""
    return _over_law(results, lambda block: block > 1)


def repeats_law(results):
    """Sends over the law of repeats."""
    return _over_law(results, lambda block: block == 1)


def _saved(results, series, other):
    """{receivers: sends beyond the first over those of another series}, of large groups."""
    mine, others = _sends(results, series), _sends(results, other)
    least = min(LARGE, max(mine))
    return {n: (mine[n] - 1.0) / (others[n] - 1.0) for n in mine if n >= least}


def _named(parts, loss):
    return {f"{loss}, {n:g} receivers": one for n, one in parts.items()}


def fewer_sends(results):
    """Additional sends with parities over those without."""
    five = _saved(results, "parity", "repeats")
    one = _saved(results, "parity-one", "repeats-one")
    return measured(_named(five, "5 %") | _named(one, "1 %"))


def larger_blocks(results):
    """Additional sends of blocks of 20 over those of blocks of 7."""
    return measured(_named(_saved(results, "parity", "short"), "5 %"))


def none_alone(results):
    """Sends to a single receiver, with parities over without."""
    pairs = {"5 %": ("parity", "repeats"), "1 %": ("parity-one", "repeats-one")}
    return measured(
        {
            loss: _sends(results, mine)[1] / _sends(results, other)[1]
            for loss, (mine, other) in pairs.items()
        }
    )


def all_arrive(results):
    """Messages complete over messages sent and receivers, all sessions of a run together."""

    def share(rows):
        return rows["messages_complete"].sum() / (rows["messages_sent"] * rows["--receivers"]).sum()

    return measured({series: by_run(results.rows(series), share) for series in PARITY_SERIES})
