# SPDX-License-Identifier: GPL-2.0-only
"""Results that the repository keeps, what differs from them, and folders as RO-Crates."""

import csv
import hashlib
import json
import math
import re
from datetime import datetime
from types import SimpleNamespace

import pandas as pd
import pytest
from PIL import Image

import store_results
import toy
from conftest import ANALYSIS
from lfn import crate
from lfn.claims import COLUMNS
from lfn.spec import PRESETS, load_figures
from lfn.stored import FOLDER, MADE, PAGE, VERDICTS, WHOLE, differences, read_verdicts, store

DATE = "2026-01-31"
TIMES = ("2026-01-02T10:00:00+00:00", "2026-01-01T11:00:00+00:00")


def write(build, *rows, commit="abc"):
    """Write the verdicts of a campaign: (figure, claim, verdict, measured)."""
    (build / "figures").mkdir(parents=True, exist_ok=True)
    names = ("figure", "claim", "verdict", "measured")
    table = pd.DataFrame([dict(zip(names, row, strict=True)) for row in rows])
    table = table.reindex(columns=list(COLUMNS), fill_value="").assign(low=0, high=2)
    table.to_csv(build / "figures" / "verdicts.csv", index=False)
    for figure in {row[0] for row in rows}:
        drawn = {"points": 2, "runs": 6, "wall_s": 1.2, "plots": ["toy"], "sensitivity": []}
        drawn |= {"versions": {"lfn": "1.2.3", "ns3": "3.44"}, "commit": commit}
        folder = build / "figures" / figure
        folder.mkdir(exist_ok=True)
        (folder / "drawn.json").write_text(json.dumps(drawn))
        (folder / "toy.csv").write_text("x,y\n1,2\n")
        Image.new("RGB", (40, 30), "white").save(folder / "toy.png")


def keep(build, folder, *names, every=("a", "b")):
    """Keep figures of a campaign in ``folder``."""
    bare = SimpleNamespace(claims=(), sensitivity=())
    store(build, "tiny", names, DATE, dict.fromkeys(every, bare), folder=folder)


def test_what_is_stored_does_not_differ(tmp_path):
    write(
        tmp_path, ("a", "one", "reproduced", "1.00000000001"), ("b", "2", "not reproduced", "1; 2")
    )
    keep(tmp_path, tmp_path / "kept", "a", "b")
    assert differences(tmp_path, "tiny", ["a", "b"], tmp_path / "kept") == []
    assert differences(tmp_path, "quick", ["a", "b"], tmp_path / "kept") == []


def test_of_what_nothing_is_kept_nothing_differs(tmp_path):
    write(tmp_path, ("a", "one", "reproduced", 1), ("b", "two", "reproduced", 2))
    keep(tmp_path, tmp_path / "kept", "a")
    assert differences(tmp_path, "tiny", ["a", "b"], tmp_path / "kept") == []


def test_a_verdict_and_a_number_are_named(tmp_path):
    kept = tmp_path / "kept"
    write(
        tmp_path,
        ("a", "one", "reproduced", 1),
        ("a", "two", "reproduced", 2),
        ("b", "gone", "partly", 3),
    )
    keep(tmp_path, kept, "a", "b")
    write(
        tmp_path,
        ("a", "one", "not reproduced", 1),
        ("a", "two", "reproduced", 2.1),
        ("a", "new", "partly", 3),
    )
    assert differences(tmp_path, "tiny", ["a"], kept) == [
        "a new: partly, 3; was none",
        "a one: not reproduced, 1; was reproduced, 1",
        "a two: reproduced, 2.1; was reproduced, 2",
    ]
    assert "b gone: none; was partly, 3" in differences(tmp_path, "tiny", ["a", "b"], kept)


def test_a_figure_made_anew_leaves_the_others(tmp_path):
    kept = tmp_path / "kept"
    write(tmp_path, ("a", "one", "reproduced", 1), ("b", "two", "reproduced", 2), commit="old")
    keep(tmp_path, kept, "a", "b")
    write(tmp_path, ("a", "one", "partly", 1.5), ("b", "two", "partly", 3), commit="new")
    keep(tmp_path, kept, "a")
    assert read_verdicts(kept / "tiny" / VERDICTS) == {
        ("a", "one"): ("partly", "1.5"),
        ("b", "two"): ("reproduced", "2"),
    }
    with (kept / "tiny" / MADE).open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [(row["figure"], row["commit"], row["runs_wall_s"]) for row in rows] == [
        ("a", "new", "1"),
        ("b", "old", "1"),
    ]
    keep(tmp_path, kept, "a", every=("a",))
    assert set(read_verdicts(kept / "tiny" / VERDICTS)) == {("a", "one")}


