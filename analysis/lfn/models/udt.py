# SPDX-License-Identifier: GPL-2.0-only
"""UDT's rate control in closed form and as a fluid, by the rules of the program UDT4.

Sources: draft-gg-udt-03, the program UDT4, and measurements of it (analysis/originals/udt.csv).
Units everywhere: rates of packets in 1/s, sending periods in us as in the program, other times in
s, sizes in bytes, rates of bits in bit/s, loss as a fraction. Scalars, unless said.
"""

import math

from lfn.models import need

MSS = 1500
"""Bytes of a full packet with the headers of IP and UDP."""
HEADERS = 44
"""Bytes of the headers of IP, UDP and UDT."""
PPP = 2
"""Bytes around an IP packet on ns-3's point-to-point links."""
SYN = 0.01
"""Interval of the rate control in s."""
DECREASE = 1.125
"""Factor of the period at a NAK."""
EXTRA = 16
"""Packets of the window beyond the arrival rate times RTT + SYN."""
SHARE = 9
"""After a decrease at most a ninth of the capacity counts as free."""
EXPIRATION = 0.3
"""Least time of the EXP timer in s."""
_BETA = 1.5e-6
_SMALL = 0.02  # of the rate, the largest change in a step


def capacity(link, mss=MSS):
    """Packets per second that a link of ``link`` bit/s carries."""
    return link / (8.0 * (mss + PPP))


def user_rate(packets, mss=MSS):
    """User bits per second of ``packets`` full packets per second."""
    return 8.0 * (mss - HEADERS) * packets


def increase(free, mss=MSS, minimum=0.01):
    """Packets per SYN by which the rate grows, of ``free`` packets per second (draft, section 7).

    max(10^ceil(log10(8 B MSS)) 1.5e-6 / MSS, minimum).
    """
    if free <= 0:
        return minimum
    return max(10.0 ** math.ceil(math.log10(8.0 * free * mss)) * _BETA / mss, minimum)


def growth(rate, link, mss=MSS, capped=True):
    """Packets per second that ``rate`` grows by in a second, at a capacity of ``link`` packets/s.

    ``capped``: the period is longer than before the last decrease.
    """
    free = link - rate
    free = min(free, link / SHARE) if capped else free
    return increase(free, mss) / SYN**2


def decreased(period, granularity=1.0):
    """Period in us after a NAK: 1.125 times, rounded up to ``granularity`` us unless that is 0."""
    longer = DECREASE * period
    if granularity == 0:
        return longer
    return math.ceil(longer / granularity - 1e-9) * granularity


def decrease_factor(rate, granularity=1.0):
    """Mean factor of the period at a NAK: rounding up adds half of ``granularity`` us."""
    return DECREASE + 0.5 * granularity * rate / 1e6


def climb(rate, goal, link, mss=MSS, capped=True):
    """Seconds from ``rate`` to ``goal`` without losses, at a capacity of ``link`` packets/s."""
    need(goal >= rate, "the goal must not be below the rate")
    time = 0.0
    while rate < goal:
        step = SYN * growth(rate, link, mss, capped)
        time += SYN * min(1.0, (goal - rate) / step)
        rate += step
    return time


def rise(share, link, mss=MSS, capped=True):
    """Seconds from nothing to ``share`` of the capacity.

    Without the cap 7.5 s to nine tenths of any. UDT4 begins with the cap, as its period is above
    1 us: 7.5 s at 10 and 100 Mb/s and 1 Gb/s, up to nine times as much between.
    """
    return climb(0.0, share * link, link, mss, capped)


def recovery(period, link, mss=MSS, granularity=1.0):
    """Seconds until the rate is back after one NAK, which found ``period`` us."""
    return climb(1e6 / decreased(period, granularity), 1e6 / period, link, mss)


def loss_law(loss, step):
    """Packets per second of the first-order law of random loss: 300 sqrt(inc / p).

    ``step`` is the increase in packets per SYN. A ninth of the rate is lost per NAK. Without the
    RTT.
    """
    need(loss > 0, "the law needs a loss above 0")
    return 3.0 / SYN * math.sqrt(step / loss)


def pause(rate, rtt):
    """Seconds that the sender stands still at a gap that no other one precedes within a window.

    The window has RTT + SYN of packets and 16, the left edge stays for two RTTs and half a SYN.
    From the NAK on, after one RTT, packets leave more slowly.
    """
    return max(0.0, rtt - DECREASE * (SYN + EXTRA / rate) + SYN / 2.0)


def slowdown(rate, rtt, loss):
    """Seconds per second of sending at ``rate`` packets/s: 1, pauses and waits for EXP.

    A gap within the window of one that pauses adds none: pauses are counted as by a counter with
    a dead time. A retransmission that is lost as well waits for EXP, which retransmits all.
    """
    losses = loss * rate
    window = rtt + SYN + EXTRA / rate
    pauses = losses / (1.0 + losses * window)
    wait = max(EXPIRATION, rtt + SYN) + rtt
    return 1.0 + pauses * pause(rate, rtt) + losses * loss * wait


def drift(rate, link, rtt, loss, mss=MSS, granularity=1.0):
    """Change of ``rate`` in packets/s per second, on average over random losses.

    ACKs stop for one RTT at each gap, and a NAK suppresses the next increase. Every NAK decreases
    the rate, which holds while losses are rarer than RTTs.
    """
    losses = loss * rate / slowdown(rate, rtt, loss)
    grows = growth(rate, link, mss) * math.exp(-losses * (rtt + SYN))
    return grows - losses * rate * (1.0 - 1.0 / decrease_factor(rate, granularity))


def losses_per_rtt(rate, rtt, loss):
    """Losses per RTT of sending: the law needs fewer than one."""
    return loss * rate * rtt


def steady_rate(link, rtt, loss, mss=MSS, granularity=1.0):
    """Packets per second while sending at which growth and decreases balance; at most ``link``."""
    low, high = 1.0, link
    if drift(high, link, rtt, loss, mss, granularity) >= 0:
        return link
    for _ in range(60):
        middle = 0.5 * (low + high)
        if drift(middle, link, rtt, loss, mss, granularity) > 0:
            low = middle
        else:
            high = middle
    return low


def steady_goodput(link, rtt, loss, mss=MSS, granularity=1.0):
    """User bits per second in the long run under random loss, ``link`` in packets/s."""
    rate = steady_rate(link, rtt, loss, mss, granularity)
    return user_rate((1.0 - loss) * rate / slowdown(rate, rtt, loss), mss)


def goodput(size, link, rtt, loss, window=math.inf, mss=MSS, granularity=1.0):
    """User bits per second of a transfer of ``size`` user bytes, from its first packet on.

    Slow start doubles the window from 16 packets per RTT and half a SYN, until the first loss or
    ``window`` packets; then the rate is the capacity and follows drift().
    """
    packets = math.ceil(size / (mss - HEADERS))
    most = min(window, packets, 1.0 / loss if loss > 0 else math.inf)
    sent = max(most, EXTRA)
    time = math.log2(sent / EXTRA) * (rtt + SYN / 2.0) + sent / link + rtt / 2.0
    rate = link
    while sent < packets:
        slower = slowdown(rate, rtt, loss)
        change = drift(rate, link, rtt, loss, mss, granularity)
        step = min(SYN, _SMALL * rate / max(abs(change), 1e-9))
        step = min(step, (packets - sent) * slower / rate / (1.0 - loss))
        sent += (1.0 - loss) * rate * step / slower
        time += step
        rate = min(link, rate + step * change)
    return 8.0 * size / time
