# SPDX-License-Identifier: GPL-2.0-only
"""FEC over UDP with several parities a block, as transport-comparison has it."""

import project
import pytest
from project import rows

COMPARISON = "transport-comparison"


def run(tmp_path, settings, *flags):
    """Return the row of a run that is as it should be."""
    tmp_path.mkdir(exist_ok=True)
    transport = f"--transport=fec-udp[{settings}]"
    result = project.run(COMPARISON, tmp_path, transport, *flags)
    assert result.returncode == 0, result.stderr
    (row,) = rows(tmp_path)
    assert row["completed"] == row["agrees"] == "1", row
    return row


def residual(row):
    """Share of the data that stays lost."""
    return float(row["residual_loss"])


@pytest.mark.parametrize("ip", ["4", "6"])
def test_content_and_loss(tmp_path, ip):
    """Every byte that is delivered is right, over a path that loses 5 %."""
    flags = ["--bytes=10MB", "--lossRate=0.05", "--checkContent", f"--ipVersion={ip}"]
    row = run(tmp_path, "BlockPackets=4|Parities=2", *flags)
    p, others = 0.05, 5
    law = p * (1 - (1 - p) ** others - others * p * (1 - p) ** (others - 1))
    assert residual(row) == pytest.approx(law, rel=0.5)
    # The blocks' parities go at the rate that is left: 4 of 6 datagrams are data.
    assert int(row["control_packets"]) == pytest.approx(int(row["data_packets"]) / 2, abs=2)


def test_bursts(tmp_path):
    """Blocks in turns restore what bursts take of one block after the other."""
    flags = ["--bytes=20MB", "--lossRate=0.02", "--lossBurst=4", "--queue=1000p"]
    plain = residual(run(tmp_path / "1", "BlockPackets=4|Parities=2", *flags))
    turns = residual(run(tmp_path / "16", "BlockPackets=4|Parities=2|Interleave=16", *flags))
    assert plain > 5e-3
    assert turns < plain / 10


def test_refuses_too_deep(tmp_path):
    """Blocks in turns that the sink would close before their parities come."""
    result = project.run(COMPARISON, tmp_path, "--transport=fec-udp[Interleave=40]")
    assert result.returncode == 1
    assert "BlockWindow=80" in result.stderr
    result = project.run(COMPARISON, tmp_path, "--transport=fec-udp[Parities=225]")
    assert result.returncode == 1
    assert "Parities" in result.stderr
