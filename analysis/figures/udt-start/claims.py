# SPDX-License-Identifier: GPL-2.0-only
"""Claims about the time that a rate takes; one function per claim."""

import numpy as np

from lfn.average import measured
from lfn.figures.udt_control import one_losses, rise_times
from lfn.models import udt as model
from lfn.results import MissingDataError


def rises_in_750_syn(results):
    """Time from a tenth to nine tenths, extended to nothing by the rules."""
    found = {}
    for link, average in rise_times(results).items():
        packets = model.capacity(link)
        part = model.rise(0.9, packets) - model.rise(0.1, packets)
        found[f"{link / 1e6:g} Mb/s"] = model.rise(0.9, packets) / part * average
    return measured(found)


def one_loss(results):
    """Time until the period is what the NAK found, over the rules'."""
    found = one_losses(results)
    if any(np.isinf(average.value) for average in found.values()):
        raise MissingDataError("a run ends before the rate is back")
    return measured(found)
