#!/usr/bin/env python3
"""Measures what a strategy by yield gives to many applications, beside no arbiter and beside the simulator: twelve processes with
iterations of 10, 30 and 90 s, which together ask for 1.1 of a file system of 64 MB/s, for ten minutes each way.

    tests/arbiter/many.py --program build/release/bin/holdfast --library build/release/lib/libholdfast_io.so.1

Needs root and the v1 controller blkio; says so and ends with 77 where they are not there. Both ways take 20 minutes; --window 120 is shorter, and
says less about the longest iterations."""

import argparse
import json
import os
import random
import subprocess
import sys

from window import FileSystem, add_options, compare, play

ITERATIONS = (10, 30, 90)  # seconds, of a third of the applications each
COUNT = 12
NOISE = 0.3
TOLERANCE = 0.03
POLICY = "periodic-greedy-yield:period=5"


def applications(given):
    """Phases in bytes and seconds: the same for every way. I/O takes its time at what the arbiter hands out."""
    draw = random.Random(given.seed)
    weights = [0.2 + draw.random() for _ in range(COUNT)]
    out = []
    for number, weight in enumerate(weights):
        fraction, iteration = given.load * weight / sum(weights), ITERATIONS[number * len(ITERATIONS) // COUNT]
        phases = [{"work": draw.uniform(0, iteration)}]
        while sum(p.get("work", p.get("io", 0) / given.bandwidth) for p in phases) < given.window:
            phases.append({"io": fraction * iteration * draw.uniform(1 - NOISE, 1 + NOISE) * given.arbiter})
            phases.append({"work": (1 - fraction) * iteration * draw.uniform(1 - NOISE, 1 + NOISE)})
        out.append(phases)
    return out


def predict(given, strategy, bandwidth, system):
    """Minimum yield and efficiency that `io simulate` predicts."""
    path = system.folder / "window.json"
    path.write_text(json.dumps({"bandwidth": bandwidth, "window": [0, given.window], "applications": [
        {"id": str(i), "bandwidth": bandwidth, "release": 0, "progress": 0, "phases": phases}
        for i, phases in enumerate(applications(given))]}), encoding="utf-8")
    said = json.loads(subprocess.run([given.program, "io", "simulate", "--instance", str(path), "--strategy", strategy, "--json"], check=True,
                                     capture_output=True, text=True).stdout)
    metrics = said["results"][0]["metrics"]
    return metrics["minimum_yield"]["mean"], metrics["efficiency"]["mean"]


def report(name, played, predicted):
    """Prints what was measured beside what was predicted; returns whether the minimum yields are near."""
    is_near = abs(min(played.yields) - predicted[0]) <= TOLERANCE
    print(f"{name:32} minimum yield {min(played.yields):.3f}, predicted {predicted[0]:.3f}; efficiency {played.efficiency:.3f}, predicted "
          f"{predicted[1]:.3f}: {'within' if is_near else 'NOT within'} {TOLERANCE}", flush=True)
    return is_near


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser)
    parser.add_argument("--window", type=float, default=600, help="seconds (default: %(default)s)")
    parser.add_argument("--load", type=float, default=1.1, help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=2, help="of the phases (default: %(default)s)")
    given = parser.parse_args()
    given.shared = os.path.abspath(given.shared)
    system = FileSystem(given.bandwidth, COUNT)
    try:
        phases = applications(given)
        before = predict(given, "fair-share", given.bandwidth, system)
        after = predict(given, POLICY, given.arbiter, system)
        none = play(given, system, phases, given.window)
        good = [report("none", none, before)]
        paced = play(given, system, phases, given.window, POLICY)
        good.append(report(POLICY, paced, after))
        said, is_like = compare(given, paced.record, TOLERANCE)
        print(f"{'io compare':32} measured {said['measured']['minimum_yield']:.3f}, predicted {said['predicted'][0]['minimum_yield']:.3f}: "
              f"{'within' if is_like else 'NOT within'} {TOLERANCE}")
        gain, promised = min(paced.yields) - min(none.yields), after[0] - before[0]
        lost = none.efficiency - paced.efficiency
        good += [is_like, gain >= promised / 2, lost <= 0.02]
        print(f"{'gain of the minimum yield':32} {gain:.3f}, predicted {promised:.3f}; efficiency lost: {lost:.3f}")
    finally:
        system.close()
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
