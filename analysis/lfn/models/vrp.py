# SPDX-License-Identifier: GPL-2.0-only
"""VRP in closed form, and its loss tolerance as a Monte Carlo (Denis, LIP RR2000-11).

The report has no equations; these are exact consequences of its rules. Units everywhere: sizes
in bytes (a packet's size is its user bytes), rates in bit/s, times in seconds, loss as a
fraction. Scalars and numpy arrays are both welcome where a docstring says "array".
"""

import math
import random

import numpy as np

from lfn.models import need

HEADER = 6
"""Bytes of VRP's header on every packet (section 3.1)."""
UDP_HEADER = 8
IP_HEADER = 20
MTU = 1500
ETHERNET = 38
"""Bytes around an IP packet on Ethernet: header, checksum, preamble and gap."""
PPP = 2
"""Bytes around an IP packet on ns-3's point-to-point links."""
KB = 1024
"""The report's kilobyte: it calls a typical packet 1024 bytes."""


def fragments(packet, mtu=MTU):
    """IP packets that carry one VRP packet of ``packet`` user bytes. Arrays."""
    packet = np.asarray(packet)
    need(packet > 0, "packet size must be positive")
    room = (mtu - IP_HEADER) // 8 * 8  # a fragment's offset counts in units of 8 bytes
    return -(-(packet + HEADER + UDP_HEADER) // room)


def packet_loss(loss, packet, mtu=MTU):
    """Share of VRP packets lost: 1 - (1 - p)^n, n fragments each lost with ``loss``. Arrays."""
    return 1.0 - (1.0 - np.asarray(loss, dtype=float)) ** fragments(packet, mtu)


def wire_bytes(packet, framing=ETHERNET, mtu=MTU):
    """Bytes that a VRP packet takes on the wire, all headers of all its fragments. Arrays."""
    return packet + HEADER + UDP_HEADER + fragments(packet, mtu) * (IP_HEADER + framing)


def efficiency(packet, framing=ETHERNET, mtu=MTU):
    """User bytes over bytes on the wire. Arrays."""
    return packet / wire_bytes(packet, framing, mtu)


def frame_time(size, rate, rtt, packet=2 * KB, framing=ETHERNET, round_trips=2):
    """Time in seconds of a blocking frame: header handshake, data, last acknowledgement. Arrays.

    ``rate`` is that of the link. Holds while the frame fits into the window and nothing is lost.
    """
    return round_trips * rtt + 8.0 * size / (rate * efficiency(packet, framing))


def blocking_rate(size, rate, rtt, packet=2 * KB, framing=ETHERNET, round_trips=2):
    """Throughput in bit/s of frames one after the other. Arrays."""
    return 8.0 * size / frame_time(size, rate, rtt, packet, framing, round_trips)


def pipelined_bound(window, packet, rtt):
    """Throughput in bit/s of one frame's window: W packets per RTT. Arrays."""
    return 8.0 * window * packet / rtt


def frames_to_fill(size, rate, rtt, round_trips=2):
    """Frames under way that keep a path of ``rate`` busy: 1 + 2 RTT over a frame's own time."""
    return math.ceil(1.0 + round_trips * rtt * rate / (8.0 * size))


def packet_round_trip(packet, rate, rtt, framing=PPP):
    """RTT in seconds of one packet on an idle link: its transmission and the delay.

    The acknowledgement (40 bytes and framing) is counted, too.
    """
    answer = IP_HEADER + UDP_HEADER + 17 + framing
    return rtt + 8.0 * (wire_bytes(packet, framing) + answer) / rate


def loss_byte(rate):
    """LOSS_RATE on the wire: 0 to 255 stand for 0 to 100 % (section 3.1), nearest."""
    need(0.0 <= rate <= 1.0, "rate must lie in [0, 1]")
    return math.floor(255.0 * rate + 0.5)


def max_losses(rate, window=64, nearest=False):
    """Packets of a history window that may be lost (section 2.4.4): down, or to the nearest."""
    share = loss_byte(rate) * window / 255.0
    return math.floor(share + 0.5) if nearest else math.floor(share + 1e-9)


def timeouts(first, samples, alpha=0.875, factor=4.0, initial=0.5):
    """Jacobson's timeout as section 2.5.1 states it: [(RTT, D, timeout)] after each sample.

    ``first`` is the PING's RTT (s), ``samples`` those of packets sent once.
    """
    rtt, deviation = first, initial * first
    course = [(rtt, deviation, rtt + factor * deviation)]
    for measure in samples:
        rtt = alpha * rtt + (1.0 - alpha) * measure
        deviation = alpha * deviation + (1.0 - alpha) * abs(rtt - measure)
        course.append((rtt, deviation, rtt + factor * deviation))
    return course


def judge(arrivals, packets, most, burst=None, window=64, required=()):
    """The receiver's rules (section 3.2.2) over a whole frame, the plain way.

    ``arrivals`` are packet numbers in order of arrival, each at most once, of packets that were
    not demanded; ``most`` losses may be accepted in the ``window`` packets before the one that
    is judged, itself included, ``burst`` in a row (None: any number). Returns (accepted,
    demanded), two sets. The history is looked through again for every packet, as the original
    algorithm would.
    """
    accepted, demanded = set(), set()
    expected = 0
    for packet in arrivals:
        in_a_row = 0
        for missing in range(expected, packet):
            recent = sum(k in accepted for k in range(missing - window + 1, missing))
            in_a_row += 1
            too_many = recent + 1 > most or (burst is not None and in_a_row > burst)
            if too_many or missing in required:
                demanded.add(missing)
                in_a_row = 0
            else:
                accepted.add(missing)
        expected = max(expected, packet + 1)
    return accepted, demanded


def arrivals_of_a_frame(packets, loss, draw):
    """Packet numbers in the order in which a frame's packets first get through.

    Every transmission is lost with probability ``loss``; ``draw`` returns uniform numbers. The
    whole frame is sent once; then all behind the highest arrival is retransmitted on its
    timer, in order, until the last packet is there. What lies before it needs no timer: it is
    accepted or demanded, and what is demanded comes without touching any counter.
    """
    order = [k for k in range(packets) if draw() >= loss]
    highest = order[-1] if order else -1
    while highest < packets - 1:
        again = [k for k in range(highest + 1, packets) if draw() >= loss]
        order += again
        highest = again[-1] if again else highest
    return order


def residual_loss(packets, loss, rate, burst=None, window=64, frames=100, seed=1, required=()):
    """Monte Carlo of the residual loss: (mean share of accepted losses, standard error).

    ``packets`` a frame, ``loss`` of a packet's transmission, ``rate`` the tolerance as a
    fraction, ``burst`` in packets. No packet of the sender's window is held back, so the window
    must hold a frame.
    """
    draw = random.Random(seed).random
    most = max_losses(rate, window)
    shares = []
    for _ in range(frames):
        order = arrivals_of_a_frame(packets, loss, draw)
        accepted, _ = judge(order, packets, most, burst, window, required)
        shares.append(len(accepted) / packets)
    error = float(np.std(shares, ddof=1) / math.sqrt(frames)) if frames > 1 else 0.0
    return float(np.mean(shares)), error


def window_that_fits(packet, link, read_time, buffer):
    """Largest window, in packets, of which none finds the receiver's buffer full: B / (1 - C / L).

    A window that a loss has held up arrives at once, at the rate of the ``link`` (bit/s), while the
    receiver reads a packet of ``packet`` bytes in ``read_time`` s; ``buffer`` bytes hold the rest.
    In the buffer a packet has 6 bytes of header more.
    """
    arrival = 8.0 * wire_bytes(packet, PPP) / link
    return buffer / (packet + HEADER) / (1.0 - arrival / read_time)
