# SPDX-License-Identifier: GPL-2.0-only
"""A scenario program and a figure small enough to test the pipeline itself."""

import stat
import sys
import textwrap

PROGRAM = """\
#!{python}
# {comment}
import json, os, sys, time
flags = dict(word.lstrip("-").partition("=")[::2] for word in sys.argv[1:])
if flags.get("fail"):
    print("toy: --fail: do not ask for it", file=sys.stderr)
    sys.exit(1)
if int(flags["RngRun"]) >= int(flags.get("failFrom", 1000)):
    print("toy: --failFrom: as asked", file=sys.stderr)
    sys.exit(1)
if os.path.exists({journal!r} + ".full"):
    print("toy: No space left on device", file=sys.stderr)
    sys.exit(1)
time.sleep(float(flags.get("sleep", 0)))
out = flags["outputDir"]
os.makedirs(out)
with open({journal!r}, "a") as journal:
    journal.write(flags["size"] + " " + flags["RngRun"] + "\\n")
with open(out + "/summary.csv", "w") as stream:
    stream.write("flow,start_s,finish_s,completed,delivered_bytes,protocol\\n")
    stream.write("0,0,%s,1,%s,toy\\n" % ({factor} * float(flags["size"]), flags["size"]))
if flags.get("messages") is not None:
    with open(out + "/messages.csv", "w") as stream:
        stream.write("time_s,flow\\n0.5,0\\n")
if flags.get("text") is not None:
    with open(out + "/" + flags["text"], "w") as stream:
        stream.write("run " + flags["RngRun"] + "\\n")
with open(out + "/run.json", "w") as stream:
    json.dump({{"versions": {{"lfn": "0", "ns3": "3.44"}}}}, stream)
"""

FIGURE = """\
id = "toy"
title = "Toy"
place = "Fig. 0"
paper = "Toy (2000)"
summary = "Nothing."
plots = ["toy"]
[[points]]
series = "line"
program = "toy-transfer"
runs = 2
seconds = 0.1
[points.args]
sleep = {sleep}
{more}
[points.sweep]
size = [1, 2, 3]
[claims.factor]
origin = "paper"
band = "chosen before"
kind = "number"
statement = "Each byte takes a second."
place = "section 0"
published = 1
low = 0.9
high = 1.1
"""

PLOT = """\
from lfn.results import means
from lfn.style import new_figure, plot_band


def draw(results):
    figure, axes = new_figure()
    table = means(results.rows("line"), "--size", "finish_s")
    plot_band(axes, table["--size"], table, "rbudp")
    return figure, [table]
"""

CLAIMS = """\
from lfn.claims import Measured


def factor(results):
    rows = results.rows("line")
    return Measured.one((rows["finish_s"] / rows["--size"]).mean(), len(rows))
"""


def write_program(build, factor=1, comment="a comment"):
    """Write bin/toy-transfer; it notes each of its runs in build/journal."""
    program = build / "bin" / "toy-transfer"
    program.parent.mkdir(parents=True, exist_ok=True)
    text = PROGRAM.format(
        python=sys.executable, journal=str(build / "journal"), factor=factor, comment=comment
    )
    program.unlink(missing_ok=True)
    program.write_text(text)
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return program


def write_figure(folder, sleep=0, more="", figure=FIGURE):
    """Write the figure's folder below ``folder``."""
    target = folder / "toy"
    target.mkdir(parents=True, exist_ok=True)
    (target / "figure.toml").write_text(textwrap.dedent(figure).format(sleep=sleep, more=more))
    (target / "plot.py").write_text(PLOT)
    (target / "claims.py").write_text(CLAIMS)
    (target / "published.csv").write_text("quantity,series,x,value,unit,error,place\n")


def journal(build):
    """Return the runs made so far and forget them."""
    path = build / "journal"
    lines = path.read_text().splitlines() if path.exists() else []
    path.unlink(missing_ok=True)
    return sorted(lines)