def test_the_whole_preset_keeps_numbers_pictures_and_a_page(tmp_path):
    toy.write_figure(tmp_path / "figures")
    every = load_figures(tmp_path / "figures")
    build, kept = tmp_path / "build", tmp_path / "kept"
    write(build, ("toy", "factor", "not reproduced", 1.25))
    store(build, WHOLE, ["toy"], DATE, every, folder=kept)
    folder = kept / WHOLE
    page = (folder / PAGE).read_text()
    assert "1.25" in page
    assert "not reproduced" in page
    assert "(toy/toy.png)" in page
    assert (folder / "toy" / "toy.csv").read_text() == "x,y\n1,2\n"
    with Image.open(folder / "toy" / "toy.png") as image:
        assert image.size == (40, 30)
    assert "Claims without a verdict" not in page
    verdicts = pd.read_csv(folder / VERDICTS)
    verdicts[verdicts["claim"] != "factor"].to_csv(folder / VERDICTS, index=False)
    (build / "figures" / "verdicts.csv").unlink()  # the claim is younger than the runs
    store(build, WHOLE, [], DATE, every, folder=kept)
    assert "\n| toy | `factor` |\n" in (folder / PAGE).read_text()
    store(build, WHOLE, [], DATE, every, folder=kept)
    assert (folder / "toy" / "toy.png").is_file()


def test_what_is_kept_has_the_dates_of_its_claims(tmp_path):
    """They are renewed without a campaign, shown on the page, and are no difference."""
    toy.write_figure(tmp_path / "figures")
    every = load_figures(tmp_path / "figures")
    build, kept = tmp_path / "build", tmp_path / "kept"
    write(build, ("toy", "factor", "not reproduced", 1.25))
    store(build, WHOLE, ["toy"], DATE, every, folder=kept)
    old = pd.read_csv(kept / WHOLE / VERDICTS).drop(columns=["band_since", "claim_since"])
    old.to_csv(kept / WHOLE / VERDICTS, index=False)  # of an older pipeline
    for dates, words in (
        (TIMES, "0 to 2; chosen before, 2026-01-02, claim 2026-01-01 |"),
        (TIMES[1:] * 2, "0 to 2; chosen before, 2026-01-01 |"),
        (("not committed", TIMES[0]), "0 to 2; chosen before, not committed, claim 2026-01-02 |"),
    ):
        store(kept, WHOLE, [], DATE, every, {("toy", "factor"): dates, ("toy", "x"): TIMES}, kept)
        with (kept / WHOLE / VERDICTS).open(newline="") as stream:
            rows = list(csv.DictReader(stream))
        assert [(row["band_since"], row["claim_since"]) for row in rows] == [dates]
        assert words in (kept / WHOLE / PAGE).read_text()
        assert (kept / WHOLE / "toy" / "toy.png").is_file()
        assert differences(build, WHOLE, every, kept) == []


def test_what_is_kept_has_what_is_known_of_its_claims(tmp_path):
    """A claim that turns out to restate a fit counts no longer, without another campaign."""
    toy.write_figure(tmp_path / "figures")
    build, kept = tmp_path / "build", tmp_path / "kept"
    write(build, ("toy", "factor", "reproduced", 1.25))
    store(build, WHOLE, ["toy"], DATE, load_figures(tmp_path / "figures"), folder=kept)
    more = '[claims.factor]\ncalibration = "fit"\nfitted_to = ["a", "b"]\n'
    text = toy.FIGURE.replace("[claims.factor]\n", more)
    toy.write_figure(tmp_path / "figures", figure=text)
    store(kept, WHOLE, [], DATE, load_figures(tmp_path / "figures"), folder=kept)
    (row,) = pd.read_csv(kept / WHOLE / VERDICTS).to_dict("records")
    assert (row["calibration"], row["fitted_to"], row["verdict"]) == ("fit", "a; b", "reproduced")
    assert "1 more claims restate" in (kept / WHOLE / PAGE).read_text()


