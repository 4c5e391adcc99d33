# SPDX-License-Identifier: GPL-2.0-only
"""What documents name between backticks is there: classes, methods, Attributes, flags, files."""

import functools
import re
import subprocess

import pytest
from project import BUILD, HOME, build_settings, waf

FIGURES = HOME.glob("analysis/figures/*/README.md")
PAGES = [*HOME.glob("*.md"), *HOME.glob("doc/*.rst"), *HOME.glob("doc/**/*.md"), *FIGURES]
PAGES += [HOME / "analysis/README.md"]
# A reader writes these; a report, ns-3 or a cluster has them.
PLACEHOLDERS = {
    "CHANGES.md": {"--ns3::lfn::Class::Name=value"},
    "deviations.md": {"Class::Name", "--ns3::lfn::Class::Name=value"},
    "tutorial.rst": {"my-transfer.cc", "my-payload.cc"},
}
ELSEWHERE = {
    "PrintAttributes",
    "PrintGroup",
    "RngRun",
    "enable-examples",
    "enable-modules",
    "enable-logs",
    "enable-mpi",
    "enable-tests",
    "filter-module-examples-and-tests",
    "fullness",
    "library",
    "slurm-status-command",
    "target",  # of cmake
}
OF_THE_REPORT = re.compile(r"vrp_(?:buffer|outgoing|incoming)_\w+")


def spans(page):
    """Return what stands between backticks, a line each."""
    mark = r"``([^`]+)``" if page.suffix == ".rst" else r"(?<!`)`([^`]+)`(?!`)"
    text = page.read_text().partition("### Names that changed")[0]  # which are no longer there
    found = {" ".join(span.split()) for span in re.findall(mark, text)}
    # What a page names of the program that it prints.
    printed = re.sub(mark, "", text)
    return sorted(found - PLACEHOLDERS.get(page.name, set())), printed


@functools.cache
def code(*suffixes):
    """Return the text of our files with these suffixes, but no suite: it has models of its own."""
    folders = ("analysis", "examples", "helper", "model", "test", ".ci", ".waf-tools")
    paths = [path for folder in folders for path in (HOME / folder).rglob("*")]
    texts = [
        path.read_text()
        for path in paths
        if path.suffix in suffixes and not path.match("test/*.cc")
    ]
    return "\n".join([*texts, (HOME / "wscript").read_text()])


@functools.cache
def words(*suffixes):
    """Return the words of our files, of those that ns-3 installs and of our Attributes."""
    include = re.search(r"\S*/include\b", " ".join(build_settings()["CXXFLAGS_NS3"]))
    folder = include[0].removeprefix("-isystem").removeprefix("-I")
    headers = (HOME / folder / "ns3").glob("*.h")
    texts = [path.read_text(errors="replace") for path in headers]
    assert texts
    return set(re.findall(r"\w+", "\n".join([code(*suffixes), *texts, *attributes()])))


@functools.cache
def attributes():
    """Return our Attributes, Class::Name."""
    table = subprocess.check_output([BUILD / "bin/lfn-test-runner", "--attributes"], text=True)
    rows = (line.split("\t") for line in table.splitlines())
    return {f"{owner.removeprefix('ns3::lfn::')}::{name}" for owner, name, *_ in rows}


@functools.cache
def bodies():
    """Return {class: (its parents, its text)} of our headers; it ends where the next begins."""
    begin = re.compile(
        r"^\s*(?:class|struct|enum class) (\w+)(?: final)?(?:[^;{(]*?: ([^{;]+))?\s*\{", re.M
    )
    texts = re.split(r"(?=^(?:class|struct|enum class) \w+)", code(".h"), flags=re.M)
    found = {}
    for text in texts:
        for name, parents in begin.findall(text):
            found[name] = (re.findall(r"\w+", parents), text)
    return found


@functools.cache
def attributes_of_ns3(owner):
    """Return what ns-3 prints of a class's Attributes."""
    command = [BUILD / "bin/rbudp-transfer", f"--PrintAttributes=ns3::{owner}"]
    return subprocess.run(command, text=True, capture_output=True).stdout


def has(owner, name):
    """Whether a class, or one that it derives from, has a member or an Attribute."""
    if owner not in bodies():
        return name in words(".h") or f"::{owner}::{name}=" in attributes_of_ns3(owner)
    parents, text = bodies()[owner]
    if f"{owner}::{name}" in attributes() or re.search(rf"\b{name}\b", text):
        return True
    return any(has(parent, name) for parent in parents if parent in bodies())


@functools.cache
def flags():
    """Return all flags of programs, of ./waf and of scripts."""
    found = set(re.findall(r"--([a-z][\w-]*)", code(".py") + waf("--help").stdout))
    for program in (BUILD / "bin").iterdir():
        text = subprocess.run([program, "--PrintHelp"], text=True, capture_output=True).stdout
        found |= set(re.findall(r"^ +--(\w+):", text, re.M))
    return found | ELSEWHERE


def test_what_a_class_has():
    assert has("TcpSource", "StallTimeout")
    assert has("TcpSource", "GetReport")
    assert has("TcpSocket", "SndBufSize")
    assert not has("TcpSource", "StallTime")
    assert not has("TcpSource", "GetBounds")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(HOME)))
def test_names_are_there(page):
    found, printed = spans(page)
    known = words(".h", ".cc", ".py")
    wrong = []
    for span in found:
        for name in re.findall(r"(?<![\w.])([A-Za-z_]\w*)\(|\b([A-Z][a-z]+[A-Z]\w*)\b", span):
            name = "".join(name)
            new = name not in known and not re.search(rf"\b{name}\b", printed)
            ns3 = re.search(rf"ns3::(\w+)::{name}\b", span)
            if new and not OF_THE_REPORT.match(name) and not (ns3 and has(ns3[1], name)):
                wrong.append(span)
        for owner, name in re.findall(r"\b([A-Z]\w*)::([A-Za-z_]\w*)", span):
            if not has(owner, name):
                wrong.append(span)
    assert wrong == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(HOME)))
def test_flags_are_there(page):
    found, _ = spans(page)
    named = [
        flag for span in found for flag in re.findall(r"(?:^|[\s'\"])--([A-Za-z][\w-]*)", span)
    ]
    assert [flag for flag in named if flag not in flags()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(HOME)))
def test_files_are_there(page):
    found, printed = spans(page)
    wrong = []
    for span in found:
        for path in re.findall(
            r"(?:^|\s)((?:model|helper|examples|test|doc|analysis|\.ci)/\S+)", span
        ):
            # <name> stands for any, {h,cc} for either.
            pattern = re.sub(r"<[^>]*>", "*", re.sub(r"\{(\w+),\w+\}", r"\1", path)).rstrip("/.,;")
            made = path.startswith("doc/generated")  # by ./waf docs
            if path not in printed and not made and not any(HOME.glob(pattern)):
                wrong.append(span)
        if re.fullmatch(r"[\w-]+\.(?:rst|md|h|cc|py)", span) and span not in printed:
            folders = ("", "doc/", "model/*/", "helper/*/", "examples/", "test/**/", "analysis/**/")
            if not any(any(HOME.glob(folder + span)) for folder in folders):
                wrong.append(span)
    assert wrong == []
