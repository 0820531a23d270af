#!/usr/bin/env python3
"""`holdfast guard` with real processes: guard_test.py PROGRAM FOLDER [--moments N] [TEST...]. With --moments, guards, programs and all of it
are killed at so many random moments each."""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import worker
from processes import processes_of

HERE = Path(__file__).resolve().parent
GIVEN = argparse.Namespace()
FIRST = "0.15s"


class Job:
    """A folder with a guard and its worker."""

    def __init__(self, name, steps=150, options=(), worker_options=(), trigger="signal:USR1", quick="0.05s", settle="0.05s",
                 checkpoint="state.ckpt", below=None):
        self.folder = (below or GIVEN.folder) / name
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.steps = steps
        self.command = [GIVEN.program, "guard", "--trigger", trigger, "--checkpoint-file", checkpoint, "--first", FIRST, "--mtbf", "1s",
                        "--checkpoint", "0.05s", "--settle", settle, "--backoff", "0s", "--quick", quick, "--output", "guard", *options,
                        "--", sys.executable, str(HERE / "worker.py"), "--steps", str(steps), *worker_options]

    def start(self):
        """Starts the guard with its output in files, because processes that outlive it would keep pipes open."""
        with open(self.folder / "out", "w", encoding="utf-8") as out, open(self.folder / "err", "w", encoding="utf-8") as err:
            return subprocess.Popen(self.command, cwd=self.folder, stdout=out, stderr=err, start_new_session=True)

    def end_of(self, guard, timeout=60):
        try:
            guard.wait(timeout)
        except subprocess.TimeoutExpired:
            guard.kill()
            guard.wait()
            raise
        out, err = ((self.folder / name).read_text() for name in ("out", "err"))
        return subprocess.CompletedProcess(self.command, guard.returncode, out, err)

    def run(self, timeout=120):
        return subprocess.run(self.command, cwd=self.folder, capture_output=True, text=True, timeout=timeout, check=False)

    def entries(self, kind=None):
        lines = (self.folder / "guard/journal.ndjson").read_text().splitlines()[1:]
        entries = [json.loads(line) for line in lines]
        return [entry for entry in entries if kind in (None, entry["kind"])]

    def committed_step(self):
        """The step of the checkpoint that the guard keeps."""
        kept = self.folder / "state.ckpt.1"
        return int(kept.read_text().split()[0]) if kept.exists() else 0

    @staticmethod
    def starts(done):
        return [int(line.split()[-1]) for line in done.stdout.splitlines() if line.startswith("from step")]

    def result(self):
        return int((self.folder / "result").read_text())

    def report(self):
        said = subprocess.run([GIVEN.program, "guard", "--status", "guard", "--json"], cwd=self.folder, capture_output=True, text=True,
                              check=True)
        return json.loads(said.stdout)

    def wait_for(self, what, seconds=30):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if what():
                return True
            time.sleep(0.01)
        return False

    def wait_for_kind(self, kind, count=1):
        journal = self.folder / "guard/journal.ndjson"
        return self.wait_for(lambda: journal.exists() and journal.read_text().count(f'"kind":"{kind}"') >= count)


