# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the time that transfers take; one function a claim."""

from lfn.average import measured
from lfn.figures.compare import LINK, PACKET, RTT, again, duration, user_rate
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


def rbudp_one_round_trip(results):
    """Time over equation (2) without the time of the bitmap."""
    return _over_law(results, "rbudp", lambda size: 8 * size / user_rate() + RTT)


def tcp_starts_slowly(results):
    """Time over slow start's law."""

    def law(size):
        return tcp.slow_start_time(size, SEGMENT_RATE, RTT, PACKET)

    return _over_law(results, "tcp-newreno", law, SIZES[:2])


def newreno_takes_longer_for_1_mb(results):
    """NewReno's time over RBUDP's."""
    return _ratio(results, "tcp-newreno", "rbudp", 1e6)


def large_transfers_even_out(results):
    """NewReno's time over RBUDP's."""
    return _ratio(results, "tcp-newreno", "rbudp", 40e6)


def xcp_starts_faster(results):
    """XCP's time over NewReno's."""
    return _ratio(results, "xcp", "tcp-newreno", 1e6)


def vrp_shakes_hands(results):
    """Time for 100 kB."""
    return measured(_time(results, "vrp", 100e3))


def jrm_needs_no_answer(results):
    """Time over that of the bytes at the rate and half a round trip; messages are whole."""

    def law(size):
        return 8 * -(-size // (8 * PACKET)) * 8 * PACKET / user_rate() + RTT / 2

    return _over_law(results, "jrm", law)


def fec_takes_a_third_longer(results):
    """FEC's time over UDP's."""
    return _ratio(results, "fec-udp", "udp", 10e6, 40e6)


def bbr_not_slower_than_newreno(results):
    """BBR's time over NewReno's."""
    own, other = (again(results, "path", key, bytes=40e6) for key in ("tcp-bbr", "tcp-newreno"))
    note = f"Sent again: {own} segments, by NewReno {other}"
    return _ratio(results, "tcp-bbr", "tcp-newreno", 40e6, note=note)
