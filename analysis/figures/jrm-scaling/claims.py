# SPDX-License-Identifier: GPL-2.0-only
"""Claims about many receivers and many senders; one function a claim."""

from lfn.claims import Measured
from lfn.jrm import exponent, many_data_sends, over_receivers
from lfn.models import jrm as model

LOSS = 0.1
"""What every receiver loses."""
FEW = 10
"""Receivers, 1 / LOSS, of which one misses a message on average."""


def sends(table):
    """Turn NACK responses into data sends: the first sending is one more."""
    return table.assign(**{name: table[name] + 1.0 for name in ("mean", "low", "high")})


def _over_law(table, law, name=""):
    parts, errors = {}, {}
    for _, row in table.iterrows():
        expected = law(int(row["receivers"]))
        part = f"{name}{row['receivers']:g} receivers"
        parts[part] = row["mean"] / expected
        errors[part] = (row["high"] - row["mean"]) / expected
    return parts, errors


def data_sends(results):
    """Data sends with gathered requests over the law."""
    table = sends(over_receivers(results, "aggregated", "nack_responses"))
    parts, errors = _over_law(table, lambda r: model.sends_to_receivers(LOSS, r))
    return Measured(parts, results.runs("aggregated"), errors)


def literal_data_sends(results):
    """Data sends of the published protocol over the law."""
    table = sends(over_receivers(results, "literal", "nack_responses"))
    parts, errors = _over_law(table, lambda r: model.multicast_by_gaps(LOSS, r).data)
    return Measured(parts, results.runs("literal"), errors)


def requests_law(results):
    """Requests over the law, both ways."""
    parts, errors, runs = {}, {}, 0
    for series, name in (("literal", "as published, "), ("aggregated", "gathered, ")):
        gathered = series == "aggregated"
        table = over_receivers(results, series, "nack_requests")
        more, their = _over_law(
            table,
            lambda r, g=gathered: model.multicast_by_gaps(LOSS, r, aggregated=g).nacks,
            name,
        )
        parts |= more
        errors |= their
        runs += results.runs(series)
    return Measured(parts, runs, errors)


def linear_requests(results):
    """Exponent of the requests."""
    table = over_receivers(results, "literal", "nack_requests")
    return Measured.one(exponent(table), results.runs("literal"))


def suppression(results):
    """The same with suppression."""
    table = over_receivers(results, "suppressed", "nack_requests")
    return Measured.one(exponent(table, FEW), results.runs("suppressed"))


def more_scalable(results):
    """Requests over receivers."""
    table = over_receivers(results, "literal", "nack_requests")
    parts = {
        f"{row['receivers']:g} receivers": row["mean"] / row["receivers"]
        for _, row in table.iterrows()
    }
    return Measured(parts, results.runs("literal"))


def many_to_many(results):
    """Data sends of all senders over the law."""
    (mean, half, runs), receivers = many_data_sends(results)
    law = model.sends_to_receivers(LOSS, receivers)
    return Measured.one(mean / law, runs, half / law)


def all_arrive(results):
    """Messages complete over messages sent and receivers."""
    parts, runs = {}, 0
    for series in ("literal", "aggregated", "suppressed", "many"):
        rows = results.rows(series)
        others = rows["--senders"] + rows["--receivers"] - 1
        parts[series] = rows["messages_complete"].sum() / (rows["messages_sent"] * others).sum()
        runs += results.runs(series)
    return Measured(parts, runs)
