# SPDX-License-Identifier: GPL-2.0-only
"""Claims about VRP's window; one function per claim."""

from lfn.average import Average, measured
from lfn.figures import claim
from lfn.figures.vrp import lost, mean_rate
from lfn.models import vrp as model
from lfn.results import MissingDataError

LARGE = (128, 256)
BUFFERS = {"small-buffer": "32 KiB", "window": "128 KiB", "large-buffer": "256 KiB"}


def _rate(results, size):
    return mean_rate(results, "window", windowSize=size)


def rises_to_64(results):
    """Throughput with 64 packets over that with 32."""
    return measured(_rate(results, 64) / _rate(results, 32))


def no_gain_at_128(results):
    """Throughput with 128 and 256 packets over that with 64."""
    return measured({f"{size}": _rate(results, size) / _rate(results, 64) for size in LARGE})


def _lost(results, size):
    rows = results.rows("window", windowSize=size)
    return Average.of(rows, lost(rows))


def loss_jumps_at_128(results):
    """Share of packets lost over that at 64."""
    return measured({f"{size}": _lost(results, size) / _lost(results, 64) for size in LARGE})


def none_at_64(results):
    """Packets that found the receiver's buffer full, of those sent."""
    rows = results.rows("window", windowSize=64)
    return measured(Average.of(rows, 100.0 * rows["host_drops"] / rows["data_packets"]))


def _full(results, fits):
    """{buffer: Average of the packets in per cent that found it full} at the law's two sides."""
    parts = {}
    for series, name in BUFFERS.items():
        rows = results.rows(series)
        room = model.window_that_fits(
            2048,
            rows["--linkRate"].iloc[0],
            rows["--ns3::lfn::HostCost::ReadCost"].iloc[0],
            rows["--ns3::lfn::HostCost::BufferSize"].iloc[0],
        )
        sizes = sorted(set(rows["--windowSize"]))
        inside, outside = ([n for n in sizes if (n <= room) == side] for side in (True, False))
        if not inside or not outside:
            raise MissingDataError(f"windows on one side of {room:.0f} packets only")
        size = inside[-1] if fits else outside[0]
        rows = results.rows(series, windowSize=size)
        share = 100.0 * rows["host_drops"] / rows["data_packets"]
        parts[f"{name}, {size:g} packets"] = Average.of(rows, share)
    return measured(parts)


loss_begins_by_law = claim(_full, True)  # packets that find the buffer full, largest that fits
loss_beyond_the_law = claim(_full, False)  # the same, smallest window that does not fit
