# SPDX-License-Identifier: GPL-2.0-only
"""figure.toml: what it means, and that every mistake ends as one line with file and key."""

import re

import pytest

from lfn.points import Point
from lfn.spec import PRESETS, SpecError, load_figure

GOOD = """
id = "toy"
title = "T"
place = "Fig. 1"
paper = "P"
summary = "S"
plots = ["toy"]
program = "rbudp-transfer"
[args]
rtt = "100ms"
sendRate = "1Mbps"
messages = true
[sweep.bytes]
tiny = ["1MB"]
quick = ["1MB", "2MB"]
full = ["1MB", "2MB", "3MB"]
[[points]]
series = "one"
runs = { tiny = 1, quick = 2, full = 30 }
[[points]]
series = "two"
presets = ["full"]
[points.args]
bytes = "5MB"
rtt = "10ms"
[points.sweep]
sendRate = ["5Mbps", "6Mbps"]
[claims.holds]
origin = "paper"
band = "paper"
kind = "number"
statement = "It holds."
place = "section 1"
published = 3
low = 2
high = 4
"""


def load(tmp_path, text, name="toy", plot=True):
    folder = tmp_path / name
    folder.mkdir(exist_ok=True)
    (folder / "figure.toml").write_text(text)
    if plot:
        (folder / "plot.py").touch()
    return load_figure(folder)


def test_presets_sweeps_and_common_values(tmp_path):
    figure = load(tmp_path, GOOD)
    quick = figure.points("quick")
    assert [name for name, _ in quick] == ["one", "one"]
    assert quick[1][1] == Point.make(
        "rbudp-transfer",
        {"rtt": "100ms", "sendRate": "1Mbps", "bytes": "2MB", "messages": True},
        2,
    )
    full = [point for name, point in figure.points("full") if name == "two"]
    assert [dict(point.args)["sendRate"] for point in full] == ["5Mbps", "6Mbps"]
    assert all(dict(p.args)["bytes"] == "5MB" and dict(p.args)["rtt"] == "10ms" for p in full)
    claim = figure.claims[0]
    assert (claim.published, claim.presets, claim.evidence) == (
        "3",
        ("quick", "full"),
        "simulation",
    )


def test_all_points_once_with_each_case(tmp_path):
    cases = 'cases = [{ linkRate = "1Gbps", rtt = "1ms" }, { linkRate = "2Gbps" }]\n[args]'
    points = load(tmp_path, GOOD.replace("[args]", cases)).points("full")
    assert [name for name, _ in points] == 2 * ["one", "one", "one", "two", "two"]
    flags = [dict(point.args) for _, point in points]
    assert [f["linkRate"] for f in flags] == 5 * ["1Gbps"] + 5 * ["2Gbps"]
    assert [f["rtt"] for f in flags[2:8]] == ["1ms", "10ms", "10ms", "100ms", "100ms", "100ms"]


