"""Answers as objects: tables, arrays, pictures, copies; and what the process feels of it."""

from __future__ import annotations

import copy
import graphlib
import os
import pickle
import re
import resource
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy
import pytest

import holdfast as hf

JOB: dict[str, Any] = {"work": "48h", "checkpoint": "10min", "mtbf": "10y", "processors": 10_000}


def child(code: str, *flags: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *flags, "-c", code], capture_output=True, text=True, check=False,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})


def test_answers_are_mappings() -> None:
    plan = hf.checkpoint.plan(**JOB)
    assert set(plan) == set(plan.document) and plan["/efficiency"] == plan["efficiency"]
    with pytest.raises(KeyError):
        plan["/nothing"]
    with pytest.raises(KeyError):
        plan["nothing"]
    assert plan.instance["work"] == 172800
    assert "<table" in plan._repr_html_() and "<script" not in plan._repr_html_()


def test_arrays_and_frames() -> None:
    sim = hf.checkpoint.simulate(**JOB, scenarios=10)
    assert sim.values.shape == (10, len(sim.strategies), len(sim.metrics)) and sim.values.dtype == numpy.float64
    assert not sim.values.flags.writeable and not sim.values.flags.owndata
    mean = sim.values[:, 0, sim.metrics.index("makespan")].mean()
    assert mean == pytest.approx(sim["/results/0/metrics/makespan/mean"], rel=1e-12)
    frame = sim.frame()
    assert len(frame) == 10 * len(sim.strategies) and frame.attrs["units"]["makespan"] == "s"
    without = [metric for at, metric in enumerate(sim.metrics) if numpy.isnan(sim.values[:, :, at]).all()]
    assert without == sim.metrics[sim.metrics.index("submissions"):]  # there is no time limit, and no spare nodes
    assert len(sim.summary()) == len(sim.strategies) * (len(sim.metrics) - len(without))
    assert hf.checkpoint.plan(**JOB).frame().shape[0] > 1


def test_timelines(scratch: Path) -> None:
    sim = hf.taskgraph.simulate(tasks=10, processors=8, scenarios=1)
    line = next(iter(sim.timelines.values()))
    assert len(line) == len(line.frame()) > 0 and line.svg().startswith("<svg")
    assert {"start", "end"} <= set(line.roles)
    for ending in ("svg", "csv", "json", "paje"):
        line.write(f"schedule.{ending}")
        assert Path(f"schedule.{ending}").stat().st_size > 0
    with pytest.raises(hf.UsageError, match=r"\.paje"):
        line.write("schedule.doc")
    assert hf.taskgraph.simulate(tasks=10, processors=8, scenarios=1, timelines=False).timelines == {}


def test_graphs() -> None:
    pytest.importorskip("networkx")
    graph = hf.taskgraph.generate(tasks=20, processors=16).graph()
    assert graph.number_of_nodes() == 20 and graph.number_of_edges() > 0


def test_pictures_by_matplotlib() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    before = dict(matplotlib.rcParams)
    assert hf.checkpoint.simulate(**JOB, scenarios=5).plot("makespan").lines
    assert next(iter(hf.taskgraph.simulate(tasks=10, processors=8, scenarios=1).timelines.values())).plot().patches
    assert hf.fit(hf.Weibull(shape=0.7, scale="1d").sample(300)).plot().lines
    assert dict(matplotlib.rcParams) == before


def everything() -> list[Any]:
    sim = hf.checkpoint.simulate(**JOB, scenarios=5)
    return [hf.checkpoint.plan(**JOB), sim, next(iter(sim.timelines.values())), hf.taskgraph.generate(tasks=5), hf.checkpoint,
            hf.fit(hf.Weibull(shape=0.7, scale="1d").sample(300)), sim.comparison("makespan"), hf.Exponential(mtbf=3)]


