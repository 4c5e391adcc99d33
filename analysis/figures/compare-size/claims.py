# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the time that transfers take; one function per claim."""

from lfn.average import measured
from lfn.figures import claim
from lfn.figures.compare import (
    LINK,
    PACKET,
    RBUDP_CONNECTS,
    RTT,
    again,
    duration,
    user_rate,
)
from lfn.models import tcp

SIZES = (100e3, 1e6, 10e6, 40e6)
SEGMENT_RATE = LINK * PACKET / (PACKET + 54)
"""User bits of full TCP segments with time stamps that the link carries, PPP's two bytes too."""


def _time(results, key, size):
    return duration(results, "path", key, bytes=size)


def _over_law(results, key, law, sizes=SIZES):
    parts = {f"{size / 1e6:g} MB": _time(results, key, size) / law(size) for size in sizes}
    return measured(parts)


def _ratio(results, key, other, *sizes, note=""):
    parts = {
        f"{size / 1e6:g} MB": _time(results, key, size) / _time(results, other, size)
        for size in sizes
    }
    return measured(parts, note)


# Time over equation (2) without the time of the bitmap, and the connection's.
rbudp_one_rtt = claim(
    _over_law, "rbudp", lambda size: 8 * size / user_rate() + (1 + RBUDP_CONNECTS) * RTT
)


def tcp_starts_slowly(results):
    """Time over slow start's law."""

    def law(size):
        return tcp.slow_start_time(size, SEGMENT_RATE, RTT, PACKET)

    return _over_law(results, "tcp-newreno", law, SIZES[:2])


# NewReno's time, and Reno's, over RBUDP's.
newreno_takes_longer_for_1_mb = claim(_ratio, "tcp-newreno", "rbudp", 1e6)
reno_takes_longer_for_1_mb = claim(_ratio, "tcp-reno", "rbudp", 1e6)
large_transfers_even_out = claim(_ratio, "tcp-reno", "rbudp", 40e6)
xcp_starts_faster = claim(_ratio, "xcp", "tcp-reno", 1e6)  # XCP's time over Reno's
vrp_shakes_hands = claim(_time, "vrp", 100e3)  # Time for 100 kB


def jrm_needs_no_answer(results):
    """Time over that of the bytes at the rate and half an RTT; messages are whole."""

    def law(size):
        return 8 * -(-size // (8 * PACKET)) * 8 * PACKET / user_rate() + RTT / 2

    return _over_law(results, "jrm", law)


fec_takes_a_third_longer = claim(_ratio, "fec-udp", "udp", 10e6, 40e6)  # FEC's time over UDP's


def bbr_not_slower_than_reno(results):
    """BBR's time over Reno's."""
    own, other = (again(results, "path", key, bytes=40e6) for key in ("tcp-bbr", "tcp-reno"))
    note = f"Retransmitted: {own} segments, by Reno {other}"
    return _ratio(results, "tcp-bbr", "tcp-reno", 40e6, note=note)
