# SPDX-License-Identifier: GPL-2.0-only
"""Progress by the work that is expected, and by the pace that is measured."""

import pytest

from lfn.budget import Need
from lfn.progress import Progress


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture(name="clock")
def stopped():
    return Clock()


def begin(progress, job, name, kind="point"):
    assert not progress.read({"event": "job_info", "jobid": job, "wildcards": {kind: name}})


def end(progress, job, done, total):
    assert not progress.read({"event": "job_finished", "job_id": job})
    assert progress.read({"event": "progress", "done": done, "total": total})


def test_it_counts_work_not_jobs(clock):
    """One long point of three is nine tenths of the work."""
    needs = {"long": Need(90.0), "one": Need(5.0), "two": Need(5.0)}
    progress = Progress(needs, 0, 1, clock)
    begin(progress, 1, "long")
    clock.now = 45.0
    assert progress.share() == pytest.approx(0.45), "what is under way counts"
    assert progress.remaining() == pytest.approx(55.0)
    clock.now = 90.0
    end(progress, 1, 1, 3)
    assert progress.share() == pytest.approx(0.9)
    assert progress.text() == "[ 90 %] 1 of 3 jobs, 90 s, about 10 s more"


def test_the_pace_is_measured(clock):
    needs = {name: Need(30.0) for name in "abcd"}
    progress = Progress(needs, 0, 2, clock)
    assert progress.remaining() == pytest.approx(60.0)
    begin(progress, 1, "a")
    begin(progress, 2, "b")
    clock.now = 59.0
    assert progress.correction() is None, "less than a minute"
    clock.now = 60.0
    assert progress.correction() is None, "nothing has ended"
    end(progress, 1, 1, 4)
    end(progress, 2, 2, 4)
    assert progress.pace() == pytest.approx(2.0)
    assert progress.share() == pytest.approx(0.5)
    assert progress.remaining() == pytest.approx(60.0)
    assert progress.correction() == (
        "measured: points take 2 times what the plan thought; expected time now 2 min 00 s"
    )
    assert progress.correction() is None, "said once"


def test_a_long_point_that_is_late_counts_before_it_ends(clock):
    progress = Progress(
        {"short": Need(1.0), "long": Need(100.0), "other": Need(100.0)}, 0, 2, clock
    )
    begin(progress, 1, "short")
    begin(progress, 2, "long")
    clock.now = 1.0
    end(progress, 1, 1, 3)
    clock.now = 99.0
    assert progress.pace() == pytest.approx(1.0), "not late yet"
    clock.now = 302.0
    assert progress.pace() == pytest.approx(3.0)
    assert progress.remaining() == pytest.approx(300.0)


def test_a_point_with_several_runs_at_a_time(clock):
    progress = Progress({"wide": Need(100.0, 10), "small": Need(20.0)}, 0, 2, clock)
    begin(progress, 1, "wide")
    clock.now = 50.0
    end(progress, 1, 1, 2)
    assert progress.pace() == pytest.approx(1.0)
    assert progress.share() == pytest.approx(100 / 120)


def test_figures_and_the_report_are_work_as_well(clock):
    progress = Progress({}, 2, 1, clock)
    assert progress.share() == 0.0
    begin(progress, 4, "toy", "figure")
    end(progress, 4, 1, 2)
    assert progress.share() == pytest.approx(0.5)
    end(progress, 5, 2, 2)
    assert progress.share() == 1.0
    assert progress.text() == "[100 %] 2 of 2 jobs, 0 s"


def test_it_never_says_done_before_it_is(clock):
    progress = Progress({"a": Need(1.0)}, 0, 1, clock)
    begin(progress, 1, "a")
    clock.now = 100.0
    progress.read({"event": "progress", "done": 0, "total": 1})
    assert progress.text().startswith("[ 99 %] 0 of 1 jobs")
