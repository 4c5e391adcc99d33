# SPDX-License-Identifier: GPL-2.0-only
"""Claims about a gap in the data, without and with anticipation; one function per claim."""

from lfn.claims import Measured
from lfn.figures.vrp import second_frame


def _again(results, series):
    """Packets of the second frame that were sent more than once."""
    frame = second_frame(results, series)
    sent = frame[(frame["message"] == "data") & (frame["event"] == "tx")]
    counts = sent["sequence"].value_counts()
    return sorted(int(packet) for packet in counts[counts > 1].index)


def _listed(packets):
    return "retransmitted: " + ", ".join(map(str, packets))


def without_anticipation(results):
    """How many of 6 to 9 the original receiver has retransmitted, in both readings."""
    parts, notes = {}, []
    for series in ("too-many", "too-late"):
        again = _again(results, series)
        parts[series] = len({6, 7, 8, 9} & set(again))
        notes.append(f"{series}: {_listed(again)}")
    return Measured(parts, 2, note="; ".join(notes))


def with_anticipation(results):
    """How many packets are retransmitted, provided that they are 6 and 8."""
    again = _again(results, "with")
    value = len(again) if again == [6, 8] else float("nan")
    return Measured.one(value, 1, note=_listed(again))


def demanded_at_once(results):
    """Of NACK 8, SINGLE_ACK 7 and SINGLE_ACK 9 those that leave before packet 6 comes."""
    frame = second_frame(results, "with")
    came = frame[
        (frame["message"] == "data") & (frame["event"] == "rx") & (frame["sequence"] == 6)
    ]["time_s"].min()
    early = frame[
        (frame["node"] == "receiver") & (frame["event"] == "tx") & (frame["time_s"] < came)
    ]
    said = set(zip(early["message"], early["sequence"], strict=True))
    return Measured.one(len(said & {("nack", 8), ("single_ack", 7), ("single_ack", 9)}), 1)


def _duration(results, series):
    frame = second_frame(results, series)
    data = frame[frame["message"] == "data"]
    end = frame[(frame["node"] == "sender") & (frame["event"] == "rx")]["time_s"].max()
    return end - data["time_s"].min()


def _nacks(results, series):
    frame = second_frame(results, series)
    return int(((frame["message"] == "nack") & (frame["event"] == "tx")).sum())


def sooner(results):
    """NACKs with anticipation over those of the whole gap, and time over that of late NACKs."""
    parts = {
        "NACKs, too many": _nacks(results, "with") / _nacks(results, "too-many"),
        "time, too late": _duration(results, "with") / _duration(results, "too-late"),
    }
    return Measured(parts, 3)
