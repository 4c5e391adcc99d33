# SPDX-License-Identifier: GPL-2.0-only
"""Claims about Reno and Vegas in a small buffer; one function a claim."""

from lfn.claims import Measured
from lfn.figures.atou_paths import link_share

NEAR = 4
"""The queue (packets) at which the page's statements are judged."""


def reno_sawtooth(results):
    """Reno's share of the link."""
    parts = {who: link_share(results, f"{who}-reno", NEAR) for who in ("tcp", "atou")}
    return Measured(parts, 2)


VEGAS = {
    "tcp": "tcp-vegas",
    "tcp without delayed ACKs": "tcp-vegas-every",
    "atou": "atou-vegas",
    "atou without delayed ACKs": "atou-vegas-every",
}


def vegas_fills_the_link(results):
    """Vegas' share of the link."""
    return Measured({name: link_share(results, s, NEAR) for name, s in VEGAS.items()}, 4)


def vegas_avoids_losses(results):
    """Segments that Vegas sent again."""
    rows = {name: results.rows(series, queue=NEAR).iloc[0] for name, series in VEGAS.items()}
    return Measured({name: row["retransmitted_packets"] for name, row in rows.items()}, 4)


def vegas_above_reno(results):
    """Vegas' share over Reno's."""
    parts = {}
    for name, series in VEGAS.items():
        reno = link_share(results, f"{name.split()[0]}-reno", NEAR)
        parts[name] = link_share(results, series, NEAR) / reno
    return Measured(parts, 6)


def delayed_acks_and_vegas(results):
    """Vegas' share without delayed ACKs over that with them."""
    parts = {}
    for who in ("tcp", "atou"):
        without, delayed = (link_share(results, f"{who}-vegas{x}", 10) for x in ("-every", ""))
        parts[who] = without / delayed
    return Measured(parts, 4)
