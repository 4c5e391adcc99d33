# SPDX-License-Identifier: GPL-2.0-only
"""Execute a notebook from its first cell to its last and write it with its outputs.

python analysis/run_notebook.py analysis/notebooks/rbudp-payload.ipynb --out executed.ipynb

Without --out the notebook itself is rewritten. The packages are those of
.waf-tools/requirements/notebook.txt, installed if missing. LFN_BUILD names the build folder, by
default the clone's.
"""

import os
import sys
from pathlib import Path

from lfn.flags import Parser

ANALYSIS = Path(__file__).resolve().parent
try:
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError
except ImportError:  # of the commands of ./waf only test installs them
    sys.path.insert(0, str(ANALYSIS.parent / ".waf-tools"))
    from requirements import require

    require("analysis", "notebook")
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

SECONDS = 600


def execute(path):
    """Return the notebook of ``path``, executed; raises CellExecutionError."""
    notebook = nbformat.read(path, as_version=4)
    folders = [str(ANALYSIS), os.environ.get("PYTHONPATH", "")]
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, folders))
    NotebookClient(notebook, timeout=SECONDS, record_timing=False, kernel_name="python3").execute()
    # Nothing that differs from one execution to the next.
    notebook.metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
        cell.metadata = {}
    return notebook


def texts(notebook):
    """Return the plain text of all outputs, cell by cell: what two executions must share."""
    return [
        [out.get("text") or out.get("data", {}).get("text/plain", "") for out in cell.outputs]
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


def main(argv=None):
    """Entry point; returns the exit status."""
    parser = Parser(description="Execute a notebook and write its outputs.")
    parser.add_argument("notebook", type=Path)
    parser.add_argument("--out", type=Path, help="another file to write")
    options = parser.parse_args(argv)
    try:
        notebook = execute(options.notebook)
    except (OSError, CellExecutionError) as error:
        print(f"{options.notebook}: {error}", file=sys.stderr)
        return 1
    nbformat.write(notebook, options.out or options.notebook)
    return 0


if __name__ == "__main__":
    sys.exit(main())
