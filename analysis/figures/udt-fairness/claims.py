# SPDX-License-Identifier: GPL-2.0-only
"""Claims about ten flows over the round-trip time; one function per claim."""

from functools import partial

from lfn.average import measured
from lfn.figures.udt_sharing import LONG, stability
from lfn.figures.udt_ten_flows import fairness, over_rtts
from lfn.results import MissingDataError

FAR = 100
"""From this round-trip time on UDT is claimed to be more stable, in ms."""


def _named(parts):
    return measured({f"{ms:g} ms": part for ms, part in parts.items()})


def _is(what, series, results, interval=None):
    return _named(over_rtts(results, series, what, interval))


def _fairer(series, results):
    tcp = over_rtts(results, "tcp", fairness)
    mine = over_rtts(results, series, fairness)
    return _named({ms: part - tcp[ms] for ms, part in mine.items()})


def _stabler(series, results, interval=None):
    tcp = over_rtts(results, "tcp", stability, interval)
    mine = over_rtts(results, series, stability, interval)
    far = {ms: part / tcp[ms] for ms, part in mine.items() if ms >= FAR}
    if not far:
        raise MissingDataError(f"no round-trip time from {FAR} ms on")
    return _named(far)


udt_is_fair = partial(_is, fairness, "udt4")  # Jain's index
udt3_is_fair = partial(_is, fairness, "udt3")  # the same of UDT3
udt_is_stable = partial(_is, stability, "udt4")  # deviation over mean
udt_is_stable_over_4_s = partial(_is, stability, "udt4", interval=LONG)  # of longer samples
udt3_is_stable = partial(_is, stability, "udt3")  # the same of UDT3
udt_is_fairer_than_tcp = partial(_fairer, "udt4")  # less that of TCP
udt3_is_fairer_than_tcp = partial(_fairer, "udt3")  # the same of UDT3
udt_is_stabler_than_tcp = partial(_stabler, "udt4")  # over that of TCP
udt_is_stabler_than_tcp_over_4_s = partial(_stabler, "udt4", interval=LONG)  # of longer samples
udt3_is_stabler_than_tcp = partial(_stabler, "udt3")  # the same of UDT3
