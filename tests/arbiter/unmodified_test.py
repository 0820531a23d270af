#!/usr/bin/env python3
"""`holdfast io run` with programs that know nothing of it: unmodified_test.py PROGRAM WRITER FAILING_CALLS OTHER_MALLOC FOLDER [TEST...]

No program is faster than its grant; that each comes near it is measured by `--measure`, on a machine with nothing else to do."""

import argparse
import filecmp
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

GIVEN = argparse.Namespace()
MEGA = 1_000_000
PATIENCE = 120
SMALL = 2**20  # what a program writes before it asks
SAVED = 0.05  # seconds of its rate that a pause in writing saves up
RATES = (20 * MEGA, 200 * MEGA)
COPY_IN_PYTHON = """
import sys
with open(sys.argv[1], "rb") as source, open(sys.argv[2], "wb") as target:
    while piece := source.read(300_000):
        target.write(piece)
"""
# Name, and how it copies a file to another. fio writes what it makes up itself.
PROGRAMS = {
    "dd": lambda source, target: ["dd", f"if={source}", f"of={target}", "bs=1M", "status=none"],
    "cp": lambda source, target: ["cp", source, target],
    "cat": lambda source, target: ["sh", "-c", f"cat '{source}' > '{target}'"],
    "tar": lambda source, target: ["sh", "-c", f"tar -C '{source.parent}' -cf '{target}.tar' '{source.name}' && "
                                               f"tar -xOf '{target}.tar' > '{source.parent}/unpacked' && "
                                               f"mv '{source.parent}/unpacked' '{target}'"],
    "python3": lambda source, target: [sys.executable, "-c", COPY_IN_PYTHON, source, target],
    "fio": lambda source, target: ["fio", "--name=fio", f"--filename={target}", f"--size={source.stat().st_size}", "--rw=write", "--bs=64k",
                                   "--ioengine=psync", "--thread", "--output=/dev/null", "--fallocate=none"],
    **{name: (lambda source, target, how=name: [GIVEN.writer, how, source, target]) for name in ("stream", "stdio", "vectors", "threads")},
}


def memory_folder():
    """A folder of a file system in memory, so that nothing but the arbiter holds writers up."""
    return Path("/dev/shm") if os.access("/dev/shm", os.W_OK) else GIVEN.folder