class GuardTest(unittest.TestCase):
    def check_finished(self, job, done):
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(job.result(), worker.result_of(job.steps))
        self.assertEqual(processes_of(job.folder), [])

    def at_moments(self, seed, latest, one, moments=None):
        """Calls one(moment, delay) for each moment, four at a time: they wait more than they compute."""
        generator = random.Random(seed)
        delays = [generator.uniform(0, latest) for _ in range(moments or GIVEN.moments)]

        def trouble_at(moment):
            try:
                one(moment, delays[moment])
            except Exception as trouble:  # reported below, with the moment at which it happened
                return trouble
            return None

        with ThreadPoolExecutor(4) as several:
            for moment, trouble in enumerate(several.map(trouble_at, range(len(delays)))):
                with self.subTest(moment):
                    if trouble:
                        raise trouble

    def test_asks_and_finishes(self):
        job = Job("finishes")
        done = job.run()
        self.check_finished(job, done)
        self.assertIn("saved at step", done.stdout)
        self.assertIn("finished after", done.stderr)
        saves = job.entries("checkpoint")
        self.assertGreaterEqual(len(saves), 2)
        self.assertTrue(all(save["ok"] for save in saves))
        # A request is sent when it is due, and the cost is that of the program's write.
        for save in saves:
            self.assertLess(save["seconds"], 0.5)
        self.assertTrue((job.folder / "state.ckpt.1").exists())
        report = job.report()
        self.assertEqual(report["outcome"], "finish")
        self.assertEqual(report["checkpoints"], len(saves))
        self.assertAlmostEqual(report["seconds"]["saved_work"] + report["seconds"]["checkpoints"], report["seconds"]["total"], delta=0.4)

    def test_every_way_to_ask(self):
        for name, trigger, options in (("file", "file:SAVE", ["--ask", "file"]), ("pipe", "pipe", ["--ask", "pipe"]),
                                       ("stop", "stop:TERM", ["--ask", "stop"]), ("none", "none", ["--ask", "none", "--save-every", "20"])):
            with self.subTest(name):
                extra = ["--ready", "pipe"] if name == "pipe" else []
                job = Job(f"asks-{name}", options=extra, worker_options=options, trigger=trigger)
                self.check_finished(job, job.run())
                saves = [save for save in job.entries("checkpoint") if save["ok"]]
                self.assertGreaterEqual(len(saves), 2)
                self.assertEqual(job.entries("failure"), [])
                # A program that ends while a file asks it to save is started once more.
                restarts = len(job.entries("restart"))
                self.assertEqual(len(job.entries("launch")), 1 + restarts)
                self.assertEqual(job.report()["killed_guards"], 0)
                if name == "stop":
                    self.assertEqual(restarts, len(saves))
                self.assertEqual(len(job.entries("ready")), 1 if name == "pipe" else 0)

    def test_a_command_that_asks(self):
        job = Job("asks-command", trigger="command:kill -USR1 $(cat pid); sleep 0.2",
                  options=["--restart-command", "true"])
        at = job.command.index("--")
        job.command[at:] = ["--", "/bin/sh", "-c", "echo $$ > pid; exec " + " ".join(job.command[at + 1:])]
        self.check_finished(job, job.run())
        self.assertGreaterEqual(len(job.entries("checkpoint")), 2)

    def test_a_line_that_says_so(self):
        job = Job("lines", options=["--done", "line:saved at", "--progress", "line:saved at step", "--ready", "line:from step", "--total", "150"])
        done = job.run()
        self.check_finished(job, done)
        self.assertTrue(done.stdout.startswith("from step 0\n"))
        self.assertEqual(len(job.entries("ready")), 1)
        self.assertEqual(job.entries("progress")[0]["total"], 150)

    def test_the_program_is_killed(self):
        def one(moment, delay):
            # A program that writes in place and gets no processor for so long looks as if it had finished.
            job = Job(f"killed-program-{moment}", steps=120, worker_options=["--child"] if moment % 2 else ["--in-place"],
                      options=["--kill-leftovers"], settle="0.05s" if moment % 2 else "0.5s")
            guard = job.start()
            self.assertTrue(job.wait_for_kind("launch"))
            time.sleep(delay)
            launch = job.entries("launch")[-1]
            before = job.committed_step()
            try:
                os.kill(launch["pid"], signal.SIGKILL)
            except ProcessLookupError:
                pass
            done = job.end_of(guard)
            self.check_finished(job, done)
            failures = job.entries("failure")
            self.assertLessEqual(len(failures), 1, (failures, done.stdout, done.stderr))
            if failures:
                # From the newest checkpoint that was committed, or a newer one.
                self.assertGreaterEqual(job.starts(done)[-1], before)

        self.at_moments(1, 1.2, one)

    def test_the_guard_is_killed(self):
        def one(moment, delay):
            job = Job(f"killed-guard-{moment}", steps=120, worker_options=["--child"] if moment % 2 else [], options=["--kill-leftovers"])
            guard = job.start()
            time.sleep(delay)
            guard.kill()
            guard.wait()
            before = job.committed_step()
            if moment % 2 == 0:  # without children of its own the program dies with the guard
                self.assertTrue(job.wait_for(lambda: processes_of(job.folder) == [], seconds=5))
            self.check_continues(job, before)

        self.at_moments(2, 1.6, one)

    def test_everything_is_killed(self):
        def one(moment, delay):
            job = Job(f"killed-all-{moment}", steps=120, worker_options=["--child"], options=["--kill-leftovers"])
            guard = job.start()
            time.sleep(delay)
            victims = processes_of(job.folder)
            guard.kill()
            for victim, _ in victims:
                try:
                    os.kill(victim, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            guard.wait()
            self.check_continues(job, job.committed_step())

        self.at_moments(3, 1.6, one)

    def test_ways_of_writing(self):
        # Each way on the disk and, where there is one, on a file system in memory, which gives new inodes to new files.
        ways = {"in-place": "state.ckpt", "backup": "state.ckpt", "deleted": "state.ckpt", "numbered": "state.ckpt-*[0-9]", "link": "state.ckpt",
                "folder": "state.ckpt-*", "moved-folder": "state.ckpt-*"}
        memory = Path("/dev/shm")
        places = [GIVEN.folder] + [memory / f"holdfast-guard-test-{os.getpid()}"] * os.access(memory, os.W_OK)
        self.addCleanup(lambda: shutil.rmtree(places[-1], ignore_errors=True) if len(places) > 1 else None)

        def one(moment, delay):
            way = list(ways)[moment % len(ways)]
            marked = ["--done", "marker:done"] if way == "folder" else []
            job = Job(f"way-{way}-{moment}", steps=120, options=["--kill-leftovers", *marked], checkpoint=ways[way], below=places[moment // len(ways) % len(places)],
                      worker_options=["--way", way, "--from-environment", "--save-seconds", "0.1"])
            for _ in range(2):
                guard = job.start()
                job.wait_for_kind("launch")
                time.sleep(delay)
                launch = job.entries("launch")[-1]
                for victim in ([launch["pid"]], [guard.pid], [guard.pid, launch["pid"]])[moment % 3]:
                    try:
                        os.kill(victim, signal.SIGKILL)
                    except ProcessLookupError:
                        pass
                if moment % 3 == 0:
                    break
                guard.wait()
            done = job.end_of(guard) if moment % 3 == 0 else job.run()
            if done.returncode == 4 and "has finished" in done.stderr:
                return
            self.check_finished(job, done)
            self.assertEqual([failure for failure in job.entries("failure") if failure.get("code")], [], done.stderr)

        self.at_moments(4, 1.2, one, len(ways) * len(places) * max(1, GIVEN.moments // 3))

    def check_continues(self, job, before):
        """The same command goes on from the checkpoint that was committed, to the same result."""
        done = job.run()
        if "has finished before" in done.stderr:  # before it was killed
            self.assertEqual(done.returncode, 0)
            self.assertEqual(job.result(), worker.result_of(job.steps))
            return
        self.check_finished(job, done)
        starts = job.starts(done)
        self.assertEqual(len(starts), 1)
        self.assertGreaterEqual(starts[0], before)

    def test_stops_saved_and_continues(self):
        job = Job("stops", steps=200)
        guard = job.start()
        self.assertTrue(job.wait_for_kind("checkpoint"))
        time.sleep(0.1)
        guard.terminate()
        done = job.end_of(guard)
        self.assertEqual(done.returncode, 130, done.stderr)
        self.assertIn("stopped (signal 15)", done.stderr)
        self.assertLess(job.entries("stop")[0]["unsaved"], 0.3)
        self.assertEqual(processes_of(job.folder), [])
        step = job.committed_step()
        done = job.run()
        self.check_finished(job, done)
        self.assertIn(f"from step {step}\n", done.stdout)
        self.assertIn("goes on after 1 launch", done.stderr)

    def test_time_limit(self):
        job = Job("limit", steps=2000, options=["--time-limit", "6.5s"])
        done = job.run()
        self.assertEqual(done.returncode, 130, done.stderr)
        self.assertEqual(job.entries("stop")[0]["reason"], "the allocation ends")
        self.assertLess(job.entries("stop")[0]["unsaved"], 0.3)
        short = Job("limit-short", options=["--time-limit", "5.01s"])
        done = short.run()
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("the allocation ends before a checkpoint", done.stderr)

    def test_a_bad_checkpoint_is_set_aside(self):
        job = Job("crash-loop", steps=300, quick="5s", worker_options=["--crash-from", "1"])
        guard = job.start()
        self.assertTrue(job.wait_for_kind("checkpoint", 2))
        os.kill(job.entries("launch")[-1]["pid"], signal.SIGKILL)
        done = job.end_of(guard)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("gave up: the program ended 3 times within 5 s of its start, last with exit code 3, from state.ckpt and from state.ckpt; its "
                      "output is above", done.stderr)
        # None was worse than the others: all are where they were.
        self.assertEqual(sorted(path.name for path in job.folder.glob("state*")), ["state.ckpt", "state.ckpt.1", "state.ckpt.2"])
        self.assertEqual((job.folder / "state.ckpt").read_text(), (job.folder / "state.ckpt.1").read_text())

    def test_a_pause_longer_than_settle_in_the_middle_of_a_save(self):
        # The program writes in place and keeps its file open while it pauses: half of a checkpoint is never kept.
        job = Job("pause", steps=1000, quick="5s", options=["--min-interval", "1.5s"], worker_options=["--in-place", "--save-seconds", "0.6"])
        guard = job.start()
        self.assertTrue(job.wait_for_kind("checkpoint"))
        state = job.folder / "state.ckpt"
        self.assertTrue(job.wait_for(lambda: "whole" not in state.read_text() and state.read_text()))
        before = job.committed_step()
        os.kill(job.entries("launch")[-1]["pid"], signal.SIGKILL)
        done = job.end_of(guard)
        self.check_finished(job, done)
        self.assertEqual(job.starts(done)[1], before)
        self.assertIn("was not complete when the program ended: moved to", done.stderr)
        self.assertNotIn("whole", (job.folder / "guard/aside/2/state.ckpt").read_text())

    def test_half_of_the_first_checkpoint_starts_over(self):
        # Written in place, and killed in the middle of the first save: there is nothing older, and nothing was accepted.
        job = Job("half-first", quick="5s", settle="5s", worker_options=["--in-place", "--save-seconds", "1"])
        guard = job.start()
        self.assertTrue(job.wait_for(lambda: (job.folder / "state.ckpt").exists() and (job.folder / "state.ckpt").stat().st_size > 0))
        os.kill(job.entries("launch")[-1]["pid"], signal.SIGKILL)
        done = job.end_of(guard)
        self.check_finished(job, done)
        self.assertNotIn("whole", (job.folder / "guard/aside/2/state.ckpt").read_text())
        self.assertEqual(job.starts(done), [0, 0])

    def test_two_guards_of_one_checkpoint(self):
        job = Job("two-guards", steps=300)
        guard = job.start()
        self.assertTrue(job.wait_for_kind("launch"))
        other = [word if word != "guard" or at == 1 else "other" for at, word in enumerate(job.command)]
        second = subprocess.run(other, cwd=job.folder, capture_output=True, text=True, check=False)
        self.assertEqual(second.returncode, 4)
        self.assertIn("another guard, with another --output, holds the lock of these checkpoints", second.stderr)
        guard.send_signal(signal.SIGINT)
        guard.send_signal(signal.SIGINT)
        job.end_of(guard)

    def test_a_program_that_its_request_ends(self):
        job = Job("ended-by-request", steps=100, worker_options=["--fall-once"])
        done = job.run()
        self.check_finished(job, done)
        failures = job.entries("failure")
        self.assertEqual([(one["signal"], one.get("by_request"), one["quick"]) for one in failures], [(signal.SIGUSR1, True, False)])
        self.assertIn("the request for a checkpoint ended the program", done.stderr)
        self.assertEqual(job.entries("estimate")[-1]["interruptions"], 0)

    def test_a_job_that_knows_its_end_is_not_asked_there(self):
        # 200 steps of 0.01 s; nothing else is due within them.
        job = Job("knows-its-end", steps=200, options=["--work", "2s"])
        job.command[job.command.index("--mtbf") + 1] = "100d"
        self.check_finished(job, job.run())
        self.assertEqual(job.entries("due"), [])

    def test_verify(self):
        job = Job("verify", options=["--verify", "grep -q whole $HOLDFAST_CHECKPOINT"])
        self.check_finished(job, job.run())
        self.assertGreaterEqual(len([save for save in job.entries("checkpoint") if save["ok"]]), 2)
        bad = Job("verify-bad", options=["--verify", "false"])
        self.check_finished(bad, bad.run())
        saves = bad.entries("checkpoint")
        self.assertFalse(any(save["ok"] for save in saves))
        self.assertEqual(saves[0]["reason"], "--verify ended with exit code 1")

    def script(self, name, text, trigger, options=(), arguments=()):
        """A job with a program of its own, which is written in Python."""
        job = Job(name, trigger=trigger, options=options)
        (job.folder / "program.py").write_text(text)
        at = job.command.index("--")
        job.command[at:] = ["--", sys.executable, "program.py", *arguments]
        return job

    SAVES_AND_ENDS = """if True:
        import os, sys, time
        code, step = int(sys.argv[1]), int(open("state.ckpt").read()) if os.path.exists("state.ckpt") else 0
        print("from step", step, flush=True)
        while step < 100:
            time.sleep(0.01); step += 1
            print("step", step, flush=True)
            if os.path.exists("EXIT"):
                print("EXIT says", open("EXIT").read().strip(), flush=True)
                if code != 1:
                    open("new", "w").write(str(step)); os.replace("new", "state.ckpt")
                sys.exit(code)
        """

    def test_a_file_stops_the_program(self):
        for code in (0, 255):
            with self.subTest(code):
                job = self.script(f"stop-file-{code}", self.SAVES_AND_ENDS, "stop-file:EXIT=now", ["--progress", "line:step", "--total", "100"], [str(code)])
                done = job.run()
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("step 100\n", done.stdout)
                self.assertIn("EXIT says now\n", done.stdout)
                self.assertEqual(job.entries("failure"), [])
                saves = [one for one in job.entries("checkpoint") if one["ok"]]
                self.assertGreaterEqual(len(saves), 1)
                self.assertEqual(len(job.entries("launch")), 1 + len(job.entries("restart")))
                self.assertEqual(job.report()["killed_guards"], 0)
        failed = self.script("stop-file-fails", self.SAVES_AND_ENDS, "stop-file:EXIT", ["--restarts", "1"], ["1"])
        done = failed.run()
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual([one["code"] for one in failed.entries("failure")], [1, 1])

    def test_an_end_without_the_checkpoint_that_was_asked_for(self):
        job = self.script("stop-file-in-vain", "import os, time\nwhile not os.path.exists('EXIT'): time.sleep(0.01)\n", "stop-file:EXIT")
        (job.folder / "state.ckpt").write_text("the user's own, from before")
        done = job.run()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([one["saved"] for one in job.entries("restart")], [False])
        self.assertIn("it has finished", done.stderr)

    def test_a_save_is_not_lost_with_the_end_that_follows(self):
        # As torchrun with --signals-to-handle: the signal saves, and then the launcher ends with an error.
        text = """if True:
            import os, signal, sys, time
            def save(*_):
                open("new", "w").write("whole"); os.replace("new", "state.ckpt"); sys.exit(1)
            signal.signal(signal.SIGUSR1, save)
            for _ in range(0 if os.path.exists("state.ckpt") else 3000):
                time.sleep(0.01)
            """
        job = self.script("saved-and-failed", text, "signal:USR1", ["--verify", "grep -q whole $HOLDFAST_CHECKPOINT"])
        done = job.run()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(job.entries("checkpoint")[0]["ok"])
        self.assertLess(job.entries("failure")[0]["lost"], 0.1)

    def test_a_program_without_a_handler_is_not_ended(self):
        # Signals are blocked for an instant whenever a process or a thread is started.
        text = "import subprocess, time\nend = time.monotonic() + 3\nwhile time.monotonic() < end: subprocess.run(['/bin/true'])\n"
        job = self.script("no-handler", text, "signal:USR1", ["--restarts", "0"])
        done = job.run()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(job.entries("failure"), [])

    def test_workers_of_a_launcher_that_passes_no_signal_on(self):
        worker_text = """if True:
            import os, signal, sys, time
            rank, asked = os.environ["LOCAL_RANK"], 0
            def hear(*_):
                global asked; asked += 1
                open("heard" + rank, "w").write(str(asked))
                if rank == "0":
                    open("new", "w").write(str(asked)); os.replace("new", "state.ckpt")
            if rank in sys.argv[1]: signal.signal(signal.SIGUSR1, hear)
            end = time.monotonic() + float(sys.argv[2])
            while time.monotonic() < end: time.sleep(0.01)
            """
        launcher = ("import os, subprocess, sys\n"
                    "all = [subprocess.Popen([sys.executable, 'worker.py', *sys.argv[1:]], env=dict(os.environ, LOCAL_RANK=str(i))) for i in (0, 1)]\n"
                    "other = subprocess.Popen(['sleep', '60'])\n"
                    "codes = [one.wait() for one in all]\nother.kill()\nsys.exit(max(codes) or -min(codes))\n")
        for handled, seconds in (("01", "1.5"), ("0", "12")):
            with self.subTest(handled):
                job = Job(f"torch-{handled}", options=["--restarts", "0"])
                (job.folder / "worker.py").write_text(worker_text)
                (job.folder / "torchrun").write_text(f"#!{sys.executable}\n{launcher}")
                (job.folder / "torchrun").chmod(0o755)
                job.command[job.command.index("--"):] = ["--", "./torchrun", handled, seconds]
                done = job.run()
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual((job.folder / "heard1").exists(), handled == "01")
                self.assertEqual("use --trigger stop:USR1" in done.stderr, handled == "0", done.stderr)

    def test_the_command_that_asks_fails(self):
        job = Job("command-fails", trigger="command:echo asked >> asked; exit 2", options=["--done", "file:state.ckpt"])
        job.command[job.command.index("--"):] = ["--", "sleep", "1"]
        done = job.run()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(job.entries("checkpoint")[0]["reason"], "the command of --trigger ended with exit code 2")

    def test_a_restart_command_needs_a_checkpoint(self):
        job = Job("restart-command", trigger="command:true", options=["--restart-command", "./no-such-script"])
        job.command[job.command.index("--first") + 1] = "60s"
        at = job.command.index("--checkpoint-file")
        del job.command[at:at + 2]
        at = job.command.index("--checkpoint")
        del job.command[at:at + 2]
        (job.folder / "program.sh").write_text("if [ -e died ]; then exit 0; fi\ntouch died; kill -9 $$\n")
        job.command[job.command.index("--"):] = ["--", "/bin/sh", "program.sh"]
        job.command[job.command.index("--mtbf") + 1] = "100d"
        done = job.run()
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_finished_job_answers_the_same_command(self):
        job = Job("again", steps=30)
        self.check_finished(job, job.run())
        before = (job.folder / "guard/journal.ndjson").read_bytes()
        (job.folder / "result").unlink()
        again = job.run()
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn("has finished before, and nothing is done", again.stderr)
        self.assertEqual((job.folder / "guard/journal.ndjson").read_bytes(), before)
        job.command[2:2] = ["--force"]
        self.check_finished(job, job.run())

    def test_a_second_guard_waits(self):
        job = Job("waits-for-other", steps=200)
        first = job.start()
        self.assertTrue(job.wait_for_kind("launch"))
        job.command[2:2] = ["--force", "--wait"]
        second = job.run()
        self.assertEqual(second.returncode, 0, second.stderr)
        self.assertIn("waits for it to end", second.stderr)
        self.check_finished(job, job.end_of(first))
        self.assertEqual(len(job.entries("launch")), 1)
        # It goes on where the first one was killed.
        killed = Job("waits-for-killed", steps=200)
        first = killed.start()
        self.assertTrue(killed.wait_for_kind("checkpoint"))
        killed.command[2:2] = ["--wait"]
        second = subprocess.Popen(killed.command, cwd=killed.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(0.3)
        first.kill()
        first.wait()
        self.assertEqual(second.wait(60), 0)
        self.assertEqual(killed.result(), worker.result_of(200))

    def test_other_inputs_are_another_job(self):
        job = Job("inputs", steps=100, options=["--input", "other", "data"])
        (job.folder / "other").write_text("")
        (job.folder / "data").write_text("one")
        self.check_finished(job, job.run())
        os.utime(job.folder / "data")  # another time, the same contents
        self.assertIn("has finished before", job.run().stderr)
        (job.folder / "data").write_text("two")
        done = job.run()
        self.check_finished(job, done)
        self.assertIn("it is another job, and begins anew", done.stderr)
        self.assertEqual(job.starts(done), [0])
        aside = job.folder / "guard/aside/inputs-1"
        self.assertEqual(len(job.entries("launch")), 1)
        self.assertTrue((aside / "journal.ndjson").exists())
        self.assertTrue((aside / "state.ckpt").exists())
        job.command[job.command.index("data")] = "none"
        missing = job.run()
        self.assertEqual(missing.returncode, 3, missing.stderr)
        self.assertIn("--input: found no file none", missing.stderr)

    def test_output_that_nobody_reads(self):
        text = """if True:
            import os, signal, time
            def save(*_):
                open("new", "w").write("whole"); os.replace("new", "state.ckpt")
            signal.signal(signal.SIGUSR1, save)
            while True: print("step", "x" * 60000, flush=True); time.sleep(0.001)
            """
        job = self.script("unread", text, "signal:USR1", ["--progress", "line:step", "--grace", "5s"])
        reader, writer = os.pipe()
        guard = subprocess.Popen(job.command, cwd=job.folder, stdout=writer, stderr=subprocess.PIPE, text=True)
        os.close(writer)
        # Far more than the pipe and the memory hold was written before the last of these.
        self.assertTrue(job.wait_for_kind("checkpoint", 4))
        guard.terminate()
        _, err = guard.communicate(timeout=30)
        os.close(reader)
        self.assertEqual(guard.returncode, 130, err)
        self.assertIn("nobody reads the standard output", err)
        self.assertGreater(job.entries("dropped")[0]["bytes"], 0)

    def test_a_program_that_begins_again_without_an_end(self):
        text = """if True:
            import os, time
            def say(line):
                pipe = os.open(os.environ["HOLDFAST_PIPE"], os.O_WRONLY); os.write(pipe, line.encode() + b"\\n"); os.close(pipe)
            for _ in range(3):
                say("ready"); time.sleep(0.3)
            say("begin asynchronous"); say("done"); time.sleep(0.1); say("durable"); time.sleep(0.1)
            """
        job = self.script("survives", text, "api")
        at = job.command.index("--checkpoint-file")
        del job.command[at:at + 2]
        done = job.run()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([one["survived"] for one in job.entries("failure")], [True, True])
        self.assertEqual(len(job.entries("launch")), 1)
        self.assertGreater(job.entries("durable")[0]["flush"], 0.05)
        self.assertEqual(job.report()["checkpoints"], 1)

    def in_slurm(self, job):
        """Runs a job's guard as task 3 of array 70, with a Slurm that only writes down what it is asked."""
        for name, answer in (("scontrol", "sleep 0.2"), ("squeue", "echo UNLIMITED")):
            (job.folder / name).write_text(f"#!/bin/sh\necho {name} $* >> {job.folder}/asked\n{answer}\n")
            (job.folder / name).chmod(0o755)
        job.command[:0] = ["env", "SLURM_JOB_ID=70", "SLURM_ARRAY_JOB_ID=70", "SLURM_ARRAY_TASK_ID=3", "SLURM_JOB_NODELIST=n1",
                           f"PATH={job.folder}:{os.environ['PATH']}"]
        done = job.run()
        return done, (job.folder / "asked").read_text()

    def test_a_task_of_an_array_requeues_itself_alone(self):
        job = Job("array", steps=2000, options=["--time-limit", "6.5s"])
        done, asked = self.in_slurm(job)
        self.assertEqual(done.returncode, 130, done.stderr)
        self.assertIn("scontrol requeue 70_3\n", asked)
        self.assertNotIn("scontrol requeue 70\n", asked)

    def test_a_program_that_requeues_its_own_job_is_named(self):
        text = """if True:
            import os, signal, subprocess, time
            def save(*_):
                open("new", "w").write("whole"); os.replace("new", "state.ckpt"); subprocess.call(["scontrol", "requeue", "70"])
            signal.signal(signal.SIGUSR1, save)
            end = time.monotonic() + 1.5
            while time.monotonic() < end: time.sleep(0.01)
            """
        done, _ = self.in_slurm(self.script("requeues-itself", text, "signal:USR1"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count("the program requeues its own job"), 1, done.stderr)

    def test_refusals(self):
        job = Job("refusals", steps=300)
        guard = job.start()
        self.assertTrue(job.wait_for_kind("launch"))
        second = job.run()
        self.assertEqual(second.returncode, 4)
        self.assertIn(f"another process {guard.pid} guards a job here", second.stderr)
        guard.send_signal(signal.SIGINT)
        guard.send_signal(signal.SIGINT)
        self.assertEqual(job.end_of(guard).returncode, 130)
        for arguments, code, text in (
                (["--", "true"], 2, "--trigger: found none"),
                (["--trigger", "signal:FOO", "--", "true"], 2, "expected the name of a signal"),
                (["--trigger", "signal:USR1", "--", "true"], 2, "--checkpoint-file: found none"),
                (["--trigger", "none", "--done", "pipe", "--trust", "-1", "--", "true"], 2, "--trust: found '-1'"),
                (["--trigger", "none", "--done", "pipe"], 2, "expected the program to guard"),
                (["--trigger", "none", "--done", "pipe", "--output", "no", "--", "./no-such-program"], 4, "cannot be started"),
                (["--status", "."], 3, "found no journal")):
            done = subprocess.run([GIVEN.program, "guard", *arguments], cwd=job.folder, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, code, (arguments, done.stderr))
            self.assertIn(text, done.stderr)
        journal = job.folder / "guard/journal.ndjson"
        lines = journal.read_text().splitlines(keepends=True)
        journal.write_text(lines[0] + lines[1].replace("run", "rum", 1) + "".join(lines[2:]))
        damaged = job.run()
        self.assertEqual(damaged.returncode, 3)
        self.assertIn("journal.ndjson:2: checksum: found", damaged.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--moments", type=int, default=3)
    parser.add_argument("tests", nargs="*")
    parser.parse_intermixed_args(namespace=GIVEN)
    GIVEN.program = str(Path(GIVEN.program).resolve())
    GIVEN.folder = GIVEN.folder.resolve()
    unittest.main(argv=[sys.argv[0], *GIVEN.tests], verbosity=2)


if __name__ == "__main__":
    main()
