"""Servers and writers for the tests of `holdfast io serve`, and its C library, with real processes. Nothing in these is measured: each
test waits for what must come, and fails where it does not. Each file of tests: NAME_test.py PROGRAM LIBRARY FOLDER [TEST...]"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

from client import Client, Rude

HERE = Path(__file__).resolve().parent
GIVEN = argparse.Namespace()
MEGA = 1_000_000
PATIENCE = 120


class Server:
    def __init__(self, path, *options, bandwidth="20MB/s", program=None):
        self.path = str(path)
        width = ["--bandwidth", bandwidth] if bandwidth else []
        given = program or [GIVEN.program, "io", "serve", *width, "--socket", self.path, *options]
        self.process = subprocess.Popen(given, stderr=subprocess.PIPE, text=True)
        self.said = self.process.stderr.readline()
        if "serving" not in self.said:
            raise RuntimeError(self.said + self.process.stderr.read())

    def kill(self, how=signal.SIGKILL):
        self.process.send_signal(how)
        if how in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
            return self.process.wait(PATIENCE)
        return None

    def close(self):
        if self.process.poll() is None:
            self.kill()
        self.process.stderr.close()


class Writer:
    """A process that moves a number of bytes in one operation, and says so."""

    def __init__(self, path, label, volume):
        self.process = subprocess.Popen([sys.executable, str(HERE / "writer.py"), GIVEN.shared, str(path), label, str(volume)],
                                        stdout=subprocess.PIPE, text=True)
        self.expect("begun")

    def expect(self, word):
        line = self.process.stdout.readline().strip()
        if line != word:
            raise RuntimeError(f"found '{line}', expected '{word}'")

    def is_over(self):
        return self.process.poll() is not None

    def wait(self):
        self.expect("ended")
        return self.process.wait(PATIENCE)

    def close(self):
        if not self.is_over():
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()


class ArbiterCase(unittest.TestCase):
    def setUp(self):
        self.folder = GIVEN.folder / self.id().rsplit(".", 1)[1]
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        # Sockets have short names.
        self.path = os.path.relpath(self.folder / "io.sock")
        if len(self.path) > 100:
            self.path = f"/tmp/hf{os.getpid()}.sock"
        self.addCleanup(lambda: os.path.exists(self.path) and os.unlink(self.path))

    def serve(self, *options, **named):
        server = Server(self.path, *options, **named)
        self.addCleanup(server.close)
        return server

    def client(self, label, bandwidth=0):
        client = Client(GIVEN.shared, self.path, label, bandwidth)
        self.addCleanup(client.close)
        return client

    def writer(self, label, volume):
        writer = Writer(self.path, label, volume)
        self.addCleanup(writer.close)
        return writer

    def rude(self):
        rude = Rude(self.path)
        self.addCleanup(rude.close)
        return rude

    def look(self, *options):
        """What `io top` sees, applications by their names."""
        done = subprocess.run([GIVEN.program, "io", "top", "--socket", self.path, "--once", "--json", *options], capture_output=True, text=True,
                              timeout=PATIENCE, check=True)
        seen = json.loads(done.stdout)
        seen["applications"] = {one["job"]: one for one in seen["applications"]}
        return seen

    def until(self, holds, what):
        end = time.monotonic() + PATIENCE
        while not holds():
            self.assertLess(time.monotonic(), end, f"{what}: not within {PATIENCE} s")
            time.sleep(0.02)


def main():
    parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__)
    parser.add_argument("program")
    parser.add_argument("shared", metavar="LIBRARY")
    parser.add_argument("folder", type=Path)
    parser.add_argument("tests", nargs="*")
    parser.parse_args(namespace=GIVEN)
    GIVEN.program, GIVEN.shared = os.path.abspath(GIVEN.program), os.path.abspath(GIVEN.shared)
    GIVEN.folder = GIVEN.folder.resolve()
    unittest.main(argv=[sys.argv[0], *GIVEN.tests], verbosity=2)
