#!/usr/bin/env python3
"""`holdfast cosched run` with real applications: pack_test.py PROGRAM FOLDER [KILLS]. They are runs of examples/field/heat.c under guards, on one rank
each, whose pace is that of as many processors as they are given, and under mpirun where there is one. The command is killed so often, at random
moments and while it starts a guard."""

import json
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
import time
import unittest
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = str(Path(sys.argv[1]).resolve())
FOLDER = Path(sys.argv[2]).resolve()
KILLS = int(sys.argv[3]) if len(sys.argv) > 3 and sys.argv[3].isdigit() else 4
STEPS = 150
# Each start writes its name, and the steps of all starts are counted in a file that outlives them.
BEGUN = "mkdir -p $HOLDFAST_APPLICATION && cd $HOLDFAST_APPLICATION && echo $HOLDFAST_APPLICATION.$HOLDFAST_LAUNCH $HOLDFAST_HOSTS >> ../begun && "
GUARD = ["trigger=pipe", "ready=pipe", "backoff=0.2s", "quick=0s"]


def build(folder):
    flags = ["-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", ROOT / "examples/field/heat.c"]
    subprocess.run(["cc", "-I", ROOT / "bench/field/one_rank", *flags, "-o", folder / "heat"], check=True)
    if shutil.which("mpicc") and shutil.which("mpirun"):
        subprocess.run(["mpicc", *flags, "-o", folder / "heat-mpi"], check=True)


def times(work, processors, fraction=0.05):
    return [round(work * (fraction + (1 - fraction) / j), 5) for j in range(1, processors + 1)]


