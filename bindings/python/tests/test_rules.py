"""Strategies of one's own: the built-in ones, written in Python, give the same numbers."""

from __future__ import annotations

import math
import random
import traceback
from pathlib import Path
from typing import Any

import numpy
import pytest

import holdfast as hf


def same_results(simulation: hf.Simulation) -> None:
    """Both strategies did the same, in every metric of every run."""
    numpy.testing.assert_array_equal(simulation.values[:, 0], simulation.values[:, 1])


def fair(s: Any) -> Any:
    return s.bandwidth * min(1.0, s.bandwidth_total / s.bandwidth.sum())


def fcfs(s: Any) -> Any:
    before = numpy.concatenate([[0.0], numpy.cumsum(s.bandwidth)[:-1]])
    return numpy.clip(s.bandwidth_total - before, 0, s.bandwidth)


def test_io_fcfs_is_fcfs() -> None:
    same_results(hf.io.simulate(load=1.1, length="5000s", strategies=["fcfs", hf.rule("mine", fcfs)], scenarios=5, check=True))


def two_applications(seed: int) -> dict[str, Any]:
    """A window of which every number, and every share of the bandwidth (1, 1/2), is a small multiple of a power of two."""
    luck = random.Random(seed)
    phases = [[{"work": luck.randrange(1, 200) / 8} if k % 2 == 0 else {"io": luck.randrange(1, 200) / 4} for k in range(160)]
              for _ in range(2)]
    return {"bandwidth": 1, "window": [0, 1024], "applications": [
        {"id": str(i), "nodes": 1, "bandwidth": 1, "release": 0, "progress": 0, "phases": phases[i]} for i in range(2)]}


@pytest.mark.parametrize("seed", range(5))
def test_io_fair_share_is_fair_share(seed: int) -> None:
    """The built-in one moves all transfers at once, by one clock of the bandwidth that each has had, where a rule's are moved one
    by one. Where nothing is rounded both are the same; the next test says what rounding makes of that."""
    window = two_applications(seed)
    same_results(hf.io.simulate(window, strategies=["fair-share", hf.rule("mine", fair)], scenarios=1, check=True))


def test_io_fair_share_differs_by_rounding_alone() -> None:
    simulation = hf.io.simulate(load=1.1, length="5000s", strategies=["fair-share", hf.rule("mine", fair)], scenarios=5,
                                check=True)
    for name in ("decisions", "preemptions", "applications"):
        place = simulation.metrics.index(name)
        numpy.testing.assert_array_equal(simulation.values[:, 0, place], simulation.values[:, 1, place])
    numpy.testing.assert_allclose(simulation.values[:, 0], simulation.values[:, 1], rtol=1e-11)


def test_checkpoint_young_daly_is_young_daly() -> None:
    mtbf = hf.seconds("10y") / 10000

    def young_daly(s: Any) -> Any:
        count = math.ceil(hf.seconds("48h") / math.sqrt(2 * s.checkpoint * mtbf))
        return [s.work_left / max(count - s.checkpoints, 1)]
    simulation = hf.checkpoint.simulate(work="48h", checkpoint="10min", mtbf="10y", processors=10000,
                                        strategies=["young-daly", hf.rule("mine", young_daly)], scenarios=50)
    same_results(simulation)


def test_checkpoint_curves_are_the_platforms() -> None:
    seen: list[Any] = []

    def look(s: Any) -> Any:
        ages = numpy.array([0.0, 100.0, 5000.0])
        seen.append((s.hazard(ages), s.cumulative_hazard(5000.0)))
        return [s.work_left]
    hf.checkpoint.simulate(work="1h", checkpoint="1min", mtbf="1d", strategies=[hf.rule("mine", look)], scenarios=1)
    hazard, total = seen[0]
    numpy.testing.assert_allclose(hazard, 1 / 86400, rtol=1e-9)
    assert total == pytest.approx(5000 / 86400, rel=1e-9)


def fastest(s: Any) -> Any:
    """On how many processors each item is fastest; of equals the fewest."""
    out = numpy.empty(s.items)
    for i in range(s.items):
        processors = numpy.arange(1, int(s.limit[i]) + 1)
        out[i] = processors[numpy.argmin(s.time(i, processors))]
    return out


