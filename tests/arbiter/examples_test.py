#!/usr/bin/env python3
"""The programs of examples/arbiter, built as their README says and run beside an arbiter: examples_test.py PROGRAM HEADER_FOLDER
STATIC_LIBRARY SHARED_LIBRARY FOLDER. The arbiter's record says what each of them asked for and moved. What cannot be built here (no MPI, no
Fortran) is skipped, and the test says so."""

import argparse
import filecmp
import json
import os
import shutil
import subprocess
import sys
import tarfile
import unittest
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "arbiter"
GIVEN = argparse.Namespace()
BYTES = 6_000_000
RANKS = 3
PATIENCE = 120
MPIRUN = ["mpirun", "--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"]


class Examples(unittest.TestCase):
    def setUp(self):
        self.folder = GIVEN.folder / self._testMethodName
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.record = self.folder / "run.jsonl"
        # A name as short as a socket's has to be.
        socket = os.path.relpath(self.folder / "io.sock")
        self.server = subprocess.Popen([GIVEN.program, "io", "serve", "--bandwidth", "50MB/s", "--socket", socket, "--record", self.record],
                                       stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.stop)
        self.assertIn("serving", self.server.stderr.readline())
        self.environment = {**os.environ, "HOLDFAST_IO_SOCKET": socket, "HOLDFAST_IO_LABEL": "example",
                            "PATH": f"{Path(GIVEN.program).parent}:{os.environ['PATH']}",
                            "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}

    def stop(self):
        if self.server.poll() is None:
            self.server.terminate()
            self.server.wait(PATIENCE)
        self.server.stderr.close()

    def build(self, compiler, out, *sources):
        if shutil.which(compiler) is None:
            self.skipTest(f"no {compiler} here")
        out = self.folder / out
        # In the folder, where a compiler of Fortran leaves its modules.
        subprocess.run([compiler, "-Wall", "-Wextra", "-Werror", f"-I{GIVEN.headers}", *sources, GIVEN.archive, "-o", out],
                       cwd=self.folder, check=True)
        return out

    def run_one(self, *command):
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=PATIENCE, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def recorded(self, label="example"):
        """What applications of that name asked for, and what they moved, operation by operation."""
        self.stop()
        lines = [json.loads(line) for line in self.record.read_text().splitlines()[1:]]
        own = {line["app"] for line in lines if line["e"] == "join" and line["job"] == label}
        self.assertTrue(own, f"nobody is called {label}")
        mine = [line for line in lines if line.get("app") in own]
        return ([line.get("volume") for line in mine if line["e"] == "post"], [line["moved"] for line in mine if line["e"] == "done"])

    def check_written(self, file, size):
        self.assertEqual(file.stat().st_size, size)
        self.assertEqual(file.read_bytes().strip(b"\0"), b"")

    def test_c(self):
        writer = self.build("cc", "writer", "-std=c99", "-Wpedantic", EXAMPLES / "writer.c")
        self.assertNotIn("no arbiter", self.run_one(writer, str(BYTES), self.folder / "data"))
        self.check_written(self.folder / "data", BYTES)
        self.assertEqual(self.recorded(), ([BYTES], [BYTES]))

    def test_c_says_what_it_wants_and_what_went_wrong(self):
        writer = self.build("cc", "writer", "-std=c99", EXAMPLES / "writer.c")
        self.assertEqual(subprocess.run([writer], capture_output=True, check=False).returncode, 2)
        full = subprocess.run([writer, "100", "/dev/full"], env=self.environment, capture_output=True, text=True, check=False)
        self.assertEqual((full.returncode, "/dev/full" in full.stderr), (1, True))

    def test_fortran(self):
        writer = self.build("gfortran", "writer", EXAMPLES / "holdfast_io.f90", EXAMPLES / "writer.f90")
        self.run_one(writer, str(BYTES), self.folder / "data")
        self.check_written(self.folder / "data", BYTES)
        self.assertEqual(self.recorded(), ([BYTES], [BYTES]))

    def test_mpi(self):
        writer = self.build("mpicc", "writer", "-std=c99", EXAMPLES / "writer_mpi.c")
        if shutil.which("mpirun") is None:
            self.skipTest("no mpirun here")
        said = self.run_one(*MPIRUN, "-n", str(RANKS), writer, str(BYTES), self.folder / "data")
        self.assertIn(f"an arbiter answered {RANKS} of them", said)
        self.check_written(self.folder / "data", RANKS * BYTES)
        # They are one application, however many operations their ranks came to.
        self.assertEqual(sum(self.recorded()[1]), RANKS * BYTES)

    def test_python(self):
        said = self.run_one(sys.executable, EXAMPLES / "writer.py", "--library", GIVEN.shared, "--bytes", str(BYTES), "--to",
                            self.folder / "data")
        self.assertNotIn("no arbiter", said)
        self.check_written(self.folder / "data", BYTES)
        self.assertEqual(self.recorded(), ([BYTES], [BYTES]))

    def test_script(self):
        scratch = self.folder / "scratch"
        scratch.mkdir()
        (self.folder / "input").mkdir()
        (self.folder / "input" / "numbers").write_bytes(os.urandom(BYTES))
        self.run_one(EXAMPLES / "job.sh", self.folder / "input", scratch)
        self.assertTrue(filecmp.cmp(scratch / "input.tar", scratch / "copy.tar", shallow=False))
        with tarfile.open(scratch / "copy.tar") as archive:
            self.assertEqual(archive.extractfile("./numbers").read(), (self.folder / "input" / "numbers").read_bytes())
        posted, moved = self.recorded()
        self.assertEqual(set(posted), {None})  # an unmodified program does not say what it will write
        # The first MiB of each is small, and passes unasked.
        self.assertGreater(sum(moved), 2 * (BYTES - 2 * 1024 * 1024))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("program", "headers", "archive", "shared", "folder"):
        parser.add_argument(name, type=Path)
    parser.add_argument("tests", nargs="*")
    parser.parse_args(namespace=GIVEN)
    for name in ("program", "headers", "archive", "shared", "folder"):
        setattr(GIVEN, name, getattr(GIVEN, name).resolve())
    unittest.main(argv=[sys.argv[0], *GIVEN.tests], verbosity=2)


if __name__ == "__main__":
    main()
