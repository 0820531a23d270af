#!/usr/bin/env python3
"""`holdfast capacity serve` on a Slurm of four nodes that this test starts, and bench/field/replay: capacity_test.py PROGRAM [KILLS]. With a
number of kills, the server and the slurmd of a node are killed so often, in turn, while jobs run."""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from slurm_node import SlurmNode, Unavailable

PROGRAM = str(Path(sys.argv[1]).resolve())
KILLS = int(sys.argv[2]) if len(sys.argv) > 2 and sys.argv[2].isdigit() else 6
REPLAY = Path(__file__).resolve().parents[2] / "bench/field/replay"
SLURM = None


class Serve(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(dir=SLURM.folder))
        self.server = None

    def tearDown(self):
        self.stop()
        SLURM.run("scancel", "--user", str(os.getuid()))
        SLURM.wait_until_empty()
        for node, state in self.nodes().items():
            if "DOWN" in state or "DRAIN" in state:
                SLURM.run("scontrol", "update", f"NodeName={node}", "State=RESUME", check=False)

    def ask(self, *options, status=0):
        done = subprocess.run([PROGRAM, "capacity", "serve", *map(str, options)], env=SLURM.environment, cwd=self.folder,
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def start(self, *options):
        log = open(self.folder / "server.log", "ab")
        with log:
            self.server = subprocess.Popen(
                [PROGRAM, "capacity", "serve", "--act", "--partition", "all", "--every", "0.3s", "--output", "kept", *map(str, options)],
                env=SLURM.environment, cwd=self.folder, stdout=log, stderr=log)

    def stop(self, how="terminate"):
        if self.server:
            getattr(self.server, how)()
            self.server.wait(20)
            self.server = None

    def submit(self, seconds, cpus=1, *options):
        return SLURM.run("sbatch", "--parsable", "--requeue", "-n1", f"-c{cpus}", "--time=5", f"--comment=length={seconds}",
                         f"--output={self.folder}/%j.out", "--open-mode=append", *options, "--wrap",
                         f"echo begins; sleep {seconds}; echo ends").stdout.strip()

    def nodes(self):
        lines = SLURM.run("scontrol", "show", "node", "--oneliner").stdout.splitlines()
        words = [dict(word.split("=", 1) for word in line.split() if "=" in word) for line in lines]
        return {one["NodeName"]: one["State"] for one in words}

    def wait_for(self, what, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if what():
                return
            time.sleep(0.1)
        log = self.folder / "server.log"
        self.fail(f"not within {seconds} s; {SLURM.jobs()}; {self.nodes()}; {log.read_text() if log.exists() else ''}")

    def test_the_first_screen_says_what_would_happen_and_changes_nothing(self):
        job = self.submit(30, 2, "--hold")
        other = self.submit(30, 2, "--begin=now+4", "--nodelist=n02")
        mine = self.submit(30, 2, "--begin=now+4")
        (self.folder / "on.txt").write_text("3\n")
        said = self.ask("--partition", "all", "--once", "--capacity", "on.txt")
        for text in ("Slurm holdfast-test: partition all, 4 nodes of 4 CPUs", "dry run", f"would place job {mine} on n0",
                     "would take out n04 (drain): 3 of 4 nodes may be on", "left alone: 1 waiting job held", "1 waiting job with nodes of their own"):
            self.assertIn(text, said)
        self.assertNotIn(f"job {job} ", said)
        self.assertNotIn(f"job {other} ", said)
        self.assertEqual(set(self.nodes().values()), {"IDLE"})
        self.assertFalse((self.folder / "holdfast-capacity").exists())

    def test_wrong_questions_say_what_was_meant(self):
        self.assertIn("--nodes: found the number 4, expected names", self.ask("--nodes", "4", status=2))
        self.assertIn("expected one of: all", self.ask("--partition", "al", status=3))
        self.assertIn("which is no node of this Slurm", self.ask("--nodes", "n[01-09]", status=3))
        self.assertIn("found no journal", self.ask("--status", "nowhere", status=3))

    def test_it_places_jobs_and_switches_nodes(self):
        (self.folder / "on.txt").write_text("4\n")
        self.start("--capacity", "on.txt", "--switch", "down", "--policy", "target-asap", "--metrics-file", "metrics.prom")
        long = self.submit(20, 4, "--begin=now+2")
        self.wait_for(lambda: (long, "R") in SLURM.jobs())
        placed = SLURM.run("scontrol", "show", "job", long).stdout
        self.assertIn("ReqNodeList=n0", placed)
        (self.folder / "on.txt").write_text("2\n")
        self.wait_for(lambda: [node for node, state in self.nodes().items() if state.startswith("DOWN")] == ["n03", "n04"])
        (self.folder / "on.txt").write_text("nonsense\n")
        time.sleep(1)
        (self.folder / "on.txt").write_text("4\n")
        self.wait_for(lambda: not any(state.startswith("DOWN") for state in self.nodes().values()))
        said = self.ask("--status", "kept")
        for text in ("the server runs", "place", "2 of 4 nodes may be on"):
            self.assertIn(text, said)
        self.assertIn("holdfast_capacity_actions_total{do=\"off\"} 2", (self.folder / "metrics.prom").read_text())
        self.assertEqual((self.folder / "server.log").read_text().count("on.txt"), 1)

    def test_a_job_of_several_nodes_is_left_to_slurm_and_its_cores_are_seen(self):
        wide = self.submit(8, 4, "--nodes=2", "--ntasks=2", "--comment=length=600", "--hold")
        self.assertIn("left alone: 1 waiting job held", self.ask("--once"))
        SLURM.run("scontrol", "release", wide)
        self.wait_for(lambda: (wide, "R") in SLURM.jobs())
        single = self.submit(30, 4, "--begin=now+4")
        said = self.ask("--once", "--safe-nodes", 4)
        self.assertIn("1 job runs on them, 1 job waits", said)
        taken = SLURM.run("squeue", "-h", "-j", wide, "-o", "%N").stdout.strip()
        free = {"n[01-02]": "n0[34]", "n[03-04]": "n0[12]", "n[02-03]": "n0[14]"}[taken]
        self.assertRegex(said, f"would place job {single} on {free}")
        self.start()
        other = self.submit(2, 4)
        self.wait_for(lambda: not {wide, other} & {job for job, _ in SLURM.jobs()})
        SLURM.run("scancel", single)
        for job in (wide, other):
            self.assertEqual((self.folder / f"{job}.out").read_text(), "begins\nends\n")

    def test_announced_nodes_are_drained_until_their_line_is_gone(self):
        going = self.folder / "going.txt"
        going.write_text("# from the provider\nn[03-04] reclaimed at 20:40\n")
        self.start("--notices", going)
        drained = {"n03": "IDLE+DRAIN", "n04": "IDLE+DRAIN", "n01": "IDLE", "n02": "IDLE"}
        self.wait_for(lambda: self.nodes() == drained)
        self.assertIn("holdfast: reclaimed at 20:40", SLURM.run("sinfo", "-h", "-R", "-o", "%E").stdout)
        going.write_text("")
        self.wait_for(lambda: set(self.nodes().values()) == {"IDLE"})
        self.assertIn("take out n03 (drain): reclaimed at 20:40", (self.folder / "server.log").read_text())

    def write_prices(self, *steps):
        """Prices from now on: what a node costs from so many seconds on."""
        now = time.time()
        rows = [(now - 60, steps[0][1]), *((now + after, price) for after, price in steps[1:]), (now + 3600, steps[-1][1])]
        lines = [f"{time.strftime('%Y-%m-%d %H:%M:%S', time.localtime(when))},{price}" for when, price in rows]
        (self.folder / "prices.csv").write_text("\n".join(["time,price", *lines]) + "\n")

    def hours_of(self, job):
        """What a job waits for, and the date before which it does not start, in seconds from now."""
        reason, start = SLURM.run("env", "SLURM_TIME_FORMAT=%s", "squeue", "-h", "-j", job, "-o", "%r|%S").stdout.strip().split("|")
        return reason, float(start) - time.time() if start.isdigit() else None

    def is_held(self, job):
        reason, left = self.hours_of(job)
        return reason == "BeginTime" and left is not None and left > 15

    def test_dear_hours_hold_jobs_back_and_cheap_ones_let_them_go(self):
        self.write_prices((0, 0.2), (25, 0.05))
        said = self.ask("--policy", "under-price:limit=0.1", "--price", "prices.csv", "--once")
        self.assertIn("dry run", said)
        self.start("--policy", "under-price:limit=0.1", "--price", "prices.csv", "--hold", "1min")
        job = self.submit(1, 4, "--begin=now+2")
        self.wait_for(lambda: self.is_held(job))
        self.assertIn(f"hold back job {job}: under-price:limit=0.1 lets it wait; a node costs 0.2 an hour now",
                      (self.folder / "server.log").read_text())
        self.wait_for(lambda: not SLURM.jobs())
        self.assertEqual((self.folder / f"{job}.out").read_text(), "begins\nends\n")
        self.assertIn(f"let go job {job}", (self.folder / "server.log").read_text())

    def test_jobs_held_back_are_slurms_again_when_the_server_ends_and_when_it_dies(self):
        self.write_prices((0, 0.2))
        options = ("--policy", "under-price:limit=0.1", "--price", "prices.csv", "--hold", "20s")
        self.start(*options)
        jobs = [self.submit(1, 4, "--begin=now+2") for _ in range(2)]
        self.wait_for(lambda: all(self.is_held(job) for job in jobs))
        self.stop()
        self.wait_for(lambda: not SLURM.jobs(), seconds=15)
        self.start(*options)
        job = self.submit(1, 4, "--begin=now+2")
        self.wait_for(lambda: self.is_held(job))
        time.sleep(22)  # held again, longer than once
        self.assertEqual(self.hours_of(job)[0], "BeginTime")
        self.stop("kill")
        self.wait_for(lambda: not SLURM.jobs(), seconds=40)
        self.assertEqual((self.folder / f"{job}.out").read_text(), "begins\nends\n")

    def drive(self, kill):
        """Jobs run while kill() is called again and again and the capacity changes. Returns what each job wrote."""
        rng = random.Random(1)
        (self.folder / "on.txt").write_text("4\n")
        self.options = ("--capacity", "on.txt", "--switch", "drain")
        self.start(*self.options)
        jobs = [self.submit(rng.randint(2, 8), rng.choice([1, 2, 4]), "--begin=now+2") for _ in range(2 * KILLS)]
        for number in range(KILLS):
            time.sleep(rng.uniform(0.2, 2))
            (self.folder / "on.txt").write_text(f"{rng.randint(2, 4)}\n")
            kill(number, rng)
        (self.folder / "on.txt").write_text("4\n")
        self.wait_for(lambda: SLURM.run("squeue", "-h", check=False).returncode == 0)
        self.wait_for(lambda: not SLURM.jobs(), seconds=400 + 10 * KILLS)
        self.wait_for(lambda: not any("DRAIN" in state or "DOWN" in state for state in self.nodes().values()))
        return [(self.folder / f"{job}.out").read_text() if (self.folder / f"{job}.out").exists() else "" for job in jobs]

    def kill_server(self):
        self.stop("kill")
        self.start(*self.options)

    @staticmethod
    def kill_slurmd(rng):
        node = rng.choice(SLURM.nodes)
        SLURM.stop(f"slurmd {node}", "kill")
        SLURM.start_slurmd(node)

    def test_kills_of_the_server_and_of_slurmd_lose_no_job_and_start_none_twice(self):
        written = self.drive(lambda number, rng: self.kill_server() if number % 2 == 0 else self.kill_slurmd(rng))
        self.assertEqual(written, ["begins\nends\n"] * len(written))
        journal = [json.loads(line) for line in (self.folder / "kept/journal.ndjson").read_text().splitlines()[1:]]
        self.assertEqual(sum(entry["kind"] == "begin" for entry in journal), 1 + (KILLS + 1) // 2)
        print(f"{KILLS} kills, {len(written)} jobs, {sum(entry['kind'] == 'action' for entry in journal)} actions", flush=True)

    def test_kills_of_slurmctld_lose_no_job_and_leave_no_node_out(self):
        """A controller that dies may begin a job again that it forgot (bench/capacity/kills, with and without a server): it is not lost."""
        (self.folder / "on.txt").write_text("4\n")
        self.start("--capacity", "on.txt")
        jobs = [self.submit(seconds, cpus, "--begin=now+2") for seconds, cpus in ((3, 1), (9, 4), (4, 2), (6, 4), (8, 1))]
        for count in (2, 4):
            (self.folder / "on.txt").write_text(f"{count}\n")
            SLURM.kill_slurmctld(saved=True)
        self.wait_for(lambda: not SLURM.jobs(), seconds=200)
        self.wait_for(lambda: set(self.nodes().values()) == {"IDLE"})
        for job in jobs:
            self.assertTrue((self.folder / f"{job}.out").read_text().endswith("ends\n"))

    def test_a_log_is_replayed_on_a_test_slurm_only(self):
        (self.folder / "log.csv").write_text("# nodes: 4\nnode,down,up\na,0,100\nb,50,150\na,200,300\n")
        done = subprocess.run([REPLAY, self.folder / "log.csv", "--program", PROGRAM, "--compress", "100", "--for", "4"],
                              env=SLURM.environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([line.split()[2:] for line in done.stdout.splitlines()[1:]],
                         [["n01", "down"], ["n02", "down"], ["n01", "resume"], ["n02", "resume"], ["n01", "down"], ["n01", "resume"]])
        self.assertFalse(any("DOWN" in state for state in self.nodes().values()))


def main():
    global SLURM
    with tempfile.TemporaryDirectory(prefix="holdfast-capacity-") as folder:
        try:
            with SlurmNode(folder, cpus=4, nodes=4, cluster="holdfast-test") as SLURM:
                unittest.main(argv=[sys.argv[0], *[word for word in sys.argv[2:] if not word.isdigit()]], verbosity=2)
        except Unavailable as reason:
            print(f"skipped: {reason}")


if __name__ == "__main__":
    main()
