#!/usr/bin/env python3
"""`holdfast guard` with real processes: guard_test.py PROGRAM FOLDER [--moments N] [TEST...]. With --moments, guards, programs and all of it
are killed at so many random moments each."""

import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from importlib.machinery import SourceFileLoader
from pathlib import Path

import worker
from guard_job import GIVEN, Job, JobTest, main
from processes import processes_of


def load_journals():
    """Returns bench/field/journal, which writes the journals of long jobs."""
    sys.dont_write_bytecode = True
    loader = SourceFileLoader("journals", str(Path(__file__).resolve().parents[2] / "bench/field/journal"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


class GuardTest(JobTest):
    def test_asks_and_finishes(self):
        job = Job("finishes")
        done = job.run()
        self.check_finished(job, done)
        self.assertIn("saved at step", done.stdout)
        self.assertIn("finished after", done.stderr)
        saves = job.entries("checkpoint")
        self.assertGreaterEqual(len(saves), 2)
        self.assertTrue(all(save["ok"] for save in saves))
        # A request is sent when it is due, and the cost is that of the program's write, which a busy machine can only lengthen.
        self.assertLess(min(save["seconds"] for save in saves), 0.5)
        self.assertTrue((job.folder / "state.ckpt.1").exists())
        report = job.report()
        self.assertEqual(report["outcome"], "finish")
        self.assertEqual(report["checkpoints"], len(saves))
        self.assertAlmostEqual(report["seconds"]["saved_work"] + report["seconds"]["checkpoints"], report["seconds"]["total"], delta=0.4)

    def test_a_page_that_lives(self):
        job = Job("lives", steps=300)
        guard = job.start()
        self.assertTrue(job.wait_for_kind("checkpoint"))
        page = job.folder / "guard/report.html"
        watch = subprocess.Popen([GIVEN.program, "report", "guard", "--watch"], cwd=job.folder, stdout=subprocess.DEVNULL)
        self.assertTrue(job.wait_for(page.exists))
        self.assertIn("running, as seen at", page.read_text())
        self.check_finished(job, job.end_of(guard))
        self.assertEqual(watch.wait(60), 0)
        self.assertNotIn("running, as seen at", page.read_text())

    def test_a_summary_is_whole_whenever_the_guard_is_killed(self):
        def one(moment, delay):
            job = Job(f"summary-{moment}", steps=100)
            journal = job.folder / "guard/journal.ndjson"
            journal.parent.mkdir(mode=0o700)
            journals = load_journals()
            journals.write_journal(journal.parent, 1500, job.command[job.command.index("--") + 1:])
            long = journal.stat().st_size
            guard = job.start()
            time.sleep(delay)
            guard.kill()
            guard.communicate()
            self.assertGreaterEqual(job.report()["checkpoints"], 1500)
            self.check_finished(job, job.run())
            report = job.report()
            self.assertEqual(report["outcome"], "finish")
            self.assertGreater(report["checkpoints"], 1500)
            self.assertEqual(report["failures"][0]["clock"], 1000 * 660 + 1)
            self.assertLess(journal.stat().st_size, long)
            # The lines that the summary stands for are all there.
            first = (journal.parent / "journal-past/000000001.ndjson").read_bytes().splitlines()
            self.assertGreaterEqual(len(first), 1500 * 5)
            self.assertEqual([json.loads(line)["n"] for line in first], list(range(1, len(first) + 1)))

        self.at_moments(0.02, 0.2, one)

    def test_every_way_to_ask(self):
        for name, trigger, options in (("file", "file:SAVE", ["--ask", "file"]), ("pipe", "pipe", ["--ask", "pipe"]),
                                       ("stop", "stop:TERM", ["--ask", "stop"]), ("none", "none", ["--ask", "none", "--save-every", "20"])):
            with self.subTest(name):
                extra = ["--ready", "pipe"] if name == "pipe" else []
                job = Job(f"asks-{name}", options=extra, worker_options=options, trigger=trigger)
                self.check_finished(job, job.run())
                saves = [save for save in job.entries("checkpoint") if save["ok"]]
                # Of two saves that follow each other at once, a guard that did not ask for them may see one.
                self.assertGreaterEqual(len(saves), 1 if name == "none" else 2)
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


if __name__ == "__main__":
    main(__doc__)
