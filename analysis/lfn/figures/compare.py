# SPDX-License-Identifier: GPL-2.0-only
"""What the comparison figures share: transports, laws of theirs, curves and rows.

All of them run transport-comparison. A key of TRANSPORTS is a key of lfn.style.STYLES as well.
"""

import pandas as pd

from lfn.average import Average, measured
from lfn.models import quanta, rbudp
from lfn.results import MissingDataError, means
from lfn.style import new_figure, plot_band

TRANSPORTS = {
    "udp": "udp",
    "fec-udp": "fec-udp",
    "jrm": "jrm[Adaptive=false|Grtt=false]",
    "vrp": "vrp",
    "vrp-lossy": "vrp[MaxLossRate=0.05]",
    "rbudp": "rbudp",
    "tcp-newreno": "tcp[Congestion=ns3::TcpNewReno]",
    "tcp-reno": "tcp[Congestion=ns3::TcpLinuxReno]",
    "tcp-cubic": "tcp[Congestion=ns3::TcpCubic]",
    "tcp-bbr": "tcp[Congestion=ns3::TcpBbr]",
    "parallel-tcp-8": "parallel-tcp[Streams=8|Congestion=ns3::TcpNewReno]",
    "parallel-reno-8": "parallel-tcp[Streams=8|Congestion=ns3::TcpLinuxReno]",
    "atou": "atou",
    "atou-cubic": "atou[Congestion=ns3::TcpCubic]",
    "xcp": "xcp",
}
"""--transport by key."""

KEYS = {text: key for key, text in TRANSPORTS.items()}

CONFIGURED = ("udp", "fec-udp", "jrm", "vrp", "rbudp")
"""Those that are configured with their rate."""

FINDING = (
    "tcp-newreno",
    "tcp-reno",
    "tcp-cubic",
    "tcp-bbr",
    "parallel-tcp-8",
    "parallel-reno-8",
    "atou",
    "atou-cubic",
    "xcp",
)
"""Those that find it. ns-3's NewReno counts acknowledgements, its Linux Reno what they cover."""

LINK = 100e6
"""Rate of the link unless a figure varies it, in bit/s."""

RTT = 0.1
"""RTT unless a figure varies it, in s."""

PACKET = 1400
"""User bytes per packet."""

HEADERS = 72
"""The most header bytes of all transports, which the default sendRate keeps free."""

FEC_BLOCK = 3
"""Datagrams to one of parity."""

RBUDP_CONNECTS = 1.5
"""RTTs before RBUDP's first datagram: TCP's three messages."""

VRP_FRAME = 1e6
"""Bytes of a VRP frame."""

VRP_FRAMES = 2
"""VRP frames under way."""

MB = 1e6


def user_rate(link=LINK):
    """The default sendRate of one flow in bit/s: nine tenths of the link, less headers."""
    return 0.9 * link * PACKET / (PACKET + HEADERS)


def rbudp_rate(size, link=LINK, rtt=RTT, loss=0.0):
    """Exact goodput of RBUDP in bit/s at the default sendRate."""
    rate = user_rate(link)
    if loss == 0.0:
        return rbudp.best_bandwidth(size, rate, rtt, PACKET)
    return rbudp.exact_bandwidth(size, rate, rtt, loss, PACKET)


def rbudp_whole(size, link=LINK, rtt=RTT, loss=0.0):
    """The same with the connection before it, in bit/s: from the application's start."""
    return 8.0 * size / (8.0 * size / rbudp_rate(size, link, rtt, loss) + RBUDP_CONNECTS * rtt)


RBUDP_FRAME = PACKET + 4 + 28 + 2
"""Bytes of RBUDP's datagram on the link: its header, UDP's and IP's, PPP's."""


def rbudp_overload(size, rate, queue, flows=1, link=LINK, rtt=RTT):
    """(time in s, packets sent for each needed) of RBUDP flows, each of ``size``, configured
    with ``rate``.

    A fluid: the link is busy while it is overrun; what a blast sends beyond the link and a queue
    of ``queue`` bytes is retransmitted an RTT later. From the application's start.
    """
    carried = link * PACKET / RBUDP_FRAME
    beyond = max(0.0, 1.0 - carried / (flows * rate))
    left, sent, blasts = flows * size, 0.0, 0
    while left > 0.0:
        sent += left
        blasts += 1
        left = left * beyond - queue
    busy = 8.0 * flows * size / min(flows * rate, carried)
    return busy + (blasts + RBUDP_CONNECTS) * rtt, sent / (flows * size)


def udp_rate(size, rtt=RTT, loss=0.0):
    """Goodput of UDP in bit/s: what is not lost, until the last datagram has come."""
    return (1.0 - loss) * 8.0 * size / (8.0 * size / user_rate() + rtt / 2.0)


