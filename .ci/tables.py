# SPDX-License-Identifier: GPL-2.0-only
"""The tables of doc/generated, made from what the built programs print about themselves.

The test runner prints every Attribute, each scenario program its flags and columns; trace sources
are read from the code. Chapters include the tables. They are not committed: ./waf docs makes them,
and in an ns-3 tree the CMake target lfn-tables, by "python .ci/tables.py FOLDER" with the programs
in FOLDER/bin.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

FOLDER = Path("doc/generated")
SCENARIOS = (
    "atou-transfer",
    "jrm-session",
    "rbudp-streaming",
    "rbudp-transfer",
    "transport-comparison",
    "udt-transfer",
    "vrp-transfer",
    "xcp-tcp-fairness",
)
PROGRAMS = ("lfn-test-runner", *SCENARIOS)
_HEAD = ".. SPDX-License-Identifier: GPL-2.0-only\n.. Made by ./waf docs from the programs.\n"
_FLAG = re.compile(r"^ +--(\w+): +(.*)$", re.M)
# Words, in brackets the Attributes that a flag sets, in brackets its default.
_ABOUT = re.compile(r"(.*?)(?: \[(ns3::lfn::[^\[\]]+)\])?(?: \[([^\[\]]*(?:\[[^\]]*\])?)\])?")
_LISTED = re.compile(r"^(Own columns|Metrics)\b.*:\n((?:  \w+  .*\n)+)", re.M)
_TRANSPORT = re.compile(r"^  (\S+)  (.*) \[header (\d+) B; (.*?); (.*?); redundant: (.*)\]$", re.M)
_SOURCE = re.compile(
    r'\.AddTraceSource\(\s*"(\w+)",\s*((?:"(?:[^"\\]|\\.)*"\s*)+),'
    r'\s*MakeTraceSourceAccessor\([^)]*\),\s*"ns3::([\w:]+)"'
)
_VALUES = {"Double": "double", "Uint32": "uint32_t", "Bool": "bool"}  # of TracedValueCallback
_TIMES = ((31_536_000 * 10**9, "years"), (10**9, "s"), (10**6, "ms"), (10**3, "us"), (1, "ns"))
_RATES = ((10**9, "Gb/s"), (10**6, "Mb/s"), (10**3, "kb/s"), (1, "b/s"))
_HUGE = {"+9.22337e+18ns", "-9.22337e+18ns", "1.79769e+308", "-1.79769e+308", "4294967295"}
_HUGE |= {"18446744073709551615", "9223372036854775807", "-9223372036854775808"}


def ask(program, *arguments, env=None):
    """Return what a program prints, ``env`` added to its environment."""
    command, env = [program, *arguments], {**os.environ, **(env or {})}
    return subprocess.run(command, check=True, text=True, capture_output=True, env=env).stdout


def _plain(text):
    """Return a text as reST that shows it as it is."""
    return re.sub(r"([\\*`|]|_(?!\w))", r"\\\1", text)


def _cell(text):
    doubled = text.replace('"', '""')
    return f'"{doubled}"'


def table(title, header, widths, rows):
    """Return a csv-table of reST; the cells are reST."""
    lines = [
        f".. csv-table:: {title}",
        "   :header: " + ", ".join(header),
        "   :widths: " + " ".join(map(str, widths)),
        "",
    ]
    lines += ["   " + ", ".join(map(_cell, row)) for row in rows]
    return "\n".join(lines) + "\n"


def _scaled(amount, units):
    """Return an amount in the largest unit that makes it 1 or more."""
    factor, unit = next((pair for pair in units if abs(amount) >= pair[0]), units[-1])
    return f"{amount / factor:.12g} {unit}"


def number(text):
    """Return a value of ns-3 as people write it: +5e+09ns is 5 s, 600000000bps is 600 Mb/s."""
    found = re.fullmatch(r"([+-]?[\d.]+(?:e[+-]?\d+)?)(ns|bps|)", text)
    if not found:
        return text
    amount = float(found[1])
    if not found[2]:
        return f"{amount:.12g}"
    if found[2] == "ns":
        return _scaled(amount, _TIMES) if amount else "0 s"
    return _scaled(amount, _RATES)


def domain(kind, about):
    """Return what an Attribute takes, of its type's name and its checker's description."""
    if found := re.fullmatch(r"ns3::lfn::OptionalValue<(.*)>", kind):
        return "unset, " + domain(found[1], about.removeprefix("unset or "))
    if kind.startswith("ns3::EnumValue"):
        return about.replace("|", ", ")
    simple = {
        "ns3::BooleanValue": "true, false",
        "ns3::AddressValue": "an address",
        "ns3::TypeIdValue": "a TypeId",
    }
    if kind in simple:
        return simple[kind]
    if kind == "ns3::PointerValue":
        return re.sub(r"ns3::Ptr<\s*(?:ns3::)?(?:lfn::)?(\S+)\s*>", r"\1", about)
    what = {
        "ns3::DataRateValue": "a rate",
        "ns3::QueueSizeValue": "packets or bytes",
        "ns3::lfn::QueueLimitValue": "packets, bytes or BDP above 0",
    }.get(kind)
    if what:
        return what + (" above 0" if about.endswith("above 0") else "")
    if kind == "ns3::StringValue" or kind.startswith("ns3::lfn::"):
        return "text" if about == "std::string" else about
    name, _, limits = about.partition(" ")
    low, _, high = limits.partition(":")
    what = {"Time": "a time", "double": "a number"}.get(name, "a whole number")
    if low in _HUGE:
        return what
    return f"{number(low)} on" if high in _HUGE else f"{number(low)} to {number(high)}"


def default(kind, text):
    """Return an Attribute's first value."""
    if kind == "ns3::AddressValue":
        return "unset"
    if kind == "ns3::PointerValue" and text == "0":
        return "none"
    return number(text) or "empty"


