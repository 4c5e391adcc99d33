# SPDX-License-Identifier: GPL-2.0-only
"""What the short examples print counts from the start of the application, as in summary.csv."""

import re
import subprocess

import pytest
from project import BUILD

# The bytes that each one sends.
SENT = {"rbudp-example": 10e6, "xcp-example": 100e6, "parallel-tcp-example": 20e6}


@pytest.mark.parametrize("program", SENT)
def test_printed_rate(tmp_path, program):
    text = subprocess.run(
        [BUILD / "bin" / program], cwd=tmp_path, check=True, text=True, capture_output=True
    ).stdout
    seconds = float(re.search(r"completed in \+?([\d.e+-]+)s", text)[1])
    rate = float(re.search(r"([\d.]+) Mb/s", text)[1])
    assert seconds * rate == pytest.approx(8e-6 * SENT[program], rel=0.01), text
