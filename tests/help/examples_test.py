#!/usr/bin/env python3
"""Runs every example of every help text in a shell, from an empty folder: examples_test.py PROGRAM FOLDER"""

import os
import re
import shutil
import subprocess
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PROGRAM = Path(sys.argv[1]).resolve()
FOLDER = Path(sys.argv[2]).resolve()
sys.argv[1:] = []
TIMEOUT = 240  # seconds; a debug build on a busy machine


def help_of(verbs):
    done = subprocess.run([PROGRAM, *verbs, "--help"], cwd=FOLDER, capture_output=True, text=True, check=True)
    return done.stdout


def verbs_in(text):
    """Names under headings that are neither options nor arguments: two blanks, a name, two blanks or more."""
    names = []
    heading = ""
    for line in text.splitlines():
        if line.endswith(":") and not line.startswith(" "):
            heading = line
        found = re.match(r"  ([a-z][a-z-]*)  +\S", line)
        if found and heading in ("Domains:", "Across domains:", "Verbs:"):
            names.append(found.group(1))
    return names


def examples_in(text):
    return [line.split("holdfast ", 1)[1] for line in text.splitlines()
            if re.match(r"(examples?:)? +holdfast ", line) and "usage:" not in line]


def all_examples(verbs=()):
    text = help_of(verbs)
    yield from ((verbs, "holdfast " + example) for example in examples_in(text))
    for verb in verbs_in(text):
        yield from all_examples((*verbs, verb))


class Examples(unittest.TestCase):
    def test_every_example_runs_from_an_empty_folder(self):
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir(parents=True)
        examples = sorted(set(command for _, command in all_examples()))
        self.assertGreater(len(examples), 30)
        environment = dict(os.environ, PATH=f"{PROGRAM.parent}:{os.environ['PATH']}")

        def run(numbered):
            place = FOLDER / str(numbered[0])
            place.mkdir()
            return subprocess.run(["bash", "-c", numbered[1]], cwd=place, env=environment, capture_output=True,
                                  text=True, timeout=TIMEOUT)

        with ThreadPoolExecutor(2) as pool:
            for command, done in zip(examples, pool.map(run, enumerate(examples))):
                with self.subTest(command=command):
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertTrue(done.stdout or re.search(r" (--output|-o) ", command))


if __name__ == "__main__":
    unittest.main()
