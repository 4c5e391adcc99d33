# SPDX-License-Identifier: GPL-2.0-only
"""What the plot.py and claims.py of several figures share, one file per family of figures."""

from lfn.average import measured
from lfn.claims import Measured


def claim(function, *args, **options):
    """The function of a claim that is ``function``(results, ...): its Measured.

    ``function`` may also return what measured() takes: an Average, or {name: Average}.
    """

    def judged(results):
        found = function(results, *args, **options)
        return found if isinstance(found, Measured) else measured(found)

    return judged