BAD = [
    (
        'series = "one"',
        'series = "one"\nrandom = { rtt = "1ms" }',
        "toy/figure.toml: points[1].random: must be false, or a table of flags with lists",
    ),
    ('id = "toy"', 'id = "other"', "toy/figure.toml: id: 'other' must be the folder's name, toy"),
    ('id = "toy"', "", "toy/figure.toml: id: is missing"),
    ('title = "T"', "title = 3", "toy/figure.toml: title: must be a text"),
    ('title = "T"', 'title = "T"\ncolour = 1', "toy/figure.toml: colour: is not a known key"),
    ('plots = ["toy"]', "plots = []", "toy/figure.toml: plots: must not be empty"),
    ('plots = ["toy"]', 'plots = ["../x"]', "toy/figure.toml: plots[1]: '../x' must be lower-case"),
    ('series = "one"', "", "toy/figure.toml: points[1].series: is missing"),
    ('series = "one"', 'series = "o"\nrun = 3', "toy/figure.toml: points[1].run: is not a known"),
    ("quick = 2, full = 30 }", "quick = 2 }", "points[1].runs: has no value for preset full"),
    ("quick = 2, full", "quick = 0, full", "points[1].runs.quick: must be greater than 0"),
    (
        "quick = 2, full",
        "fast = 2, full",
        "points[1].runs.fast: 'fast' must be 'tiny', ",
    ),
    ('["full"]', '["slow"]', "points[2].presets[1]: 'slow' must be 'tiny', 'quick' or 'full'"),
    ('["5Mbps", "6Mbps"]', "[]", "points[2].sweep.sendRate: must be a list of at least one value"),
    ('rtt = "10ms"', '"--rtt" = "10ms"', "points[2].args.--rtt: is not a flag's name"),
    ('rtt = "10ms"', "rtt = [1]", "points[2].args.rtt: must be a text, a number or a switch"),
    ('rtt = "10ms"', 'sendRate = "1Mbps"', "points[2].sweep: sendRate stands in args as well"),
    ("[args]", "args = 3\n[unused]", "toy/figure.toml: args: must be a table (line "),
    ("[args]", "[args]\na = [1]", "toy/figure.toml: args.a: must be a text, a number or a swit"),
    ("[args]", "args = 3\n[args]", "is not TOML"),
    (
        'kind = "number"',
        'kind = "size"',
        "claims.holds.kind: 'size' must be 'number', 'order' or 'shape'",
    ),
    ('origin = "paper"', "", "claims.holds.published: is what a source prints; of origin 'own'"),
    ('origin = "paper"', 'origin = "mine"', "claims.holds.origin: 'mine' must be 'paper', "),
    (
        'origin = "paper"',
        'origin = "own"',
        "claims.holds.published: is what a source prints; of or",
    ),
    ("low = 2\nhigh = 4", "", "claims.holds: low or high is missing: an edge of the band"),
    ("published = 3", "", "claims.holds.published: is missing: what the paper prints"),
    (
        'paper = "P"',
        "",
        "toy/figure.toml: claims: holds.origin: 'paper', but the figure has no pap",
    ),
    ('band = "paper"', 'band = "chosen"', "claims.holds.band: 'chosen' must be 'paper', "),
    ("high = 4", 'high = 4\ncalibration = "x"', "claims.holds.calibration: 'x' must be '', "),
    ("low = 2", "low = 5", "claims.holds.high: must not be below low"),
    ('statement = "It holds."', "", "toy/figure.toml: claims.holds.statement: is missing"),
    ("high = 4", 'high = 4\npresets = ["quick"]', "claims.holds.presets: must contain full"),
    ("high = 4", "high = 4\nbands = 1", "claims.holds.bands: is not a known key"),
    ("high = 4", "high = true", "claims.holds.high: must be a valid number"),
    ("[args]", "cases = []\n[args]", "toy/figure.toml: cases: must not be empty"),
    ("[args]", "cases = [3]\n[args]", "toy/figure.toml: cases[1]: must be a table"),
    ("high = 4", 'high = 4\ncolumn = "finish_s"\nat = 3', "claims.holds.at: must be a table"),
    ("high = 4", "high = 4\nat = { rtt = 1 }", "holds: at, over and reduce need a column"),
    (
        "high = 4",
        'high = 4\ncolumn = "a"\nover = { rtt = 1 }\nreduce = "max"',
        "holds: over takes means, not reduce = 'max'",
    ),
    ('id = "toy"', 'id = "toy"\nfolder = "x"', "toy/figure.toml: folder: is not a known key"),
    ("high = 4", "high = 4\nhalf_width = { full = 0 }", "claims.holds.half_width.full: must be gr"),
    ("[claims.holds]", '[claims."No good"]', "claims.No good: 'No good' must be lower-case words"),
]


