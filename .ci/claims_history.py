# SPDX-License-Identifier: GPL-2.0-only
"""Claims whose sentence, band, metric or function has changed since they were committed say so.

The first commit of a claim is taken for its first result: what changes later is changed with
results known. The rules stand in analysis/README.md, "What a changed claim tells". With --table
the dates of all claims and of their bands, as CSV.
"""

import argparse
import csv
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "analysis"))
from lfn.claim_lives import BAND, whole_history  # noqa: E402

# The words of a note that tell of a change, and those of a band whose numbers alone are others.
TELLS = re.compile("results were known|since a review|after the runs")
OTHER_UNIT = "in another unit"
SHALLOW = "a shallow clone has no history of the claims: git fetch --unshallow"


def faults(found, now):
    """Lines about the claims ``now``, of those ``found``, that changed and do not tell."""
    for figure, claim in now:
        life = found[figure, claim]
        note = life.table.get("note", "")
        changes = life.changes + [
            (["function"], change.notes) for change in life.rewritten if change.must_tell()
        ]
        untold = [keys for keys, notes in changes if note in notes or not TELLS.search(note)]
        where = f"analysis/figures/{figure}/figure.toml: {claim}:"
        if untold:
            keys = ", ".join(dict.fromkeys(key for keys in untold for key in keys))
            yield (
                f"{where} {keys} changed since results were known; "
                "say so, in these words, and what it was, in note"
            )
        old, new = ([table.get(key, "") for key in BAND] for table in (life.began, life.table))
        unit_only = old[2] != new[2] and OTHER_UNIT in note
        if old[:2] != new[:2] and life.table.get("band") == "chosen before" and not unit_only:
            yield (
                f"{where} the band was {old[0]} to {old[1]} before results were known: it is "
                f"chosen after, or only '{OTHER_UNIT}', as note then says"
            )


def table(found, now):
    """Rows of the dates of claims and of their present bands, with the column names."""
    yield "figure", "claim", "band_since", "claim_since", "changes"
    for name in now:
        life = found[name]
        yield *name, life.band_since, life.first, len(life.changes)


def check():
    """(ok, what is wrong) of the claims of this clone, which has to be whole."""
    if (whole := whole_history(Path())) is None:
        return False, SHALLOW
    found = list(faults(*whole))
    return not found, "\n".join(found)


def main():
    """Print what is wrong or, with --table, the dates."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--table", action="store_true", help="dates of claims and bands, as CSV")
    if not parser.parse_args().table:
        ok, text = check()
        print(text or "all claims tell what changed")
        sys.exit(not ok)
    if (whole := whole_history(Path())) is None:
        sys.exit(SHALLOW)
    csv.writer(sys.stdout, lineterminator="\n").writerows(table(*whole))


if __name__ == "__main__":
    main()
