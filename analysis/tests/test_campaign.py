# SPDX-License-Identifier: GPL-2.0-only
"""The whole pipeline on a toy program: what runs, what does not run again, and after a kill."""

import json
import os
import shutil
import subprocess
import sys
import time

import pandas as pd
import pytest

import toy
from conftest import ANALYSIS
from lfn.budget import Need
from lfn.campaign import learn_pace, make_plan, needs_of, write_plan
from lfn.files import locked
from lfn.spec import load_figures

ALL = [f"{size} {run}" for size in (1, 2, 3) for run in (1, 2)]


class Campaign:
    """A build folder with a toy program and a folder with a toy figure."""

    def __init__(self, folder):
        self.build = folder / "a build"
        self.figures = folder / "figures"
        toy.write_program(self.build)
        toy.write_figure(self.figures)

    def command(self, *extra, jobs=2):
        words = ["--preset", "quick", "--build", str(self.build)]
        words += ["--jobs", str(jobs)] if jobs else []
        words += ["--figures", str(self.figures), *extra]
        return [sys.executable, str(ANALYSIS / "figures.py"), *words]

    def run(self, *extra, status=0, jobs=2):
        """Run a campaign; return (what it printed, the runs that it made)."""
        done = subprocess.run(
            self.command(*extra, jobs=jobs),
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr, toy.journal(self.build)

    def results(self):
        return sorted(path for path in (self.build / "results").iterdir())


@pytest.fixture(name="campaign", scope="module")
def finished(tmp_path_factory):
    """A campaign that was run once; each test leaves it complete."""
    campaign = Campaign(tmp_path_factory.mktemp("campaign"))
    text, runs = campaign.run()
    assert runs == ALL
    assert "preset quick: 1 figures, 3 points, 6 runs" in text
    return campaign


def test_everything_is_there(campaign):
    drawn = campaign.build / "figures" / "toy"
    names = {path.name for path in drawn.iterdir()}
    assert names == {"toy.svg", "toy.png", "toy.csv", "verdicts.csv", "parts.csv", "drawn.json"}
    verdicts = pd.read_csv(campaign.build / "figures" / "verdicts.csv", keep_default_na=False)
    columns = "figure,claim,kind,statement,place,published,measured,low,high,verdict,reason,runs"
    columns += ",paper,origin,calibration,fitted_to,expected,band,error,parts,intervals,preset"
    columns += ",as_run,depends_on,single_runs,conditions"
    assert ",".join(verdicts.columns) == columns
    assert list(verdicts["verdict"]) == ["reproduced"]
    report = campaign.build / "report"
    page = (report / "figure-toy.html").read_text()
    assert "Each byte takes a second." in page
    assert 'src="data/toy/toy.svg"' in page
    assert (report / "data" / "toy" / "toy.csv").read_bytes() == (drawn / "toy.csv").read_bytes()
    assert 'src="http' not in page
    assert (report / "index.html").is_file()


def test_a_second_run_does_nothing(campaign):
    text, runs = campaign.run()
    assert runs == []
    assert "nothing to run" in text
    assert "Nothing to be done" in (campaign.build / "log" / "snakemake.log").read_text()


def test_deleted_files_are_made_again_and_nothing_else(campaign):
    first, second, _ = campaign.results()
    sizes = [size_of(first), size_of(second)]
    shutil.rmtree(first)
    (second / "manifest.json").unlink()
    (campaign.build / "figures" / "toy" / "toy.png").unlink()
    _, runs = campaign.run()
    assert runs == sorted(f"{size} {run}" for size in sizes for run in (1, 2))
    assert (campaign.build / "figures" / "toy" / "toy.png").exists()


def size_of(result):
    return json.loads((result / "manifest.json").read_text())["args"]["size"]


def test_a_dry_run_removes_nothing(campaign):
    first, *_ = campaign.results()
    (first / "manifest.json").unlink()
    (campaign.build / "figures" / "toy" / "toy.png").unlink()
    (campaign.build / "results" / ".left.1.tmp").mkdir()

    def files():
        folders = [campaign.build / name for name in ("results", "figures", "report", "log/points")]
        return sorted(path for folder in folders for path in folder.rglob("*"))

    before = files()
    text, runs = campaign.run("--", "--dry-run")
    assert "a dry run, nothing was made" in text
    assert (files(), runs) == (before, [])
    assert len(campaign.run()[1]) == 2
    assert not (campaign.build / "results" / ".left.1.tmp").exists()


def test_drawing_is_reproducible(campaign):
    folder = campaign.build / "figures" / "toy"
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    shutil.rmtree(folder)
    campaign.run()
    after = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert before == after


def test_touching_reruns_nothing(campaign):
    for path in [*(campaign.build / "bin").iterdir(), *(campaign.build / "plan").rglob("*.json")]:
        os.utime(path)
    toy.write_program(campaign.build)
    _, runs = campaign.run()
    assert runs == []


def test_a_changed_program_reruns_its_points_and_changing_back_does_so_too(campaign):
    toy.write_program(campaign.build, factor=2)
    _, runs = campaign.run()
    assert runs == ALL
    verdicts = pd.read_csv(campaign.build / "figures" / "verdicts.csv")
    assert list(verdicts["verdict"]) == ["not reproduced"]
    toy.write_program(campaign.build)
    _, runs = campaign.run()
    assert runs == ALL
    verdicts = pd.read_csv(campaign.build / "figures" / "verdicts.csv")
    assert list(verdicts["verdict"]) == ["reproduced"]


def test_a_killed_campaign_goes_on(campaign):
    shutil.rmtree(campaign.build / "results")
    toy.write_figure(campaign.figures, sleep=0.3)
    log = campaign.build / "log" / "snakemake.log"
    log.unlink()
    null = subprocess.DEVNULL
    process = subprocess.Popen(campaign.command(), stdout=null, stderr=null)
    deadline = time.monotonic() + 60
    while not (log.exists() and "1 of " in log.read_text()):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.kill()
    process.wait()
    before = toy.journal(campaign.build)
    _, after = campaign.run()
    assert set(before) | set(after) == set(ALL)
    # As a set: a job that outlived the kill for a moment may have noted the same run.
    assert len(set(after)) <= len(ALL) - 2
    assert not list((campaign.build / "results").glob(".*"))


def test_a_failing_run_prints_the_command_that_repeats_it(campaign):
    toy.write_figure(campaign.figures, more="fail = 1")
    text, _ = campaign.run(status=1)
    assert "repeat it with: " in text
    assert "--fail=1" in text
    toy.write_figure(campaign.figures)


def test_added_runs_that_failed_from_outside_are_made_by_the_same_command(tmp_path):
    campaign = Campaign(tmp_path)
    campaign.run()
    campaign.figures.joinpath("toy/figure.toml").write_text(
        (campaign.figures / "toy" / "figure.toml").read_text().replace("runs = 2", "runs = 3")
    )
    disk = campaign.build / "journal.full"
    disk.touch()
    text, runs = campaign.run(status=1)
    assert "No space left on device" in text
    assert runs == []
    disk.unlink()
    _, runs = campaign.run()
    assert runs == ["1 3", "2 3", "3 3"]
    for result in campaign.results():
        assert json.loads((result / "manifest.json").read_text())["runs"] == 3
    table = pd.read_csv(campaign.build / "figures" / "toy" / "toy.csv")
    assert list(table["runs"]) == [3, 3, 3]


def test_success_of_snakemake_without_the_runs_is_none(tmp_path):
    campaign = Campaign(tmp_path)
    text, runs = campaign.run("--", "--version", status=1)
    assert "has not all of its runs; start again" in text
    assert "done in" not in text
    assert runs == []


def test_a_python_whose_path_has_a_space(tmp_path):
    python = tmp_path / "my venv"
    python.symlink_to(sys.prefix)
    campaign = Campaign(tmp_path / "figures of #1")
    command = campaign.command()
    command[0] = str(python / "bin" / "python")
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert toy.journal(campaign.build) == ALL


def test_user_mistakes_are_one_line(campaign):
    text, _ = campaign.run("--only", "nothing", status=1)
    assert text == "figures: --only=nothing: no such figure; there are toy\n"
    text, _ = campaign.run("--jobs", "0", status=1)
    assert text == "figures: --jobs=0: give at least 1\n"
    text, _ = campaign.run("--figures", "nowhere", status=1)
    assert text == "figures: --figures=nowhere: no folder with a figure.toml\n"
    file = campaign.figures / "toy" / "figure.toml"
    text, _ = campaign.run("--build", str(file), status=1)
    assert text == f"figures: {file}/log/figures: Not a directory\n"
    program = campaign.build / "bin" / "toy-transfer"
    program.rename(program.with_suffix(".away"))
    text, _ = campaign.run(status=1)
    program.with_suffix(".away").rename(program)
    assert text.endswith("toy-transfer: no such program; run ./waf build\n")
    assert text.count("\n") == 1


def test_the_plan_uses_measured_times(campaign):
    for path in (campaign.build / "benchmarks").glob("*.json"):
        path.write_text(json.dumps({"runs": 2, "wall_s": 500}))
    toy.write_program(campaign.build, factor=3)
    text, runs = campaign.run("--plan")
    toy.write_program(campaign.build)
    assert runs == []
    assert "expected time: 12 min 30 s with 2 jobs (3 of 3 points timed before)" in text


def test_the_plan_does_not_wait_for_a_running_campaign(campaign):
    with locked(campaign.build / "log" / "figures" / "toy"):
        text, runs = campaign.run("--plan")
    assert runs == []
    assert "waiting" not in text
    assert "expected time" in text


def test_what_takes_longest_by_experience_starts_first(tmp_path):
    toy.write_figure(tmp_path)
    plan = make_plan(load_figures(tmp_path), ["toy"], "quick")
    first, second, third = plan.points

    def levels(**more):
        write_plan(tmp_path, plan, {"toy-transfer": {}}, **more)
        found = json.loads((tmp_path / "plan" / "plan.json").read_text())["levels"]
        return {point: int(level) for level, points in found.items() for point in points}

    assert len(set(levels().values())) == 1
    known = levels(needs={first: Need(0.01), second: Need(900.0), third: Need(1.0)})
    assert known[first] < known[third] < known[second]
    assert levels(needs={third: Need(1.0)}).keys() == {third}, "the others are there"


def copy_figure(folder, name):
    """Make another figure of toy's, with a point that only it has."""
    shutil.copytree(folder / "toy", folder / name)
    for file, old, new in (
        ("figure.toml", 'id = "toy"', f'id = "{name}"'),
        ("figure.toml", 'plots = ["toy"]', f'plots = ["{name}"]'),
    ):
        path = folder / name / file
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new))


