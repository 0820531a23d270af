"""What somebody types who has not read the manual: it works, or the message says what would."""

# mypy: disable-error-code="arg-type, attr-defined, call-arg"
from __future__ import annotations

import datetime
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pandas
import pytest

import holdfast as hf

JOB: dict[str, Any] = {"work": "1h", "checkpoint": "1min", "mtbf": "1d"}
TASKS = pandas.DataFrame({"id": ["a", "b"], "length": [3600.0, 7200.0], "checkpoint": [60, 60], "recovery": [60.0, None]})


@pytest.mark.parametrize(("call", "kind", "message"), [
    (lambda: hf.Weibull(0.7, "10y"), hf.UsageError, "found 0.7 without a name, expected keywords: shape"),
    (lambda: hf.Weibull(shap=0.7, mtbf="10y"), hf.UnknownName, "^shap=: unknown field 'shap'; did you mean 'shape'"),
    (lambda: hf.law("weibul", shape=1), hf.UnknownName, "^name=: .* expected one of exponential, weibull"),
    (lambda: hf.domains["chekpoint"], hf.UnknownName, "expected one of capacity, checkpoint"),
    (lambda: hf.Campaign("ages", "chekpoint", {}), hf.UnknownName, "expected one of capacity, checkpoint"),
    (lambda: hf.checkpoint.plan(**JOB, strategies="young-daly"), hf.UsageError, "takes strategy="),
    (lambda: hf.checkpoint.simulate(**JOB, strategy="young-daly"), hf.UsageError, "expected strategies="),
    (lambda: hf.checkpoint.plan(**{**JOB, "work": "48GB"}), hf.UsageError, "^work=: .* expected a duration such as"),
    (lambda: hf.checkpoint.plan(**JOB, processors=1.5), hf.UsageError, "^processors=: found 1.5, expected a whole number"),
    (lambda: hf.checkpoint.simulate(**JOB, scenarios="ten"), hf.UsageError, "^scenarios=: found 'ten', expected a whole"),
    (lambda: hf.checkpoint.simulate(**JOB, scenarios=1e3), hf.UsageError, "^scenarios=: found 1000.0, expected a whole"),
    (lambda: hf.checkpoint.simulate(**JOB, seed=-1), hf.UsageError, "^seed=: found -1, expected a whole number from 0"),
    (lambda: hf.checkpoint.simulate(**JOB, threads=-1), hf.UsageError, "^threads=: found -1, expected a whole number from 0"),
    (lambda: hf.io.plan("window.json"), hf.UsageError, "an instance is a mapping or a pathlib.Path"),
    (lambda: hf.io.plan(instance="nowhere.json"), hf.UsageError, "nowhere.json"),
    (lambda: hf.fit("nowhere.csv"), hf.FormatError, "nowhere.csv: cannot be opened: No such file"),
    (lambda: hf.fit([1.0, 2.0, -1.0]), hf.Error, r"source\[2\]"),
    (lambda: hf.fit([1.0, float("nan")]), hf.Error, r"source\[1\]"),
    (lambda: hf.fit(["soon"]), hf.Error, "expected a duration such as"),
    (lambda: hf.fit(pandas.DataFrame({"life": [1.0]})), hf.UnknownName, "found a column 'life', expected age"),
    (lambda: hf.fit([1.0, 2.0], bootstrap=1), hf.UsageError, "^bootstrap=: found 1, expected a whole number from 2"),
    (lambda: hf.fit("log.csv", confidence=0.9), hf.UsageError, "^confidence="),
    (lambda: hf.Exponential(mtbf="1d").hazard(None), hf.UsageError, "^x: found an object of type NoneType"),
    (lambda: hf.Exponential(mtbf="1d").sample(-1), hf.UsageError, "^size=: found -1"),
    (lambda: hf.checkpoint.simulate(**JOB, scenarios=2).comparison("makespam"), hf.UnknownName, "expected one of makespan"),
    (lambda: hf.trace.info("nowhere.csv"), hf.FormatError, "nowhere.csv"),
    (lambda: hf.run("nowhere.toml"), hf.FormatError, "nowhere.toml"),
    (lambda: hf.Results("."), hf.ValueRefused, "found no results.sqlite"),
])
def test_the_message_says_what_would_work(call: Callable[[], Any], kind: Any, message: str, scratch: Path) -> None:
    with pytest.raises(kind, match=message):
        call()


