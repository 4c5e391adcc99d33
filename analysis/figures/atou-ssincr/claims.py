# SPDX-License-Identifier: GPL-2.0-only
"""Claims about slow start's beginning and end; one function per claim."""

import math

from lfn.claims import Measured
from lfn.figures import claim
from lfn.figures.atou import MSS, average_at, events, option, options, samples, slope
from lfn.results import MissingDataError

WINDOW = 2000


def by_option(results, series, keyword, column):
    """A column of a series by one option, in its order."""
    rows = results.rows(series)
    return rows.assign(key=option(rows, keyword)).set_index("key")[column].sort_index()


def initsegs_saves_an_rtt(results):
    """Time to the full window, each value less the next one, in RTTs."""
    times = by_option(results, "initsegs", "initsegs", "full_window_s") / 0.08
    steps = -times.diff().dropna()
    return Measured({f"{key:g}": step for key, step in steps.items()}, len(times))


def ssincr_factor_at_one(results):
    """The formula at K = 1."""
    return Measured.one(math.log(1) / math.log(2))


def ssincr_factor_at_hundred(results):
    """The formula over the exact one at K = 100."""
    return Measured.one(math.log(100) / math.log(101))


def ssincr_shortens_slow_start(results):
    """Time with K = 1 over that with 100."""
    times = by_option(results, "ssincr", "ssincr", "full_window_s")
    return Measured.one(times[1.0] / times[100.0], 2)


def law(increment):
    """RTTs of slow start from 2 segments to the window."""
    return math.ceil(math.log(WINDOW / 2) / math.log(1 + increment))


def ssincr_law(results):
    """RTTs measured less the law's."""
    times = by_option(results, "ssincr", "ssincr", "full_window_s") / 0.2
    return Measured({f"{k:g}": t - law(k) for k, t in times.items()}, len(times))


def _ssincr_test(results, suffix=""):
    """Averages at 9.9 s."""
    fast, standard = (average_at(results, name + suffix, 9.9) for name in ("fast", "standard"))
    return Measured.one(fast / standard, 2)


ssincr_test = claim(_ssincr_test)
ssincr_test_queue = claim(_ssincr_test, "-queue")


def ssincr_after_timeout(results):
    """RTTs from the timeout to the end that an increment of 10 saves against 1."""
    left = by_option(results, "timeout", "ssincr", "secs")
    for text in results.rows("timeout")["--options"].unique():
        log = events(results.text("timeout", "client.events", options=text))
        timeouts = [event["time"] for event in log if event["kind"] == "timerxmit"]
        if len(timeouts) != 1:
            raise MissingDataError("a transfer without its one timeout")
        left[float(options(text)["ssincr"])] -= timeouts[0]
    return Measured.one((left[1.0] - left[10.0]) / 0.08, 2)


def _thresh(results, column):
    values = by_option(results, "thresh", "thresh_init", column)
    if not values[1.0]:
        raise MissingDataError("no loss in slow start")
    return Measured.one(values[0.5] / values[1.0], 2)


thresh_avoids_early_loss = claim(_thresh, "retransmitted_packets")  # Segments retransmitted
thresh_matters_little = claim(_thresh, "goodput_bps")  # Goodput


def thresh_zero_is_infinite(results):
    """ssthresh of a transfer without loss."""
    return Measured.one(results.rows("infinite")["ssthresh"].iloc[0], 1)


def slow_start_stops_at_ssthresh(results):
    """Growth above ssthresh in segments per RTT."""
    table = samples(results, "half", "cwnd_bytes")
    table = table.assign(cwnd=table["value"] / MSS)
    trip = results.rows("half")["avrgrtt_s"].iloc[0]
    return Measured.one(slope(table, 1.0, 4.8, "cwnd") * trip, 1)