def test_the_figure_with_least_to_run_comes_first(tmp_path):
    toy.write_figure(tmp_path)
    copy_figure(tmp_path, "dear")
    path = tmp_path / "dear" / "figure.toml"
    path.write_text(path.read_text().replace("[1, 2, 3]", "[3, 4, 5]"))
    figures = load_figures(tmp_path)
    plan = make_plan(figures, list(figures), "quick")
    cheap = {point for _, point in plan.figures["toy"]}
    alone = {point for _, point in plan.figures["dear"]} - cheap
    assert len(cheap) == 3 and len(alone) == 2
    needs = {point: Need(0.5 if point in cheap else 100.0) for point in plan.points}
    # The longest of all, and yet it waits for what the cheaper figure needs.
    write_plan(tmp_path, plan, {"toy-transfer": {}}, needs)
    found = json.loads((tmp_path / "plan" / "plan.json").read_text())["levels"]
    level = {point: int(text) for text, points in found.items() for point in points}
    assert level.keys() == plan.points.keys()
    assert max(level[point] for point in alone) < min(level[point] for point in cheap)


def test_the_page_fills_while_the_campaign_goes_on(tmp_path):
    campaign = Campaign(tmp_path)
    copy_figure(campaign.figures, "dear")
    path = campaign.figures / "dear" / "figure.toml"
    text = path.read_text().replace("[1, 2, 3]", "[4, 5]").replace("seconds = 0.1", "seconds = 9")
    path.write_text(text.replace("[points.args]", "[points.args]\nfail = 1"))
    campaign.run(status=1)
    report = campaign.build / "report"
    assert 'href="figure-toy.html"' in (report / "index.html").read_text()
    assert {path.name for path in report.glob("figure-*.html")} == {"figure-toy.html"}
    path.write_text(path.read_text().replace("fail = 1\n", ""))
    campaign.run()
    assert (report / "figure-toy.html").is_file() and (report / "figure-dear.html").is_file()
    assert campaign.run()[1] == []