@pytest.mark.parametrize(("domain", "keywords"), [("taskgraph", {"tasks": 30, "processors": 64}),
                                                  ("moldable", {"jobs": 20, "processors": 64})])
def test_min_time_is_min_time(domain: str, keywords: dict[str, Any]) -> None:
    simulation = hf.domains[domain].simulate(strategies=["min-time", hf.rule("mine", fastest)], scenarios=5,
                                             check=True, **keywords)
    same_results(simulation)


def test_workflow_min_exp_is_min_exp() -> None:
    def min_exp(s: Any) -> Any:
        return numpy.maximum(1, numpy.ceil(s.length / numpy.sqrt(2 * s.checkpoint / s.rate)))
    simulation = hf.workflow.simulate(family="seismology", tasks=50, processors=20, mtbf="10d", scenarios=5, check=True,
                                      strategies=["min-exp", hf.rule("mine", min_exp), "none"])
    same_results(simulation)
    assert (simulation.values[:, 0, 0] != simulation.values[:, 2, 0]).any()  # tasks are cut


def test_a_rules_exception_reaches_the_caller_with_its_own_traceback() -> None:
    def broken(s: Any) -> Any:
        return s.bandwidth / [][0]
    with pytest.raises(IndexError) as caught:
        hf.io.simulate(length="2000s", strategies=[hf.rule("broken", broken)], scenarios=2)
    assert traceback.extract_tb(caught.value.__traceback__)[-1].name == "broken"


@pytest.mark.parametrize(("answer", "message"), [
    (lambda s: s.bandwidth * 2, "expected at most"),
    (lambda s: s.bandwidth[:-1], "expected"),
    (lambda s: s.bandwidth * numpy.nan, "expected a finite number"),
    (lambda s: "fast", "expected numbers"),
    (lambda s: None, "expected numbers"),
])
def test_a_wrong_answer_is_refused_with_its_place(answer: Any, message: str) -> None:
    with pytest.raises(hf.Error, match=message) as caught:
        hf.io.simulate(load=1.1, length="2000s", strategies=[hf.rule("mine", answer)], scenarios=2)
    assert "custom" in str(caught.value) or "mine" in str(caught.value)


def test_an_object_starts_a_fresh_rule_for_each_run() -> None:
    class Counting:
        def __init__(self) -> None:
            self.draws: list[Any] = []

        def start(self, draw: Any) -> Any:
            self.draws.append(draw)
            luck = numpy.random.default_rng(draw)
            return lambda s: fair(s) * luck.uniform(0.9, 1.0)
    maker = Counting()
    one = hf.io.simulate(length="2000s", strategies=[hf.rule("mine", maker)], scenarios=4, seed=9)
    assert sorted(maker.draws) == [(9, 0, scenario) for scenario in range(4)]
    two = hf.io.simulate(length="2000s", strategies=[hf.rule("mine", Counting())], scenarios=4, seed=9, threads=2)
    assert one.json() == two.json()


def test_views_outlive_the_call_and_situations_do_not() -> None:
    kept: list[Any] = []

    def keep(s: Any) -> Any:
        kept.append((s, s.bandwidth))
        return fair(s)
    hf.io.simulate(length="2000s", strategies=[hf.rule("mine", keep)], scenarios=1)
    situation, view = kept[0]
    assert not view.flags.writeable and view.sum() > 0
    with pytest.raises(ReferenceError):
        situation.bandwidth_total


def test_rules_run_in_campaigns(scratch: Path) -> None:
    own = hf.rule("mine", fair)
    sweep = hf.Campaign("own rules", "io", {"length": "2000s", "load": [0.9, 1.1]}, ["fair-share", own], scenarios=4)
    results = hf.run(sweep)
    assert results.directory == Path("own-rules-results")
    assert results.strategies[1] == "custom:name=mine:version=1"
    frame = results.frame()
    assert len(frame) == 16 and frame["completed"].all()
    means = frame.groupby("strategy", observed=True)["efficiency"].mean()
    assert means.iloc[0] == pytest.approx(means.iloc[1])


def test_domains_without_decisions_say_so() -> None:
    with pytest.raises(hf.UsageError, match="takes no rules"):
        hf.capacity.simulate(strategies=[hf.rule("mine", fair)])
