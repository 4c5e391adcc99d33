# SPDX-License-Identifier: GPL-2.0-only
"""Claims about RBUDP and the size of the payload; one function a claim."""

import numpy as np

from lfn.claims import Measured
from lfn.models import rbudp as model
from lfn.rbudp import MB, MBPS, PACKET, over_payload
from lfn.results import MissingDataError, means

LOSS = 0.12
RATE = 682 * MBPS
RTT = 0.1


def _per_payload(table, values):
    return {f"{s / MB:g} MB": float(v) for s, v in zip(table["--bytes"], values, strict=True)}


def _half_widths(table, scale):
    """Half widths of the 95 % intervals of throughputs divided by ``scale``."""
    return _per_payload(table, (table["high"] - table["low"]) / 2.0 / scale)


def large_payloads_best(results):
    """Throughput of each payload over that of the next smaller one."""
    parts = {}
    for series in ("lossless", "lossy"):
        table = over_payload(results, series)
        gain = table["mean"].to_numpy()[1:] / table["mean"].to_numpy()[:-1]
        sizes = table["--bytes"].to_numpy()[1:] / MB
        parts.update({f"{series} {s:g} MB": g for s, g in zip(sizes, gain, strict=True)})
    return Measured(parts, results.runs("lossless") + results.runs("lossy"))


def round_trip_dominates(results):
    """Duration less the time of sending, in round trips, for every payload."""
    rows = results.rows("lossless")
    overhead = rows["finish_s"] - rows["start_s"] - 8 * rows["--bytes"] / rows["--sendRate"]
    return Measured(_per_payload(rows, overhead / rows["--rtt"]), len(rows))


def bitmap_negligible(_results):
    """Highest share of equation (3)'s total that equation (5) leaves out."""
    shares = []
    for size in (1 * MB, 10 * MB, 100 * MB, 450 * MB):
        bitmap = 8 * model.acknowledgement_bytes(size) / (600 * MBPS)
        shares.append(bitmap / model.total_time(size, 600 * MBPS, RTT))
    return Measured.one(100 * max(shares))


def bound_without_loss(results):
    """Throughput over equation (4), which is (3) without loss."""
    table = over_payload(results, "lossless")
    best = model.best_bandwidth(table["--bytes"], 611 * MBPS, RTT)
    return Measured(_per_payload(table, table["mean"] / best), int(table["runs"].sum()))


def bound_with_loss(results):
    """Where the throughput into the livelock host lies between the two models at its rate."""
    table = over_payload(results, "host")
    rate = float(model.quantised_rate(RATE, PACKET))
    upper = model.best_bandwidth(table["--bytes"], rate, RTT)
    lower = [model.bandwidth_with_loss(size, rate, RTT, LOSS) for size in table["--bytes"]]
    return Measured(
        _per_payload(table, (table["mean"] - lower) / (upper - lower)), int(table["runs"].sum())
    )


def loss_model(results):
    """Throughput at independent loss over equations (3), (6), (7)."""
    table = over_payload(results, "lossy")
    law = np.array([model.bandwidth_with_loss(size, RATE, RTT, LOSS) for size in table["--bytes"]])
    return Measured(
        _per_payload(table, table["mean"] / law),
        int(table["runs"].sum()),
        _half_widths(table, law),
    )


def worst_case(_results):
    """Highest ratio of the model to the exact law between 1 and 450 MB."""
    sizes = np.array([1, 5, 10, 20, 50, 67.5, 100, 200, 450]) * MB
    ratios = [
        model.bandwidth_with_loss(size, RATE, RTT, LOSS)
        / model.exact_bandwidth(size, RATE, RTT, LOSS, PACKET)
        for size in sizes
    ]
    worst = int(np.argmax(ratios))
    return Measured.one(ratios[worst], note=f"largest at {sizes[worst] / MB:g} MB")


def number_of_resends(results):
    """Mean number of resends less equation (6), for every payload."""
    rows = results.rows("lossy")
    table = means(rows.assign(resends=rows["blasts"] - 1.0), "--bytes", "resends")
    predicted = [model.resends(size, LOSS) for size in table["--bytes"]]
    return Measured(
        _per_payload(table, table["mean"] - predicted), len(rows), _half_widths(table, 1.0)
    )


def exact_law(results):
    """Distance of the mean duration from the exact law, over its tolerance."""
    rows = results.rows("lossy")
    parts = {}
    for size, group in rows.groupby("--bytes"):
        mean = (group["finish_s"] - group["start_s"]).mean()
        law = model.expected_duration(size, RATE, RTT, LOSS, PACKET)
        error = model.deviation_of_duration(size, RATE, RTT, LOSS, PACKET) / np.sqrt(len(group))
        parts[f"{size / MB:g} MB"] = abs(mean - law) / max(0.02 * law, 3.0 * error)
    return Measured(parts, len(rows))


def _share(results, payload):
    """Throughput at 12 % loss over the send rate, and the half width of its interval."""
    table = over_payload(results, "lossy", bytes=payload * MB)
    return table["mean"].iloc[0] / RATE, (table["high"] - table["low"]).iloc[0] / 2.0 / RATE


def loss_not_great(results):
    """Share of the send rate that 450 MB reach at 12 % loss."""
    share, error = _share(results, 450)
    return Measured.one(100 * share, results.runs("lossy", bytes=450 * MB), 100 * error)


def loss_hurts_small(results):
    """The share at 450 MB over the share at 10 MB."""
    large, small = _share(results, 450), _share(results, 10)
    runs = results.runs("lossy", bytes=450 * MB) + results.runs("lossy", bytes=10 * MB)
    error = large[0] / small[0] * np.hypot(large[1] / large[0], small[1] / small[0])
    return Measured.one(large[0] / small[0], runs, error)


def sixty_seven_equation(_results):
    """Equation (5) solved for the payload."""
    return Measured.one(model.payload_for_ratio(0.9, 600 * MBPS, RTT) / MB)


def sixty_seven(results):
    """The payload at which the simulated throughput crosses 90 % of 600 Mb/s."""
    table = over_payload(results, "six-hundred")
    share = table["mean"] / (600 * MBPS)
    if not share.iloc[0] < 0.9 < share.iloc[-1]:
        raise MissingDataError("no crossing of 90 % between its payloads")
    return Measured.one(np.interp(0.9, share, table["--bytes"]) / MB, int(table["runs"].sum()))


def sixty_seven_at_110(_results):
    """Equation (5) for 67.5 MB at the other round trip."""
    return Measured.one(100 * model.best_ratio(67.5 * MB, 600 * MBPS, 0.11))


def window_for_a_gigabit(_results):
    """Bandwidth-delay product with the two meanings of 1 Gb/s."""
    return Measured({"1024 Mb/s": 1024 * 0.11 / 8, "1000 Mb/s": 1000 * 0.11 / 8})
