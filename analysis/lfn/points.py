# SPDX-License-Identifier: GPL-2.0-only
"""A point: one program with one set of flags, run a number of times. Standard library only."""

import hashlib
import json
from dataclasses import dataclass


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
    """

    program: str
    args: tuple
    runs: int = 1

    @staticmethod
    def make(program, args, runs=1):
        """Build a point from a dictionary of flags; a False switch is left out.

        ns-3's Attributes, whose names have colons, are no switches: they keep true and false.
        """
        kept = {}
        for name, value in args.items():
            if isinstance(value, bool):
                if value or _is_attribute(name):
                    kept[name] = str(value).lower()
            else:
                kept[name] = canonical(value)
        return Point(program, tuple(sorted(kept.items())), runs)

    @property
    def id(self):
        """Name of the point's folder: the program and a short hash of its flags.

        Not of the number of runs: more of them are added to the folder.
        """
        data = {"program": self.program, "args": dict(self.args)}
        text = json.dumps(data, sort_keys=True, separators=(",", ":"))
        return f"{self.program}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"

    @property
    def key(self):
        """What two figures must agree on to share the point: all but the number of runs."""
        return self.program, self.args

    def parameters(self):
        """Return the parameters as plain JSON data."""
        return {"program": self.program, "args": dict(self.args), "runs": self.runs}

    @staticmethod
    def from_parameters(data):
        """Inverse of parameters()."""
        return Point.make(data["program"], data["args"], int(data["runs"]))

    def flags(self):
        """Return the flags as a list of command line words."""
        return [
            f"--{name}" if text == "true" and not _is_attribute(name) else f"--{name}={text}"
            for name, text in self.args
        ]