def directory_of(name, headers):
    """Return the page of a class: its folder, but one for all topologies and all transports."""
    if name.endswith("Transport"):
        return "transport"
    pattern = re.compile(rf"^class {name}\b[^;]*$", re.M)
    header = next(path for path, text in headers.items() if pattern.search(text))
    return header.parent.name


def arguments(callback, headers):
    """Return the arguments of a callback, its name without ns3::, as C++ declares them."""
    *_, owner, name = callback.split("::")
    if owner == "TracedValueCallback":
        kind = _VALUES.get(name, name)
        return f"{kind} before, {kind} now"
    for text in headers.values():
        here = owner == "lfn" or re.search(rf"^class {owner}\b[^;]*$", text, re.M)
        if here and (found := re.search(rf"typedef void \(\*{name}\)\(([^;]*)\);", text)):
            return " ".join(found[1].split())
    return f"Ptr<const {owner}>"  # of ns-3, such as Packet::TracedCallback


def trace_sources(home, headers):
    """Return {class: rows of name, arguments and help}, from the code."""
    found = {}
    for path in sorted(home.glob("[mh]*/*/*.cc")):
        text = path.read_text()
        for match in _SOURCE.finditer(text):
            name, words, callback = match.groups()
            types = re.findall(r'TypeId\(\s*"ns3::lfn::(\w+)"\)', text[: match.start()])
            about = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', words))
            row = (f"``{name}``", f"``{arguments(callback, headers)}``", _plain(about))
            found.setdefault(types[-1] if types else callback.split("::")[-2], []).append(row)
    return found


def attributes(build, home):
    """Return {file name: text}, a page of tables for each directory that has Attributes.

    The trace sources of its classes follow.
    """
    headers = {path: path.read_text() for path in sorted(home.glob("[mh]*/*/*.h"))}
    classes = {}
    for line in ask(build / "bin/lfn-test-runner", "--attributes").splitlines():
        owner, name, kind, about, first, text = line.split("\t")
        row = (name, default(kind, first), domain(kind, about), text)
        classes.setdefault(owner, []).append(tuple(map(_plain, row)))
    pages = {}
    for owner in sorted(classes):
        directory = directory_of(owner.removeprefix("ns3::lfn::"), headers)
        made = table(
            owner,
            ("Attribute", "default", "takes", "what"),
            (20, 12, 18, 50),
            sorted(classes[owner]),
        )
        pages.setdefault(f"{directory}-attributes.rst", [_HEAD]).append(made)
    for owner, rows in sorted(trace_sources(home, headers).items()):
        header = ("trace source", "arguments", "what")
        made = table(f"Trace sources of {owner}", header, (18, 40, 42), rows)
        pages[f"{directory_of(owner, headers)}-attributes.rst"].append(made)
    return {name: "\n".join(parts) for name, parts in pages.items()}


def flags_of(text):
    """Return {flag: (default, help, its Attributes)} of what --PrintHelp prints, in its order."""
    program = text.partition("Program Options:")[2].partition("General Arguments:")[0]
    found = {}
    for name, about in _FLAG.findall(program):
        words, owners, first = _ABOUT.fullmatch(about).groups()
        found[name] = (first or "", words, (owners or "").replace("ns3::lfn::", ""))
    return found


