# SPDX-License-Identifier: GPL-2.0-only
"""A folder of results as a Research Object Crate (RO-Crate 1.1), which other tools can read.

Its ro-crate-metadata.json reports every file what it is and its SHA-256, and by which command,
commit and versions the folder was made.
"""

import hashlib
import mimetypes
import subprocess
from pathlib import Path

from lfn.files import to_json, write_if_changed
from lfn.places import HOME, INSTALLED

FILE = "ro-crate-metadata.json"
_PROFILE = "https://w3id.org/ro/crate/1.1"
_TERMS = {"sha256": "https://schema.org/sha256"}
"""What the context of RO-Crate 1.1 lacks."""
_LICENCE = "https://spdx.org/licenses/GPL-2.0-only"
_PROJECT = {"lfn": "lfn: transports for long fat networks", "ns3": "ns-3 network simulator"}


def commit():
    """Return the commit of this project, marked where files differ from it; "" outside a clone."""
    if INSTALLED or not (HOME / ".git").exists():
        return ""
    command = ["git", "-C", str(HOME), "describe", "--always", "--dirty", "--abbrev=12"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip()


def _described(folder, path):
    data = path.read_bytes()
    return {
        "@id": path.relative_to(folder).as_posix(),
        "@type": "File",
        "name": path.name,
        "encodingFormat": mimetypes.guess_type(path.name)[0] or "application/octet-stream",
        "contentSize": str(len(data)),
        "sha256": hashlib.sha256(data).hexdigest(),
    }


def write(folder, name, description, date, command, versions, revision):
    """Write the metadata of all files below ``folder``.

    ``date`` is the day on which it was made, as 2026-01-31, ``versions`` {package: version} of what
    ``command`` used, ``revision`` the commit of this project, "" where it is not known.
    """
    folder = Path(folder)
    paths = sorted(p for p in folder.rglob("*") if p.is_file() and p.name != FILE)
    files = [_described(folder, path) for path in paths]
    parts = [{"@id": file["@id"]} for file in files]
    tools = [
        {
            "@id": f"#{package}",
            "@type": "SoftwareApplication",
            "name": _PROJECT.get(package, package),
            "softwareVersion": version,
        }
        for package, version in sorted(versions.items())
    ]
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": name,
        "description": description,
        "datePublished": date,
        "license": {"@id": _LICENCE},
        "hasPart": parts,
        "mentions": {"@id": "#made"},
    }
    if revision:
        root["version"] = revision
    made = {
        "@id": "#made",
        "@type": "CreateAction",
        "name": command,
        "endTime": date,
        "instrument": [{"@id": tool["@id"]} for tool in tools],
        "result": {"@id": "./"},
    }
    licence = {"@id": _LICENCE, "@type": "CreativeWork", "name": "GPL-2.0-only"}
    itself = {
        "@id": FILE,
        "@type": "CreativeWork",
        "conformsTo": {"@id": _PROFILE},
        "about": {"@id": "./"},
    }
    graph = [itself, root, made, licence, *tools, *files]
    crate = {"@context": [f"{_PROFILE}/context", _TERMS], "@graph": graph}
    write_if_changed(folder / FILE, to_json(crate))
