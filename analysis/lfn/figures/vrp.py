# SPDX-License-Identifier: GPL-2.0-only
"""What the VRP figures have in common."""

from functools import cache

import pandas as pd

from lfn.average import Average, averages
from lfn.models import vrp as model
from lfn.results import means

MBPS = 1e6
KB = 1024
"""The report's kilobyte."""
FRAME = 100 * KB
"""The report's frame (section 4.2.2)."""


def with_rate(rows):
    """Return ``rows`` with column rate: bit/s as the report counts them.

    Whole frames for VRP, the gaps included; user bytes for TCP. A transfer that did not
    complete has rate 0.
    """
    vrp = rows["protocol"] == "vrp"
    rate = rows["goodput_bps"].where(~vrp, rows.get("frame_throughput_bps"))
    return rows.assign(rate=rate.where(rows["completed"] == 1, 0.0))


def over(results, series, flag, value="rate"):
    """Mean of a column of a series over a flag: columns flag, mean, low, high (95 %), runs."""
    table = means(with_rate(results.rows(series)), f"--{flag}", value)
    return table.rename(columns={f"--{flag}": flag})


def each(results, series, flag, value="rate", random=True):
    """{value of a flag: Average of a column} of a series, ascending; ``random`` as Average.of()."""
    return averages(with_rate(results.rows(series)), f"--{flag}", value, random)


def mean_rate(results, series, random=True, **flags):
    """Average rate in bit/s of a series; ``random`` as Average.of()."""
    rows = with_rate(results.rows(series, **flags))
    return Average.of(rows, rows["rate"], random)


def lost(rows):
    """Share of the data packets sent that were lost, in per cent, where no loss is accepted.

    Every lost packet is retransmitted, and so are some that came; those arrive as duplicates.
    """
    return 100.0 * (rows["retransmitted_packets"] - rows["duplicates"]) / rows["data_packets"]


def flow_series(results, series, metric):
    """Samples of one metric of the first flow in series.csv: columns run, time_s, value, point."""
    return results.samples(series, metric, 0).sort_values(["run", "time_s"], kind="stable")


def second_frame(results, series):
    """Messages of the second frame of a series, in order of time."""
    messages = results.extra(series, "messages")
    first = messages[messages["message"] == "data"]["round"].min()
    frame = messages[messages["round"] == first + 1]
    return frame.sort_values("time_s", kind="stable")


def table1_paths(results):
    """The paths of Table 1: name, rate of the link (bit/s), TCP's and VRP's printed rates."""
    tcp = results.printed("tcp").set_index("series")
    vrp = results.printed("vrp").set_index("series")
    return pd.DataFrame(
        {
            "path": tcp.index,
            "link": MBPS * tcp["x"].to_numpy(),
            "tcp": MBPS * tcp["value"].to_numpy(),
            "vrp": MBPS * vrp["value"].to_numpy(),
        }
    )


def over_paths(results, series, paths):
    """Average rate of a series on each path of Table 1, by its link's rate, in bit/s."""
    return [mean_rate(results, series, linkRate=link) for link in paths["link"]]


def frame_latency(results, series, first="frame_create"):
    """Time (s) from the first header to the last data of a frame's arrival, over its bytes.

    Of frames that were alone, from messages.csv; the PING that opens the sender is before it and
    counts if ``first`` is "ping". Columns: bytes, latency.
    """
    messages = results.extra(series, "messages")
    sizes = results.rows(series).groupby("point")["--bytes"].first()
    found = []
    for point, group in messages.groupby("point"):
        sent = group[(group["node"] == "sender") & (group["message"] == first)]
        came = group[(group["event"] == "rx") & (group["message"] == "data")]
        found.append((sizes[point], came["time_s"].max() - sent["time_s"].min()))
    return pd.DataFrame(sorted(found), columns=["bytes", "latency"])


def tcp_latency(results, series):
    """Time (s) from the SYN, at time 0, to the last byte's arrival, over bytes."""
    table = results.rows(series).groupby("--bytes")["last_delivery_s"].mean().reset_index()
    return table.rename(columns={"--bytes": "bytes", "last_delivery_s": "latency"})


def sums(results, series):
    """Flows of each run of a series taken together, a row per run.

    Columns: flows (of VRP), point, run, goodput_bps (sum of VRP's), data_packets (sum), rto_s and
    rtt_s (means of the flows), loss_percent (accepted losses and repetitions over packets sent),
    tcp_bps (sum of the cross flows').
    """
    found = []
    for (flows, point, number), run in results.rows(series).groupby(["--flows", "point", "run"]):
        vrp, tcp = run[run["protocol"] == "vrp"], run[run["protocol"] == "tcp"]
        sent = vrp["data_packets"].sum()
        lost = vrp["retransmitted_packets"].sum() + vrp["accepted_losses"].sum()
        found.append(
            {
                "flows": flows,
                "point": point,
                "run": number,
                "goodput_bps": vrp["goodput_bps"].sum(),
                "data_packets": sent,
                "rto_s": vrp["rto_s"].mean(),
                "rtt_s": vrp["mean_rtt_s"].mean(),
                "loss_percent": 100.0 * lost / max(1, sent),
                "tcp_bps": tcp["goodput_bps"].sum(),
            }
        )
    return pd.DataFrame(found)


@cache
def residual_model(packets, loss):
    """Monte Carlo of the residual loss at a limit of 25 % and bursts of 2 packets.

    About 500 000 packets of any frame; (mean, standard error).
    """
    return model.residual_loss(packets, loss, 0.25, 2, frames=500_000 // packets)


def failing(results, series):
    """Rows of a series with columns sent, the frames, and failing, of a thousand that fail."""
    rows = results.rows(series)
    sent = rows["--bytes"] / rows["--frameSize"]
    return rows.assign(sent=sent, failing=1000.0 * rows["frames_failed"] / sent)
