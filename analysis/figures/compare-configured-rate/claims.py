# SPDX-License-Identifier: GPL-2.0-only
"""Claims about wrongly configured rates; one function per claim."""

from lfn.average import extreme, measured
from lfn.figures import claim
from lfn.figures.compare import (
    LINK,
    PACKET,
    RBUDP_CONNECTS,
    RTT,
    average,
    rows_of,
    sent_for_each,
    together,
)
from lfn.models import rbudp

HALF, THREE_TIMES = 42.8e6, 256.8e6
MANY = 8


def _at(results, key, rate, column):
    return average(results, "path", key, column, sendRate=rate)


def _delivered(rows):
    """Part of the bytes that came, in percent."""
    return 100 * rows["delivered_bytes"] / rows["offered_bytes"]


def configured_half(results):
    """Goodput over the law at half the rate."""
    size = rows_of(results, "path", "udp")["--bytes"].iloc[0]
    seconds = {
        "udp": 8 * size / HALF + RTT / 2,
        "rbudp": 8 * size / rbudp.best_bandwidth(size, HALF, RTT, PACKET) + RBUDP_CONNECTS * RTT,
    }
    return measured(
        {
            key: average(results, "path", key, sendRate=HALF) / (8 * size / time)
            for key, time in seconds.items()
        }
    )


def rbudp_configured_three_times(results):
    """Goodput at three times the rate."""
    return measured(100 * average(results, "path", "rbudp", sendRate=THREE_TIMES) / LINK)


rbudp_sends_redundantly = claim(_at, "rbudp", THREE_TIMES, sent_for_each)  # Three times the rate
udp_configured_three_times = claim(_at, "udp", THREE_TIMES, _delivered)  # What is delivered


def reliable_at_any_rate(results):
    """What is delivered at the rate at which it is least."""
    parts = {}
    for key in ("vrp", "rbudp", "jrm"):
        rates = rows_of(results, "path", key)["--sendRate"].unique()
        each = {
            f"{key}, {rate / 1e6:g} Mb/s": _at(results, key, rate, _delivered) for rate in rates
        }
        name, least = extreme(min, each)
        parts[name] = least
    return measured(parts)


def _many(results, column):
    return average(results, "several", "rbudp", column, flows=MANY)


eight_configured_to_the_link = claim(_many, together)  # What eight get together
eight_send_redundantly = claim(_many, sent_for_each)  # What eight send
eight_share_alike = claim(_many, "jain_index")  # How eight share
