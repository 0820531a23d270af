#!/usr/bin/env python3
"""What `holdfast io calibrate` finds on a file system whose bandwidth is known:

    tests/arbiter/calibrated.py --program build/release/bin/holdfast

Needs root and the v1 controller blkio; says so and ends with 77 where they are not there. Takes 26 s; ends with 1 where a number of writers is off
by more than .03, or what is advised is not below what there is."""

import argparse
import json
import os
import subprocess
import sys

from window import GROUP, FileSystem

BANDWIDTH = 64e6
WRITERS = 8
TOLERANCE = 0.03


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    given = parser.parse_args()
    system = FileSystem(BANDWIDTH, WRITERS)
    try:
        # The program, and so its writers, are in the group that the limit holds for.
        done = subprocess.run(["sh", "-c", 'echo $$ >"$0" && exec "$@"', str(GROUP / "cgroup.procs"), given.program, "io", "calibrate",
                               "--directory", str(system.place), "--time", "6s", "--size", "32MiB", "--piece", "256KiB", "--json"],
                              stdout=subprocess.PIPE, text=True, check=True)
        left = sorted(os.listdir(system.place))
    finally:
        system.close()
    said = json.loads(done.stdout)
    is_right = left == ["lost+found"] and said["bandwidth"] < BANDWIDTH
    for point in said["measured"]:
        off = point["bandwidth"] / BANDWIDTH - 1
        is_right = is_right and abs(off) <= TOLERANCE
        print(f"{point['writers']} writers: {point['bandwidth'] / 1e6:.1f} MB/s of {BANDWIDTH / 1e6:.0f} ({off:+.1%})")
    print(f"advised: {said['bandwidth'] / 1e6:.1f} MB/s")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
