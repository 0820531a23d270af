#!/usr/bin/env python3
"""`holdfast cosched run` in a job of a Slurm of three nodes that this test starts: pack_test.py PROGRAM."""

import json
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from slurm_node import SlurmNode, Unavailable

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = str(Path(sys.argv[1]).resolve())
SLURM = None
RUN = "mkdir -p $HOLDFAST_APPLICATION && cd $HOLDFAST_APPLICATION && echo $HOLDFAST_HOSTS >> hosts && exec ../heat --size 32 --steps {} --keep 1 --pace 0.02"


class Pack(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(dir=SLURM.folder))
        subprocess.run(["cc", "-std=c99", "-O2", "-I", ROOT / "bench/field/one_rank", ROOT / "examples/field/heat.c", "-o", self.folder / "heat"],
                       check=True)

    def submit(self, options):
        """A job of three nodes with two tasks each, in which an application has two nodes for 12 s and another the third one for 4 s."""
        tasks = [{"id": name, "data": 2, "speedup": {"model": "amdahl", "work": work, "sequential_fraction": 0.0}, "command": RUN.format(steps)}
                 for name, work, steps in (("long", 48, 600), ("short", 8, 200))]
        (self.folder / "pack.json").write_text(json.dumps(
            {"processors": 6, "mtbf": "1h", "downtime": "1s", "checkpoint_unit_cost": 0.01, "redistribution_unit_cost": 0.1,
             "guard": ["trigger=pipe", "ready=pipe"], "tasks": tasks}))
        script = self.folder / "job.sh"
        script.write_text(f"#!/bin/sh\n{PROGRAM} cosched run pack.json --act --every 0.2s {options} > said 2>&1; echo $? > code\n")
        return SLURM.run("sbatch", "--parsable", "--nodes=3", "--ntasks-per-node=2", f"--chdir={self.folder}", script).stdout.strip()

    def finish(self, job):
        """Waits for the end; returns what was said, and how many nodes the job had at any time."""
        nodes, end = [], time.monotonic() + 180
        while not (self.folder / "code").exists() and time.monotonic() < end:
            nodes.append(SLURM.run("squeue", "--noheader", "--states=running", f"--jobs={job}", "--format=%D").stdout.strip())
            time.sleep(0.3)
        said = (self.folder / "said").read_text()
        self.assertEqual((self.folder / "code").read_text().strip(), "0", said)
        return said, [int(count) for count in nodes if count]

    def hosts(self, name):
        return [line.split(",") for line in (self.folder / name / "hosts").read_text().splitlines()]

    def test_nodes_and_slots_are_those_of_the_job_and_go_back_to_slurm(self):
        said, nodes = self.finish(self.submit("--strategy none --give-back 'scontrol update JobId=$SLURM_JOB_ID NodeList=$HOLDFAST_NODES'"))
        self.assertIn("2 of 2 applications ended", said)
        self.assertIn("is given back", said)
        first, second, third = (host for row in (*self.hosts("long"), *self.hosts("short")) for host in row)
        self.assertEqual([host.split(":")[1] for host in (first, second, third)], ["2", "2", "2"])
        self.assertEqual((nodes[0], nodes[-1]), (3, 2), nodes)

    def test_processors_move_within_the_job(self):
        said, nodes = self.finish(self.submit(""))
        self.assertIn("long 4 -> 6", said)
        self.assertEqual([len(row) for row in self.hosts("long")], [2, 3])
        self.assertEqual(set(nodes), {3})


def main():
    global SLURM
    with tempfile.TemporaryDirectory(prefix="holdfast-pack-") as folder:
        try:
            with SlurmNode(folder, cpus=2, nodes=3, cluster="holdfast-test") as SLURM:
                unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
        except Unavailable as reason:
            print(f"skipped: {reason}")


if __name__ == "__main__":
    main()
