# SPDX-License-Identifier: GPL-2.0-only
"""What the plot.py and claims.py of several figures share, one file per family of figures."""

from lfn.average import measured
from lfn.claims import Measured
from lfn.style import new_figure


def claim(function, *args, **options):
    """The function of a claim that is ``function``(results, ...): its Measured.

    ``function`` may also return what measured() takes: an Average, or {name: Average}.
    """

    def judged(results):
        found = function(results, *args, **options)
        return found if isinstance(found, Measured) else measured(found)

    return judged


def three_panels(width=9.4, height=7.0):
    """Return (figure, left, right, below): two axes and a wide one, of which none is narrow."""
    figure, axes = new_figure(width, height, nrows=2, ncols=2)
    grid = axes[1, 0].get_gridspec()
    axes[1, 0].remove()
    axes[1, 1].remove()
    return figure, axes[0, 0], axes[0, 1], figure.add_subplot(grid[1, :])
