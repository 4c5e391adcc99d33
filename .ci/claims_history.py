# SPDX-License-Identifier: GPL-2.0-only
"""Claims whose sentence, band or unit has changed since they were first committed say so.

The first commit of a claim is taken as its first result: a later change is made with results
known. analysis/README.md, "Claims that changed", has the rules.
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "analysis"))
from lfn.claim_history import BAND, histories  # noqa: E402

# The words of a note that report a change, and those of a band whose numbers alone are others.
MARKS = re.compile("results were known|since a review|after the runs")
OTHER_UNIT = "in another unit"
SHALLOW = "a shallow clone has no history of the claims: git fetch --unshallow"


def faults(found):
    """Yield a line for each claim of ``found``, {name: History}, that changed and says nothing."""
    for (figure, claim), one in found.items():
        note = one.table.get("note", "")
        unmarked = [keys for keys, notes in one.changes if note in notes or not MARKS.search(note)]
        where = f"analysis/figures/{figure}/figure.toml: {claim}:"
        if unmarked:
            keys = ", ".join(dict.fromkeys(key for keys in unmarked for key in keys))
            yield (
                f"{where} {keys} changed since results were known; "
                "say so, in these words, and what it was, in note"
            )
        old, new = ([table.get(key, "") for key in BAND] for table in (one.began, one.table))
        unit_only = old[2] != new[2] and OTHER_UNIT in note
        if old[:2] != new[:2] and one.table.get("band") == "chosen before" and not unit_only:
            yield (
                f"{where} the band was {old[0]} to {old[1]} before results were known: it is "
                f"chosen after, or only '{OTHER_UNIT}', as note then says"
            )


def check():
    """Return (ok, what is wrong) for the claims of this clone, which must have all commits."""
    if (found := histories(Path())) is None:
        return False, SHALLOW
    lines = list(faults(found))
    return not lines, "\n".join(lines)
