# SPDX-License-Identifier: GPL-2.0-only
"""Claims about UDT under random loss; one function per claim."""

from lfn.average import Average, measured
from lfn.figures.udt_control import MBPS, law_goodput
from lfn.models import udt as model
from lfn.units import percent

LINK = 100 * MBPS
HEAVY = (0.001, 0.01)
RARE = 0.5
"""Most losses per RTT of the law."""


def _goodput(results, series, rtt, loss):
    rows = results.rows(series, rtt=rtt, lossRate=loss)
    return Average.of(rows, rows["goodput_bps"])


def _places(results, series="udt4"):
    """[(RTT, loss)] of a series, ascending."""
    rows = results.rows(series)
    return sorted(set(zip(rows["--rtt"], rows["--lossRate"], strict=True)))


def _name(rtt, loss):
    return f"{1e3 * rtt:g} ms, {percent(loss)}"


def _law(results, rtt, loss):
    row = results.rows("udt4", rtt=rtt, lossRate=loss).iloc[0]
    return law_goodput(row["--bytes"], LINK, rtt, loss, row["--window"])


def _is_rare(rtt, loss):
    rate = model.steady_rate(model.capacity(LINK), rtt, loss)
    return model.losses_per_rtt(rate, rtt, loss) <= RARE


def follows_the_law(results):
    """Goodput over the fluid's where its premise holds."""
    places = [(r, p) for r, p in _places(results) if p >= 1e-4 * 0.99 and _is_rare(r, p)]
    return measured(
        {_name(r, p): _goodput(results, "udt4", r, p) / _law(results, r, p) for r, p in places}
    )


def law_without_rtt(results):
    """Goodput over the first-order law at heavy losses."""
    step = model.increase(model.capacity(LINK) / model.SHARE)

    def law(loss):
        return model.user_rate(model.loss_law(loss, step))

    places = [(r, p) for r, p in _places(results) if p in HEAVY]
    return measured({_name(r, p): _goodput(results, "udt4", r, p) / law(p) for r, p in places})


def rtt_matters(results):
    """Goodput at 100 ms over that at 10 ms, at 0.1 %."""
    return measured(_goodput(results, "udt4", 0.1, 0.001) / _goodput(results, "udt4", 0.01, 0.001))


def udt3_bears_loss(results):
    """UDT3 over UDT4 at heavy losses, up to 100 ms."""
    places = [(r, p) for r, p in _places(results) if p in HEAVY and r <= 0.1]
    return measured(
        {
            _name(r, p): _goodput(results, "udt3", r, p) / _goodput(results, "udt4", r, p)
            for r, p in places
        }
    )