def flags(build):
    """Return {file name: text}: the flags of each program, and those that all have alike."""
    known = {name: flags_of(ask(build / "bin" / name, "--PrintHelp")) for name in SCENARIOS}
    first, *others = known.values()
    common = {
        flag: about for flag, about in first.items() if all(o.get(flag) == about for o in others)
    }
    pages = {"common": common}
    for name, own in known.items():
        pages[name] = {flag: about for flag, about in own.items() if flag not in common}
    texts = {}
    for name, page in pages.items():
        rows = [(f"--{flag}", *map(_plain, about)) for flag, about in page.items()]
        title = "Flags of every scenario program" if name == "common" else f"Flags of {name}"
        made = table(title, ("flag", "default", "what", "Attributes"), (16, 14, 42, 28), rows)
        texts[f"{name}-flags.rst"] = f"{_HEAD}\n{made}"
    return texts


def columns(build):
    """Return {file name: text}: the own columns of each program, and its metrics."""
    pages = {}
    for name in SCENARIOS:
        parts = [_HEAD]
        for what, listed in _LISTED.findall(ask(build / "bin" / name, "--PrintHelp")):
            file, kind = (
                ("series.csv", "metric") if what == "Metrics" else ("summary.csv", "column")
            )
            rows = [tuple(map(_plain, line.strip().split("  ", 1))) for line in listed.splitlines()]
            title = f"{file} of {name}"
            parts.append(table(title, (kind, "what"), (28, 72), rows))
        pages[f"{name}-columns.rst"] = "\n".join(parts)
    return pages


def transports_of(text):
    """Return {name: (what, header, reliability, rate, what arrives redundantly)} of --PrintHelp."""
    return {name: about for name, *about in _TRANSPORT.findall(text)}


def transports(build):
    """Return {file name: text}: the transports by name and their traits."""
    found = transports_of(ask(build / "bin/transport-comparison", "--PrintHelp"))
    rows = [
        (f"``{name}``", f"{_plain(what)}; {reliable}; {rate}", header, _plain(surplus))
        for name, (what, header, reliable, rate, surplus) in found.items()
    ]
    made = table("Transports", ("name", "what is installed", "h", "S"), (14, 48, 6, 32), rows)
    return {"transports.rst": f"{_HEAD}\n{made}"}


def chapters(home):
    """Return {generated file: the chapter that includes it}."""
    return {
        name: path.stem
        for path in sorted((home / "doc").glob("*.rst"))
        for name in re.findall(r"^\.\. include:: generated/(\S+)$", path.read_text(), re.M)
    }


def parameters(pages, where):
    """Return {file name: text}: flags and Attributes of the other pages by name, with chapters."""
    rows = []
    listing = re.compile(r"^\.\. csv-table:: (.*)\n(?:   .*\n)+\n((?:   .*\n)+)", re.M)
    for page, text in pages.items():
        for title, body in listing.findall(text):
            if title.startswith("Trace sources"):
                continue
            owner = title.removeprefix("Flags of ").removeprefix("ns3::lfn::")
            names = re.findall(r'^   "((?:[^"]|"")*)"', body, re.M)
            chapter = where[page]
            rows += [(name, owner, f":ref:`{chapter} <lfn-{chapter}>`") for name in names]
    rows.sort(key=lambda row: (row[0].lstrip("-").lower(), row))
    made = table("Flags and Attributes", ("name", "of", "chapter"), (40, 40, 20), rows)
    return {"parameters.rst": f"{_HEAD}\n{made}"}


def figure_keys(home):
    """Return {file name: text}: the keys of a figure.toml, from the models that read it."""
    own = home / ".venv/bin/python"
    python = own if own.exists() else sys.executable
    made = ask(python, "-m", "lfn.schema", env={"PYTHONPATH": str((home / "analysis").resolve())})
    head = _HEAD.replace("from the programs", "from analysis/lfn/spec.py")
    return {"figure-keys.rst": f"{head}\n{made}"}


def make(build, home):
    """Return {file name: text} of everything in doc/generated."""
    pages = {**attributes(build, home), **flags(build)}
    index = parameters(pages, chapters(home))
    return {**pages, **columns(build), **transports(build), **figure_keys(home), **index}


def renew(build, home):
    """Write the tables that have changed, and remove those that no longer exist."""
    folder = home / FOLDER
    pages = make(build, home)
    folder.mkdir(exist_ok=True)
    for path in folder.glob("*.rst"):
        if path.name not in pages:
            path.unlink()
    for name, text in pages.items():
        path = folder / name
        if not path.is_file() or path.read_text() != text:  # Sphinx reads changed files again
            path.write_text(text)


def main(build):
    """Renew the tables by the programs in build/bin; the exit status is 0 where that goes well."""
    missing = [name for name in PROGRAMS if not Path(build, "bin", name).is_file()]
    if missing:
        print(f"docs: {build}/bin/{missing[0]} is missing: run ./waf build first", file=sys.stderr)
        return 1
    try:
        renew(Path(build), Path())
    except subprocess.CalledProcessError as error:
        print(f"docs: {error.stderr.splitlines()[-1]}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
