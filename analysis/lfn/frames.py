# SPDX-License-Identifier: GPL-2.0-only
"""Results of scenario programs as tidy pandas tables, units in the names of the columns.

import lfn
runs = lfn.load("results/rbudp-transfer")
runs.summary[["run", "goodput_bps"]]
"""

from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from lfn.files import read_json
from lfn.units import quantity, settings

_OF_A_RUN = ("simulated_s", "wall_s", "events", "peak_resident_bytes")
_PATHS = ("outputDir", "pcap")


@dataclass
class Runs:
    """What load() found; ``folder`` and ``run`` name a run in every table.

    ``runs`` has a row per run: its cost and all flags. ``summary`` has a row per run and flow: the
    columns of summary.csv, and the flags that differ between the runs. ``series``, ``messages``
    and ``background`` are the CSV files of these names, empty where no run wrote them.
    ``folders`` maps a ``folder`` to its path: flowmonitor.xml, attributes.csv and captures of its
    first run are there.
    """

    runs: pd.DataFrame
    summary: pd.DataFrame
    series: pd.DataFrame
    messages: pd.DataFrame
    background: pd.DataFrame
    folders: dict = field(default_factory=dict)

    def wide(self):
        """Return ``series`` with a row per time and flow and a column per metric."""
        if self.series.empty:
            return self.series
        index = ["folder", "run", "flow", "time_s"]
        table = self.series.pivot_table(index=index, columns="metric", values="value")
        return table.reset_index().rename_axis(columns=None)


def flag_column(name, text, read=None):
    """Return (column, value) of a flag: ("rtt_s", 0.1) for rtt=100ms.

    ``read`` is the number that the program has read. Bytes, packets, seconds and bit/s are marked,
    unless the flag is called by its unit.
    """
    if name in _PATHS:
        return name, text
    if text in ("true", "false"):
        return name, text == "true"
    try:
        value, unit = quantity(text)
    except ValueError:
        return name, text
    called = {"s": "seconds"}.get(unit, unit)  # any plural ends in s
    ending = f"_{unit}" if unit and not name.lower().endswith(called) else ""
    return name + ending, value if read is None else float(read)


def _flags(flags, read):
    """Return {column: value} of flags; a topology has its settings in columns of their own."""
    columns = {}
    for name, text in flags.items():
        column, value = flag_column(name, str(text), read.get(name))
        columns[column] = value
        columns.update(flag_column(*setting) for setting in settings(name, text).items())
    return columns


def _one_run(folder, about):
    """Return the rows of ``runs`` of a folder that a program wrote."""
    cost = {name: about.get(name) for name in _OF_A_RUN}
    row = {"run": about.get("rng_run", 1), "program": about.get("program", ""), **cost}
    return [{**row, **_flags(about.get("flags", {}), about.get("values", {}))}]


def _point(folder, manifest):
    """Return the rows of ``runs`` of a point's folder, which a campaign wrote."""
    first = manifest.get("run_json") or {}
    flags = {**first.get("flags", {}), **manifest.get("args", {})}
    rows = []
    for run, seconds in enumerate(manifest["wall_s"], start=1):
        own = _flags({**flags, "RngRun": run}, first.get("values", {}))
        rows.append({"run": run, "program": manifest["program"], "wall_s": seconds, **own})
    return rows


def _folders(root):
    """Return the folders below ``root``, or itself, that hold results."""
    found = []
    for path in sorted(root.rglob("summary.csv")):
        folder = path.parent
        hidden = any(part.startswith(".") for part in folder.relative_to(root).parts)
        if not hidden and any((folder / n).is_file() for n in ("run.json", "manifest.json")):
            found.append(folder)
    return found


def _table(folders, rows, name):
    """Return one CSV file of all folders below each other, with their names and runs."""
    parts = []
    for label, folder in folders.items():
        path = folder / f"{name}.csv"
        if not path.is_file():
            continue
        part = pd.read_csv(path)
        if "run" not in part:
            part.insert(0, "run", rows[label][0]["run"])
        part.insert(0, "folder", label)
        parts.append(part)
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()


def _differing(runs):
    """Return the flags of ``runs`` that are not the same in all of them."""
    flags = [c for c in runs.columns if c not in ("folder", "run", "program", *_OF_A_RUN)]
    own = {"outputDir", "RngRun"}
    return [c for c in flags if c not in own and runs[c].astype(str).nunique() > 1]


def load_folders(folders, most_runs=None):
    """Read the results in ``folders``, {name: folder}; of each point the first ``most_runs`` runs.

    The folders hold a run of a program, or the runs of a point.
    """
    rows = {}
    for label, found in folders.items():
        manifest = read_json(found / "manifest.json")
        about = read_json(found / "run.json")
        rows[label] = _point(found, manifest) if manifest else _one_run(found, about or {})
    runs = pd.DataFrame([{"folder": label, **row} for label in rows for row in rows[label]])
    names = ("summary", "series", "messages", "background")
    tables = {name: _table(folders, rows, name) for name in names}
    if most_runs is not None:
        runs = runs[runs["run"] <= most_runs].reset_index(drop=True)
        for name, table in tables.items():
            if not table.empty:
                tables[name] = table[table["run"] <= most_runs].reset_index(drop=True)
    flags = runs[["folder", "run", *_differing(runs)]]
    tables["summary"] = tables["summary"].merge(
        flags, on=["folder", "run"], how="left", suffixes=("", "_flag")
    )
    return Runs(runs, **tables, folders=dict(folders))


def load(folder):
    """Read the results in ``folder``: of one run, of a point, or of all in folders below it.

    Raises ValueError, one line, where there are none.
    """
    root = Path(folder)
    if not root.is_dir():
        raise ValueError(f"{folder}: no such folder; give the --outputDir of a program")
    folders = {}
    for found in _folders(root):
        label = found.relative_to(root).as_posix()
        folders[root.resolve().name if label == "." else label] = found
    if not folders:
        raise ValueError(f"{folder}: no summary.csv with its run.json in it; it holds no results")
    return load_folders(folders)
