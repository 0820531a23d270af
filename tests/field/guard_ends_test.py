#!/usr/bin/env python3
"""How jobs under `holdfast guard` end, and what the guard says, with real processes: guard_ends_test.py PROGRAM FOLDER [TEST...]."""

import os
import shutil
import signal
import subprocess
import sys
import time

import worker
from guard_job import GIVEN, Job, JobTest, main


class GuardEndsTest(JobTest):
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
        self.assertIn("it has finished", job.entries("note")[-1]["text"])

    def test_a_program_that_a_request_ends_without_a_save_is_not_asked_again(self):
        # As CP2K: it takes the file, and ends with 0; it saves only by itself, here every 50 steps.
        text = """if True:
            import os, signal, time
            step = int(open("state.ckpt").read()) if os.path.exists("state.ckpt") else 0
            print("from step", step, flush=True)
            while step < 120:
                time.sleep(0.01); step += 1
                if step % 50 == 0:
                    open("new", "w").write(str(step)); os.replace("new", "state.ckpt")
                if step == 60 and not os.path.exists("died"):
                    open("died", "w"); os.kill(os.getpid(), signal.SIGKILL)
                if os.path.exists("EXIT"):
                    os.remove("EXIT"); raise SystemExit
            print("all", step, "steps", flush=True)
            """
        job = self.script("ended-by-request", text, "stop-file:EXIT")
        done = job.run()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("all 120 steps\n", done.stdout)
        self.assertEqual([one["saved"] for one in job.entries("restart")], [False])
        self.assertIn("saved nothing", done.stderr)
        self.assertIn("not asked any more", job.entries("warning")[-1]["text"])
        self.assertTrue(job.entries("restart")[-1]["in_vain"])  # the next guard knows it too
        self.assertEqual(job.starts(done), [0, 0, 50])  # what it saves by itself counts from then on

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

    def test_a_job_goes_on_in_a_folder_that_was_copied_without_its_times(self):
        for way, name in (("in-place", "state.ckpt"), ("numbered", "state.ckpt-*[0-9]")):
            with self.subTest(way):
                job = Job(f"copied-{way}", steps=400, checkpoint=name, worker_options=["--way", way, "--from-environment"])
                guard = job.start()
                self.assertTrue(job.wait_for_kind("kept"))
                self.assertTrue(job.wait_for(lambda job=job: any("digest" in one for one in job.entries("kept"))))
                guard.kill()
                guard.wait()
                first, job.folder = job.folder, job.folder.with_name(f"copied-{way}-elsewhere")
                shutil.rmtree(job.folder, ignore_errors=True)
                shutil.copytree(first, job.folder, copy_function=shutil.copy, ignore=shutil.ignore_patterns("pipe", "requests"))
                shutil.rmtree(first)
                for live in [job.folder / "state.ckpt", *job.folder.glob("state.ckpt-*")]:
                    live.write_text("torn")
                done = job.run()
                self.check_finished(job, done)
                self.assertGreater(job.starts(done)[0], 0, done.stderr)
                self.assertEqual(job.entries("failure"), [])

    def test_refusals(self):
        job = Job("refusals", steps=3000)
        guard = job.start()
        self.assertTrue(job.wait_for_kind("launch"))
        second = job.run()
        self.assertEqual(second.returncode, 4)
        self.assertIn(f"another process {guard.pid} guards a job here", second.stderr)
        guard.send_signal(signal.SIGINT)
        guard.send_signal(signal.SIGINT)
        self.assertEqual(job.end_of(guard).returncode, 130)
        for arguments, code, text in (
                (["--output", "free", "--", "true"], 0, "the program is taken to save by itself"),
                (["--trigger", "sigusr1", "--", "true"], 2, "did you mean signal:USR1?"),
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


if __name__ == "__main__":
    main(__doc__)
