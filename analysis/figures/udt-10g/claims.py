# SPDX-License-Identifier: GPL-2.0-only
"""Claims about what the rounding of the period costs; one function per claim."""

from lfn.average import Average, measured
from lfn.figures import claim
from lfn.figures.udt_control import GBPS, goodput_over_time, ratio_of_goodputs


def _kept(results, series):
    return ratio_of_goodputs(results, series)


little_at_1g = claim(_kept, "1-1500")  # goodput over that with an exact period
much_at_10g = claim(_kept, "10-1500")
jumbo_frames_do_not_help_at_100g = claim(_kept, "100-9000")


def jumbo_frames_help(results):
    """Cost with 9000 bytes over the cost with 1500."""
    return measured((1.0 - _kept(results, "10-9000")) / (1.0 - _kept(results, "10-1500")))


def _last_second(results, series):
    rows = results.rows(series, **{"ns3::lfn::UdtSource::PeriodGranularity": 1e-6})
    values = []
    for run in rows["run"]:
        times, rates = goodput_over_time(results, series, 1e-6, int(run))
        values.append(rates[times > times[-1] - 0.999].mean() / GBPS)
    return Average.of(rows, values)


record_of_2003 = claim(_last_second, "10-1500")  # goodput of the last second
record_of_2003_jumbo = claim(_last_second, "10-9000")
