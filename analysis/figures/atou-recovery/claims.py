# SPDX-License-Identifier: GPL-2.0-only
"""Claims about recoveries; one function per claim."""

from lfn.claims import Measured
from lfn.figures.atou import differences, events, trace

RTT = 0.095
KINDS = ("3duprxmit", "packrxmit", "timerxmit")
WINDOWS = ("cwnd", "thresh")
NEXT = ("nxt", "max")
FIRST = {"reno": 416, "newreno-three": 2744, "newreno": 2210, "sack": 7149, "sack-six": 2210}
SIX = {2210, 2225, 2227, 2230, 2234, 2237}


def page(results, excerpt):
    """Events that the page prints in one excerpt: a list as lfn.figures.atou.events gives it."""
    lines = {}
    for _, row in results.printed(excerpt).iterrows():
        event = lines.setdefault(row["x"], {})
        if row["series"] in KINDS:
            event["kind"] = row["series"]
            event["pkt"] = row["value"]
        else:
            event[row["series"]] = row["value"]
    return list(lines.values())


def recovery(results, series):
    """Our events of the excerpt's recovery, and when it began and ended (s)."""
    log = events(results.text(series, "client.events"))
    first = next(i for i, e in enumerate(log) if e.get("pkt") == FIRST[series])
    rest = log[first:]
    last = next((i for i, e in enumerate(rest) if e["kind"] == "CAexit"), len(rest))
    end = rest[last]["time"] if last < len(rest) else float("nan")
    return [e for e in rest[:last] if e["kind"] in KINDS], rest[0]["time"], end


def retransmissions(results, series, segments):
    """When each of some segments was sent for the second time (s)."""
    sent, _ = trace(results.text(series, "client.trace"))
    second = sent[sent["segment"].isin(segments) & sent.duplicated("segment")]
    return second.groupby("segment")["time_s"].first()


def times(results, series, segments):
    """When a recovery began and when the ACK that its CAexit names came, from the trace (s)."""
    again = retransmissions(results, series, segments)
    _, acks = trace(results.text(series, "client.trace"))
    _, begin, _ = recovery(results, series)
    log = events(results.text(series, "client.events"))
    ends = [e for e in log if e["kind"] == "CAexit" and e["time"] >= begin - 0.005]
    named = acks[(acks["time_s"] > again.max()) & (acks["segment"] == ends[0]["pkt"])]
    return again.min(), named["time_s"].min()


def _log(results):
    ours = []
    for series in ("reno", "newreno-three"):
        log = events(results.text(series, "client.events"))
        ours += [event for event in log if event["kind"] in KINDS]
    return ours, page(results, "log")


def events_in_order(results):
    """Events of the page that ours has at the same place; none if there are more."""
    ours, theirs = _log(results)
    same = sum(
        a["kind"] == b["kind"] and a["pkt"] == b["pkt"] for a, b in zip(ours, theirs, strict=False)
    )
    return Measured.one(same if len(ours) == len(theirs) else 0, 2)


def _parts(ours, theirs, measure):
    pairs = zip([*ours, *[None] * len(theirs)], theirs, strict=False)
    return {f"{b['kind']} {b['pkt']:.0f}": float(measure(a, b)) for a, b in pairs}


def log_windows(results):
    """Fields that differ, a line."""
    ours, theirs = _log(results)
    return Measured(_parts(ours, theirs, lambda a, b: differences(a, b, WINDOWS)), 2)


def log_next_segments(results):
    """Largest difference, a line."""
    ours, theirs = _log(results)
    return Measured(_parts(ours, theirs, lambda a, b: max(abs(a[k] - b[k]) for k in NEXT)), 2)


def limited_transmit(results):
    """Segments in flight above the window at the third duplicate ACK, by the page's lines."""
    lines = [e for name in ("log", "newreno") for e in page(results, name)]
    lines = [e for e in lines if e["kind"] == "3duprxmit"]
    return Measured({f"{e['pkt']:.0f}": e["nxt"] - e["pkt"] - e["cwnd"] for e in lines})


def badacks_are_old(results):
    """How far the printed bad ACKs are below una."""
    rows = results.printed("badack").pivot(index="x", columns="series", values="value")
    return Measured({f"{row['ack']:.0f}": row["una"] - row["ack"] for _, row in rows.iterrows()})


def _lines(results, series, fields, entry):
    ours, _, _ = recovery(results, series)
    theirs = page(results, series)
    return Measured(
        _parts(
            ours,
            theirs,
            lambda a, b: differences(a, b, entry if b["kind"] == "3duprxmit" else fields),
        ),
        1,
    )


def newreno_lines(results):
    """Fields that differ, a line."""
    entry = ("kind", "pkt", "nxt", "max", "cwnd", "thresh", "recover")
    return _lines(results, "newreno", (*entry, "una"), entry)


def sack_lines(results):
    """Fields that differ, a line; the entry's windows are of after the cut on the page."""
    entry = ("kind", "pkt", "nxt", "max", "recover")
    return _lines(results, "sack", (*entry, "cwnd", "thresh", "recover", "una"), entry)


def newreno_duration(results):
    """Time of the recovery."""
    begin, end = times(results, "newreno", SIX)
    return Measured.one(end - begin, 1)


def newreno_rtts(results):
    """Time of the recovery in RTTs."""
    begin, end = times(results, "newreno", SIX)
    return Measured.one((end - begin) / RTT, 1)


def one_gap_per_rtt(results):
    """Times between retransmissions in RTTs."""
    again = retransmissions(results, "newreno", SIX).sort_values()
    steps = again.diff().dropna() / RTT
    return Measured({f"{segment}": step for segment, step in steps.items()}, 1)


def cwnd_is_halved(results):
    """Window after the cut over that before, both printed."""
    first, second = page(results, "newreno")[:2]
    return Measured.one(second["thresh"] / first["cwnd"])


SACKED = {7149, 7152, 7153, 7155}


def sack_duration(results):
    """Time of the recovery."""
    begin, end = times(results, "sack", SACKED)
    return Measured.one(end - begin, 1)


def sack_retransmits_at_once(results):
    """From the first to the last retransmission, in RTTs."""
    again = retransmissions(results, "sack", SACKED)
    return Measured.one((again.max() - again.min()) / RTT, 1)


def sack_sends_new_ones(results):
    """Segments sent for the first time in the recovery, until the ACK that ends it."""
    begin, end = times(results, "sack", SACKED)
    sent, _ = trace(results.text("sack", "client.trace"))
    new = sent[~sent.duplicated("segment")]
    return Measured.one(((new["time_s"] > begin) & (new["time_s"] < end)).sum(), 1)


def sack_beats_newreno(results):
    """NewReno's time over SACK's for the same six losses."""
    spans = [
        end - begin for begin, end in (times(results, s, SIX) for s in ("newreno", "sack-six"))
    ]
    return Measured.one(spans[0] / spans[1], 2)
