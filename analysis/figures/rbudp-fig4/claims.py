# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the course of a transfer; one function per claim."""

from itertools import groupby

from lfn.claims import Measured

EXPECTED = ["data", "done", "ack", "data", "done", "ack"]


def _sent(results, series):
    messages = results.extra(series, "messages")
    sent = messages[(messages["event"] == "tx") & messages["message"].isin(["data", "done", "ack"])]
    return sent.sort_values("time_s", kind="stable")


def sequence(results):
    """1 when the phases of sent messages are the expected ones, in order."""
    phases = [message for message, _ in groupby(_sent(results, "three-lost")["message"])]
    return Measured.one(float(phases == EXPECTED), 1, note=f"phases: {', '.join(phases)}")


def exactly_the_missing(results):
    """Datagrams of the second blast; must also be those that were lost."""
    messages = results.extra("three-lost", "messages")
    data = messages[messages["message"] == "data"]
    first, *later = [group for _, group in data[data["event"] == "tx"].groupby("round")]
    received = data[(data["event"] == "rx") & (data["time_s"] < later[0]["time_s"].min())]
    missing = sorted(set(first["sequence"]) - set(received["sequence"]))
    again = sorted(later[0]["sequence"])
    count = len(again) if again == missing and len(later) == 1 else float("nan")
    return Measured.one(count, 1, note=f"missing {missing}, retransmitted {again}")


def no_acknowledgement_per_packet(results):
    """Acknowledgements over blasts, of both transfers."""
    parts = {}
    for series in ("three-lost", "nothing-lost"):
        sent = _sent(results, series)
        blasts = sent[sent["message"] == "data"]["round"].nunique()
        parts[series] = (sent["message"] == "ack").sum() / blasts
    return Measured(parts, 2)


def at_least_one(results):
    """Acknowledgements of the transfer that loses nothing."""
    return Measured.one((_sent(results, "nothing-lost")["message"] == "ack").sum(), 1)
