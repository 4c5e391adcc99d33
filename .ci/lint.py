# SPDX-License-Identifier: GPL-2.0-only
"""./waf lint: format, style, spelling and project rules; with --all clang-tidy and API coverage."""

import argparse
import json
import os
import subprocess
import sys
import sysconfig
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import api_coverage
import claims_history
import project_rules

TOOLS = Path(sysconfig.get_path("scripts"))
BINARY = {".png", ".svg", ".pcap", ".pdf"}


def listed():
    """Files that git tracks or would track: all that a commit could carry."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.check_output(command, text=True).splitlines()
    return sorted({name for name in names if Path(name).is_file()})


def call(*command):
    """(ok, output) of a tool."""
    result = subprocess.run(command, text=True, capture_output=True)
    return result.returncode == 0, (result.stdout + result.stderr).strip()


def formatted(cpp):
    """clang-format over the files: (ok, the files that it would change)."""
    ok, text = call(TOOLS / "clang-format", "--dry-run", "-Werror", *cpp)
    names = {line.split(":")[0] for line in text.splitlines() if "-Wclang-format" in line}
    return ok, "\n".join(["'./waf lint --fix' would change", *sorted(names)]) if names else text


def tidy(sources, flags, jobs):
    """clang-tidy over the sources, several at a time: (ok, its findings)."""

    def one(source):
        here = ["-I", str(Path(source).parent)]
        command = [TOOLS / "clang-tidy", "--quiet", source, "--", "-x", "c++", *flags, *here]
        result = subprocess.run(command, text=True, capture_output=True)
        return result.returncode == 0, result.stdout.strip()

    with ThreadPoolExecutor(jobs) as pool:
        results = list(pool.map(one, sources))
    return all(ok for ok, _ in results), "\n".join(text for ok, text in results if not ok)


def recent(sources):
    """Those of the sources that changed of late, as LFN_TIDY_SINCE says to git; else all."""
    since = os.environ.get("LFN_TIDY_SINCE")
    if not since:
        return sources
    command = ["git", "log", f"--since={since}", "--name-only", "--format="]
    changed = set(subprocess.check_output(command, text=True).splitlines())
    uncommitted = subprocess.check_output(["git", "diff", "--name-only", "HEAD"], text=True)
    return [name for name in sources if name in changed | set(uncommitted.splitlines())]


def texts(files):
    """Those of the files that we have written as text: {name: text}."""
    return {
        name: Path(name).read_text(encoding="utf-8", errors="replace")
        for name in files
        if Path(name).suffix not in BINARY and name != "LICENSE"
    }


def python_files(files):
    """Those of the files that are Python."""
    found = texts(files).items()
    return [name for name, text in found if project_rules.is_python(Path(name), text.splitlines())]


def rules(files):
    """The project rules: (ok, breaches)."""
    found = list(project_rules.faults(texts(files)))
    return not found, "\n".join(found)


def main():
    """Run the checks, a line each, and say how many passed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--fix", action="store_true", help="format and repair what can be")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--flags", type=json.loads, default=[])
    options = parser.parse_args()

    files = listed()
    cpp = [name for name in files if Path(name).suffix in project_rules.CPP]
    python = python_files(files)
    if options.fix:
        call(TOOLS / "clang-format", "-i", *cpp)
        call(TOOLS / "ruff", "check", "--fix", *python)
        call(TOOLS / "ruff", "format", *python)
    checks = {
        "clang-format": lambda: formatted(cpp),
        "ruff check": lambda: call(TOOLS / "ruff", "check", "--output-format=concise", *python),
        "ruff format": lambda: call(TOOLS / "ruff", "format", "--check", *python),
        "codespell": lambda: call(TOOLS / "codespell", *files),
        "project rules": lambda: rules(files),
        "claims that changed": claims_history.check,
    }
    if options.all:
        sources = recent([name for name in cpp if name.endswith(".cc")])
        checks["clang-tidy"] = lambda: tidy(sources, options.flags, options.jobs)
        checks["API coverage"] = api_coverage.check
    failed = 0
    for name, check in checks.items():
        begin = time.monotonic()
        ok, text = check()
        failed += not ok
        print(f"{'PASS' if ok else 'FAIL'} {name}: {time.monotonic() - begin:.1f} s", flush=True)
        if not ok:
            print(text)
    print(f"{len(checks) - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