class Server:
    def __init__(self, path, bandwidth, *options):
        self.process = subprocess.Popen([GIVEN.program, "io", "serve", "--bandwidth", f"{bandwidth}", "--socket", str(path),
                                         "--policy", "fair-share", *options], stderr=subprocess.PIPE, text=True)
        said = self.process.stderr.readline()
        if "serving" not in said:
            raise RuntimeError(said + self.process.stderr.read())

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stderr.close()


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = memory_folder() / f"holdfast-{os.getpid()}"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.governed = self.folder / "governed"
        self.governed.mkdir(parents=True)
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.socket = self.folder / "io.sock"

    def serve(self, bandwidth, *options):
        server = Server(self.socket, bandwidth, *options)
        self.addCleanup(server.close)
        return server

    def source(self, size):
        path = self.folder / "source"
        path.write_bytes((os.urandom(MEGA) * (size // MEGA + 1))[:size])
        return path

    def run_words(self, *words, options=(), **environment):
        begin = time.monotonic()
        done = subprocess.run([GIVEN.program, "io", "run", "--paths", self.governed, "--socket", self.socket, *options, "--", *words],
                              env={**os.environ, "HOLDFAST_IO_VERBOSE": "1", **environment}, capture_output=True, text=True,
                              timeout=PATIENCE, check=False)
        done.took = time.monotonic() - begin
        return done

    def least(self, size, rate):
        """The seconds that a paced program takes at least to move that much."""
        return (size - SMALL) / rate - SAVED


class Unmodified(Case):
    def check_copy(self, name, rate, size, **environment):
        source, target = self.source(size), self.governed / name
        done = self.run_words(*PROGRAMS[name](source, target), **environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        if name != "fio":
            self.assertTrue(filecmp.cmp(source, target, shallow=False), name)
        self.assertEqual(target.stat().st_size, size)
        self.assertGreaterEqual(done.took, self.least(size, rate), f"{name}: {done.stderr}")
        return done

    def test_programs_are_paced_and_write_what_they_would(self):
        for rate in RATES:
            server = Server(self.socket, rate)
            try:
                for name in PROGRAMS:
                    if name == "fio" and shutil.which("fio") is None:
                        print("skipped: fio is not installed")
                        continue
                    with self.subTest(name=name, rate=rate):
                        self.check_copy(name, rate, rate // 4)
            finally:
                server.close()

    def test_other_folders_are_not_paced(self):
        self.serve(MEGA)
        source, target = self.source(20 * MEGA), self.folder / "elsewhere"
        done = self.run_words("dd", f"if={source}", f"of={target}", "bs=1M", "status=none")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stderr, "")  # 20 s of its rate, of which it took none
        self.assertLess(done.took, 20)

    def test_a_path_counts_by_what_it_leads_to(self):
        self.serve(20 * MEGA)
        (self.folder / "link").symlink_to(self.governed)
        source, size = self.source(10 * MEGA), 10 * MEGA
        done = self.run_words("sh", "-c", f"cd '{self.folder}/link' && cp '{source}' copied")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreaterEqual(done.took, self.least(size, 20 * MEGA))

    def test_reads_are_paced_where_that_was_asked_for(self):
        self.serve(20 * MEGA)
        size = 10 * MEGA
        source = self.source(size).rename(self.governed / "source")
        words = ["dd", f"if={source}", "of=/dev/null", "bs=1M", "status=none"]
        self.assertEqual(self.run_words(*words).stderr, "")
        done = self.run_words(*words, options=["--reads"])
        self.assertIn(f"moved {size} bytes", done.stderr)
        self.assertGreaterEqual(done.took, self.least(size, 20 * MEGA))

    def test_exit_codes_are_those_of_the_program(self):
        self.assertEqual(self.run_words("sh", "-c", "exit 7").returncode, 7)
        self.assertEqual(self.run_words("sh", "-c", "kill -KILL $$").returncode, -signal.SIGKILL)
        self.assertEqual(self.run_words("sh", "-c", f"'{GIVEN.program}' io run --paths '{self.governed}' -- sh -c 'kill -TERM $$'; exit $?").returncode,
                         128 + signal.SIGTERM)
        done = self.run_words("no-such-program")
        self.assertEqual(done.returncode, 127)
        self.assertIn("no-such-program: cannot be run: No such file", done.stderr)
        plain = self.folder / "plain"
        plain.write_text("data\n", encoding="utf-8")
        plain.chmod(0o600)
        self.assertEqual(self.run_words(plain).returncode, 126)

    def test_what_cannot_be_is_refused(self):
        def refused(*words):
            done = subprocess.run([GIVEN.program, "io", "run", *words], capture_output=True, text=True, timeout=PATIENCE, check=False)
            self.assertEqual(done.returncode, 2, done.stderr)
            return done.stderr

        self.assertIn("--paths", refused("--", "true"))
        self.assertIn("found '/no/such'", refused("--paths", f"{self.governed}:/no/such", "--", "true"))
        self.assertIn("expected the program to run", refused("--paths", self.governed))

    def test_without_a_server_nothing_is_paced_and_that_is_said(self):
        source = self.source(20 * MEGA)
        done = self.run_words("cp", source, self.governed / "copy")
        self.assertEqual(done.returncode, 0)
        self.assertIn("no arbiter answered", done.stderr)
        self.assertIn("moved 20000000 bytes in 1 operation and waited 0.000 s", done.stderr)

    def test_a_server_that_is_killed_stops_nobody(self):
        server = self.serve(20 * MEGA, "--lease", "1s", "--report", "0.2s")
        source, target = self.source(40 * MEGA), self.governed / "copy"
        with subprocess.Popen([GIVEN.program, "io", "run", "--paths", self.governed, "--socket", self.socket, "--", "cp", source, target]) as program:
            end = time.monotonic() + PATIENCE
            while (not target.exists() or target.stat().st_size < 4 * MEGA) and time.monotonic() < end:
                time.sleep(0.01)
            server.close()
            self.assertEqual(program.wait(PATIENCE), 0)
        self.assertTrue(filecmp.cmp(source, target, shallow=False))

    def test_what_is_appended_is_not_torn(self):
        self.serve(20 * MEGA)
        target = self.governed / "log"
        done = self.run_words(GIVEN.writer, "two", self.source(12 * MEGA), target)
        self.assertEqual(done.returncode, 0, done.stderr)
        data = target.read_bytes()
        self.assertEqual(len(data), 12 * MEGA)
        for at in range(0, len(data), 3 * MEGA):
            self.assertEqual(len(set(data[at:at + 3 * MEGA])), 1)
        # Each process has reported its own half.
        self.assertEqual(done.stderr.count("moved 6000000 bytes"), 2, done.stderr)

    def test_the_child_of_a_vfork_takes_nothing_along(self):
        self.serve(20 * MEGA)
        source, target, size = self.source(12 * MEGA), self.governed / "copy", 12 * MEGA
        done = self.run_words(GIVEN.writer, "vfork", source, target)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(filecmp.cmp(source, target, shallow=False))
        self.assertIn(f"moved {size} bytes in 1 operation ", done.stderr)
        self.assertGreaterEqual(done.took, self.least(size, 20 * MEGA))

    def test_a_handler_that_writes_does_not_wait_for_itself(self):
        self.serve(20 * MEGA)
        source, target = self.source(6 * MEGA), self.governed / "copy"
        done = self.run_words(GIVEN.writer, "handler", source, target)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(filecmp.cmp(source, target, shallow=False))

    def test_beside_other_libraries_that_are_put_before(self):
        rate, size = 20 * MEGA, 6 * MEGA
        self.serve(rate)
        log = self.folder / "malloc.log"
        for name in ("dd", "cp", "python3", "stream", "stdio"):
            with self.subTest(name=name):
                self.check_copy(name, rate, size, LD_PRELOAD=GIVEN.failing_calls)
                log.unlink(missing_ok=True)
                self.check_copy(name, rate, size, LD_PRELOAD=GIVEN.other_malloc, OTHER_MALLOC_LOG=str(log))
                self.assertIn("malloc", log.read_text(encoding="utf-8"))
                # Its file may be governed, too.
                self.check_copy(name, rate, size, LD_PRELOAD=f"{GIVEN.other_malloc} {GIVEN.failing_calls}",
                                OTHER_MALLOC_LOG=str(self.governed / "malloc.log"))
        # And what they do is still done: the third call fails.
        done = self.run_words("dd", f"if={self.source(size)}", f"of={self.governed / 'failed'}", "bs=1M", LD_PRELOAD=GIVEN.failing_calls,
                              HOLDFAST_FAIL="0:28", HOLDFAST_FAIL_ALL="write")
        self.assertEqual(done.returncode, 1)
        self.assertIn("No space left", done.stderr)

    def test_programs_of_one_run_are_one_application(self):
        self.serve(20 * MEGA)
        source = self.source(5 * MEGA)
        done = self.run_words("sh", "-c", f"cp '{source}' '{self.governed}/a' & cp '{source}' '{self.governed}/b'; wait")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count("moved 5000000 bytes in 1 operation "), 2, done.stderr)
        self.assertGreaterEqual(done.took, self.least(10 * MEGA - SMALL, 20 * MEGA) - SAVED)


class Measured(Case):
    """`--measure`: 5 s for each program and rate."""

    def test_programs_come_within_a_twentieth_of_their_grant(self):
        for rate in RATES:
            self.server = Server(self.socket, rate)
            self.addCleanup(self.server.close)
            source = self.source(5 * rate)
            for name in PROGRAMS:
                if name == "fio" and shutil.which("fio") is None:
                    continue
                target = self.governed / name
                words = PROGRAMS[name](source, target)
                if name == "tar":
                    words = ["tar", "-C", source.parent, "-cf", target, source.name]
                done = self.run_words(*words)
                self.assertEqual(done.returncode, 0, done.stderr)
                took = float(done.stdout) if words[0] == GIVEN.writer else done.took
                reached = 5 / took
                print(f"{name:8} {rate / MEGA:4.0f} MB/s: {took:6.3f} s, {reached:.3f} of the grant", flush=True)
                with self.subTest(name=name, rate=rate):
                    self.assertLess(abs(reached - 1), 0.05)
                for path in self.governed.iterdir():
                    path.unlink()
            self.server.close()

    def test_calls_that_need_not_wait_cost_little(self):
        self.serve(10_000 * MEGA)
        shim = next(Path(GIVEN.program).parent.parent.glob("lib*/**/libholdfast_io_preload.so"))

        def nanoseconds(target, **environment):
            done = subprocess.run([GIVEN.writer, "time", "-", str(target)], env={**os.environ, **environment}, capture_output=True, text=True,
                                  timeout=PATIENCE, check=True)
            return float(done.stdout)

        shimmed = {"LD_PRELOAD": str(shim), "HOLDFAST_IO_SOCKET": str(self.socket), "HOLDFAST_IO_PATHS": str(self.governed)}
        bare = nanoseconds(self.folder / "bare")
        rows = {"shim, nothing asked for": nanoseconds(self.folder / "unset", LD_PRELOAD=str(shim)),
                "shim, file not governed": nanoseconds(self.folder / "passed", **shimmed),
                "shim, file governed, no wait": nanoseconds(self.governed / "governed", **shimmed)}
        print(f"pwrite(2) of 64 bytes: {bare:.0f} ns")
        for name, value in rows.items():
            print(f"{name:30} {value - bare:+.0f} ns", flush=True)
        self.assertLess(rows["shim, file not governed"] - bare, 500)
        self.assertLess(rows["shim, file governed, no wait"] - bare, 1000)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("program", "writer", "failing_calls", "other_malloc"):
        parser.add_argument(name, type=lambda text: str(Path(text).resolve()))
    parser.add_argument("folder", type=Path)
    parser.add_argument("tests", nargs="*")
    parser.add_argument("--measure", action="store_true")
    parser.parse_args(namespace=GIVEN)
    suite = "Measured" if GIVEN.measure else "Unmodified"
    unittest.main(argv=[sys.argv[0], *(GIVEN.tests or [suite])], verbosity=2)


if __name__ == "__main__":
    main()
