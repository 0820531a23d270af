#!/usr/bin/env python3
"""The heat solver reaches the same sum, to the last bit, however often it was interrupted and on however many ranks. Exit code 77
(skipped) without MPI."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
MPIRUN = ["mpirun", "--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"]
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
SIZE = ["--size", "96"]


class HeatTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls._folder = tempfile.TemporaryDirectory()
        cls.heat = Path(cls._folder.name) / "heat"
        subprocess.run(["mpicc", "-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", HERE / "heat.c", "-o", cls.heat], check=True)
        cls.sum = cls.run_whole(2, Path(cls._folder.name))

    @classmethod
    def tearDownClass(cls):
        cls._folder.cleanup()

    @classmethod
    def command(cls, ranks, *options):
        return [*MPIRUN, "-n", str(ranks), cls.heat, *SIZE, "--steps", "800", *options]

    @classmethod
    def run_whole(cls, ranks, folder, *options):
        done = subprocess.run(cls.command(ranks, *options), cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=120)
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        return done.stdout

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def start(self, ranks, *options):
        return subprocess.Popen(self.command(ranks, *options), cwd=self.folder, env=ENVIRONMENT, stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL, text=True, start_new_session=True)

    def wait_for(self, file):
        for _ in range(600):
            if file.exists():
                return
            time.sleep(0.05)
        self.fail(f"no {file} within 30 s")

    def test_killed_and_restarted_on_other_ranks(self):
        job = self.start(2, "--every", "100", "--pace", "0.001")
        self.wait_for(self.folder / "heat.ckpt.1")
        os.killpg(job.pid, signal.SIGKILL)
        job.communicate()
        time.sleep(1.5)  # ranks outlive a killed mpirun by about a second
        self.assertEqual(self.run_whole(3, self.folder), self.sum)

    def test_a_bad_checkpoint_is_passed_over(self):
        self.run_whole(2, self.folder, "--every", "300")
        newest = self.folder / "heat.ckpt"
        data = bytearray(newest.read_bytes())
        data[-5] ^= 1
        newest.write_bytes(data)
        done = subprocess.run(self.command(2), cwd=self.folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.stdout, self.sum)
        self.assertIn("continues from step 300 of heat.ckpt.1", done.stderr)

    def test_a_signal_asks_for_a_checkpoint(self):
        job = self.start(2, "--pace", "0.002")
        time.sleep(1)
        job.send_signal(signal.SIGUSR1)  # mpirun forwards it to all ranks
        self.wait_for(self.folder / "heat.ckpt")
        self.assertEqual(job.communicate(timeout=120)[0], self.sum)

    def test_a_guard_asks_through_its_pipes(self):
        pipes = {name: self.folder / name for name in ("requests", "pipe")}
        for pipe in pipes.values():
            os.mkfifo(pipe)
        ends = {name: os.open(pipe, os.O_RDWR | os.O_NONBLOCK) for name, pipe in pipes.items()}
        try:
            job = subprocess.Popen(self.command(2, "--pace", "0.002"), cwd=self.folder, stdout=subprocess.PIPE, text=True,
                                   env={**ENVIRONMENT, "HOLDFAST_REQUESTS": str(pipes["requests"]), "HOLDFAST_PIPE": str(pipes["pipe"])})
            os.write(ends["requests"], b"checkpoint\n")
            self.wait_for(self.folder / "heat.ckpt")
            os.write(ends["requests"], b"stop\n")
            self.assertIn("sum", job.communicate(timeout=120)[0])
            said = os.read(ends["pipe"], 1 << 16).decode().splitlines()
        finally:
            for end in ends.values():
                os.close(end)
        self.assertEqual([line for line in said if not line.startswith("progress")], ["ready", "begin", "done", "begin", "done"])
        self.assertEqual(self.run_whole(2, self.folder), self.sum)


if __name__ == "__main__":
    if shutil.which("mpicc") is None or shutil.which("mpirun") is None:
        print("skipped: no mpicc and mpirun (./setup mpi)")
        sys.exit(77)
    unittest.main()