@pytest.mark.parametrize(("code", "guess"), [
    ("hf.chekpoint", "checkpoint"), ("hf.Weibul", "Weibull"), ("hf.checkpoint.simulat", "simulate"), ("hf.trace.red", "read"),
])
def test_python_suggests_the_name(code: str, guess: str) -> None:
    done = subprocess.run([sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}; import holdfast as hf; {code}"],
                          capture_output=True, text=True, check=False)
    assert f"Did you mean: '{guess}'?" in done.stderr, done.stderr


def test_a_member_of_the_document_is_told() -> None:
    with pytest.raises(AttributeError, match=r"its document has it: answer\['efficiency'\]"):
        hf.checkpoint.plan(**JOB).efficiency


def test_first_guesses_that_work() -> None:
    assert hf.workflow.plan(tasks=TASKS, processors=2, mtbf="10d").json() == \
        hf.workflow.plan({"tasks": TASKS, "processors": 2, "mtbf": "10d"}).json()
    assert hf.checkpoint.plan(**JOB, processors=1e4).json() == hf.checkpoint.plan(**JOB, processors=numpy.int64(10_000)).json()
    law = hf.Exponential(mtbf="1d")
    assert law.hazard(["1h", "2h"]).tolist() == law.hazard(pandas.Series([3600, 7200])).tolist()
    assert hf.fit(["1h", "2h", "3d", "4d"]).law == hf.fit(numpy.array([1, 2, 72, 96], dtype="m8[h]")).law
    frame = pandas.DataFrame({"age": [1.0, 2, 3, 4, 5], "observed": [True, True, False, True, True]})
    assert hf.fit(frame).law == hf.fit(frame["age"], observed=frame["observed"]).law
    assert hf.domains.get("nothing") is None and "io" in hf.domains and "nothing" not in hf.domains
    assert {"plan", "simulate", "fields"} <= set(dir(hf.checkpoint)) and {"checkpoint", "Weibull", "fit"} <= set(dir(hf))


def test_a_plan_for_named_nodes_is_one_for_today(scratch: Path) -> None:
    Path("log.csv").write_text("# observed: 2026-01-01 to 2026-02-01\nnode,down,up\nn1,2026-01-05,2026-01-06\nn1,2026-01-15,2026-01-16\n")
    with pytest.warns(hf.HoldfastWarning) as caught:
        hf.checkpoint.plan(log="log.csv", nodes="n1", checkpoint="5min", distribution="exponential")
    year = datetime.date.today().year
    assert any(re.search(rf"1 node of the job at {year}-", str(one.message)) for one in caught), [str(one.message) for one in caught]


def test_the_version_is_where_packages_have_it() -> None:
    assert hf.__version__ == hf.version()["version"]


def test_an_answer_in_a_prompt_says_the_problem_and_the_answer() -> None:
    plan = hf.checkpoint.plan(**JOB)
    assert repr(plan).splitlines() == [plan["problem"], *plan["verdict"]]
    assert plan["next_checkpoint_seconds"] == plan["cumulative"][0]