def test_a_kept_sensitivity_table_decides_what_depends(tmp_path):
    """Again and again with the same result, also where the used value is open in the table."""
    more = '[sensitivity.factor]\nvalue = 1\nothers = [2, 3]\nwhy = "Chosen."\n'
    toy.write_figure(
        tmp_path / "figures",
        more="factor = 1",
        figure=toy.FIGURE.replace("[claims.", more + "[claims."),
    )
    every = load_figures(tmp_path / "figures")
    build, kept = tmp_path / "build", tmp_path / "kept"
    write(build, ("toy", "factor", "reproduced", 1.25))
    drawn = build / "figures" / "toy" / "drawn.json"
    drawn.write_text(json.dumps(json.loads(drawn.read_text()) | {"sensitivity": [{}]}))
    rows = [("1", True, "undecided"), ("2", False, "not reproduced"), ("3", False, "undecided")]
    table = pd.DataFrame(rows, columns=["value", "used", "verdict"])
    table = table.assign(parameter="factor", claim="factor", measured=1, survives="", range="")
    table.to_csv(drawn.with_name("sensitivity.csv"), index=False)
    for source in (build, kept):
        store(source, WHOLE, ["toy"] if source == build else [], DATE, every, folder=kept)
        (row,) = pd.read_csv(kept / WHOLE / VERDICTS).to_dict("records")
        assert (row["verdict"], row["as_run"]) == ("depends", "reproduced")
        assert row["depends_on"] == "factor: reproduced with 1, not with 2"
    page = (kept / WHOLE / PAGE).read_text()
    assert "**depends** (factor: reproduced with 1, not with 2; at the values used:" in page


