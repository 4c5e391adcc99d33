# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the sample run; one function per claim."""

import re

from lfn.claims import Measured
from lfn.figures import claim
from lfn.figures.atou import MBPS, options

LINE = re.compile(r"\d+\.\d{6} \d+ (xmt|\d+\.\d{6}  ?\d+ \d+ ack)")


def _printed(results):
    return results.printed("summary").set_index("series")["value"]


def _one(results, name, scale=1.0):
    row = results.rows("run").iloc[0]
    return Measured.one(scale * row[name], 1)


def throughput(results):
    """Mb/s as the page counts them: maxpkts whole datagrams."""
    row = results.rows("run").iloc[0]
    asked = options(row["--options"])
    bits = 8.0 * float(asked["maxpkts"]) * float(asked["mss"])
    return Measured.one(bits / row["secs"] / MBPS, 1)


duration = claim(_one, "secs")  # Seconds
mean_rtt = claim(_one, "avrgrtt_s", 1e3)  # Mean RTT
largest_rtt = claim(_one, "maxrtt_s", 1e3)  # Largest RTT
final_srtt = claim(_one, "srtt_s", 1e3)  # Smoothed RTT at the end


def counters(results):
    """Differences from the printed counters."""
    row = results.rows("run").iloc[0]
    names = {
        "out": "data_packets",
        "rxmts": "retransmitted_packets",
        "dup3s": "dup3s",
        "packs": "packs",
        "timeouts": "timeouts",
        "dups": "dups",
        "badacks": "badacks",
        "maxburst": "maxburst",
        "snd_nxt": "snd_nxt",
        "snd_una": "snd_una",
        "snd_max": "snd_max",
        "snd_cwnd": "cwnd",
        "ssthresh": "ssthresh",
    }
    printed = _printed(results)
    return Measured({name: row[ours] - printed[name] for name, ours in names.items()}, 1)


def lost_acks(results):
    """Segments sent less ACKs that came."""
    row = results.rows("run").iloc[0]
    ours = re.search(r"pkts in (\d+) out", results.text("run", "client.summary"))
    return Measured.one(row["data_packets"] - float(ours.group(1)), 1)


largest_ack = claim(_one, "maxack")  # Most segments that one ACK acknowledged


def summary_agrees_with_itself(results):
    """The derived numbers of the printed summary over what its other numbers give."""
    p = _printed(results)
    underway = p["avrgrtt"] * p["out"] / p["secs"]
    return Measured(
        {
            "win/rtt": 8e-6 * 300 * 1460 / p["avrgrtt"] / p["win/rtt"],
            "bwdelay KB": int(underway * 1.460) / p["bwdelay KB"],
            "bwdelay segs": int(underway) / p["bwdelay segs"],
            "goodput": 1e-3 * p["good bytes"] / p["secs"] / p["goodput"],
            "rto": (p["srtt"] + 4 * p["rttvar"]) / p["rto"],
        }
    )


def good_bytes_were_sent(results):
    """Good bytes over bytes sent, both printed."""
    printed = _printed(results)
    return Measured.one(printed["good bytes"] / printed["total bytes out"])


def ack_is_last_good(results):
    """Segments in flight before the excerpt's ACK, if its number is the last good segment."""
    excerpt = results.printed("trace").set_index("series")["value"]
    last_good = excerpt["ack"] - 1  # of the ACK before, one a segment
    return Measured.one(excerpt["sent before"] - last_good)


def trace_format(results):
    """Share of the trace's lines that have the page's format."""
    lines = results.text("run", "client.trace").splitlines()
    return Measured.one(sum(LINE.fullmatch(line) is not None for line in lines) / len(lines), 1)
