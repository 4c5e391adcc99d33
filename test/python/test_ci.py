# SPDX-License-Identifier: GPL-2.0-only
"""What .ci/run makes of parts that skip: in CI they have failed, unless they are named."""

import os
import subprocess

import pytest
from project import HOME

PARTS = """
part daemons sh -c 'exit 77'
part tests sh -c 'echo 5 passed, 0 failed, 2 skipped'
part plain true
"""


@pytest.mark.parametrize(
    ("environment", "last", "status"),
    [
        ({}, "6 passed, 0 failed, 3 skipped", 0),
        ({"CI": "true"}, "6 passed, 3 failed", 1),
        ({"CI": "true", "LFN_MAY_SKIP": "daemons"}, "6 passed, 2 failed, 1 skipped", 1),
        ({"CI": "true", "LFN_MAY_SKIP": "tests daemons"}, "6 passed, 0 failed, 3 skipped", 0),
    ],
)
def test_a_skip_is_a_failure_in_ci(tmp_path, environment, last, status):
    lines = (HOME / ".ci" / "run").read_text().splitlines(keepends=True)
    parts = [number for number, line in enumerate(lines) if line.startswith("part ")]
    script = tmp_path / ".ci" / "run"
    script.parent.mkdir()
    script.write_text("".join(lines[: parts[0]]) + PARTS + "".join(lines[parts[-1] + 1 :]))
    inherited = {k: v for k, v in os.environ.items() if k not in ("CI", "LFN_MAY_SKIP")}
    done = subprocess.run(
        ["bash", str(script)],
        capture_output=True,
        text=True,
        check=False,
        env={**inherited, **environment},
    )
    assert done.stdout.splitlines()[-1] == last
    assert done.returncode == status