def test_points_are_shared_and_the_most_runs_win(tmp_path):
    campaign = Campaign(tmp_path)
    other = tmp_path / "figures" / "other"
    shutil.copytree(tmp_path / "figures" / "toy", other)
    for name, old, new in (
        ("figure.toml", "toy", "other"),
        ("figure.toml", "other-transfer", "toy-transfer"),
        ("figure.toml", "runs = 2", "runs = 3"),
    ):
        path = other / name
        path.write_text(path.read_text().replace(old, new))
    _, runs = campaign.run("--only", "toy")
    assert len(runs) == 9
    assert json.loads((campaign.build / "plan" / "plan.json").read_text())["figures"].keys() == {
        "toy"
    }
    drawn = campaign.build / "figures" / "toy" / "drawn.json"
    page = campaign.build / "report" / "index.html"
    before, written = drawn.stat().st_mtime_ns, page.stat().st_mtime_ns
    _, runs = campaign.run()
    assert runs == []
    assert (campaign.build / "figures" / "other" / "other.svg").exists()
    campaign.run("--only", "toy")
    assert drawn.stat().st_mtime_ns == before, "no campaign draws what another one has drawn"
    assert page.stat().st_mtime_ns > written, "the page says what this campaign made"


def test_what_is_said_not_to_be_random_is_checked_by_a_second_run(tmp_path):
    said = toy.FIGURE.replace("runs = 2", "runs = 1\nrandom = false")
    toy.write_figure(tmp_path, figure=said)
    figures = load_figures(tmp_path)
    for preset, runs in (("tiny", 2), ("quick", 1), ("full", 2)):
        plan = make_plan(figures, ["toy"], preset)
        assert {point.runs for point in plan.points.values()} == {runs}
        assert set(plan.limits["toy"].values()) == {1}, "one is shown"
        again = plan.with_limits("toy", plan.limits["toy"]).only(["toy"])
        assert again.points == plan.points


