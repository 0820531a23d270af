#!/usr/bin/env python3
"""Measures what the package costs in addition to C++ and to Python itself, in wall-clock time: medians, and ratios of medians.

    PYTHONPATH=build/release/python python3 bindings/python/bench.py [--program build/release/bin/holdfast] [--page FILE] [WORD...]

With words, only the lines that contain one of them are measured. With --page, the table of that page is replaced by the new
measurements. The machine should have nothing else to do.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.pop(0)  # this folder contains the package without its compiled module

import numpy

import holdfast as hf
from holdfast import _core

Line = tuple[str, str, Callable[[], str]]
JOB: dict[str, Any] = {"work": "48h", "checkpoint": "10min", "mtbf": "10y", "processors": 10_000}


def median(call: Callable[[], Any], times: int = 9, loops: int = 1) -> float:
    """Seconds of one call: the median of `times` measurements, each the mean of `loops` calls."""
    out = []
    for _ in range(times):
        begun = time.perf_counter()
        for _ in range(loops):
            call()
        out.append((time.perf_counter() - begun) / loops)
    return statistics.median(out)


def micro(seconds: float) -> str:
    return f"{seconds * 1e6:.2f} us"


def start_of(code: str) -> float:
    """Seconds that a new interpreter takes to run this code."""
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
    return f"{micro(median(lambda: law.hazard(1e6), 9, 20_000))}; {micro(median(lambda: law.hazard(ten), 9, 5_000))}"


def hazard_many() -> str:
    law = hf.Weibull(shape=0.7, mtbf="10y")
    ages = numpy.geomspace(1, 1e9, 1_000_000)
    out = numpy.empty_like(ages)
    # In turns, so that other load on the machine affects all three.
    rounds = [(_core.time_hazards(law._law, ages, out), median(lambda: law.hazard(ages), 1),
               median(lambda: law.hazard(ages, out=out), 1)) for _ in range(15)]
    new = statistics.median(two / one for one, two, _ in rounds)
    own = statistics.median(three / one for one, _, three in rounds)
    return f"{new:.2f}; {own:.2f}"


def quick_verb() -> str:
    keywords: dict[str, Any] = {"work": 172800.0, "checkpoint": 600.0, "mtbf": 3.15e8}
    own = statistics.median(_core.time_verb("checkpoint", "expected", keywords) for _ in range(2_000))
    call = median(lambda: hf.checkpoint.expected(**keywords), 9, 2_000)
    return f"{micro(call - own)} of {micro(call)}"


def plan() -> str:
    call = median(lambda: hf.checkpoint.plan(**JOB), 25)
    own = statistics.median(_core.time_verb("checkpoint", "plan", JOB) for _ in range(25))
    return f"{micro(call - own)} of {micro(call)}"


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
    return f"{statistics.median(rounds):.2f}"


def rule_call() -> str:
    """The time per decision of a rule that only counts, in addition to the time of its own Python code."""
    calls = [0]

    def decide(s: Any) -> Any:
        calls[0] += 1
        return 1.0

    situation = hf.rules.situation_of(hf.taskgraph)
    total = statistics.median(_core.time_decision(decide, situation, 100_000) for _ in range(9))
    own = median(lambda: decide(None), 5, 100_000)
    return f"{micro(total - own)} beyond {micro(own)}"


def frame_time() -> str:
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        sweep = hf.Campaign("cells", "checkpoint", {
            "work": "1h", "checkpoint": "1min", "failures": {"distribution": "exponential", "mtbf": "10h"}, "processors": list(range(1, 101))},
            ["young-daly", "fixed:10min"], scenarios=5000)
        results = hf.run(sweep)
        found = results._found
        frame = results.frame()
        rounds = [(median(found.read_all, 1), median(results.frame, 1)) for _ in range(9)]
        ratio = statistics.median(two / one for one, two in rounds)
        assert len(frame) == 1_000_000 and len(results.metrics) == 4
        return f"{ratio:.2f}"


def interrupts() -> str:
    """The median of ten interrupts in the slowest domain."""
    child = Path(__file__).with_name("tests") / "interrupted.py"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    medians = {}
    for domain in hf.domains:
        done = subprocess.run([sys.executable, child, domain], check=True, capture_output=True, text=True, env=environment)
        medians[domain] = statistics.median(float(word) for word in done.stdout.split())
    slowest = max(medians, key=medians.__getitem__)
    return f"{medians[slowest]:.3f} s in `{slowest}`, the slowest of {len(medians)} domains"


def lines(program: str) -> Iterator[Line]:
    yield "`import holdfast`, beyond an empty Python", "40 ms", import_time
    yield "an empty call into the module", "1 us", empty_call
    yield "`law.hazard(x)` of a float; of 10 ages", "2 us; 5 us", hazard_one
    yield "`law.hazard` of a million ages, against C++; with `out=`", "1.2; 1.05", hazard_many
    yield "a quick verb (`checkpoint.expected`), beyond C++", "5 us", quick_verb
    yield "`checkpoint.plan`, beyond C++", "150 us", plan
    yield "`simulate` of 100 scenarios, against `holdfast simulate --json` without its start", "1.05", lambda: simulate(program)
    yield "a rule's call, beyond its own Python", "1 us", rule_call
    yield "`Results.frame()` of a million cells with 4 metrics, against reading them in C++", "1.3", frame_time
    yield "from Ctrl-C to `KeyboardInterrupt`", "0.1 s", interrupts


def put(page: Path, table: list[str]) -> None:
    """Replaces the table of the page whose first line is the same."""
    text = page.read_text(encoding="utf-8").split("\n")
    begin = text.index(table[0])
    end = next(i for i in range(begin, len(text)) if not text[i].startswith("|"))
    page.write_text("\n".join([*text[:begin], *table, *text[end:]]), encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--program", default="build/release/bin/holdfast")
    parser.add_argument("--page", type=Path, help="replace the table there")
    parser.add_argument("words", nargs="*")
    given = parser.parse_args()
    program = str(Path(given.program).resolve())
    page = given.page.resolve() if given.page else None  # one measurement leaves this folder
    table = ["| what | at most | measured |", "|---|---|---|"]
    print(*table, sep="\n")
    for what, target, measure in lines(program):
        if given.words and not any(word in what for word in given.words):
            continue
        table.append(f"| {what} | {target} | {measure()} |")
        print(table[-1], flush=True)
    if page:
        put(page, table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
