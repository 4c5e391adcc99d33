# SPDX-License-Identifier: GPL-2.0-only
"""xcp[Mechanism=...] of transport-comparison: how routers of XCP share a link with other flows."""

import pytest
from project import refuse, rows, run

PROGRAM = "transport-comparison"
PATH = ["--bytes=0", "--duration=20s", "--linkRate=20Mbps", "--rtt=40ms", "--queue=1BDP"]


def share_of_xcp(transport, folder):
    """Return the share of XCP, of two flows on one link, and its variant."""
    result = run(PROGRAM, folder, f"--transport={transport},tcp", *PATH)
    assert result.returncode == 0, result.stderr
    xcp, tcp = rows(folder)
    rates = [float(row["goodput_bps"]) for row in (xcp, tcp)]
    return rates[0] / sum(rates), xcp["variant"]


def test_without_a_mechanism_tcp_takes_the_link(tmp_path):
    share, variant = share_of_xcp("xcp", tmp_path)
    assert share < 0.3 and variant == ""


@pytest.mark.parametrize("mechanism", ["adaptive", "wrr"])
def test_a_mechanism_shares_the_link(mechanism, tmp_path):
    share, variant = share_of_xcp(f"xcp[Mechanism={mechanism}]", tmp_path)
    assert share == pytest.approx(0.5, abs=0.1)
    assert variant == f"Mechanism={mechanism}"


@pytest.mark.parametrize("other", ["xcp", "xcp[Mechanism=wrr]", "xcp[Mechanism=gated]"])
def test_routers_have_one_mechanism(other, tmp_path):
    part = "give all flows of xcp the same Mechanism and Estimator"
    refuse(PROGRAM, tmp_path, f"--transport=xcp[Mechanism=adaptive],{other}", part=part)


def test_an_unknown_mechanism_is_refused(tmp_path):
    part = "none|persistent|gated|adaptive|wrr"
    refuse(PROGRAM, tmp_path, "--transport=xcp[Mechanism=fair]", part=part)
