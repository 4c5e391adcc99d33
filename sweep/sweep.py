#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Replace names and words all over the tree by the tables beside this script; run it again at will.

    sweep/sweep.py flags|classes|figures|handlers|words ...   # stages, in this order; or "all"
    sweep/sweep.py --count                                    # occurrences per word
    sweep/sweep.py --changes                                  # the table in CHANGES.md
    sweep/sweep.py --stored                  # ids of kept results; not part of "all"
    sweep/sweep.py --check                                    # new names that exist already

paths.tsv: stage, old path, new path (folders and files; `git mv`).
names.tsv: stage, pattern of paths, old identifier, new identifier (whole words, exact case).
phrases.tsv: kind (all, prose, text), old pattern, new words. A space matches a line break within a
comment, a docstring, a paragraph and a string in parts. "prose" skips code outside comments and
strings; "text" is documents and TOML only. The case of the first letter is kept.
sentences.txt: blocks of "path", "- old", "+ new" lines; exact text, line breaks apart.
"""

import csv
import re
import subprocess
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
STAGES = ("flags", "classes", "figures", "handlers", "words")
# Kept results, papers' data, licences, data that only look like text, and this script.
SKIP = re.compile(
    r"^(?:analysis/(?:stored|originals)/|sweep/|LICENSE|.*bench-counts\.csv$|.*published\.csv$"
    r"|analysis/figures/rewordings\.csv$|\.ci/words\.py$|waf$"
    r"|.*\.(?:png|pdf|trace|gz|ipynb|svg|config|graphml|gml)$)"
)
# What papers say, and tables.
NO_WORDS = re.compile(r"\.csv$|analysis/figures/statements\.toml$|^test/.*\.(?:json|txt)$")
CODE = (".cc", ".h", ".py", ".lua", ".sh")
WIDTH = {".cc": 100, ".h": 100, ".py": 100, ".md": 120, ".rst": 120}


def git(*words):
    return subprocess.check_output(["git", "-C", str(ROOT), *words], text=True)


def files():
    """Return the tracked files that may be changed."""
    names = git("ls-files").splitlines()
    return [name for name in names if not SKIP.match(name) and (ROOT / name).is_file()]


def table(name, columns):
    """Return the rows of a table beside this script."""
    rows = []
    for line in (HERE / name).read_text().splitlines():
        if line and not line.startswith("#"):
            row = line.split("\t")
            assert len(row) == columns, (name, line)
            rows.append(row)
    return rows


def read(name):
    try:
        return (ROOT / name).read_text()
    except UnicodeDecodeError:
        return None


def is_code(name):
    return name.endswith(CODE) or Path(name).name in ("wscript", "Snakefile", "run")


# --- paths and identifiers ---------------------------------------------------------------------


def move(stage):
    """Rename files; what names them, follows by the rows of names.tsv."""
    for at, old, new in table("paths.tsv", 3):
        if at == stage and (ROOT / old).exists():
            (ROOT / new).parent.mkdir(parents=True, exist_ok=True)
            git("mv", old, new)


def rename(stage):
    """Replace identifiers as whole words."""
    rows = [row[1:] for row in table("names.tsv", 4) if row[0] == stage]
    names = files()
    if stage == "flags":  # command lines of cases, which are run
        names += git("ls-files", "analysis/originals/*-cases.csv").splitlines()
    for name in names:
        if (text := read(name)) is None:
            continue
        new = text
        for where, old, other in rows:
            if old in new and re.search(where, name):
                end = "" if old.endswith("(") else "(?![A-Za-z0-9_])"
                new = re.sub(rf"(?<![A-Za-z0-9_]){re.escape(old)}{end}", other, new)
        if new != text:
            (ROOT / name).write_text(new)


def check():
    """Print the new identifiers that a file which has the old one has already."""
    for stage, where, old, new in table("names.tsv", 4):
        for name in files():
            text = read(name) or ""
            if re.search(where, name) and re.search(rf"\b{re.escape(old)}\b", text):
                if re.search(rf"\b{re.escape(new)}\b", text):
                    print(stage, name, old, new)


# --- words -------------------------------------------------------------------------------------

# Between two words: blanks, a line break with the mark of the comment, a string in two parts.
GAP = r"""(?:[ ]+|[ ]*\n[ \t]*(?:(?:///?<?|//!<|\*|\#|--)(?=[ ]))?[ \t]*|[ ]?"[ \t]*\n[ \t]*(?:<<[ ]*)?f?"[ ]?)"""


def compile_phrase(old):
    """Return the pattern of a phrase: a space matches any gap, ends are ends of words."""
    body = old.replace(" ", GAP)
    return re.compile(rf"(?<![\w./=`$-])(?<!@param )(?<!tparam ){body}(?![\w=`(-])(?!\.\w)", re.I)


def put(match, new):
    """Return the replacement with the case and the line break of what it replaces."""
    text = match[0]
    for i in range(1, (match.re.groups or 0) + 1):
        new = new.replace(f"\\{i}", match[i] or "")
    first = re.search(r"[A-Za-z]", text)
    if first and first[0].isupper():
        new = new[:1].upper() + new[1:]
    gap = next((one[0] for one in re.finditer(GAP, text) if "\n" in one[0]), None)
    if gap is None:
        return new
    words = new.split(" ")
    at = len(re.findall(r"\S+", re.sub(GAP, " ", text[: text.index(gap)])))
    at = min(at, len(words) - 1)
    before, after = " ".join(words[:at]), " ".join(words[at:])
    return before + gap + after if before else gap.lstrip(" ") + after


CPP_PROSE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)
PY_PROSE = re.compile(r'"""(?:.*?)"""|#[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def prose_mask(name, text):
    """Return the set of spans that are comments and strings with a blank."""
    pattern = CPP_PROSE if name.endswith((".cc", ".h")) else PY_PROSE
    mask = bytearray(len(text))
    for one in pattern.finditer(text):
        if not one[0].startswith(('"', "'")) or " " in one[0] or one[0].startswith('"""'):
            for i in range(one.start(), one.end()):
                mask[i] = 1
    return mask


def words():
    """Replace phrases and sentences, then wrap the lines that became too long."""
    phrases = [(kind, compile_phrase(old), new) for kind, old, new in table("phrases.tsv", 3)]
    exact = sentences()
    before = claims()
    for name in files():
        if (text := read(name)) is None or NO_WORDS.search(name):
            continue
        new = text
        for old, other in exact.get(name, []) + exact.get("*", []):
            pattern = re.compile(re.escape(old).replace(r"\ ", GAP))
            new = pattern.sub(lambda match, other=other: put_exact(match, other), new)
        for kind, pattern, other in phrases:
            if kind == "text" and is_code(name):
                continue
            if kind == "code" and not is_code(name):
                continue
            if not pattern.search(new):
                continue
            mask = prose_mask(name, new) if is_code(name) and kind != "all" else None
            # What a claim's sentence or metric was before, as its note quotes it.
            quoted = [one.span() for one in re.finditer(r"read '[^\n]*?'(?=[;.,\" ])", new)]

            def swap(match, other=other, mask=mask, new=new, quoted=quoted, name=name):
                if mask is not None and not mask[match.start()]:
                    return match[0]
                around = new[max(0, match.start() - 1) : match.start()] + new[match.end() :][:1]
                is_name = around in ('""', "''", '">', "{}", "[]") and " " not in match[0]
                if is_name or "`" in match[0]:
                    return match[0]
                if any(a <= match.start() < b for a, b in quoted):
                    return match[0]
                return put(match, other)

            new = pattern.sub(swap, new)
        if new != text:
            new = re.sub(r"[ \t]+\n", "\n", new) if "  \n" not in text else new
            (ROOT / name).write_text(wrap(name, text, new))
    keep_rewordings(before)


def claims():
    """Return {(figure, claim, key): text} of the sentences and units of all claims."""
    found = {}
    for path in sorted(ROOT.glob("analysis/figures/*/figure.toml")):
        for name, claim in tomllib.loads(path.read_text()).get("claims", {}).items():
            for key in ("statement", "unit"):
                if key in claim:
                    found[path.parent.name, name, key] = claim[key]
    return found


def keep_rewordings(before):
    """Add what sentences and units were before to rewordings.csv, by which lint knows them."""
    path = ROOT / "analysis/figures/rewordings.csv"
    rows = []
    if path.exists():
        with path.open(newline="") as stream:
            rows = list(csv.reader(stream))[1:]
    after = claims()
    rows += [[before[key], after[key]] for key in before if before[key] != after.get(key)]
    rows = sorted({tuple(row) for row in rows})
    with path.open("w", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows([("old", "new"), *rows])


def put_exact(match, new):
    """As put(), without a change of case."""
    gap = next((one[0] for one in re.finditer(GAP, match[0]) if "\n" in one[0]), None)
    if gap is None:
        return new
    words_ = new.split(" ")
    at = len(re.findall(r"\S+", re.sub(GAP, " ", match[0][: match[0].index(gap)])))
    at = max(1, min(at, len(words_) - 1))
    return " ".join(words_[:at]) + gap + " ".join(words_[at:]) if len(words_) > 1 else gap + new


def sentences():
    """Return {path: [(old, new)]} of sentences.txt."""
    found, path, old = {}, None, None
    for line in (HERE / "sentences.txt").read_text().splitlines():
        if line.startswith("- "):
            old = line[2:]
        elif line.startswith("+ "):
            found.setdefault(path, []).append((old, line[2:]))
        elif line and not line.startswith("#"):
            path = line.strip()
    return found


MARK = re.compile(r"^(\s*(?:\*(?=\s)|//[/!]?<?|#|--)?\s*)")


def wrap(name, old, new):
    """Move words of lines that are too long now to the next line of the comment or paragraph.

    C++ is left to clang-format except in strings; code lines and tables are left alone.
    """
    suffix = Path(name).suffix
    width = WIDTH.get(suffix)
    if width is None:
        return new
    known = set(old.splitlines())
    lines, i = new.split("\n"), 0
    mask = prose_lines(name, new)
    while i < len(lines):
        line = lines[i]
        if (
            len(line) <= width
            or (line in known and suffix != ".py")
            or not mask[i]
            or line.lstrip().startswith("|")
        ):
            i += 1
            continue
        mark = MARK.match(line)[1]
        cut = line.rfind(" ", len(mark) + 1, width + 1)
        if cut < 0:
            i += 1
            continue
        head, rest = line[:cut], line[cut + 1 :]
        tail = ""
        if suffix == ".py" and rest.endswith('"""') and rest != '"""':
            pass
        following = lines[i + 1] if i + 1 < len(lines) else ""
        inner = mark
        if suffix in (".md", ".rst"):
            bullet = re.match(r"^(\s*)((?:[-*]|\d+\.|#\.) +)", line)
            inner = bullet[1] + " " * len(bullet[2]) if bullet else re.match(r"\s*", line)[0]
        elif '"""' in line[: len(mark) + 3]:
            inner = re.match(r"\s*", line)[0]
        is_same = (
            following.strip()
            and MARK.match(following)[1] == inner
            and mask[i + 1]
            and not re.match(
                r"\s*(?:[-*+|:@]|\d+\.|#\.|\.\.|\"\"\")[ \w\"]?",
                following[len(inner.rstrip()) :].lstrip() if inner.strip() else following,
            )
        )
        lines[i] = head + tail
        if is_same:
            lines[i + 1] = inner + rest + " " + following[len(inner) :]
        else:
            lines.insert(i + 1, inner + rest)
            mask.insert(i + 1, True)
        i += 1
    return "\n".join(lines)


def prose_lines(name, text):
    """Return for each line whether it is of a comment, a docstring or a paragraph."""
    lines = text.split("\n")
    suffix = Path(name).suffix
    if suffix in (".cc", ".h"):
        return [bool(re.match(r"\s*(?:\*|//)", line)) for line in lines]
    if suffix == ".py":
        inside, mask = False, []
        for line in lines:
            quotes = line.count('"""')
            mask.append(inside or line.lstrip().startswith(("#", '"""')))
            if quotes % 2:
                inside = not inside
        return mask
    mask, literal = [], False
    for line in lines:
        if line.startswith(("```", "~~~")):
            literal = not literal
        is_indented = line.startswith("    ") or (suffix == ".rst" and line.startswith("  $"))
        mask.append(not literal and not is_indented and not re.match(r"^[=+|-]{3}", line))
    return mask


# --- counts ------------------------------------------------------------------------------------


def count():
    """Print how often each word of words.tsv is in the files that may be changed."""
    texts = [text for text in map(read, files()) if text]
    for word, pattern in table("words.tsv", 2):
        one = re.compile(rf"(?<![A-Za-z]){pattern.replace(' ', GAP)}(?![A-Za-z])", re.I)
        print(f"{word}\t{sum(len(one.findall(text)) for text in texts)}")


# Names that a user's scripts, programs and folders of results may have.
PUBLIC = (
    ("flags", r"^(?!m_)"),
    (
        "classes",
        r"^(?:ToldLink|FlowWitness|RbudpTally|GetNextLook|lfn-told-link|lfn-flow-witness|rbudp-tally|lfn-end-looks)$",
    ),
    ("figures", r"^(?!.*_)"),
)
MARKED = "### Names that changed"


def changes():
    """Write the table of new names into CHANGES.md, in place of the one that is there."""
    rows = {}
    for stage, pattern in PUBLIC:
        for at, _, old, new in table("names.tsv", 4):
            if at == stage and re.search(pattern, old):
                flag = stage == "flags" and old[0].islower()
                rows[f"--{old}" if flag else old] = f"--{new}" if flag else new
    lines = [MARKED, "", "| before | now |", "|---|---|"]
    lines += [f"| `{old}` | `{new}` |" for old, new in rows.items()]
    lines += [
        "| suites `lfn-*-hostile`, `lfn-xcp-liar` | `lfn-*-malformed`, `lfn-xcp-misbehaving` |",
        "| handlers of events `Take...()`, `Handle...()`, `Note...()` | `On...()` |",
    ]
    path = ROOT / "CHANGES.md"
    text = path.read_text()
    begin = text.find(MARKED)
    end = text.find("\n#", begin + 1)
    old = text[begin : end + 1 if end > 0 else len(text)] if begin >= 0 else ""
    rest = text.replace(old, "") if old else text
    path.write_text(rest.rstrip("\n") + "\n\n" + "\n".join(lines) + "\n")


def stored():
    """Give kept results the new ids of figures and claims; then run store_results.py --dates."""
    rows = [row[2:] for row in table("names.tsv", 4) if row[0] == "figures"]
    for preset in sorted((ROOT / "analysis/stored").iterdir()):
        for name in ("verdicts.csv", "made.csv"):
            path = preset / name
            if not path.exists():
                continue
            lines = path.read_text().split("\n")
            for i, line in enumerate(lines):
                head = line.split(",", 2)
                for old, new in rows:
                    head[:2] = [new if part == old else part for part in head[:2]]
                lines[i] = ",".join(head)
            path.write_text("\n".join(lines))
        for at, old, new in table("paths.tsv", 3):
            folder = preset / Path(old).name
            if at == "figures" and folder.is_dir():
                for one in sorted(folder.iterdir()):
                    name = one.name.replace(Path(old).name, Path(new).name)
                    (preset / Path(new).name).mkdir(exist_ok=True)
                    git("mv", str(one), str(preset / Path(new).name / name))


def main(arguments):
    if arguments == ["--stored"]:
        return stored()
    if arguments == ["--changes"]:
        return changes()
    if arguments == ["--count"]:
        return count()
    if arguments == ["--check"]:
        return check()
    for stage in STAGES if arguments == ["all"] else arguments:
        assert stage in STAGES, stage
        if stage == "words":
            words()
        else:
            move(stage)
            rename(stage)
    return None


if __name__ == "__main__":
    main(sys.argv[1:])