@pytest.mark.parametrize("thing", everything(), ids=lambda thing: type(thing).__name__)
def test_copies_are_the_same(thing: Any) -> None:
    for again in (pickle.loads(pickle.dumps(thing)), copy.deepcopy(thing)):
        assert type(again) is type(thing) and repr(again) == repr(thing)
        if hasattr(thing, "json"):
            assert again.json() == thing.json() and str(again) == str(thing) and again.tables == thing.tables
        if hasattr(thing, "values") and isinstance(getattr(thing, "values", None), numpy.ndarray):
            numpy.testing.assert_array_equal(again.values, thing.values)
            assert again.timelines.keys() == thing.timelines.keys()
        if hasattr(thing, "svg"):
            assert again.svg() == thing.svg()


def test_importing_loads_nothing() -> None:
    done = child("import sys, holdfast; print({'numpy', 'pandas', 'holdfast._core', 'ctypes'} & set(sys.modules))", "-X", "dev",
                 "-W", "error")
    assert (done.returncode, done.stdout) == (0, "set()\n"), done.stderr


def test_without_numpy() -> None:
    done = child("import sys; sys.modules['numpy'] = None\n"
                 "import holdfast as hf\n"
                 "print(hf.checkpoint.plan(work='48h', checkpoint='10min', mtbf='10y')['efficiency'] > 0)\n"
                 "try: hf.Exponential(mtbf=1).hazard([1.0])\n"
                 "except ImportError as error: print(error.name)\n")
    assert done.stdout == "True\nnumpy\n", done.stderr


def test_the_program_in_this_process() -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-m", "holdfast", "checkpoint", "expected", "--work", "-1"], capture_output=True,
                          text=True, env=environment, check=False)
    assert done.returncode == 2 and done.stderr.startswith("holdfast: --work: ")
    assert hf.command(["--version"]).out.startswith("holdfast ")


def test_two_threads_at_once() -> None:
    said: list[str] = []
    one = hf.checkpoint.simulate(**JOB, scenarios=20, threads=1).json()
    threads = [threading.Thread(target=lambda: said.append(hf.checkpoint.simulate(**JOB, scenarios=20).json())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert said == [one] * 4


def test_ten_thousand_calls_leave_nothing() -> None:
    law = hf.Weibull(shape=0.7, mtbf="10y")

    def call() -> None:
        answer = hf.checkpoint.expected(work=3600.0, checkpoint=60.0, mtbf=86400.0)
        answer.document, answer.json(), law.hazard([1.0, 2.0])
        try:
            hf.checkpoint.expected(work=-1)
        except hf.Error:
            pass
    for _ in range(2000):
        call()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(10_000):
        call()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 2048  # KiB


def test_modules_import_each_other_in_no_circle() -> None:
    package = Path(hf.__file__).parent
    imports: dict[str, set[str]] = {}
    for file in package.glob("*.py"):
        found = re.findall(r"^ *from \.(\w*) import (\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
        imports[file.stem] = {module or name for module, name in found if (package / f"{module or name}.py").exists()}
    assert imports["answers"]  # the imports were found
    list(graphlib.TopologicalSorter(imports).static_order())  # a circle is an error that names it


@pytest.mark.parametrize("kind", ["plan", "simulation", "timeline"])
def test_a_pickle_of_another_version_is_refused(kind: str) -> None:
    simulation = hf.checkpoint.simulate(work="1h", checkpoint="1min", mtbf="1d", scenarios=2)
    thing: Any = {"plan": hf.checkpoint.plan(work="1h", checkpoint="1min", mtbf="1d"), "simulation": simulation,
                  "timeline": next(iter(simulation.timelines.values()))}[kind]
    make, arguments = thing.__reduce__()
    place = next(i for i, one in enumerate(arguments) if isinstance(one, dict) and "form" in one)
    for name in arguments[place]:
        for state in ({key: value for key, value in arguments[place].items() if key != name}, {**arguments[place], name: 7.5}):
            if state.get(name) == arguments[place][name] or (name in ("document", "instance", "data") and name in state):
                continue
            with pytest.raises(hf.FormatError, match="a pickle of another version"):
                make(*arguments[:place], state, *arguments[place + 1:])