def test_without_a_history_nothing_is_kept(capsys, monkeypatch):
    monkeypatch.setattr(store_results, "dates", lambda _: {})
    monkeypatch.setattr(store_results, "store", None)
    assert store_results.main(["--dates"]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_a_folder_is_a_crate(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "x.csv").write_text("x\n1\n")
    (tmp_path / "a.png").write_bytes(b"picture")
    versions = {"ns3": "3.44", "lfn": "1.2.3"}
    crate.write(tmp_path, "Mine", "Two files", DATE, "./waf figures", versions, "abc")
    document = json.loads((tmp_path / crate.FILE).read_text())
    assert document["@context"][0] == "https://w3id.org/ro/crate/1.1/context"
    graph = {entity["@id"]: entity for entity in document["@graph"]}
    assert len(graph) == len(document["@graph"])
    # What RO-Crate 1.1 demands of the descriptor, the root and data entities.
    itself = graph["ro-crate-metadata.json"]
    assert itself["@type"] == "CreativeWork"
    assert itself["conformsTo"] == {"@id": "https://w3id.org/ro/crate/1.1"}
    root = graph[itself["about"]["@id"]]
    assert root["@type"] == "Dataset"
    assert root["datePublished"] == DATE
    assert {"name", "description", "license"} <= set(root)
    assert root["version"] == "abc"
    assert {part["@id"] for part in root["hasPart"]} == {"a.png", "data/x.csv"}
    for part in root["hasPart"]:
        data = (tmp_path / part["@id"]).read_bytes()
        assert graph[part["@id"]]["@type"] == "File"
        assert graph[part["@id"]]["sha256"] == hashlib.sha256(data).hexdigest()
        assert graph[part["@id"]]["contentSize"] == str(len(data))

    def named(value):
        if isinstance(value, dict):
            yield from [value["@id"]] if set(value) == {"@id"} else named(list(value.values()))
        elif isinstance(value, list):
            for one in value:
                yield from named(one)

    referred = set(named(document["@graph"])) - {"https://w3id.org/ro/crate/1.1"}
    assert referred <= set(graph)
    assert graph["#ns3"]["softwareVersion"] == "3.44"


def test_without_a_campaign_there_is_one_line(tmp_path, capsys):
    assert store_results.main(["--build", str(tmp_path)]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_what_a_campaign_did_not_make_is_not_kept(tmp_path, capsys):
    """A drawing of another preset, and none at all."""
    build = tmp_path / "build"
    write(build, ("atou-fig2", "averages", "reproduced", 1))
    (build / "plan").mkdir()
    plan = {"preset": "full", "figures": {"atou-fig2": []}, "runs": {}, "points": {}}
    (build / "plan" / "plan.json").write_text(json.dumps(plan))
    drawn = build / "figures" / "atou-fig2" / "drawn.json"
    drawn.write_text(json.dumps({**json.loads(drawn.read_text()), "preset": "tiny"}))
    for _ in range(2):
        assert store_results.main(["--build", str(build)]) == 1
        line = capsys.readouterr().err
        assert line.count("\n") == 1
        assert "run ./waf figures --only=atou-fig2 --full" in line
        drawn.unlink(missing_ok=True)
    (build / "plan" / "plan.json").write_text(json.dumps({**plan, "campaign": "mine"}))
    assert store_results.main(["--build", str(build)]) == 1
    assert "of your own" in capsys.readouterr().err


KEPT = sorted(path.name for path in FOLDER.glob("[a-z]*"))
FIGURES = load_figures(ANALYSIS / "figures")


def rows_of(preset, name):
    """Return the rows of a file that the repository keeps."""
    with (FOLDER / preset / name).open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


@pytest.mark.parametrize("preset", KEPT)
def test_no_kept_picture_is_cut(preset):
    """A legend or a name that does not fit ends at the edge of the picture."""
    for path in sorted((FOLDER / preset).glob("*/*.png")):
        with Image.open(path) as picture:
            grey = picture.convert("L")
        width, height = grey.size
        sides = ((0, 0, width, 1), (0, height - 1, width, height))
        sides += ((0, 0, 1, height), (width - 1, 0, width, height))
        for side in sides:
            assert grey.crop(side).getextrema()[0] > 200, (path.name, side)


@pytest.mark.parametrize("preset", KEPT)
def test_what_the_repository_keeps_is_of_figures_and_claims_that_there_are(preset):
    assert preset in PRESETS
    rows = rows_of(preset, VERDICTS)
    keys = [(row["figure"], row["claim"]) for row in rows]
    assert keys == sorted(keys)
    made = [row["figure"] for row in rows_of(preset, MADE)]
    assert made == sorted(made)
    every = {(name, claim.id) for name in made for claim in FIGURES[name].claims}
    assert set(keys) <= every
    if preset != WHOLE:  # which takes hours, and may lack some
        assert set(keys) == every
        assert made == sorted(FIGURES)
        return
    page = (FOLDER / preset / PAGE).read_text(encoding="utf-8")
    for figure, claim in sorted(every - set(keys)):
        assert re.search(rf"^\| {re.escape(figure)} \| .*`{re.escape(claim)}`", page, re.MULTILINE)


@pytest.mark.parametrize("preset", KEPT)
def test_what_the_repository_keeps_was_judged_by_the_bands_of_today(preset):
    claims = {(f.id, claim.id): claim for f in FIGURES.values() for claim in f.claims}
    for row in rows_of(preset, VERDICTS):
        claim = claims[row["figure"], row["claim"]]
        for name in ("low", "high"):
            wanted, found = float(getattr(claim, name)), float(row[name])
            assert wanted == found or math.isclose(wanted, found), (row["claim"], name)


@pytest.mark.parametrize("preset", KEPT)
def test_what_the_repository_keeps_is_dated(preset):
    for row in rows_of(preset, VERDICTS):
        band, claim = (datetime.fromisoformat(row[name]) for name in ("band_since", "claim_since"))
        assert claim <= band, (row["figure"], row["claim"])


@pytest.mark.parametrize("preset", KEPT)
def test_what_the_repository_keeps_is_whole(preset):
    folder = FOLDER / preset
    graph = json.loads((folder / crate.FILE).read_text())["@graph"]
    files = {entity["@id"]: entity["sha256"] for entity in graph if entity["@type"] == "File"}
    there = {p.relative_to(folder).as_posix(): p for p in folder.rglob("*") if p.is_file()}
    there.pop(crate.FILE)
    assert set(files) == set(there)
    for name, path in there.items():
        assert hashlib.sha256(path.read_bytes()).hexdigest() == files[name], name
    if preset == WHOLE:
        for name in (row["figure"] for row in rows_of(preset, MADE)):
            for plot in FIGURES[name].plots:
                assert {f"{name}/{plot}.csv", f"{name}/{plot}.png"} <= set(files)
