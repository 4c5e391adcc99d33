# SPDX-License-Identifier: GPL-2.0-only
"""A folder of results as a Research Object Crate (RO-Crate 1.1), which other tools can read.

Its ro-crate-metadata.json says of every file what it is and its SHA-256, by which command, commit
and versions the folder was made, and which papers its results are compared with.
"""

import hashlib
import mimetypes
import subprocess
from pathlib import Path

import yaml

from lfn.files import to_json, write_if_changed
from lfn.places import HOME, INSTALLED

FILE = "ro-crate-metadata.json"
_PROFILE = "https://w3id.org/ro/crate/1.1"
_TERMS = {"sha256": "https://schema.org/sha256"}
"""What the context of RO-Crate 1.1 lacks."""
_LICENCE = "https://spdx.org/licenses/CC-BY-4.0"
"""Of results; the program that made them has its own."""
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


def _citations():
    """Return the works that CITATION.cff names, those that the results are compared with."""
    cited = yaml.safe_load((HOME / "CITATION.cff").read_text(encoding="utf-8"))["references"]
    return [
        {
            "@id": f"#cited-{number}",
            "@type": "CreativeWork",
            "name": work["title"],
            "author": "; ".join(_author(one) for one in work["authors"]),
            "datePublished": str(work.get("year", "")),
            **({"url": url} if (url := work.get("url")) else {}),
        }
        for number, work in enumerate(cited, 1)
    ]


def _author(person):
    names = (person.get("given-names"), person.get("family-names"), person.get("name"))
    return " ".join(filter(None, names))


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
    works = _citations()
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": name,
        "description": description,
        "datePublished": date,
        "license": {"@id": _LICENCE},
        "hasPart": parts,
        "mentions": {"@id": "#made"},
        "citation": [{"@id": work["@id"]} for work in works],
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
    licence = {"@id": _LICENCE, "@type": "CreativeWork", "name": "CC-BY-4.0"}
    itself = {
        "@id": FILE,
        "@type": "CreativeWork",
        "conformsTo": {"@id": _PROFILE},
        "about": {"@id": "./"},
    }
    graph = [itself, root, made, licence, *works, *tools, *files]
    crate = {"@context": [f"{_PROFILE}/context", _TERMS], "@graph": graph}
    write_if_changed(folder / FILE, to_json(crate))
