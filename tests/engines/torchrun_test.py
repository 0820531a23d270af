#!/usr/bin/env python3
"""`holdfast volatile admit` before the real torchrun: torchrun_test.py PROGRAM FOLDER. PyTorch for CPUs is installed into FOLDER/torch from the index
of Python packages, once. Machines are agents of torchrun on this one, the job sleeps; takes two minutes."""

import argparse
import shutil
import subprocess
import sys
import tempfile
import unittest
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TORCH = "torch==2.13.0+cpu"
PROGRAM = VENV = None


def bench():
    loader = SourceFileLoader("bench_torchrun", str(ROOT / "bench/engines/torchrun"))
    module = module_from_spec(spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


class Gate(unittest.TestCase):
    def test_a_steady_machine_is_let_in_and_a_flaky_one_waits(self):
        folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        start, end = 20000, 30000
        stays = {f"m{k}": [(0, 400 + k), (402 + k, end)] for k in range(3)}
        stays["m3"] = [(0, start - 50), (start + 30, end)]
        # Neither is there while the first set is formed.
        stays["m4"] = [(20 * k, 20 * k + 9) for k in range(end // 20) if not start <= 20 * k < start + 30]
        args = argparse.Namespace(program=PROGRAM, venv=VENV, restart=8, join=7, interval=5)
        torchrun = bench()
        job = torchrun.Job("gate", stays, start, args, folder / "job")
        found = torchrun.run_jobs([job], 90)[0]
        self.assertGreaterEqual(found["asked"], 3, found)  # m3 once, m4 each time that it comes
        self.assertEqual((found["joined"], found["left"], found["again"]), (1, 0, 0), found)
        self.assertEqual(job.group.running, ["m0", "m1", "m2", "m3"])
        self.assertGreater(found["share"], 0.4, found)


def main():
    global PROGRAM, VENV
    PROGRAM, VENV = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve() / "torch"
    if not (VENV / "bin/torchrun").exists():
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
        done = subprocess.run([VENV / "bin/pip", "install", "-q", TORCH, "numpy"], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            print(f"skipped: pip did not find {TORCH}; install PyTorch into {VENV} by hand\n{done.stderr[-500:]}")
            sys.exit(77)
    unittest.main(argv=sys.argv[:1])


if __name__ == "__main__":
    main()
