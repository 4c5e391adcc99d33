# SPDX-License-Identifier: GPL-2.0-only
"""Project rules that no ready-made tool has. Each rule yields (line number, what is wrong)."""

import re
from pathlib import PurePath

LICENCE = "SPDX-License-Identifier: GPL-2.0-only"
CPP = {".cc", ".h"}
CODE = CPP | {".py", ".sh"}
CODE_NAMES = {"wscript", "Snakefile", "CMakeLists.txt"}

# Folders that exist on one machine only. Written so that this file does not match itself.
MACHINE_PATH = re.compile(r"(?<![\w.$}/-])/(?:home|root|Users|work|tmp|mnt|scratch)/[\w.]")
REGISTRY = re.compile(
    r"https?://[\w.-]*(?:pypi|pythonhosted|artifactory|nexus|deb\.debian|ftp\.[\w.]*debian"
    r"|security\.debian|archive\.ubuntu|snapshot\.debian)[\w.]*"
)
# Line numbers in the binary would make a touched comment change its bytes.
LINE_MACROS = re.compile(r"\b(?:NS_ASSERT\w*|NS_ABORT\w*|NS_FATAL\w*|NS_TEST\w*|__LINE__|assert)\b")
UNFINISHED = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|X" r"XX)\b")
INCLUDE = re.compile(r'^\s*#\s*include\s+["<](?:ns3/)?([\w.-]+)[">]')
COMPONENT = re.compile(r'(?:NS_LOG_COMPONENT_DEFINE|LogComponent g_\w+)\("(\w+)"')
METHOD = re.compile(r"(\w+)::(\w+)\(")

# Words that readers whose first language is not English have to guess, and the field's words.
WORDS = {
    "sent again": "retransmitted",
    "in vain": "spurious, redundant or needlessly",
    "ways? back|way there": "reverse path, forward path",
    "told": "reported, configured, notified or distinguished",
    "beside": "alongside, compared with or next to",
    "anew|once more|go(?:es)? round": "again",
    "whoever": "any host that",
    "what comes": "what arrives",
    "hostile": "malformed, adversarial",
    "strangers?": "unauthenticated host",
    "liars?": "misbehaving host",
    "deaf": "unresponsive",
    "reckon(?:s|ed|ing)?": "compute",
    "witness(?:es)?": "independent counter",
    "knobs?": "parameter",
    "dear(?:er|est)": "more expensive",
    "mend(?:s|ed)": "recover",
    "so many": "the number of",
    "ledgers?": "list of deviations, account",
    "(?:in-tree|stand-alone) doors?": "build",
    "goes twice": "is retransmitted",
    "a row a (?:flow|run)|one bit a": "per",
    r"round[ -]trips?(?![ -]times?\b)": "RTT",
    "tells?|telling": "reports, gives, indicates or distinguishes",
    "hears?|heard|hearing": "receives",
    "wants": "needs, requests or demands",
    "whatever": "for any, at any",
    "holes?": "gap",
    "(?<!there )(?:is|are) none of": "is not one of",
}
WORD = re.compile(
    r"(?<![\w.-])(?:" + "|".join(f"({word})" for word in WORDS) + r")(?![\w-])", re.IGNORECASE
)
# Kept results, what papers say, and this table.
NO_WORDS = re.compile(
    r"analysis/(?:stored|originals)/|sweep/|analysis/figures/statements\.toml|LICENSE"
    r"|\.ci/project_rules\.py|test/python/test_project_rules\.py|.*\.(?:csv|ipynb)$"
)
QUOTED = re.compile(r"read '.*?'(?=[;.,\" ])")  # a claim as it was, in a note

# What a core may not include: it gets time and events, and returns actions.
SHELL_HEADERS = {"socket.h", "packet.h", "simulator.h", "node.h", "net-device.h", "application.h"}


def interpreter(lines):
    """The first line of a file if it names who runs it, else nothing."""
    return lines[0] if lines and lines[0].startswith("#!") else ""


def is_code(path, lines):
    """Whether a file is code: by its suffix, its name or its first line."""
    return path.suffix in CODE or path.name in CODE_NAMES or bool(interpreter(lines))


def is_python(path, lines):
    """Whether a file is Python, by its name or its first line."""
    return path.suffix == ".py" or path.name == "wscript" or "python" in interpreter(lines)


def licence(path, lines):
    """Code carries the licence line, alone, at its top."""
    if is_code(path, lines) and not any(LICENCE in line for line in lines[:2]):
        yield 1, f"no line '{LICENCE}' at the top"


def ascii_only(path, lines):
    """C++ is ASCII."""
    if path.suffix in CPP:
        for number, line in enumerate(lines, 1):
            if not line.isascii():
                yield number, "a character outside ASCII"


