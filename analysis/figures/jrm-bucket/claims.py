# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the leaky bucket and about waiting; one function per claim."""

import pandas as pd

from lfn.average import by_run, measured
from lfn.figures.jrm import RATE, each_rate, each_transmissions
from lfn.models import jrm as model
from lfn.results import MissingDataError
from lfn.units import percent

PACKETS = 10
HIGH = 0.3
"""Error rate of the comparisons."""


def _at_high(found):
    if HIGH not in found:
        raise MissingDataError(f"no runs at {percent(HIGH)}")
    return found[HIGH]


def new_messages(results):
    """New messages per second behind the bucket."""
    found = each_rate(results, "free", lambda rows: rows["msg_packets"] / rows["finish_s"])
    return measured({percent(loss): packets / PACKETS for loss, packets in found.items()})


def load_grows(results):
    """Packets a new packet over 1 / (1 - e)."""
    found = each_rate(
        results, "free", lambda rows: 1.0 + rows["nack_responses"] / rows["msg_packets"]
    )
    return measured({percent(loss): load * (1.0 - loss) for loss, load in found.items()})


def _complete(results, series, flag="errorRate"):
    """Average messages complete a second at the highest error rate."""

    def rate(rows):
        return rows["window_messages_complete"] / rows["window_s"]

    return _at_high(each_rate(results, series, rate, flag))


def repairs_counted(results):
    """Throughput with repairs counted over that without."""
    return measured(_complete(results, "counted") / _complete(results, "free"))


def instability(results):
    """Transmissions of the impatient over the exact law."""
    a_second = _at_high(each_transmissions(results, "impatient", "receiverErrorRate"))
    return measured(a_second / (RATE * model.expected_transmissions(HIGH, PACKETS)))


def messages_wait(results):
    """Growth of the waiting from one error rate to the next.

    Waiting is the time to completion on the slow link less that on the fast one with the same
    random numbers, in ms.
    """
    rate = "--receiverErrorRate"
    rows = pd.concat([results.rows("slow"), results.rows("fast")])
    rates = sorted(rows[rate].unique())

    def waits(some):
        table = some.pivot_table("mean_latency_s", rate, "series")
        return 1e3 * (table["slow"] - table["fast"])

    def growth(run):
        return waits(run).diff().iloc[-1]

    pairs = zip(rates, rates[1:], strict=False)
    parts = {percent(b): by_run(rows[rows[rate].isin((a, b))], growth) for a, b in pairs}
    return measured(parts, "waiting: " + ", ".join(f"{ms:.0f}" for ms in waits(rows)) + " ms")


def waiting_costs_throughput(results):
    """Decrease of the throughput from the fast link to the slow one, per cent."""
    slow, fast = (_complete(results, series, "receiverErrorRate") for series in ("slow", "fast"))
    return measured(100.0 * (1.0 - slow / fast))
