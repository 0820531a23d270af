#!/usr/bin/env python3
"""Measures what strategies give to real processes that share a throttled file system, beside what the simulator says: example 5 of `io`,
six processes that write directly to a file system of 64 MB/s.

    tests/arbiter/yields.py --program build/release/bin/holdfast --library build/release/lib/libholdfast_io.so.1

Needs root and the v1 controller blkio; says so and ends with 77 where they are not there. Each run takes 23 units (46 s).

In the example each operation is posted at the moment at which the one before it ends. Whatever makes that one longer, by however little, lets
strategies by yield interrupt it, and what is left of it waits until its owner is the worst: greedy-yield then gives .695 in place of .783
(`holdfast io simulate` says so for a bandwidth of .999). So volumes are those that take .97 of their time at what the arbiter hands out."""

import argparse
import json
import os
import statistics
import subprocess
import sys
from fractions import Fraction

from window import FileSystem, add_options, compare, play

SIZE = 6
TOLERANCE = 0.03
ROOM = 0.97
# Minimum yields of example 5 with six applications: thesis, section 7.5; exact.
EXPECTED = {"none": Fraction(425, 828), "fair-share": Fraction(425, 828), "fcfs": Fraction(18, 23), "greedy-yield": Fraction(18, 23),
            "look-ahead-greedy-yield": Fraction(18, 23)}


def example(given, policy):
    """Phases in bytes and seconds, and the length of the window."""
    instance = json.loads(subprocess.run([given.program, "io", "generate", "adversary:example-5", "--size", str(SIZE)], check=True,
                                         capture_output=True, text=True).stdout)
    rate = given.bandwidth if policy == "none" else ROOM * given.arbiter
    applications = [[{"io": float(Fraction(p["io"])) * given.unit * rate} if "io" in p else {"work": float(Fraction(p["work"])) * given.unit}
                     for p in one["phases"]] for one in instance["applications"]]
    return applications, (instance["window"][1] - instance["window"][0]) * given.unit


def measure(given, policy, system):
    """The minimum yield; prints what `io compare` says of it. Returns also whether that is near."""
    played = play(given, system, *example(given, policy), policy=None if policy == "none" else policy)
    if not played.record:
        return min(played.yields), True
    said, is_near = compare(given, played.record, TOLERANCE)
    print(f"{policy:24} io compare: measured {said['measured']['minimum_yield']:.3f}, predicted {said['predicted'][0]['minimum_yield']:.3f}: "
          f"{'within' if is_near else 'NOT within'} {TOLERANCE}", flush=True)
    return min(played.yields), is_near


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser)
    parser.add_argument("--unit", type=float, default=2, help="seconds (default: %(default)s)")
    parser.add_argument("--repeats", type=int, default=3, help="of each, of which the median counts (default: %(default)s)")
    parser.add_argument("--policies", default=",".join(EXPECTED), help="default: %(default)s")
    given = parser.parse_args()
    given.shared = os.path.abspath(given.shared)
    system = FileSystem(given.bandwidth, SIZE)
    bad = 0
    try:
        for policy in given.policies.split(","):
            runs = [measure(given, policy, system) for _ in range(given.repeats)]
            found = [one for one, _ in runs]
            expected = EXPECTED[policy]
            middle = statistics.median(found)
            is_near = abs(middle - float(expected)) <= TOLERANCE
            bad += not is_near or not all(is_like for _, is_like in runs)
            print(f"{policy:24} minimum yield {middle:.3f} (of {', '.join(f'{one:.3f}' for one in found)}), expected {float(expected):.3f} = "
                  f"{expected}: {'within' if is_near else 'NOT within'} {TOLERANCE}", flush=True)
    finally:
        system.close()
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
