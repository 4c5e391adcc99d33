# SPDX-License-Identifier: GPL-2.0-only
"""Claims about many receivers and many senders; one function per claim."""

from lfn.average import averages, by_run, measured
from lfn.figures import claim
from lfn.figures.jrm import a_message, exponent, many_data_sends
from lfn.models import jrm as model
from lfn.units import percent

LOSS = 0.1
"""What every receiver loses."""
FEW = 10
"""Receivers, 1 / LOSS, of which one misses a message on average."""


def _over_law(results, series, column, law, first=0.0, name=""):
    """{receivers: Average of a column per message, and ``first``, over the law}."""
    found = averages(a_message(results, series, column), "receivers", "value")
    return {f"{name}{n:g} receivers": (first + one) / law(int(n)) for n, one in found.items()}


def _data_sends(results, series, law):
    """Data sends over the law: the first one and a NACK response each."""
    return measured(_over_law(results, series, "nack_responses", law, 1.0))


# Data sends with gathered requests over the law.
data_sends = claim(_data_sends, "aggregated", lambda n: model.sends_to_receivers(LOSS, n))
# Data sends of the published protocol over the law.
literal_data_sends = claim(_data_sends, "literal", lambda n: model.multicast_by_gaps(LOSS, n).data)


def requests_law(results):
    """Requests over the law, both ways."""
    parts = {}
    for series, name in (("literal", "as published, "), ("aggregated", "gathered, ")):
        gathered = series == "aggregated"

        def law(receivers, gathered=gathered):
            return model.multicast_by_gaps(LOSS, receivers, aggregated=gathered).nacks

        parts |= _over_law(results, series, "nack_requests", law, name=name)
    return measured(parts)


def linear_requests(results):
    """Exponent of the requests."""
    return measured(exponent(a_message(results, "literal", "nack_requests")))


def suppression(results):
    """The same with suppression."""
    return measured(exponent(a_message(results, "suppressed", "nack_requests"), FEW))


def more_scalable(results):
    """Requests per message over receivers, by receivers and by error rate."""
    parts = _over_law(results, "literal", "nack_requests", float)
    rows = results.rows("lossy")
    rows = rows.assign(value=rows["nack_requests"] / rows["messages_sent"] / rows["--receivers"])
    found = averages(rows, "--receiverErrorRate", "value")
    return measured(parts | {percent(loss): one for loss, one in found.items()})


def many_to_many(results):
    """Data sends of all senders over the law."""
    sends, receivers = many_data_sends(results)
    return measured(sends / model.sends_to_receivers(LOSS, receivers))


def all_arrive(results):
    """Messages complete over messages sent and receivers, all sessions of a run together."""

    def share(rows):
        others = rows["--senders"] + rows["--receivers"] - 1
        return rows["messages_complete"].sum() / (rows["messages_sent"] * others).sum()

    names = ("literal", "aggregated", "suppressed", "many")
    return measured({series: by_run(results.rows(series), share) for series in names})
