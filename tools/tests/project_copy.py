"""A small project in a temporary folder, for testing the tools on planted mistakes."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOLS = Path(__file__).resolve().parent.parent


class ToolTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="holdfast tools ")  # a blank in the path, on purpose
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name) / "project"  # nothing lies beside it, where real data would be
        self.root.mkdir()

    def write(self, path, text):
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text if isinstance(text, bytes) else text.encode())
        return place

    def run_tool(self, name, *arguments):
        """Exit status and output of a tool on this project, which has no real data even if the caller has them."""
        environment = {name: value for name, value in os.environ.items() if name != "HOLDFAST_DATA"}
        done = subprocess.run([sys.executable, TOOLS / name, "--root", self.root, *arguments], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
        return done.returncode, done.stdout

    def assert_finds(self, tool, expected, *arguments):
        status, output = self.run_tool(tool, *arguments)
        self.assertIn(expected, output)
        self.assertEqual(status, 1, output)

    def assert_clean(self, tool, *arguments):
        status, output = self.run_tool(tool, *arguments)
        self.assertEqual(status, 0, output)