def fec_rate(size, loss=0.0):
    """Goodput of FEC over UDP in bit/s: the data's share of the rate, less what stays lost."""
    share = FEC_BLOCK / (FEC_BLOCK + 1.0)
    kept = 1.0 - quanta.residual_loss(loss, FEC_BLOCK)
    return kept * 8.0 * size / (8.0 * size / (share * user_rate()) + RTT / 2.0)


def vrp_bound(link=LINK, rtt=RTT):
    """Goodput of VRP's frames in bit/s: a number of them in one RTT or two."""
    rate = user_rate(link)
    return min(rate, VRP_FRAMES * 8.0 * VRP_FRAME / (8.0 * VRP_FRAME / rate + 2.0 * rtt))


def rows_of(results, series, key, **flags):
    """Rows of the tested transport, those of --background=tcp left away."""
    rows = results.rows(series, transport=TRANSPORTS[key], **flags)
    return rows[rows["variant"] != "cross"]


def is_random(rows):
    """Whether another RngRun would change anything: packets lost at random, or BBR's phases."""
    lost = "--lossRate" in rows and (rows["--lossRate"].fillna(0) > 0).any()
    return bool(lost or (rows["--transport"] == TRANSPORTS["tcp-bbr"]).any())


def seconds(rows):
    """Time of each flow from the start of its application, the same event for every transport."""
    return rows["finish_s"] - rows["application_start_s"]


def goodput(rows):
    """Goodput of each flow in bit/s over seconds(): handshakes count, any host that makes them."""
    return (8.0 * rows["delivered_bytes"] / seconds(rows)).fillna(0.0)  # 0 of what never began


def sent_for_each(rows):
    """Packets of data sent for each that is needed."""
    return rows["data_packets"] * PACKET / rows["offered_bytes"]


def together(rows):
    """What all flows of a run get until the last has ended, in percent of the link."""
    runs = rows.groupby(["point", "run"])
    time = runs["finish_s"].transform("max") - runs["application_start_s"].transform("min")
    return 100 * 8 * runs["delivered_bytes"].transform("sum") / time / LINK


def average(results, series, key, column=goodput, **flags):
    """Average of a column of one transport, or of a function of its rows."""
    rows = rows_of(results, series, key, **flags)
    values = column(rows) if callable(column) else rows[column]
    return Average.of(rows, values, is_random(rows))


def again(results, series, key, **flags):
    """How many packets were retransmitted, in words: the mean over the runs."""
    return f"{average(results, series, key, 'retransmitted_packets', **flags).value:.0f}"


def each_loss(results, key, column=goodput, wanted=lambda p: True):
    """{loss: Average} of a column of one transport on the path, as average()."""
    losses = sorted(rows_of(results, "path", key)["--lossRate"].unique())
    return {p: average(results, "path", key, column, lossRate=p) for p in losses if wanted(p)}


def over_law(results, key, places, more, name, law):
    """Mean goodput over ``law``, a part for each series of ``places``, {series: its value}.

    Those of ``more``, the same, count where the preset has them. ``law`` is a function of the rows
    and the value, in bit/s; ``name`` makes the part's name of the value.
    """
    parts = {}
    for series, place in (places | more).items():
        try:
            rows = rows_of(results, series, key)
        except MissingDataError:
            if series in more:
                continue
            raise
        parts[name(place)] = average(results, series, key) / law(rows, place)
    return measured(parts)


def duration(results, series, key, **flags):
    """Average time in seconds from the application's start to the end; infinite without an end."""

    def whole(rows):
        return seconds(rows).where(rows["completed"] == 1, float("inf"))

    return average(results, series, key, whole, **flags)


def by_start(rows):
    """Return rows with each start as a run of its own.

    Where nothing else is random, the phase in which flows meet at a drop-tail queue is.
    """
    if "--start" not in rows:
        return rows
    starts = rows["--start"].map(str)  # where none is given "nan"
    return rows.assign(run=starts + " " + rows["run"].map(str))


def alongside(results, series, key):
    """Rows of the transport with own and other, its goodput and that of the TCP alongside it."""
    rows = by_start(results.rows(series, transport=TRANSPORTS[key]))
    rows = rows.assign(goodput=goodput(rows))
    cross = rows[rows["variant"] == "cross"].groupby(["point", "run"])["goodput"].mean()
    if cross.empty:
        raise MissingDataError(f"no TCP alongside {key}")
    tested = rows[rows["variant"] != "cross"]
    own = tested.groupby(["point", "run"])["goodput"].mean()
    return pd.DataFrame({"own": own, "other": cross}).reset_index()


def share(results, series, key):
    """The transport's share of what it and the TCP alongside it get together."""
    rows = alongside(results, series, key)
    return Average.of(rows, rows["own"] / (rows["own"] + rows["other"]))


