# SPDX-License-Identifier: GPL-2.0-only
"""Claims about harm to web-like traffic; one function per claim."""

from lfn.average import measured
from lfn.figures import claim, harm
from lfn.style import STYLES

FINDING = ("tcp-reno", "tcp-cubic", "tcp-bbr", "parallel-reno-8", "atou", "xcp")
SATURATING = ("udp", "fec-udp", "jrm", "rbudp")


def _each(results, keys, value):
    return measured({STYLES[key][0]: value(results, key) for key in keys})


def _slowdown(series, size):
    return lambda results, key: harm.slowdown(results, series, key, size)


def small_flows_wait(results):
    """Median time of small flows over what two waits in the mean queue make of it."""
    return _each(results, FINDING, lambda r, key: harm.over_waiting(r, "default", key))


# Slowdown of flows below 10 kB, alongside transports that find their rate and by XCP.
found_rates_are_bounded = claim(_each, FINDING, _slowdown("default", harm.SIZES[0]))
xcp_leaves_the_queue_short = claim(_each, ("xcp",), _slowdown("default", harm.SIZES[0]))

# Slowdown of flows of a few RTTs alongside one TCP.
one_tcp_slows = claim(_each, ("tcp-reno", "tcp-cubic"), _slowdown("default", harm.SIZES[1]))

# Slowdown of flows below 10 kB where configured rate leave a tenth of the link.
what_is_left_suffices = claim(
    _each, ("udp", "fec-udp", "jrm", "rbudp", "vrp"), _slowdown("configured-rest", harm.SIZES[0])
)


def configured_link_starves(results):
    """User bytes of web flows that completed, of those alone."""
    return _each(
        results,
        SATURATING,
        lambda r, key: 100 * harm.relative(r, "default", key, "delivered_bytes"),
    )


def eight_harm_more_than_one(results):
    """Median time of flows of 100 kB to 1 MB alongside eight connections over that alongside
    one."""
    eight, one = (
        harm.web_average(results, "default", key, "completion_p50_s", harm.SIZES[2])
        for key in ("parallel-reno-8", "tcp-reno")
    )
    return measured(eight / one)


def bbr_harms_more_than_cubic(results):
    """Median time of flows of 10 to 100 kB alongside BBR over that alongside CUBIC."""
    bbr, cubic = (
        harm.web_average(results, "default", key, "completion_p50_s", harm.SIZES[1])
        for key in ("tcp-bbr", "tcp-cubic")
    )
    return measured(bbr / cubic)
