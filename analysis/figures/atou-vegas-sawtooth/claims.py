# SPDX-License-Identifier: GPL-2.0-only
"""Claims about Reno and Vegas in a small buffer; one function per claim."""

from lfn.average import Average, measured
from lfn.figures import claim
from lfn.figures.atou_paths import is_random, link_share
from lfn.results import MissingDataError

NEAR = 4
"""The queue (packets) at which the page's statements are judged."""
HALF = 10
"""The shortest queue (packets) at which Reno and Vegas compete: half of the path holds as many."""

RENO = {"tcp": "tcp-reno", "atou": "atou-reno", "atou, ns's sink": "atou-reno-sink"}
VEGAS = {
    "tcp": "tcp-vegas",
    "tcp without delayed ACKs": "tcp-vegas-every",
    "atou": "atou-vegas",
    "atou, ns's sink": "atou-vegas-sink",
    "atou without delayed ACKs": "atou-vegas-every",
}


def reno_sawtooth(results):
    """Reno's share of the link."""
    return measured({name: link_share(results, s, NEAR) for name, s in RENO.items()})


def vegas_fills_the_link(results):
    """Vegas' share of the link."""
    return measured({name: link_share(results, s, NEAR) for name, s in VEGAS.items()})


def _losses(results, queue):
    """Segments that Vegas retransmitted."""
    rows = {name: results.rows(series, queue=queue) for name, series in VEGAS.items()}
    return measured(
        {n: Average.of(r, r["retransmitted_packets"], is_random(r)) for n, r in rows.items()}
    )


vegas_avoids_losses = claim(_losses, NEAR)
vegas_avoids_losses_queue_10 = claim(_losses, HALF)


def vegas_above_reno(results):
    """Vegas' share over Reno's, whose ACKs are delayed."""
    parts = {}
    for name, series in VEGAS.items():
        reno = RENO[name.removesuffix(" without delayed ACKs")]
        parts[name] = link_share(results, series, NEAR) / link_share(results, reno, NEAR)
    return measured(parts)


def delayed_acks_and_vegas(results):
    """Vegas' share without delayed ACKs over that with them."""
    parts = {}
    for name in RENO:
        without = link_share(results, VEGAS[f"{name.split(',')[0]} without delayed ACKs"], 10)
        parts[name] = without / link_share(results, VEGAS[name], 10)
    return measured(parts)


def vegas_alongside_a_standard_tcp(results):
    """Goodput of Vegas over that of atou's Reno, each alongside TCP Reno."""
    queues = sorted(q for q in results.rows("vegas-alongside")["--queue"].unique() if q >= HALF)
    if not queues:
        raise MissingDataError(f"no queue of {HALF} packets or more")
    parts = {}
    for queue in queues:
        vegas = link_share(results, "vegas-alongside", queue)
        parts[f"queue {queue:g}"] = vegas / link_share(results, "reno-alongside", queue)
    return measured(parts)