class Pack(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir(parents=True)
        build(FOLDER)
        whole = subprocess.run([FOLDER / "heat", "--size", "32", "--steps", str(STEPS), "--file", "whole"], cwd=FOLDER, capture_output=True, check=True)
        cls.result = whole.stdout

    def setUp(self):
        self.folder = FOLDER / self._testMethodName
        self.folder.mkdir()
        self.addCleanup(self.end_all)

    def end_all(self):
        """Ends what a failed test may have left: its guards, by their numbers, and with them their programs."""
        for lock in self.folder.glob("holdfast-pack/*/guard.lock"):
            try:
                pid = int(lock.read_text())
                if str(self.folder) in Path(f"/proc/{pid}/cmdline").read_text():
                    os.kill(pid, signal.SIGKILL)
            except (OSError, ValueError):
                continue

    def pack(self, works, processors=8, **more):
        """Applications of so many seconds of work on one processor."""
        tasks = []
        for k, work in enumerate(works):
            table = times(work, processors)
            paces = " ".join(f"{t / STEPS:.6f}" for t in table)
            tasks.append({"id": f"a{k}", "data": 2, "speedup": {"model": "table", "times": table},
                          "command": BEGUN + f"set -- {paces}; shift $((HOLDFAST_PROCESSORS - 1)); exec ../../heat --size 32 --steps {STEPS} "
                                             "--keep 1 --late late --pace $1 > out"})
        document = {"processors": processors, "mtbf": "10min", "downtime": "1s", "checkpoint_unit_cost": 0.01,
                    "redistribution_unit_cost": 0, "guard": GUARD, "tasks": tasks, **more}
        (self.folder / "pack.json").write_text(json.dumps(document))

    def words(self, *options):
        return [PROGRAM, "cosched", "run", "pack.json", "--every", "0.1s", *map(str, options)]

    def start(self, *options):
        return subprocess.Popen(self.words(*options), cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def ask(self, *options, status=0):
        done = subprocess.run(self.words(*options), cwd=self.folder, capture_output=True, text=True, timeout=240)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def begun(self):
        """How often each guard has started its program, by application and number of the guard."""
        file = self.folder / "begun"
        return Counter(line.split()[0] for line in file.read_text().splitlines()) if file.exists() else Counter()

    def wait_for(self, what, seconds=60):
        end = time.monotonic() + seconds
        while not what():
            self.assertLess(time.monotonic(), end, f"waited in vain; begun: {self.begun()}")
            time.sleep(0.02)

    def state(self, name):
        return next(one for one in json.loads((self.folder / "holdfast-pack/state.json").read_text())["applications"] if one["id"] == name)

    def check_results(self, count, steps=True):
        """All came to the right end, and each step was done once."""
        for k in range(count):
            self.assertEqual((self.folder / f"a{k}/out").read_bytes(), self.result)
            if steps:
                self.assertEqual(struct.unpack("qq", (self.folder / f"a{k}/late").read_bytes())[0], STEPS)

    def test_a_dry_run_says_what_and_changes_nothing(self):
        self.pack([4, 8, 16])
        said = self.ask("--nodes", "n[1-2]:4")
        for text in ("dry run: 3 applications would be started now", "predicted to end after", "if nothing moves", "n2:4"):
            self.assertIn(text, said)
        self.assertFalse((self.folder / "holdfast-pack").exists())
        document = json.loads(self.ask("--json"))
        self.assertLess(document["predicted"]["mean"], document["predicted_without"]["mean"])
        self.assertEqual(document["command"][1], "guard")

    def test_what_is_wrong_is_said_before_anything_starts(self):
        self.pack([4, 8])
        self.assertIn("expected at most 4: the slots of the nodes", self.ask("--nodes", "n[1-2]:2", status=3))
        self.assertIn("expected a rule that can be asked again", self.ask("--strategy", "as-given", status=2))
        self.pack([4], guard=[])
        self.assertIn("/tasks/0/guard", self.ask(status=3))
        self.pack([4, 4], guard=["trigger=telepathy"])
        said = self.ask("--act", status=1)
        self.assertIn("telepathy", said)
        self.assertIn("0 of 2 applications ended", said)
        self.assertEqual(self.begun(), Counter())

    def test_the_processors_of_an_ended_application_are_taken_over(self):
        self.pack([4, 24])
        said = self.ask("--act", "--nodes", "n[1-2]:4")
        self.assertIn("2 of 2 applications ended", said)
        self.assertIn("a1: stopped", said)
        self.check_results(2)
        self.assertEqual(set(self.begun().values()), {1})
        self.assertEqual((self.folder / "begun").read_text().splitlines()[-1].split()[1], "n1:4,n2:4")
        self.assertIn("2 of 2 applications ended", self.ask("--act", "--nodes", "n[1-2]:4"))  # nothing is left to do
        self.assertIn("expected another folder", self.other_pack())

    def other_pack(self):
        self.pack([4, 4, 4])
        return self.ask("--act", status=3)

    def test_nodes_that_nobody_needs_are_given_back(self):
        self.pack([2, 16])
        self.ask("--act", "--strategy", "none", "--nodes", "n[1-4]:2", "--give-back", "echo $HOLDFAST_NODE $HOLDFAST_NODES >> given")
        given = (self.folder / "given").read_text().splitlines() if (self.folder / "given").exists() else []
        had = json.loads((self.folder / "holdfast-pack/state.json").read_text())["nodes"]
        self.assertEqual([node["name"] for node in had if node["lent"] == "gone"], sorted(line.split()[0] for line in given))
        self.assertNotIn("n1", [line.split()[0] for line in given])
        self.check_results(2)

    def test_after_a_failure_the_last_one_gets_processors_of_others(self):
        self.pack([12, 12], mtbf="100s")
        running = self.start("--act")
        self.wait_for(lambda: (self.folder / "a1/heat.ckpt").exists())
        guard = int((self.folder / "holdfast-pack/a1/guard.lock").read_text())
        child = int(Path(f"/proc/{guard}/task/{guard}/children").read_text().split()[0])
        os.kill(child, signal.SIGKILL)
        said = running.communicate(timeout=120)[0]
        self.assertEqual(running.returncode, 0, said)
        self.assertIn("a1: failed (signal 9)", said)
        self.assertEqual(self.state("a1")["failures"], 1)
        self.check_results(2, steps=False)
        journal = (self.folder / "holdfast-pack/journal.ndjson").read_text()
        self.assertIn('"kind":"decision","application":"a1"', journal)

    def test_a_guard_that_is_killed_is_started_again(self):
        self.pack([8])
        running = self.start("--act")
        self.wait_for(lambda: self.begun()["a0.1"] == 1)
        self.wait_for(lambda: self.state("a0")["phase"] == "runs")
        os.kill(int((self.folder / "holdfast-pack/a0/guard.lock").read_text()), signal.SIGKILL)
        said = running.communicate(timeout=120)[0]
        self.assertEqual(running.returncode, 0, said)
        self.assertIn("a0: lost", said)
        self.check_results(1, steps=False)
        self.assertEqual(self.begun(), Counter({"a0.1": 1, "a0.2": 1}))

    def test_asked_to_end_all_are_saved_and_go_on_later(self):
        self.pack([8, 16])
        running = self.start("--act")
        self.wait_for(lambda: self.state("a1")["phase"] == "runs" if self.begun()["a1.1"] else False)
        running.send_signal(signal.SIGTERM)
        said = running.communicate(timeout=60)[0]
        self.assertEqual(running.returncode, 130, said)
        self.assertIn("saved and ended, and the same command goes on from there", said)
        self.assertEqual(self.state("a1")["phase"], "held")
        self.assertIn("2 of 2 applications ended", self.ask("--act"))
        self.check_results(2)

    def test_ranks_of_mpi_restart_on_another_number(self):
        if not (FOLDER / "heat-mpi").exists():
            self.skipTest("no mpicc and mpirun (./setup mpi)")
        run = (BEGUN + "exec mpirun --oversubscribe --bind-to none --mca mpi_yield_when_idle 1 -n $HOLDFAST_PROCESSORS "
               f"../../heat-mpi --size 32 --steps {STEPS} --keep 1 --pace 0.02 > out")
        self.pack([4, 24], processors=6, command=run)
        document = json.loads((self.folder / "pack.json").read_text())
        for task in document["tasks"]:
            del task["command"]
        document["tasks"][0]["command"] = run.replace("--pace 0.02", "--pace 0.01")
        (self.folder / "pack.json").write_text(json.dumps(document))
        os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        said = self.ask("--act")
        self.assertIn("2 of 2 applications ended", said)
        self.assertIn("a1 starts on 6 processors", said)
        self.check_results(2, steps=False)

    def test_kills_lose_nothing_and_start_nothing_twice(self):
        rng = random.Random(1)
        count = 24  # two processors each, so that they end one by one
        self.pack([2 + 0.7 * KILLS * (1 + k) for k in range(count)], processors=48)
        options = ("--act", "--strategy", "iterated-greedy-end-greedy")
        met = 0
        for number in range(KILLS):
            claims = len(list(self.folder.glob("holdfast-pack/*.claim")))
            running = self.start(*options)
            # Every other one is killed as soon as it starts a guard, or after a while if it does not.
            end = time.monotonic() + (rng.uniform(0.02, 1) if number % 2 == 0 else 4)
            while running.poll() is None and time.monotonic() < end:
                if number % 2 and len(list(self.folder.glob("holdfast-pack/*.claim"))) > claims:
                    met += 1
                    time.sleep(rng.uniform(0, 0.01))
                    break
                time.sleep(0.001)
            self.assertIsNone(running.poll(), "all was done before it was killed")
            running.kill()
            running.communicate()
            time.sleep(rng.uniform(0, 0.3))
        said = self.ask(*options)
        self.assertIn(f"{count} of {count} applications ended", said)
        self.check_results(count)
        begun = self.begun()
        self.assertEqual(set(begun.values()), {1})
        launches = {f"a{k}.{n + 1}" for k in range(count) for n in range(self.state(f"a{k}")["launch"])}
        self.assertEqual(set(begun), launches)
        print(f"{KILLS} kills, {met} of them at a start, {count} applications, {len(begun)} starts, each once; every step was done once", flush=True)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *[word for word in sys.argv[3:] if not word.isdigit()]], verbosity=2)
