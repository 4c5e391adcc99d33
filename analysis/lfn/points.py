# SPDX-License-Identifier: GPL-2.0-only
"""A point: one program with one set of flags, run a number of times. Standard library only."""

import hashlib
import json
import re
from dataclasses import dataclass, field, replace
from pathlib import Path

from lfn.fingerprint import file_digest

_FILE = re.compile(r"\{([^{}]+)\}")


def canonical(value):
    """Return a flag's value as the text that goes on the command line."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _is_attribute(name):
    return "::" in name


@dataclass(frozen=True)
class Point:
    """Parameters of one point of a figure; equal parameters are one point in all figures.

    ``args`` is a sorted tuple of (flag, text) pairs; the text "true" stands for a bare switch.
    A text may name files in braces, {network.csv}, from ``folder`` on; ``files`` is a sorted tuple
    of their (name, SHA-256), so that a changed file makes another point.
    """

    program: str
    args: tuple
    runs: int = 1
    files: tuple = ()
    folder: str = field(default="", compare=False)

    @staticmethod
    def make(program, args, runs=1, folder=None):
        """Build a point from a dictionary of flags; a False switch is left out.

        ns-3's Attributes, whose names have colons, are no switches: they keep true and false.
        Without a ``folder`` braces mean nothing, but the files of --library always count. Raises
        OSError where a file cannot be read.
        """
        kept = {}
        for name, given in args.items():
            value = given.item() if hasattr(given, "item") else given  # a number of numpy's
            if isinstance(value, bool):
                if value or _is_attribute(name):
                    kept[name] = str(value).lower()
            else:
                kept[name] = canonical(value)
        library = kept.get("library")
        if library is not None:
            folder = Path.cwd() if folder is None else folder
            if "{" not in library:
                kept["library"] = ",".join(f"{{{name}}}" for name in library.split(","))
        names = set() if folder is None else {n for v in kept.values() for n in _FILE.findall(v)}
        files = tuple((name, file_digest(Path(folder) / name)) for name in sorted(names))
        where = str(Path(folder).resolve()) if files else ""
        return Point(program, tuple(sorted(kept.items())), runs, files, where)

    def with_flag(self, name, text):
        """Return the point with another ``text`` of one flag."""
        return replace(self, args=tuple(sorted({**dict(self.args), name: text}.items())))

    @property
    def id(self):
        """Name of the point's folder: the program and a short hash of its flags.

        Not of the number of runs: more of them are added to the folder.
        """
        data = {"program": self.program, "args": dict(self.args)}
        if self.files:
            data["files"] = dict(self.files)
        text = json.dumps(data, sort_keys=True, separators=(",", ":"))
        return f"{self.program}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"

    @property
    def key(self):
        """What two figures must agree on to share the point: all but the number of runs."""
        return self.program, self.args, self.files

    def parameters(self):
        """Return the parameters as plain JSON data."""
        data = {"program": self.program, "args": dict(self.args), "runs": self.runs}
        return {**data, "inputs": dict(self.files), "folder": self.folder} if self.files else data

    @staticmethod
    def from_parameters(data):
        """Inverse of parameters(); files that it names are those of its folder, not of this one."""
        program, args, runs = data["program"], data["args"], int(data["runs"])
        if "inputs" not in data:
            return Point.make(program, args, runs)
        files = tuple(sorted(data["inputs"].items()))
        return Point(program, tuple(sorted(args.items())), runs, files, data["folder"])

    def changed_files(self):
        """Return the names of files that are not there or not what they were."""
        paths = {name: Path(self.folder) / name for name, _ in self.files}
        return [
            name
            for name, digest in self.files
            if not paths[name].is_file() or file_digest(paths[name]) != digest
        ]

    def _text(self, text):
        """Return a flag's text with the paths of files for their names."""
        for name, _ in self.files:
            text = text.replace(f"{{{name}}}", str(Path(self.folder) / name))
        return text

    def flags(self):
        """Return the flags as a list of command line words."""
        return [
            f"--{name}"
            if text == "true" and not _is_attribute(name)
            else f"--{name}={self._text(text)}"
            for name, text in self.args
        ]
