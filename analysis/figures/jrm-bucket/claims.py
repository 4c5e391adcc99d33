# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the leaky bucket and about waiting; one function a claim."""

from lfn.claims import Measured
from lfn.jrm import RATE, over_rate, percent
from lfn.models import jrm as model
from lfn.results import MissingDataError

PACKETS = 10
HIGH = 0.3
"""Error rate of the comparisons."""


def _at(table, loss=HIGH):
    found = table[table["loss"] == loss]
    if found.empty:
        raise MissingDataError(f"no runs at {percent(loss)}")
    row = found.iloc[0]
    return row["mean"], row["high"] - row["mean"]


def _parts(results, series, table, scale):
    """Parts by error rate, each mean times what ``scale`` gives for its rate."""
    parts = {percent(row["loss"]): row["mean"] * scale(row["loss"]) for _, row in table.iterrows()}
    errors = {
        percent(row["loss"]): (row["high"] - row["mean"]) * scale(row["loss"])
        for _, row in table.iterrows()
    }
    return Measured(parts, results.runs(series), errors)


def new_messages(results):
    """New messages a second behind the bucket."""
    table = over_rate(results, "free", lambda rows: rows["msg_packets"] / rows["finish_s"])
    return _parts(results, "free", table, lambda _: 1.0 / PACKETS)


def load_grows(results):
    """Packets a new packet over 1 / (1 - e)."""
    table = over_rate(
        results, "free", lambda rows: 1.0 + rows["nack_responses"] / rows["msg_packets"]
    )
    return _parts(results, "free", table, lambda loss: 1.0 - loss)


def _complete(rows):
    return rows["window_messages_complete"] / rows["window_s"]


def repairs_counted(results):
    """Throughput with repairs counted over that without."""
    counted, error = _at(over_rate(results, "counted", _complete))
    free, _ = _at(over_rate(results, "free", _complete))
    return Measured.one(counted / free, results.runs("counted", errorRate=HIGH), error / free)


def instability(results):
    """Transmissions of the impatient over the exact law."""
    table = over_rate(
        results, "impatient", lambda rows: rows["transmissions_per_message"], "receiverErrorRate"
    )
    mean, half = _at(table)
    law = model.expected_transmissions(HIGH, PACKETS)
    return Measured.one(mean / law, results.runs("impatient", receiverErrorRate=HIGH), half / law)


def waits(results):
    """Time to completion on the slow link minus that on the fast one, ms, by error rate."""
    slow, fast = (
        over_rate(results, series, lambda rows: 1e3 * rows["mean_latency_s"], "receiverErrorRate")
        for series in ("slow", "fast")
    )
    both = slow.merge(fast, on="loss", suffixes=("", "_fast"))
    return both.assign(wait=both["mean"] - both["mean_fast"])


def messages_wait(results):
    """Growth of the waiting from one error rate to the next."""
    table = waits(results)
    grown = table["wait"].diff().iloc[1:]
    names = [percent(loss) for loss in table["loss"].iloc[1:]]
    note = "waiting: " + ", ".join(f"{wait:.0f}" for wait in table["wait"]) + " ms"
    runs = results.runs("slow") + results.runs("fast")
    return Measured(dict(zip(names, grown, strict=True)), runs, note=note)


def waiting_costs_throughput(results):
    """Decrease of the throughput from the fast link to the slow one, per cent."""
    slow, fast = (
        _at(over_rate(results, series, _complete, "receiverErrorRate"))
        for series in ("slow", "fast")
    )
    error = 100 * (slow[1] ** 2 + fast[1] ** 2) ** 0.5 / RATE
    return Measured.one(100 * (1 - slow[0] / fast[0]), results.runs("slow"), error)
