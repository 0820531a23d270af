"""Campaigns and their results."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy
import pytest
from conftest import ROOT

import holdfast as hf


@pytest.fixture
def swept(scratch: Path) -> hf.Results:
    sweep = hf.Campaign("two axes", "checkpoint",
                        {"work": "48h", "checkpoint": ["5min", "10min"], "processors": 1000, "platform_age": ["0d", "30d", "1y"],
                         "failures": hf.Weibull(shape=0.7, mtbf="10y")},
                        ["young-daly", "next-step"], scenarios=8, baseline="young-daly")
    return hf.run(sweep)


def test_the_same_csv_as_the_program(scratch: Path) -> None:
    source = ROOT / "examples/first-look.toml"
    assert hf.command(["run", str(source), "--scale", "0.05", "--export", "csv", "--output", "theirs"]).status == 0
    for threads in (1, 2, 5):
        ours = hf.run(source, f"ours-{threads}", scale=0.05, threads=threads)
        assert ours.export("csv").read_bytes() == Path("theirs/results.csv").read_bytes()
    assert Path("ours-1/report.html").exists()


def test_a_campaign_is_written_and_read_back(scratch: Path) -> None:
    sweep = hf.Campaign("a \"quoted\" name", "io", {"length": "2000s", "load": [0.8, 1], "points": None},
                        ["fair-share", "fcfs"], seed=2**63 - 1, scenarios=3, report={"x": "load"})
    assert sweep.name == 'a "quoted" name' and sweep.seed == 2**63 - 1 and sweep.axes == {"load": [0.8, 1]}
    sweep.save("sweep.toml")
    again = hf.Campaign.read("sweep.toml")
    assert (again.name, again.axes, again.strategies, again.text) == (sweep.name, sweep.axes, sweep.strategies, sweep.text)
    assert hf.run("sweep.toml", "a").export().read_bytes() == hf.run(sweep, "b").export().read_bytes()


def test_columns(swept: hf.Results) -> None:
    assert len(swept) == 2 * 3 * 8 * 2
    columns = swept.columns()
    assert list(columns)[:4] == ["checkpoint", "platform_age", "instance", "scenario"]
    assert sorted(set(columns["checkpoint"])) == [300, 600] and sorted(set(columns["platform_age"])) == [0, 2592000, 31536000]
    assert columns["strategy"].dtype == numpy.int16 and columns["instance"].dtype == numpy.int32
    assert columns["completed"].dtype == bool and columns["makespan"].dtype == numpy.float64
    assert columns["makespan"].base is not None and not columns["makespan"].flags.writeable
    # The order of the design: the first axis varies slowest, strategies fastest.
    assert (columns["strategy"] == numpy.tile([0, 1], 48)).all()
    assert (numpy.diff(columns["checkpoint"]) >= 0).all()
    assert list(swept.columns("makespan"))[-1] == "makespan"
    with pytest.raises(hf.UnknownName, match="makespam"):
        swept.columns("makespam")


def test_frames(swept: hf.Results) -> None:
    frame = swept.frame()
    assert list(frame["strategy"].cat.categories) == swept.strategies
    assert frame.attrs["units"]["makespan"] == "s" and frame.attrs["units"]["platform_age"] == "s"
    summary = swept.summary("makespan")
    assert len(summary) == 12 and (summary["count"] == 8).all()
    program = {(row["checkpoint"], row["platform_age"], row["strategy"]): row["mean"] for _, row in summary.iterrows()}
    assert len(program) == 12


def test_comparisons_are_the_librarys(swept: hf.Results) -> None:
    whole = swept.compare("makespan")
    assert list(whole["denominator"]) == ["young-daly"] and list(whole["count"]) == [48]
    columns = swept.columns("makespan")["makespan"].reshape(-1, 2)
    assert whole["geometric_mean"][0] == pytest.approx(numpy.exp(numpy.log(columns[:, 1] / columns[:, 0]).mean()), rel=1e-12)
    assert len(swept.compare("makespan", by="platform_age")) == 3
    with pytest.raises(hf.Error):
        swept.compare("makespan", by="platform_aeg")


def test_xarray(swept: hf.Results) -> None:
    pytest.importorskip("xarray")
    data = swept.to_xarray()
    assert dict(data.sizes) == {"checkpoint": 2, "platform_age": 3, "instance": 1, "scenario": 8, "strategy": 2}
    assert not data["makespan"].isnull().any() and data["makespan"].attrs["units"] == "s"
    picked = data["makespan"].sel(checkpoint=600, platform_age=0, strategy="young-daly").values.ravel()
    frame = swept.frame()
    mask = (frame["checkpoint"] == 600) & (frame["platform_age"] == 0) & (frame["strategy"] == "young-daly")
    assert picked.tolist() == frame[mask]["makespan"].tolist()


def test_points_and_labels(scratch: Path) -> None:
    sweep = hf.Campaign("points", "checkpoint",
                        {"work": "1h", "checkpoint": "1min", "failures": {"distribution": "exponential", "mtbf": "1d"},
                         "points": [{"processors": 10}, {"processors": 20}]}, ["young-daly"], scenarios=2)
    results = hf.run(sweep)
    assert sorted(set(results.columns()["processors"])) == [10, 20]
    with pytest.raises(hf.UsageError):
        results.to_xarray()


def test_results_are_pickled_by_their_path(swept: hf.Results) -> None:
    again = pickle.loads(pickle.dumps(swept))
    assert again.campaign == swept.campaign and len(again) == len(swept)
    assert "young-daly" in str(swept) and "<table" in swept._repr_html_()
    assert "iframe" in swept.show()._repr_html_()


@pytest.mark.parametrize(("call", "where"), [
    (lambda: hf.Campaign("x", "io", {"lode": [1, 2]}), ""),
    (lambda: hf.Campaign("x", "io", {"load": [1, 2]}, ["nobody"]), ""),
    (lambda: hf.Campaign("x", "io", {"load": float("nan")}), "parameters="),
    (lambda: hf.run("nowhere.toml"), "nowhere.toml"),
    (lambda: hf.run(hf.Campaign("x", "io", {"load": 1}), executor="mpi"), "executor="),
    (lambda: hf.run(hf.Campaign("x", "io", {"load": 1}), scale=0), "scale="),
    (lambda: hf.Results("nowhere"), "nowhere"),
])
def test_what_is_wrong_is_named(call: Any, where: str, scratch: Path) -> None:
    with pytest.raises(hf.Error) as caught:
        hf.run(call()) if not isinstance(call, hf.Results) else None
    assert caught.value.where.startswith(where)