def test_frames_are_called_as_in_other_libraries() -> None:
    sim = hf.checkpoint.simulate(**JOB, strategies=["young-daly", "fixed:1h"], scenarios=5)
    assert len(sim.to_pandas()) == 10 and len(hf.checkpoint.plan(**JOB).to_pandas()) > 0
    assert sim.shown == ["young-daly", "fixed:1h"] and sim.strategies[1] == "fixed:period=3600"
    lives = numpy.array([100.0, 200.0, 300.0, 400.0])
    seen = numpy.array([True, True, False, True])
    fits = [hf.fit(lives, **{name: seen}) for name in ("observed", "event_observed", "event")]
    assert len({fit.json() for fit in fits}) == 1
    assert set(fits[0].summary()["distribution"]) == {law.name for law in fits[0].laws}
    with pytest.raises(hf.UsageError, match="^event_observed=: found it together with observed="):
        hf.fit(lives, observed=seen, event_observed=seen)


def test_what_is_said_names_keywords() -> None:
    with pytest.warns(hf.HoldfastWarning, match="no age is given \\(platform_age=\\)"):
        plan = hf.checkpoint.plan(work="48h", checkpoint="1min", mtbf="10y", distribution="weibull", shape=0.7, processors=100)
    html = plan._repr_html_()
    assert "--" not in html and all(html.count(title) <= 3 for title in plan.tables)
    assert "<h4>" not in html


def test_pictures_have_days_the_spelling_and_intervals() -> None:
    pytest.importorskip("matplotlib").use("Agg")
    sim = hf.checkpoint.simulate(work="10d", checkpoint="10min", mtbf="1d", strategies=["fixed:1h"], scenarios=5)
    ax = sim.plot()
    assert ax.get_xlabel() == "makespan (d)" and [text.get_text() for text in ax.get_legend().get_texts()] == ["fixed:1h"]
    assert 10 < ax.lines[0].get_xdata()[0] < 100
    line = sim.timelines["fixed:period=3600"].plot()
    assert line.get_xlabel() == "time (d)" and "lost" in [text.get_text() for text in line.get_legend().get_texts()]
    swept = hf.run("examples/first-look.toml", scale=0.05).plot()
    assert swept.get_xlabel() == "platform_age (d)" and swept.get_ylabel() == "mean makespan (d)" and len(swept.containers) == 3


def test_a_guard_returns_its_report(scratch: Path) -> None:
    found = hf.guard(["sh", "-c", "date > state"], trigger="none", checkpoint_file="state", mtbf="30d", output="watched")
    assert found["outcome"] == "finish" and (scratch / "watched").is_dir()
    with pytest.raises(hf.UsageError, match="trigger"):
        hf.guard(["true"], trigger="signal:FOO", output="other")
    assert hf.guard(["true"], output="other")["outcome"] == "finish"  # of which nothing is known is not asked


def test_a_guard_sees_an_end_whose_signal_another_thread_took(scratch: Path) -> None:
    code = """if True:
        import signal, threading
        import holdfast as hf
        def take():
            while True:
                signal.sigwait([signal.SIGCHLD])
        threading.Thread(target=take, daemon=True).start()
        for i in range(5):
            told = hf.guard(["sh", "-c", "date > state"], trigger="none", checkpoint_file="state", mtbf="30d", output=f"w{i}")
            print(told["outcome"])
        """
    done = subprocess.run([sys.executable, "-c", code], cwd=scratch, capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout.split() == ["finish"] * 5, done.stderr


@pytest.mark.filterwarnings("ignore::holdfast.errors.HoldfastWarning")
def test_a_name_that_is_no_utf8_is_the_file_of_that_name(scratch: Path) -> None:
    import os
    name = os.fsdecode(b"tr\xfcb.csv")
    (scratch / name).write_text("node,down,up\na,10,20\na,50,60\na,90,99\n")
    assert hf.fit(name).document["observed"]["failures"] == 2  # the first one begins what was seen
    missing = os.fsdecode(b"no\xfc")
    with pytest.raises(hf.FormatError, match="cannot be opened"):
        hf.fit(missing + ".csv")
    with pytest.raises(hf.FormatError, match="cannot be opened"):
        hf.run(missing + ".toml")
    with pytest.raises(hf.ValueRefused, match="^work=: found a text with half of a surrogate pair"):
        hf.checkpoint.plan(**{**JOB, "work": "\ud83d"})
