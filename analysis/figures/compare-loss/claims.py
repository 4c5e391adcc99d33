# SPDX-License-Identifier: GPL-2.0-only
"""Claims about goodput under random loss; one function per claim."""

from lfn.average import measured
from lfn.figures import claim
from lfn.figures.compare import (
    LINK,
    PACKET,
    RTT,
    average,
    duration,
    each_loss,
    fec_rate,
    rbudp_whole,
    rows_of,
    udp_rate,
    vrp_bound,
)
from lfn.models import tcp
from lfn.results import MissingDataError
from lfn.units import percent

HEAVY = (0.001, 0.01)


def _percent(results, key, loss):
    return measured(100 * average(results, "path", key, lossRate=loss) / LINK)


def _ratios(losses, above, below, note=""):
    """``above`` over ``below``, functions of the loss, at each loss."""
    return measured({percent(p): above(p) / below(p) for p in losses}, note)


def _goodput(results, key):
    return lambda loss: average(results, "path", key, lossRate=loss)


def _mathis(loss):
    return tcp.mathis(loss, RTT, PACKET)


def _over_law(results, key, law):
    """Goodput over ``law``, a function of the loss, at each loss."""
    goodputs = each_loss(results, key)
    return measured({percent(p): goodput / law(p) for p, goodput in goodputs.items()})


def _size(results, key):
    return rows_of(results, "path", key)["--bytes"].iloc[0]


def _kept(results, key, note=""):
    return _ratios((0.01,), _goodput(results, key), lambda _: _goodput(results, key)(0.0), note)


rbudp_keeps_the_link = claim(_percent, "rbudp", 0.01)  # Goodput at 1 %


def rbudp_follows_the_law(results):
    """Goodput over the exact law."""
    size = _size(results, "rbudp")
    return _over_law(results, "rbudp", lambda p: rbudp_whole(size, loss=p))


newreno_starves = claim(_percent, "tcp-newreno", 0.01)  # Goodput at 1 %


def newreno_follows_mathis(results):
    """Goodput over Mathis' law."""
    return _ratios(HEAVY, _goodput(results, "tcp-newreno"), _mathis)


def reno_follows_mathis(results):
    """Reno's goodput over Mathis' law."""
    return _ratios(HEAVY, _goodput(results, "tcp-reno"), _mathis)


def cubic_is_no_help(results):
    """CUBIC over Reno."""
    reno, atou, cubic = (_goodput(results, key) for key in ("tcp-reno", "atou", "atou-cubic"))
    try:
        ratios = [f"{(cubic(p) / atou(p)).value:.2f} at {percent(p)}" for p in HEAVY]
        note = f"Over atou CUBIC's goodput over that of atou's own rules: {' and '.join(ratios)}"
    except MissingDataError:
        note = ""
    return _ratios(HEAVY, _goodput(results, "tcp-cubic"), reno, note)


cubic_starves = claim(_percent, "tcp-cubic", 0.01)  # Goodput at 1 %


def bbr_over_reno(results):
    """BBR over Reno at 1 %."""
    return _ratios((0.01,), _goodput(results, "tcp-bbr"), _goodput(results, "tcp-reno"))


def bbr_does_not_mind(results):
    """Goodput at 1 % over that without loss."""
    time = duration(results, "path", "tcp-bbr", lossRate=0.01).value
    return _kept(results, "tcp-bbr", f"The transfer takes {time:.1f} s at 1 %")


def parallel_tcp_multiplies(results):
    """Eight connections over one."""
    return _ratios(HEAVY, _goodput(results, "parallel-tcp-8"), _goodput(results, "tcp-newreno"))


def vrp_is_bound_by_frames(results):
    """Goodput without loss over the frames' law."""
    return _ratios((0.0,), _goodput(results, "vrp"), lambda _: vrp_bound())


def vrp_stands_loss(results):
    """Goodput at 1 % over the frames' law."""
    return _ratios((0.01,), _goodput(results, "vrp"), lambda _: vrp_bound())


jrm_keeps_the_link = claim(_percent, "jrm", 0.01)  # Goodput at 1 %


def atou_is_a_tcp(results):
    """Goodput over Mathis' law."""
    return _ratios(HEAVY, _goodput(results, "atou"), _mathis)


def atou_runs_cubic(results):
    """CUBIC over atou over CUBIC in TCP."""
    cubic = _goodput(results, "tcp-cubic")
    return _ratios(HEAVY, _goodput(results, "atou-cubic"), cubic)


def xcp_recovers(results):
    """XCP over Reno at 0.1 %."""
    reno = _goodput(results, "tcp-reno")
    return _ratios((0.001,), _goodput(results, "xcp"), reno)


def udp_does_not_answer(results):
    """Goodput over the rate less the loss."""
    size = _size(results, "udp")
    return _over_law(results, "udp", lambda p: udp_rate(size, loss=p))


def fec_costs_its_parity(results):
    """Goodput over the data's share of the rate less what stays lost."""
    size = _size(results, "fec-udp")
    return _over_law(results, "fec-udp", lambda p: fec_rate(size, p))