@pytest.mark.parametrize(("old", "new", "message"), BAD, ids=[m for _, _, m in BAD])
def test_mistakes_name_file_and_key(tmp_path, old, new, message):
    assert GOOD.count(old) == 1
    with pytest.raises(SpecError) as caught:
        load(tmp_path, GOOD.replace(old, new))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value).strip()
    assert re.search(r"line \d+", str(caught.value))


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('title = "T"', "title = 3", "title = 3"),
        ('series = "one"', 'series = "o"\nrun = 3', "run = 3"),
        ('series = "one"', "", "[[points]]"),
        ('kind = "number"', 'kind = "size"', 'kind = "size"'),
        ('rtt = "10ms"', "rtt = [1]", "rtt = [1]"),
        ("[args]", "[args]\nrtt = [1]\n[unused]", "rtt = [1]"),
        ('series = "one"', 'series = "one"\n[point.sweep]\nrtt = ["1ms"]', "[point.sweep]"),
        ("[args]", "cases = [{ a = 1 }, { a = 2 }]\nruns = 0\n[args]", "runs = 0"),
        ('id = "toy"', "", ""),
    ],
)
def test_mistakes_name_the_line(tmp_path, old, new, line):
    text = GOOD.replace(old, new)
    with pytest.raises(SpecError) as caught:
        load(tmp_path, text)
    number = int(re.search(r"\(line (\d+)\)$", str(caught.value))[1])
    assert line in text.splitlines()[number - 1]


FIRST = """
id = "toy"
title = "T"
program = "transport-comparison"
y = "goodput_bps"
[args]
rtt = "50ms"
[sweep]
lossRate = [0.01, 0.1]
transport = ["tcp", "udp"]
"""


def test_a_first_figure(tmp_path):
    figure = load(tmp_path, FIRST, plot=False)
    assert (figure.plots, figure.abscissa, figure.summary) == (("toy",), "lossRate", "")
    points = figure.points("tiny")
    assert [name for name, _ in points] == 4 * ["toy"]
    assert [dict(point.args) for _, point in points][1] == {
        "lossRate": "0.01",
        "rtt": "50ms",
        "transport": "udp",
    }
    runs = [point.runs for preset in PRESETS for _, point in figure.points(preset)]
    assert runs == 4 * [5] + 4 * [5] + 4 * [20]


@pytest.mark.parametrize("random", ["false", "{ lossRate = [0.1] }"])
def test_one_run_is_enough_where_not_all_is_random(tmp_path, random):
    text = FIRST.replace("[args]", f"random = {random}\n[args]")
    figure = load(tmp_path, text, plot=False)
    assert {point.runs for preset in PRESETS for _, point in figure.points(preset)} == {1}


def test_a_figure_without_a_plot_needs_y(tmp_path):
    with pytest.raises(SpecError, match=r"^toy/figure.toml: y: is missing: a column that the plot"):
        load(tmp_path, FIRST.replace("y =", "place ="), plot=False)
    assert load(tmp_path, FIRST.replace("y =", "place =")).place == "goodput_bps"


POINTS = """
def points():
    return [
        {"series": f"s{n}", "args": {"bytes": f"{n}MB"}, "runs": {"tiny": 1, "quick": n, "full": n}}
        for n in (1, 2)
    ]
"""


def test_points_that_a_function_makes(tmp_path):
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy" / "points.py").write_text(POINTS)
    figure = load(tmp_path, GOOD)
    assert [series.name for series in figure.series] == ["s1", "s2", "one", "two"]
    (_, first), (_, second), *_ = figure.points("quick")
    alike = {"rtt": "100ms", "sendRate": "1Mbps", "messages": True}
    assert first == Point.make("rbudp-transfer", {**alike, "bytes": "1MB"}, 1)
    assert second == Point.make("rbudp-transfer", {**alike, "bytes": "2MB"}, 2)
    only = GOOD[: GOOD.index("[[points]]")] + GOOD[GOOD.index("[claims.") :]
    assert [series.name for series in load(tmp_path, only).series] == ["s1", "s2"]
    # What is wrong in the file stands where it stood; what the function made has no line.
    with pytest.raises(SpecError, match=r"points\[3\].run: is not a known key \(line 19\)$"):
        load(tmp_path, GOOD.replace('series = "one"', 'series = "one"\nrun = 3'))
    (tmp_path / "toy" / "points.py").write_text(POINTS.replace('"bytes"', '"--bytes"'))
    with pytest.raises(SpecError, match=r"points\[1\].args.--bytes: is not a flag's name \(no d"):
        load(tmp_path, GOOD)
    (tmp_path / "toy" / "points.py").write_text(POINTS.replace("(1, 2)", "(1, 2"))
    with pytest.raises(SpecError, match=r"^toy/points.py:\d+: SyntaxError: "):
        load(tmp_path, GOOD)


