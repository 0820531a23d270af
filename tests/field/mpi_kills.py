#!/usr/bin/env python3
"""The heat solver on two ranks under `holdfast guard`, and SIGKILL at random moments: mpi_kills.py PROGRAM FOLDER [--moments N] [--at-once N]
[KIND...]. Kinds: rank, mpirun, guard, all. Each time the job must come to the sum of an unbroken run, from the newest checkpoint that
was committed or a newer one; nothing of it may be left 5 s after its end, and its journal must be readable. Exit code 77 (skipped) without
MPI."""

import argparse
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from processes import processes_of

HEAT = Path(__file__).resolve().parent.parent.parent / "examples/field/heat.c"
KINDS = ("rank", "mpirun", "guard", "all")
STEPS = 300
PACE = 0.004
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
MPIRUN = ["mpirun", "--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1", "-n", "2"]


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
        return True
    except ProcessLookupError:
        return False


def committed_step(folder):
    """The step of the checkpoint that is there; it comes by a rename, so it is whole."""
    try:
        data = (folder / "heat.ckpt").read_bytes()
    except FileNotFoundError:
        return 0
    return struct.unpack_from("=8sqq", data)[2]


class Moment:
    def __init__(self, given, kind, number):
        self.given = given
        self.kind = kind
        self.folder = given.folder / f"{kind}-{number}"
        self.random = random.Random(f"{kind} {number}")
        self.journal = self.folder / "guard/journal.ndjson"

    def start(self):
        command = [self.given.program, "guard", "--trigger", "pipe", "--ready", "pipe", "--mtbf", "2s", "--checkpoint", "0.05s", "--min-interval",
                   "0.15s", "--quick", "0s", "--backoff", "0s", "--kill-leftovers", "--output", "guard", "--", *MPIRUN, str(self.given.heat), "--size",
                   "48", "--steps", str(STEPS), "--pace", str(PACE)]
        with open(self.folder / "out", "ab") as out, open(self.folder / "err", "ab") as err:
            return subprocess.Popen(command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=ENVIRONMENT,
                                    start_new_session=True)

    def wait_for_ready(self):
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if self.journal.exists() and '"kind":"ready"' in self.journal.read_text():
                return
            time.sleep(0.01)
        raise AssertionError(f"{self.folder}: not ready within 60 s")

    def victims(self, guard):
        mine = processes_of(self.folder)
        if self.kind == "rank":
            ranks = sorted(pid for pid, name in mine if name == "heat")
            return [self.random.choice(ranks)] if ranks else []
        if self.kind == "mpirun":
            return [pid for pid, name in mine if name == "mpirun"]
        return [guard.pid] + ([pid for pid, _ in mine] if self.kind == "all" else [])

    def run(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        guard = self.start()
        # A fifth of the moments lie in the start of the program, before anything is ready.
        if self.random.random() < 0.8:
            self.wait_for_ready()
        time.sleep(self.random.uniform(0, 1.3 * STEPS * PACE))
        before = committed_step(self.folder)
        victims = self.victims(guard)
        hit = sum(kill(victim) for victim in victims)
        guard.wait(120)
        if self.kind in ("guard", "all") and hit:
            guard = self.start()
            guard.wait(120)
        deadline = time.monotonic() + 5
        while processes_of(self.folder) and time.monotonic() < deadline:
            time.sleep(0.05)
        return self.verdict(guard, before, hit)

    def verdict(self, guard, before, hit):
        out, err = ((self.folder / name).read_text() for name in ("out", "err"))
        is_late = "has finished before" in err  # it had ended before it was killed
        wrong = []
        if guard.returncode != 0 and not is_late:
            wrong.append(f"exit code {guard.returncode}")
        sums = re.findall(r"step \d+ sum (\S+)", out)
        if not sums or any(found != self.given.sum for found in sums):
            wrong.append(f"sums {sums}, expected {self.given.sum}")
        if processes_of(self.folder):
            wrong.append(f"left behind: {processes_of(self.folder)}")
        status = subprocess.run([self.given.program, "guard", "--status", "guard", "--json"], cwd=self.folder, capture_output=True, text=True,
                                check=False)
        if status.returncode != 0:
            wrong.append(f"journal: {status.stderr}")
        steps = [int(step) for step in re.findall(r"continues from step (\d+)", err)]
        if before > 0 and hit and not is_late and (steps or not sums) and (not steps or steps[-1] < before):
            wrong.append(f"went on from {steps}, though step {before} was committed")
        return hit, wrong, err


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--moments", type=int, default=2)
    parser.add_argument("--at-once", type=int, default=2)
    parser.add_argument("kinds", nargs="*")
    given = parser.parse_intermixed_args()
    if shutil.which("mpicc") is None or shutil.which("mpirun") is None:
        print("skipped: no mpicc and mpirun (./setup mpi)")
        return 77
    given.program = str(Path(given.program).resolve())
    given.folder = given.folder.resolve()
    given.folder.mkdir(parents=True, exist_ok=True)
    given.heat = given.folder / "heat"
    subprocess.run(["mpicc", "-std=c99", "-O2", HEAT, "-o", given.heat], check=True)
    whole = subprocess.run([*MPIRUN, given.heat, "--size", "48", "--steps", str(STEPS)], cwd=given.folder, env=ENVIRONMENT, capture_output=True,
                           text=True, check=True)
    given.sum = whole.stdout.split()[-1]
    failed = 0
    for kind in given.kinds or KINDS:
        begin = time.monotonic()
        with ThreadPoolExecutor(given.at_once) as pool:
            verdicts = list(pool.map(lambda number, kind=kind: Moment(given, kind, number).run(), range(given.moments)))
        bad = [(number, wrong, err) for number, (_, wrong, err) in enumerate(verdicts) if wrong]
        failed += len(bad)
        for number, wrong, err in bad:
            print(f"{kind} {number}: {'; '.join(wrong)}\n{err}", file=sys.stderr)
        print(f"{kind}: {given.moments} moments, {sum(hit > 0 for hit, _, _ in verdicts)} met something, {given.moments - len(bad)} as it should be, "
              f"{time.monotonic() - begin:.0f} s", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
