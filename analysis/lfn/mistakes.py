# SPDX-License-Identifier: GPL-2.0-only
"""Where a mistake of a figure stands, so that it can be reported in one line: file and line."""

import traceback
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path

import pandas as pd

from lfn.spec import SpecError

ANALYSIS = Path(__file__).resolve().parent.parent


def _frames(error, folder):
    """Return [(file as a reader sees it, line)] of an exception: in ``folder``, then in lfn."""
    frames = [(Path(one.filename), one.lineno) for one in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError) and error.filename:
        frames.append((Path(error.filename), error.lineno))
    own = [(f"{folder.name}/{path.name}", line) for path, line in frames if path.parent == folder]
    shared = [
        (str(path.relative_to(ANALYSIS)), line)
        for path, line in frames
        if path.is_relative_to(ANALYSIS / "lfn" / "figures")
        or path.is_relative_to(ANALYSIS / "lfn" / "models")
    ]
    return own[-1:] + shared[-1:]


def _said(error):
    """Return what an exception says; of a column that a table lacks, which columns it has."""
    if isinstance(error, SyntaxError):
        return error.msg
    if isinstance(error, KeyError) and error.args and isinstance(error.args[0], str):
        asked = error.args[0]
        for frame, _ in traceback.walk_tb(error.__traceback__):
            table = frame.f_locals.get("self")
            if isinstance(table, pd.DataFrame) and frame.f_locals.get("key") is asked:
                names = [name for name in table.columns if isinstance(name, str)]
                near = get_close_matches(asked, names)
                return f"no column {asked!r}, there are {', '.join(near or names)}"
    return str(error)


@contextmanager
def reported_in_one_line(folder):
    """Raise any exception of code in a figure's ``folder`` as a SpecError that says where.

    One that passed through no file of the folder is left alone: it is no mistake in there.
    """
    try:
        yield
    except SpecError:
        raise
    except Exception as error:
        frames = _frames(error, folder.resolve())
        if not frames:
            raise
        (file, line), *rest = frames
        via = "".join(f" (in {name}, line {number})" for name, number in rest)
        words = " ".join(f"{type(error).__name__}: {_said(error)}".split())
        raise SpecError(f"{file}:{line}: {words}{via}") from error