def test_times_are_scaled_by_the_pace_of_later_campaigns(tmp_path):
    """What was timed on a busy machine is not expected to take as long on an idle one."""
    toy.write_figure(tmp_path / "figures")
    figures = load_figures(tmp_path / "figures")
    plan = make_plan(figures, list(figures), "quick")
    names = list(plan.points)
    (tmp_path / "benchmarks").mkdir()

    def time_it(name, wall, when):
        path = tmp_path / "benchmarks" / f"{name}.json"
        path.write_text(json.dumps({"runs": 2, "wall_s": wall}))
        os.utime(path, (when, when))

    def expected():
        needs = needs_of(tmp_path, plan, {"toy-transfer": {}}, names)
        return [round(needs[name].run, 6) for name in names]

    for name in names:
        time_it(name, 20, 1000)
    assert expected() == [10, 10, 10]
    before = dict(zip(names, expected(), strict=True))
    learn_pace(tmp_path, before, 2000)
    assert expected() == [10, 10, 10], "nothing was timed in this campaign"
    time_it(names[0], 4, 2030)
    learn_pace(tmp_path, before, 2000)
    assert expected() == [2, 2, 2]
    time_it(names[1], 8, 2060)
    learn_pace(tmp_path, before, 2000)
    assert expected() == [2, 4, 3], "the same campaign, better known"
    time_it(names[0], 8, 3030)
    learn_pace(tmp_path, {names[0]: 2}, 3000)
    assert expected() == [4, 8, 6], "each campaign goes by what was expected of it"


def test_what_was_never_timed_goes_at_the_pace_of_the_rest(tmp_path):
    toy.write_figure(tmp_path)
    plan = make_plan(load_figures(tmp_path), ["toy"], "quick")
    first, second, third = plan.points
    (tmp_path / "benchmarks").mkdir()

    def seconds():
        needs = needs_of(tmp_path, plan, {"toy-transfer": {}}, list(plan.points))
        return [needs[name].seconds for name in (first, second, third)]

    assert seconds() == pytest.approx([0.2, 0.2, 0.2])
    for name, wall in ((first, 1.2), (second, 0.4)):
        timed = json.dumps({"runs": 2, "wall_s": wall})
        (tmp_path / "benchmarks" / f"{name}.json").write_text(timed)
    assert seconds() == pytest.approx([1.2, 0.4, 0.8])


def test_plots_as_pdf_are_drawn_without_new_runs(campaign):
    drawn = campaign.build / "figures" / "toy"
    report = campaign.build / "report"
    campaign.run()
    text, runs = campaign.run("--format=pdf")
    assert runs == [], text
    assert (drawn / "toy.pdf").read_bytes().startswith(b"%PDF")
    assert (drawn / "toy.svg").is_file()
    assert (report / "data" / "toy" / "toy.pdf").is_file()
    assert 'href="data/toy/toy.pdf"' in (report / "figure-toy.html").read_text()
    before = (drawn / "toy.pdf").stat().st_mtime_ns
    campaign.run("--format=pdf")
    assert (drawn / "toy.pdf").stat().st_mtime_ns == before
    text, _ = campaign.run("--format=gif", status=1)
    assert len(text.splitlines()) == 1 and "--format" in text and "pdf" in text
