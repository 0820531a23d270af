"""A job under a guard, for the tests of `holdfast guard` with real processes."""

import argparse
import json
import random
import shutil
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


class JobTest(unittest.TestCase):
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

    def script(self, name, text, trigger, options=(), arguments=()):
        """A job with a program of its own, which is written in Python."""
        job = Job(name, trigger=trigger, options=options)
        (job.folder / "program.py").write_text(text)
        at = job.command.index("--")
        job.command[at:] = ["--", sys.executable, "program.py", *arguments]
        return job


def main(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("program")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--moments", type=int, default=3)
    parser.add_argument("tests", nargs="*")
    parser.parse_intermixed_args(namespace=GIVEN)
    GIVEN.program = str(Path(GIVEN.program).resolve())
    GIVEN.folder = GIVEN.folder.resolve()
    unittest.main(argv=[sys.argv[0], *GIVEN.tests], verbosity=2)
