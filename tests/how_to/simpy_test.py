#!/usr/bin/env python3
"""Runs the program of docs/how-to/plan-inside-simpy.md and compares what it prints with the page: simpy_test.py FOLDER_OF_PACKAGE"""

import os
import subprocess
import sys
import unittest

import blocks

PAGE = "docs/how-to/plan-inside-simpy.md"


class Page(unittest.TestCase):
    @unittest.skipUnless(blocks.python_has("simpy"), "skipped: no SimPy (python3-simpy3)")
    def test_the_model_prints_what_the_page_says(self):
        ((_, program, output),) = [block for block in blocks.fenced(PAGE) if block[0] == "python"]
        done = subprocess.run([blocks.PYTHON, "-W", "error::UserWarning", "-c", program], capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": PACKAGE})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, output)

    @unittest.skipUnless(blocks.python_has("simpy"), "skipped: no SimPy (python3-simpy3)")
    def test_alone_it_ends_when_the_simulator_says(self):
        ((_, program, output),) = [block for block in blocks.fenced(PAGE) if block[0] == "python"]
        model = program.split("def hours")[0]
        script = model + """
for seed in range(1, 6):
    instance = hf.checkpoint.generate(work=48 * 3600.0, platform_age=0, seed=seed, **JOB)
    print(round(hf.checkpoint.simulate(instance, strategies=["next-step"]).values[0, 0, 0] / 3600, 1))
"""
        done = subprocess.run([blocks.PYTHON, "-c", script], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": PACKAGE})
        self.assertEqual(done.returncode, 0, done.stderr)
        alone = output.splitlines()[0].split("[")[1].rstrip("]").split(", ")
        self.assertEqual(done.stdout.split(), alone)

    def test_the_model_is_short(self):
        ((_, program, _),) = [block for block in blocks.fenced(PAGE) if block[0] == "python"]
        self.assertLess(len(program.splitlines()), 50)
        self.assertLess(sum(1 for line in program.splitlines() if line.strip()), 40)


if __name__ == "__main__":
    PACKAGE = sys.argv[1]
    blocks.main(unittest, sys.argv[2:])
