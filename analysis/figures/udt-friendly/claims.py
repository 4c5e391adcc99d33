# SPDX-License-Identifier: GPL-2.0-only
"""Claims about TCP alongside UDT; one function per claim."""

from functools import partial
from itertools import pairwise

from lfn.average import measured
from lfn.figures.udt_friendly import friendliness, short_flows
from lfn.results import MissingDataError

TEN = 10
FALLS_FROM = 10
"""From this round-trip time on friendliness falls, in ms."""


def short_flows_keep_their_rate(results):
    """What short flows get with ten UDT flows, in percent of what they get with none."""
    return measured(100 * short_flows(results)[TEN])


def _falls(series, results):
    found = friendliness(results, series)
    far = [ms for ms in found if ms >= FALLS_FROM]
    if len(far) < 2:  # noqa: PLR2004 - one has no next
        raise MissingDataError(f"no two round-trip times from {FALLS_FROM} ms on")
    return measured({f"{to:g} ms": found[to] / found[ms] for ms, to in pairwise(far)})


def _at(ms, series, results):
    found = friendliness(results, series)
    if ms not in found:
        raise MissingDataError(f"no round-trip time of {ms} ms")
    return measured(found[ms])


less_friendly_from_10_on = partial(_falls, "udt4")  # over the next shorter round-trip time
udt3_less_friendly_from_10_on = partial(_falls, "udt3")  # the same of UDT3
friendly_at_50 = partial(_at, 50, "udt4")  # TCP's goodput relative to that alongside TCP
udt3_friendly_at_50 = partial(_at, 50, "udt3")  # the same of UDT3
friendly_at_100 = partial(_at, 100, "udt4")  # TCP's goodput relative to that alongside TCP
udt3_friendly_at_100 = partial(_at, 100, "udt3")  # the same of UDT3
