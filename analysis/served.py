# SPDX-License-Identifier: GPL-2.0-only
"""Run scripts without starting and importing for each: a server per script forks a child per call.

python analysis/served.py --serve FOLDER/draw_figure
LFN_SERVERS=FOLDER python analysis/served.py PARENT draw_figure --figure ... --build build

The second command does what draw_figure.py does, in a child of the server. It does so itself
without a server, or where a file of the analysis is younger than the server. It ends with the
process PARENT; 0 names none.
"""

import contextlib
import importlib
import os
import signal
import sys
import time

import lfn
from lfn.forks import DECLINED, ask, serve
from lfn.process import end_with_parent


def is_current(began):
    """Tell whether the files of the analysis have not changed since a time (ns).

    An editor's lock is a link to nowhere, and its copies come and go.
    """
    from pathlib import Path  # the client starts without

    modules = Path(lfn.__file__).resolve().parent
    files = [*Path(__file__).resolve().parent.glob("*.py"), *modules.rglob("*.*")]
    for file in files:
        with contextlib.suppress(FileNotFoundError):
            if file.suffix != ".pyc" and file.stat().st_mtime_ns >= began:
                return False
    return True


def main(argv):
    """Entry point; returns the exit status."""
    if argv[:1] == ["--serve"] and len(argv) == 2:
        began = time.time_ns()
        script = importlib.import_module(os.path.basename(argv[1]))
        serve(argv[1], lambda words: script.main(words) if is_current(began) else DECLINED)
        return 0
    parent, name, *words = argv
    if int(parent):
        end_with_parent(signal.SIGTERM, int(parent))
    folder = os.environ.get("LFN_SERVERS")
    status = ask(os.path.join(folder, name), words) if folder else None
    if status is None:
        status = importlib.import_module(name).main(words)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
