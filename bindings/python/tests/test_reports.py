"""Check vectors, reproductions, graphs, traces and charts."""

from __future__ import annotations

import json
import pickle
import threading
from pathlib import Path
from typing import Any

import numpy
import pytest
from conftest import ROOT

import holdfast as hf

VECTORS = ROOT / "src/holdfast/domains/io/vectors/examples.json"


def test_verify_says_what_the_program_says(scratch: Path) -> None:
    answer = hf.verify(VECTORS)
    assert answer["passed"] > 0 and answer["failed"] == 0 and not answer.is_no
    assert answer.json() + "\n" == hf.command(["verify", str(VECTORS), "--json"]).out
    assert str(answer) + "\n" == hf.command(["verify", str(VECTORS)]).out
    assert pickle.loads(pickle.dumps(answer)).json() == answer.json()


def test_verify_names_what_does_not_hold(scratch: Path) -> None:
    document = json.loads(VECTORS.read_text())
    document["vectors"] = document["vectors"][:1]
    document["vectors"][0]["expect"] = {"/nothing": 1}
    Path("wrong.json").write_text(json.dumps(document))
    answer = hf.verify("wrong.json")
    assert answer.is_no and answer["failures"][0]["pointer"] == "/nothing"
    assert str(answer) + "\n" == hf.command(["verify", "wrong.json"]).out
    with pytest.raises(hf.Error, match="nowhere.json"):
        hf.verify("nowhere.json")


def test_verify_stops() -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(KeyboardInterrupt):
        hf.verify(stop=stop)


def test_reproduce_lists_what_there_is() -> None:
    found = hf.reproduce()
    assert found.json() + "\n" == hf.command(["reproduce", "--list", "--json"]).out
    assert QUICK in set(found.frame()["id"])


QUICK = "table-3.3"


def test_reproduce_says_what_the_program_says(scratch: Path) -> None:
    for ids in ([QUICK], [QUICK, "table-7.2"]):
        answer = hf.reproduce(*ids, scale=0.02, results="ours", progress=False)
        done = hf.command(["reproduce", *ids, "--scale", "0.02", "--output", "theirs", "--json"])
        assert answer.json() + "\n" == done.out and int(answer.is_no) == done.status
        shown = hf.command(["reproduce", *ids, "--scale", "0.02", "--output", "theirs"]).out
        assert len(ids) > 1 or str(answer) + "\n" == shown  # several have a column of seconds
        assert answer.frame().shape[0] > 0 and "<table" in answer._repr_html_()
    again = pickle.loads(pickle.dumps(answer))
    assert str(again) == str(answer)


@pytest.mark.parametrize(("ids", "keywords", "message"), [
    (["nothing"], {}, "unknown ID 'nothing'"), ([QUICK], {"scale": 0}, "^scale="), ([QUICK], {"threads": -1}, "^threads="),
    ([QUICK], {"folder": "nowhere"}, "found no items"),
])
def test_what_cannot_be_reproduced_is_refused(ids: list[str], keywords: dict[str, Any], message: str, scratch: Path) -> None:
    with pytest.raises(hf.UsageError, match=message):
        hf.reproduce(*ids, **keywords)


def test_tasks_and_graphs_are_each_others_reverse() -> None:
    pytest.importorskip("networkx")
    made = hf.workflow.generate("montage", tasks=140, seed=4)
    tasks = hf.tasks_of(made.graph())
    assert {task["id"]: task for task in tasks} == {
        task["id"]: {key: value for key, value in task.items() if key != "parents" or value} for task in made["tasks"]}
    seen: set[str] = set()
    for task in tasks:
        assert set(task.get("parents", ())) <= seen
        seen.add(task["id"])
    # The same problem, whatever the order of its tasks.
    again, before = hf.workflow.plan({**made.document, "tasks": tasks}), hf.workflow.plan(made)
    assert again.frame().sort_values("task").to_dict("list") == before.frame().sort_values("task").to_dict("list")


def test_graphs_that_are_none_are_refused() -> None:
    networkx = pytest.importorskip("networkx")
    with pytest.raises(hf.UsageError, match="expected a networkx.DiGraph"):
        hf.tasks_of(networkx.Graph())
    with pytest.raises(hf.UsageError, match="wait for each other: 1 -> 2 -> 1|wait for each other: 1 -> 2"):
        hf.tasks_of(networkx.DiGraph([(1, 2), (2, 1)]))
    with pytest.raises(hf.UnknownName, match="found no tasks"):
        hf.io.generate(applications=2, small=0).graph()


def test_attributes_of_nodes_become_fields() -> None:
    networkx = pytest.importorskip("networkx")
    graph = networkx.DiGraph()
    graph.add_node("a", length=numpy.float64(60), checkpoint="1s")
    graph.add_node("b", length=numpy.timedelta64(2, "m"), checkpoint=1)
    graph.add_edge("a", "b")
    assert hf.tasks_of(graph) == [{"id": "a", "length": 60.0, "checkpoint": "1s"},
                                  {"id": "b", "length": 120.0, "checkpoint": 1, "parents": ["a"]}]


SAMPLES = sorted((ROOT / "src/holdfast/traces/samples").iterdir())


@pytest.mark.parametrize("sample", SAMPLES, ids=[sample.name for sample in SAMPLES])
@pytest.mark.filterwarnings("ignore::holdfast.errors.HoldfastWarning")
def test_every_trace_can_be_read(sample: Path) -> None:
    done = hf.command(["trace", "convert", str(sample), "--to", "csv"])
    if done.status != 0:  # several columns, tables that belong together ...
        with pytest.raises(hf.Error) as caught:
            hf.trace.read(sample)
        assert caught.value.message in done.err
        return
    records = hf.trace.read(sample)
    assert records.text == done.out
    if records.text.startswith("{"):
        assert records.document["name"]
        with pytest.raises(hf.UsageError, match=r"\.document"):
            records.columns()
        return
    columns = records.columns()
    assert {len(column) for column in columns.values()} == {len(records)} and len(records.frame()) == len(records)
    assert f"{len(records)} rows" in repr(records)


def test_dates_are_times() -> None:
    frame = hf.trace.read(ROOT / "examples/data/sample-failures.csv").frame()
    assert frame["down"].dtype.kind == "M"
    failures = frame.dropna(subset="down")  # other rows are of nodes that never failed
    assert 0 < len(failures) < len(frame) and (failures["up"] > failures["down"]).all()


def test_charts_are_drawings_of_the_page(scratch: Path) -> None:
    sweep = hf.Campaign("charts", "checkpoint", {"work": "48h", "checkpoint": ["5min", "10min"], "processors": 1000,
                        "failures": hf.Exponential(mtbf="10y")}, ["young-daly", "fixed:1h", "fixed:4h"], scenarios=4, baseline="young-daly")
    results = hf.run(sweep)
    charts = results.charts()
    page = results.report("page.html").read_text()
    assert len(charts) >= 2
    for name, svg in charts.items():
        assert svg.startswith("<svg ") and svg.endswith("</svg>\n") and "data-row" in svg and "var(--" not in svg
        assert f'<figure id="{name}"' in page
    assert next(iter(charts.values())) in results._repr_html_() and "<script" not in results._repr_html_()
