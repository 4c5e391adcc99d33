# SPDX-License-Identifier: GPL-2.0-only
"""How far a campaign is: by the work that was expected of its jobs, not by how many are done.

Snakemake's events say which jobs begin and end. What those that ended took against what was
expected of them gives the pace, by which what is left is judged. Standard library only.
"""

import time

from lfn.budget import widths

FIGURE_SECONDS = 1.0
"""What drawing a figure, or writing the report, is thought to take."""
LEAST = 60.0
"""Seconds after which the pace is known well enough to be reported."""


def duration(seconds):
    """Return a time as a reader likes it."""
    seconds = round(seconds)
    return f"{seconds} s" if seconds < 120 else f"{seconds // 60} min {seconds % 60:02d} s"


class Progress:
    """What is done of the work of a campaign.

    ``needs`` maps the points that must run to their Need, ``others`` is the number of figures and
    reports to make, and ``jobs`` runs go on at a time.
    """

    def __init__(self, needs, others, jobs, clock=time.monotonic):
        self._needs = needs
        self._wide = widths(needs, jobs)
        self._jobs = jobs
        self._clock = clock
        self._began = clock()
        self._names = {}
        self._started = {}
        self._ended = {}
        self._others = others
        self._others_done = 0
        self.done, self.total = 0, 0
        self._reported = False

    def read(self, event):
        """Take an event of snakemake_logger_plugin_lfn; check whether it says how many are done."""
        if event["event"] == "job_info":
            name = next(iter(event["wildcards"].values()), "")
            self._names[event["jobid"]] = name
            self._started[name] = self._clock()
        elif event["event"] == "job_finished":
            name = self._names.get(event["job_id"])
            if name in self._needs:
                self._ended[name] = self._clock() - self._started[name]
            else:
                self._others_done += 1
        else:
            self.done, self.total = event["done"], event["total"]
            return True
        return False

    @property
    def has_begun(self):
        """Whether a job was started."""
        return bool(self._names)

    def _expected(self, name):
        """Return what a point was thought to take, its runs as many at a time as they are."""
        return self._needs[name].seconds / self._wide[name]

    def _spent(self):
        """Return {point: seconds since it was started} of the points that are under way."""
        now = self._clock()
        alive = self._started.keys() & self._needs.keys() - self._ended.keys()
        return {name: now - self._started[name] for name in alive}

    def pace(self):
        """Return how many times as long as expected the points take; 1 before one has ended.

        A point that is under way counts once it has taken longer than those that have ended: short
        ones end first.
        """
        took = sum(self._ended.values())
        expected = sum(map(self._expected, self._ended))
        late = [(spent, self._expected(name)) for name, spent in self._spent().items()]
        for spent, own in sorted(late, reverse=True):
            if expected and spent * expected > took * own:
                took += spent
                expected += own
        return took / expected if expected else 1.0

    def _left(self):
        """Return {point: seconds that are thought to be left of it}; what is under way counts."""
        pace, spent = self.pace(), self._spent()
        return {
            name: max(0.0, pace * self._expected(name) - spent.get(name, 0.0))
            for name in self._needs.keys() - self._ended.keys()
        }

    def _work(self):
        """Return the seconds of one processor that are left, without drawing."""
        return sum(self._wide[name] * seconds for name, seconds in self._left().items())

    def share(self):
        """Return the part of the expected work that is done, 0 to 1."""
        drawing = FIGURE_SECONDS * self._others
        left = self._work() / self.pace()
        total = sum(need.seconds for need in self._needs.values()) + drawing
        left += max(0.0, drawing - FIGURE_SECONDS * self._others_done)
        return 1.0 - left / total if total else 1.0

    def remaining(self):
        """Return the seconds that are thought to be left."""
        drawing = FIGURE_SECONDS * max(0, self._others - self._others_done)
        longest = max(self._left().values(), default=0.0)
        return max((self._work() + drawing) / self._jobs, longest)

    def text(self):
        """Return the line that shows how far it is."""
        took = duration(self._clock() - self._began)
        if self.total and self.done == self.total:
            return f"[100 %] {self.done} of {self.total} jobs, {took}"
        share = min(99, int(100 * self.share()))
        return (
            f"[{share:3d} %] {self.done} of {self.total} jobs, {took}, "
            f"about {duration(self.remaining())} more"
        )

    def correction(self):
        """Return, once, a line that sets the expected time right by what was measured, or None."""
        passed = self._clock() - self._began
        if self._reported or passed < LEAST or not self._ended:
            return None
        self._reported = True
        return (
            f"measured: points take {self.pace():.2g} times what the plan thought; "
            f"expected time now {duration(passed + self.remaining())}"
        )
