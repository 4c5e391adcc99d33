# SPDX-License-Identifier: GPL-2.0-only
"""What papers state, and the claims that judge it: a statement counts once.

statements.toml stands next to the figures. A claim that is in none of its statements is one by
itself, as all claims of a campaign without such a file are.
"""

import csv
import io
import re
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field, model_validator

from lfn.claims import (
    DEPENDS,
    NEEDS_FULL,
    NOT,
    NOT_RUN,
    PARTLY,
    REFUTED,
    REPRODUCED,
    UNDECIDED,
)
from lfn.spec import check, read_toml
from lfn.toml_types import Table

FILE = "statements.toml"
COLUMNS = ("id", "paper", "place", "statement", "claims", "none")


class Statement(Table):
    """A statement of a paper with its place, and its claims or why there is none."""

    id: str
    paper: str
    place: str
    text: str
    claims: tuple[str, ...] = Field((), strict=False)
    none: str = ""

    @model_validator(mode="after")
    def _has_claims_or_says_why(self):
        if bool(self.claims) == bool(self.none):
            raise ValueError(f"{self.id}: give claims, or in none why there are none")
        return self


class Statements(Table):
    """A statements.toml."""

    statement: tuple[Statement, ...] = Field((), strict=False)

    @model_validator(mode="after")
    def _names_nothing_twice(self):
        for what, names in (
            ("statement", [one.id for one in self.statement]),
            ("claim", [claim for one in self.statement for claim in one.claims]),
        ):
            if twice := {name for name in names if names.count(name) > 1}:
                raise ValueError(f"{what} {min(twice)} stands twice")
        return self


def read(folder):
    """Return the statements of a folder of figures, none without the file; raises SpecError."""
    path = Path(folder) / FILE
    if not path.is_file():
        return ()
    return check(Statements, read_toml(path, FILE), FILE).statement


def alongside(figures):
    """Return the statements that stand next to {id: Figure}."""
    folders = {figure.folder.parent for figure in figures.values()}
    return read(folders.pop()) if len(folders) == 1 else ()


def as_csv(statements):
    """Return statements as the text of a CSV file with COLUMNS."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for one in statements:
        writer.writerow((one.id, one.paper, one.place, one.text, " ".join(one.claims), one.none))
    return text.getvalue()


def verdict_of(verdicts):
    """Return the verdict of a statement by those of its claims.

    What is decided counts, as of the parts of a claim; a choice makes a statement depend only where
    nothing fails for any choice.
    """
    found = set(verdicts)
    if len(found) == 1:
        return found.pop()
    if failed := found & {NOT, REFUTED, PARTLY}:
        return PARTLY if found & {REPRODUCED, DEPENDS, PARTLY} else sorted(failed)[0]
    return next(
        (name for name in (DEPENDS, UNDECIDED, NEEDS_FULL, NOT_RUN) if name in found), REPRODUCED
    )


def is_sound(row):
    """Check whether the row of a claim concerns a printed number, fitted to nothing, not after."""
    return (
        row["kind"] == "number"
        and re.search(r"\d", row["published"]) is not None
        and not row["fitted_to"]
        and row["band"] != "chosen after"
    )


@dataclass(frozen=True)
class Judged:
    """A statement with its verdict and the rows of its claims that count."""

    statement: Statement
    verdict: str
    rows: tuple

    @property
    def sound(self):
        """Whether it is reproduced, all its claims being sound."""
        return self.verdict == REPRODUCED and all(map(is_sound, self.rows))


def judged(rows, statements):
    """Return the Judged statements of rows of claims, in the order of the rows."""
    of_claim = {claim: one for one in statements for claim in one.claims}
    groups = {}
    for row in rows:
        name = f"{row['figure']}.{row['claim']}"
        alone = Statement(
            id=name,
            paper=row["paper"],
            place=row["place"],
            text=row["statement"],
            claims=(name,),
        )
        one = of_claim.get(name, alone)
        groups.setdefault(one.id, (one, []))[1].append(row)
    return [
        Judged(one, verdict_of([row["verdict"] for row in mine]), tuple(mine))
        for one, mine in groups.values()
    ]