def test_a_time_must_be_finite(tmp_path):
    text = GOOD.replace('series = "one"\n', 'series = "one"\nseconds = inf\n')
    with pytest.raises(SpecError, match="seconds: must be a finite number"):
        load(tmp_path, text)


def test_files_in_braces_are_part_of_a_point(tmp_path):
    text = GOOD.replace('rtt = "100ms"', 'topology = "X[File={nets/a.csv}|Loss={nets/b.csv}]"')
    figure = load(tmp_path, text)
    with pytest.raises(SpecError) as caught:
        figure.points("quick")
    path = tmp_path / "toy" / "nets" / "a.csv"
    assert str(caught.value) == (
        f"toy/figure.toml: one: a flag names {path}: No such file or directory"
    )
    path.parent.mkdir()
    for name in "ab":
        path.with_name(f"{name}.csv").write_text(name)
    point = figure.points("quick")[0][1]
    folder = path.parent.resolve()
    assert f"--topology=X[File={folder}/a.csv|Loss={folder}/b.csv]" in point.flags()
    assert point.changed_files() == []
    copy = Point.from_parameters(point.parameters())
    assert (copy, copy.folder, copy.flags()) == (point, point.folder, point.flags())
    path.write_text("other")
    assert point.changed_files() == ["nets/a.csv"]
    other = figure.points("quick")[0][1]
    assert other.id != point.id
    assert other.key != point.key
    # The name of a point does not report where its figure lies.
    moved = tmp_path / "moved"
    moved.mkdir()
    (tmp_path / "toy").rename(moved / "toy")
    assert load_figure(moved / "toy").points("quick")[0][1].id == other.id


def test_two_claims_of_one_name(tmp_path):
    claim = GOOD[GOOD.index("[claims.") :]
    with pytest.raises(SpecError, match=r"is not TOML: Cannot declare \('claims', 'holds'\) twice"):
        load(tmp_path, GOOD + claim)


def test_claims_take_from_the_head_what_they_do_not_say(tmp_path):
    more = '[claims.more]\nstatement = "More."\npublished = 1\nlow = 1\nband = "paper"\n'
    head = GOOD.replace('paper = "P"', 'paper = "P"\norigin = "paper"\nband = "chosen before"')
    text = head.replace('origin = "paper"\nband = "paper"\nkind', "kind") + more
    found = [(one.id, one.origin, one.band) for one in load(tmp_path, text).claims]
    assert found == [("holds", "paper", "chosen before"), ("more", "paper", "paper")]
    with pytest.raises(SpecError, match=r"^toy/figure.toml: band: 'before' must be .* \(line 7\)$"):
        load(tmp_path, text.replace("chosen before", "before"))


def test_points_are_named_by_content():
    one = Point.make("p", {"a": 1, "b": "x", "off": False}, 2)
    same = Point.make("p", {"b": "x", "a": "1"}, 2)
    assert one == same
    assert one.id == same.id
    assert one.id != Point.make("p", {"a": 2, "b": "x"}, 2).id
    more = Point.make("p", {"a": 1, "b": "x"}, 3)
    assert one != more
    assert one.id == more.id, "runs are added to a folder"
    assert Point.from_parameters(one.parameters()) == one
    assert Point.make("p", {"messages": True, "bytes": 5.0}).flags() == ["--bytes=5", "--messages"]


def test_attributes_are_no_switches():
    point = Point.make("p", {"ns3::A::On": True, "ns3::A::Off": False, "sack": True})
    assert point.flags() == ["--ns3::A::Off=false", "--ns3::A::On=true", "--sack"]
    assert Point.from_parameters(point.parameters()) == point


def test_a_point_with_a_library_is_read_back_anywhere(tmp_path, monkeypatch):
    """The digest of the library is that of the plan, wherever the point is run."""
    (tmp_path / "figure").mkdir()
    (tmp_path / "libmine.so").write_bytes(b"any")
    point = Point.make("toy", {"library": "{../libmine.so}"}, 2, tmp_path / "figure")
    monkeypatch.chdir("/")
    again = Point.from_parameters(point.parameters())
    assert (again, again.folder) == (point, str(tmp_path / "figure"))
