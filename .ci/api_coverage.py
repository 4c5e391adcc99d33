# SPDX-License-Identifier: GPL-2.0-only
"""Doxygen over model/ and helper/, and whether every member of a header is described."""

import shutil
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

SETTINGS = """
PROJECT_NAME = lfn
INPUT = model helper
FILE_PATTERNS = *.h
RECURSIVE = YES
EXTRACT_ALL = NO
EXTRACT_PRIVATE = {private}
EXTRACT_STATIC = YES
JAVADOC_AUTOBRIEF = NO
QUIET = YES
WARN_IF_UNDOCUMENTED = NO
WARN_NO_PARAMDOC = NO
WARN_AS_ERROR = NO
GENERATE_LATEX = NO
GENERATE_HTML = {html}
GENERATE_XML = {xml}
OUTPUT_DIRECTORY = {folder}
ENABLE_PREPROCESSING = YES
MACRO_EXPANSION = YES
EXPAND_ONLY_PREDEF = YES
"""


def run_doxygen(folder, html, xml, private=True):
    """Run doxygen over the headers; its warnings, one a line."""
    word = {True: "YES", False: "NO"}
    settings = SETTINGS.format(folder=folder, html=word[html], xml=word[xml], private=word[private])
    result = subprocess.run(["doxygen", "-"], input=settings, text=True, capture_output=True)
    warnings = [line for line in result.stderr.splitlines() if "warning:" in line]
    return warnings if result.returncode == 0 else [*warnings, f"doxygen failed: {result.stderr}"]


def described(element):
    """Whether a class or member has any description."""
    texts = (element.find("briefdescription"), element.find("detaileddescription"))
    return any("".join(text.itertext()).strip() for text in texts if text is not None)


def undocumented_parameters(member):
    """Named parameters without a @param of their own, when any parameter has one."""
    named = [param.findtext("declname") for param in member.findall("param")]
    reported = {name.text for name in member.iter("parametername")}
    return [name for name in named if name and reported and name not in reported]


def obvious(member, owner):
    """What needs no words: bare constructors, destructors, what is overridden or deleted."""
    name, signature = member.findtext("name"), member.findtext("argsstring") or ""
    bare_constructor = name == owner and not member.findall("param")
    usual = "override" in signature or signature.endswith("=delete")
    return bare_constructor or name.startswith("~") or usual


def coverage(xml):
    """Read doxygen's XML: (all members, lines about those without description)."""
    total, missing = 0, []
    for path in sorted(Path(xml).glob("*.xml")):
        for compound in ElementTree.parse(path).getroot().iter("compounddef"):
            if compound.get("kind") not in ("class", "struct", "namespace"):
                continue
            owner = compound.findtext("compoundname").split("::")[-1]
            items = [compound] if compound.get("kind") != "namespace" else []
            for member in compound.iter("memberdef"):
                if not obvious(member, owner):
                    items.append(member)
                    items.extend(member.findall("enumvalue"))
            for item in items:
                place = item.find("location")
                if place is None and item.tag == "enumvalue":
                    place = compound.find("location")
                total += 1
                where = f"{place.get('file')}:{place.get('line')}"
                name = item.findtext("compoundname") or item.findtext("name")
                if not described(item):
                    missing.append(f"{where}: {name} is not described")
                missing += [f"{where}: {name}: @param {p}" for p in undocumented_parameters(item)]
    return total, missing


def check():
    """(ok, text) of the coverage; one line when doxygen is not there."""
    if not shutil.which("doxygen"):
        return False, "doxygen is missing: install it, for example with 'apt install doxygen'"
    with tempfile.TemporaryDirectory() as folder:
        warnings = run_doxygen(folder, html=False, xml=True)
        total, missing = coverage(Path(folder, "xml"))
    text = "\n".join([*warnings, *missing, f"{total} classes and members, {len(missing)} bare"])
    return not warnings and not missing and total > 0, text