def machine_names(path, lines):
    """No folder and no package host of one machine."""
    for number, line in enumerate(lines, 1):
        for pattern, what in ((MACHINE_PATH, "machine path"), (REGISTRY, "registry host")):
            if found := pattern.search(line):
                yield number, f"{what} {found[0]}"


def large(path, lines):
    """No file of more than a megabyte, such as a capture."""
    if sum(map(len, lines)) > 1_000_000:
        yield 1, "more than a megabyte"


def line_macros(path, lines):
    """No macro that carries its line number in model and helper."""
    if path.suffix in CPP and path.parts[0] in ("model", "helper"):
        for number, line in enumerate(lines, 1):
            if found := LINE_MACROS.search(line.split("//")[0]):
                yield number, f"{found[0]} puts a line number into the library"


def unfinished(path, lines):
    """Nothing left open."""
    for number, line in enumerate(lines, 1):
        if found := UNFINISHED.search(line):
            yield number, f"{found[0]} left open"


def directory(path):
    """Where a C++ file lives: model/<directory>, helper/<directory>, examples or test."""
    inside = path.parts[0] in ("model", "helper")
    return "/".join(path.parts[:2] if inside else path.parts[:1])


# The directories from the bottom up. All others are protocols, of which none may include another.
MODEL = {
    "wire": set(),
    "path": {"wire"},
    "tcp": {"wire"},
    "transfer": {"wire", "path", "tcp"},
}
HELPER = ["command-line", "output", "topology", "live", "transport", "background", "scenario"]
LAST = "comparison"


def may_include(mine, theirs):
    """Whether a file of one directory may include a header of another."""
    part, _, name = mine.partition("/")
    their_part, _, their_name = theirs.partition("/")
    if part in ("examples", "test") or mine == theirs:
        return True
    if part == "helper" and their_part == "helper":
        if name in HELPER:
            return their_name in HELPER[: HELPER.index(name)]
        return their_name in HELPER or (name == LAST and their_name != LAST)
    if part == "model" and their_part == "model":
        return their_name in MODEL.get(name, MODEL.keys())
    return part == "helper" and their_part == "model"


def words(path, lines):
    """Plain words of the field, in names, comments, messages and documents."""
    if not NO_WORDS.match(str(path)):
        for number, line in enumerate(lines, 1):
            if found := WORD.search(QUOTED.sub("", line)):
                yield number, f"'{found[0]}': write {list(WORDS.values())[found.lastindex - 1]}"


def make_knowledge(headers):
    """Rule: who may include whom, given the paths of all headers."""
    directories = {header.name: directory(header) for header in headers}

    def knowledge(path, lines):
        if path.suffix not in CPP or path.parts[0] not in ("model", "helper"):
            return
        for number, line in enumerate(lines, 1):
            found = INCLUDE.match(line)
            name = found[1] if found else ""
            if name in directories and not may_include(directory(path), directories[name]):
                yield number, f"{directory(path)} may not include {directories[name]} ({name})"
            if name.endswith("-module.h"):
                yield number, f"{name} is for programs and tests"
            if path.stem.endswith("-core") and name in SHELL_HEADERS:
                yield number, f"a core may not include {name}"

    return knowledge


def make_logs(files):
    """Rule: a class with a TypeId has a log component of its name, once, given all files."""
    ours = {name for name in files if PurePath(name).parts[0] in ("model", "helper")}
    components = {found for name in ours for found in COMPONENT.findall(files[name])}

    def logs(path, lines):
        if str(path) not in ours or path.suffix != ".cc":
            return
        classes = {}
        for number, line in enumerate(lines, 1):
            if found := METHOD.match(line):
                classes.setdefault(found[1], {})[found[2]] = number
            elif (found := COMPONENT.search(line)) and f"{found[1]}::" not in "\n".join(lines):
                yield number, f"the log component {found[1]} is no class of this file"
        if "SetParent<Header>" in "".join(lines) or components & classes.keys():
            return  # a header only has its fields, and a file has one component
        for name, methods in classes.items():
            if "GetTypeId" in methods and len(methods) > 1:
                yield methods["GetTypeId"], f'no NS_LOG_COMPONENT_DEFINE("{name}")'

    return logs


def faults(files):
    """All breaches in {path: text}: lines 'path:number: what'."""
    paths = [PurePath(name) for name in files]
    headers = [path for path in paths if path.suffix == ".h"]
    rules = [licence, ascii_only, machine_names, large, line_macros, unfinished, words]
    rules += [make_knowledge(headers), make_logs(files)]
    for path in paths:
        lines = files[str(path)].splitlines()
        for rule in rules:
            for number, what in rule(path, lines):
                yield f"{path}:{number}: {what}"
