# SPDX-License-Identifier: GPL-2.0-only
"""The claim about UDT and RBUDP at 10 Gb/s."""

from lfn.average import Average, measured
from lfn.units import percent


def rbudp_first(results):
    """RBUDP's goodput over UDT's from 0.1 % of loss on."""
    rows = results.rows("udt")
    places = sorted(set(zip(rows["--rtt"], rows["--lossRate"], strict=True)))

    def goodput(series, rtt, loss):
        found = results.rows(series, rtt=rtt, lossRate=loss)
        return Average.of(found, found["goodput_bps"])

    return measured(
        {
            f"{1e3 * rtt:g} ms, {percent(loss)}": goodput("rbudp", rtt, loss)
            / goodput("udt", rtt, loss)
            for rtt, loss in places
            if loss > 0.0005
        }
    )
