#!/usr/bin/env python3
"""Measures what the package costs beyond C++ and beyond Python itself: medians and ratios, one line each.

Seconds are of processor time, so that what the machine does for others hardly counts.

    PYTHONPATH=build/release/python python3 bindings/python/bench.py [--program build/release/bin/holdfast] [WORD...]

With words, only the lines that contain one of them.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.pop(0)  # this folder, where the package stands without its module

import numpy

import holdfast as hf
from holdfast import _core

Line = tuple[str, str, Callable[[], str]]
JOB = {"work": "48h", "checkpoint": "10min", "mtbf": "10y", "processors": 10_000}


def median(call: Callable[[], Any], times: int = 9, loops: int = 1) -> float:
    """Seconds of one call: the median over `times`, each the mean of `loops` calls."""
    out = []
    for _ in range(times):
        begun = processor_seconds()
        for _ in range(loops):
            call()
        out.append((processor_seconds() - begun) / loops)
    return statistics.median(out)


def processor_seconds() -> float:
    """Of this process and of those that it waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def micro(seconds: float) -> str:
    return f"{seconds * 1e6:.2f} us"


def start_of(code: str) -> float:
    """Seconds of a fresh interpreter that runs this."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return median(lambda: subprocess.run([sys.executable, "-c", code], check=True, env=environment), 31)


def import_time() -> str:
    lazy = start_of("import holdfast, sys; assert not {'numpy', 'pandas', 'holdfast._core'} & set(sys.modules)")
    module = start_of("import holdfast; holdfast.checkpoint")
    empty = start_of("pass")
    return f"{(lazy - empty) * 1e3:.1f} ms; {(module - empty) * 1e3:.1f} ms with the module and a domain"


def empty_call() -> str:
    return micro(median(_core.nothing, 9, 100_000))


def hazard_one() -> str:
    law = hf.Weibull(shape=0.7, mtbf="10y")
    ten = numpy.linspace(1e5, 1e6, 10)
    return f"{micro(median(lambda: law.hazard(1e6), 9, 20_000))} of a float; {micro(median(lambda: law.hazard(ten), 9, 5_000))} of 10 ages"


def hazard_many() -> str:
    law = hf.Weibull(shape=0.7, mtbf="10y")
    ages = numpy.geomspace(1, 1e9, 1_000_000)
    out = numpy.empty_like(ages)
    # In turns, so that a busy machine is busy for all three.
    rounds = [(_core.time_hazards(law._law, ages, out), median(lambda: law.hazard(ages), 1),
               median(lambda: law.hazard(ages, out=out), 1)) for _ in range(15)]
    new = statistics.median(two / one for one, two, _ in rounds)
    own = statistics.median(three / one for one, _, three in rounds)
    return f"{new:.2f} of the time of C++; {own:.2f} with out="


def quick_verb() -> str:
    keywords = {"work": 172800.0, "checkpoint": 600.0, "mtbf": 3.15e8}
    own = statistics.median(_core.time_verb("checkpoint", "expected", keywords) for _ in range(2_000))
    call = median(lambda: hf.checkpoint.expected(**keywords), 9, 2_000)
    return f"{micro(call)}, {micro(call - own)} beyond C++"


def plan() -> str:
    call = median(lambda: hf.checkpoint.plan(**JOB), 25)
    own = statistics.median(_core.time_verb("checkpoint", "plan", JOB) for _ in range(25))
    return f"{micro(call)}, {micro(call - own)} beyond C++"


def simulate(program: str) -> str:
    words = [program, "checkpoint", "simulate", "--work", "48h", "--checkpoint", "10min", "--mtbf", "10y", "--processors",
             "10000", "--scenarios", "100", "--threads", "1", "--json"]
    start = [program, "--version"]
    rounds = []
    for _ in range(9):
        ours = median(lambda: hf.checkpoint.simulate(scenarios=100, threads=1, **JOB).json(), 1)
        theirs = median(lambda: subprocess.run(words, check=True, capture_output=True), 1)
        theirs -= median(lambda: subprocess.run(start, check=True, capture_output=True), 1)
        rounds.append(ours / theirs)
    return f"{statistics.median(rounds):.2f} of the program's time without its start"


def rule_call() -> str:
    """Beyond the rule's own Python: a rule that only counts against the built-in strategy, per decision."""
    calls = [0]

    def decide(s: Any) -> Any:
        calls[0] += 1
        return 1.0

    situation = hf.rules.situation_of("taskgraph")
    total = statistics.median(_core.time_decision(decide, situation, 100_000) for _ in range(9))
    own = median(lambda: decide(None), 5, 100_000)
    return micro(total - own) + f" beyond the {micro(own)} of the rule itself"


def frame_time() -> str:
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        sweep = hf.Campaign("cells", "checkpoint", {
            "work": "1h", "checkpoint": "1min", "failures": {"distribution": "exponential", "mtbf": "10h"}, "processors": list(range(1, 101))},
            ["young-daly", "fixed:10min"], scenarios=5000)
        results = hf.run(sweep)
        found = results._found
        frame = results.frame()
        rounds = [(median(found.read_all, 1), median(results.frame, 1)) for _ in range(9)]
        ratio = statistics.median(two / one for one, two in rounds)
        return f"{ratio:.2f} of the time of for_each_point, {len(frame)} cells x {len(results.metrics)} metrics"


def lines(program: str) -> Iterator[Line]:
    yield "import holdfast, beyond an empty Python", "40 ms", import_time
    yield "empty call into the module", "1 us", empty_call
    yield "law.hazard(x)", "2 us; 5 us", hazard_one
    yield "law.hazard of 10^6 ages", "1.2; 1.05", hazard_many
    yield "a quick verb (checkpoint expected)", "5 us beyond C++", quick_verb
    yield "checkpoint plan", "150 us beyond C++", plan
    yield "simulate, 100 scenarios", "1.05", lambda: simulate(program)
    yield "a rule's call", "1 us", rule_call
    yield "Results.frame()", "1.3", frame_time


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="build/release/bin/holdfast")
    parser.add_argument("words", nargs="*")
    given = parser.parse_args()
    program = str(Path(given.program).resolve())
    print("| what | target | measured |\n|---|---|---|")
    for what, target, measure in lines(program):
        if given.words and not any(word in what for word in given.words):
            continue
        print(f"| {what} | {target} | {measure()} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