def harm(results, series, key):
    """Goodput that TCP loses alongside the transport, of what it gets alongside another TCP.

    Ware et al., "Beyond Jain's fairness index", HotNets 2019, with TCP Reno as the flow that is
    there anyway; below 0 where TCP gets more than that.
    """
    alone, other = (
        Average.of(rows, rows["other"])
        for rows in (alongside(results, "default", "tcp-reno"), alongside(results, series, key))
    )
    return 1.0 - other / alone


def flows_of(results, series, key):
    """Flows of one transport alongside each other: point, run, first, others (mean), utilisation.

    Goodputs in bit/s; --transport names the transport once for each flow.
    """
    known = results.table.loc[results.table["series"] == series, "--transport"].unique()
    wanted = [text for text in known if set(text.split(",")) == {TRANSPORTS[key]}]
    if not wanted:
        raise MissingDataError(f"series {series} has no {key}")
    # Rows of others would count as looked at, and they may be random.
    rows = by_start(pd.concat([results.rows(series, transport=text) for text in wanted]))
    groups = rows.assign(goodput=goodput(rows)).groupby(["point", "run"], sort=False)
    found = [
        {
            "point": point,
            "run": run,
            "first": part.loc[part["flow"] == 0, "goodput"].iloc[0],
            "others": part.loc[part["flow"] != 0, "goodput"].mean(),
            "utilisation": part["utilisation"].iloc[0],
        }
        for (point, run), part in groups
    ]
    return pd.DataFrame(found)


def among(results, series, key, column):
    """Average of a column of flows_of(), or of "share": the first flow's of it and another's."""
    flows = flows_of(results, series, key)
    flows["share"] = flows["first"] / (flows["first"] + flows["others"])
    # With a configured rate a flow is the same whenever it starts.
    return Average.of(flows, flows[column], key not in CONFIGURED)


def curves(results, series, x, column):
    """Table of transport (key), x, mean, low, high (95 %) and runs.

    ``series`` is a name, or a list of (name, x); ``x`` is the flag or the name of the abscissa,
    ``column`` one of the results or a function of the rows.
    """
    pairs = [(series, None)] if isinstance(series, str) else series
    parts = []
    for name, at in pairs:
        try:
            rows = results.rows(name)
        except MissingDataError:
            continue
        rows = rows.assign(value=column(rows) if callable(column) else rows[column])
        rows = rows.assign(**{x: rows[f"--{x}"] if at is None else at})
        parts.append(rows[["--transport", x, "value"]])
    rows = pd.concat(parts, ignore_index=True)
    tables = []
    for text, group in rows.groupby("--transport", sort=False):
        tables.append(means(group, x, "value").assign(transport=KEYS[text]))
    table = pd.concat(tables, ignore_index=True)
    return table[["transport", x, "mean", "low", "high", "runs"]]


def two_panels(sharey=True):
    """Return (figure, left axes, right axes): transports configured with their rate, and the
    others."""
    figure, (left, right) = new_figure(10.4, 6.6, ncols=2, sharey=sharey)
    left.set_title("configured with their rate: nine tenths of the link", fontsize=10.5)
    right.set_title("find it themselves", fontsize=10.5)
    return figure, left, right


def plot_curves(axes, table, x, keys, scale=1.0):
    """Plot the curves of ``keys`` that the table has, divided by ``scale``."""
    for key in keys:
        part = table[table["transport"] == key].sort_values(x)
        if len(part):
            scaled = part.assign(**{c: part[c] / scale for c in ("mean", "low", "high")})
            plot_band(axes, part[x], scaled, key)


def legend_below(axes):
    """Put the legend below the axes, where it covers no curve."""
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncol=2)


NO_LOSS = 3e-6
"""Where a loss of 0 is drawn on a logarithmic axis."""


def with_zero(losses):
    """Losses with 0 moved to where it is drawn."""
    return losses.where(losses > 0.0, NO_LOSS)


def loss_axis(axes, most=1e-2):
    """Make the horizontal axis one of random loss, with a place for none."""
    axes.set_xscale("log")
    ticks = [p for p in (1e-5, 1e-4, 1e-3, 1e-2, 1e-1) if p <= most * 1.001]
    names = ["0.001", "0.01", "0.1", "1", "10"]
    axes.set_xticks([NO_LOSS, *ticks], ["none", *names[: len(ticks)]])
    axes.minorticks_off()
    axes.set_xlabel("packets lost at random (%)")


def goodput_axes(left, right):
    """Goodput in Mb/s of a link of 100 Mb/s: to scale on the left, logarithmic on the right."""
    left.set(ylim=(0, 100), ylabel="goodput (Mb/s)")
    right.set(yscale="log", ylim=(0.3, 130))
    ticks = [0.3, 1, 3, 10, 30, 100]
    right.set_yticks(ticks, [f"{t:g}" for t in ticks])
    right.minorticks_off()
    right.set_ylabel("goodput (Mb/s), logarithmic")
