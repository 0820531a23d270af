#!/usr/bin/env python3
"""Holdfast beside the real Snakemake: snakemake_test.py PROGRAM FOLDER. Version 9 is installed into FOLDER/snakemake-9 from the index of Python
packages, once; Debian's 7.21 is used where it is installed. Jobs sleep, so two cores are enough for many."""

import json
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NEW = "snakemake==9.27.1"
OLD = Path("/usr/bin/snakemake")
# A job of rule `one` and six of `each`, whose times are A + B / threads, and a join.
SNAKEFILE = '''
import os
T = int(os.environ.get("THREADS", 2))
NAMES = [f"s{i}" for i in range(6)]
rule all:
    input: "end.txt"
rule one:
    output: "one.txt"
    threads: T
    shell: "sleep $(awk 'BEGIN {{ print 0.1 + 1.6 / {threads} }}'); echo {threads} > {output}"
rule each:
    input: "one.txt"
    output: "each/{name}.txt"
    threads: T
    shell: "sleep $(awk 'BEGIN {{ print 0.4 + 1.2 / {threads} }}'); echo {threads} > {output}"
rule end:
    input: expand("each/{name}.txt", name=NAMES)
    output: "end.txt"
    threads: T
    shell: "sleep 0.2; cat {input} > {output}"
'''


def run(*words, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, **options)


def install():
    """Makes the environment of Snakemake 9, once, and puts the plugins of this clone into it. Returns why there is none, or nothing."""
    venv = FOLDER / "snakemake-9"
    done = venv / NEW
    for words in ([] if done.exists() else [[sys.executable, "-m", "venv", "--clear", venv], [venv / "bin/pip", "install", NEW]]):
        said = run(*words)
        if said.returncode != 0:
            return f"{NEW} cannot be installed: {said.stderr.strip()[-300:]}"
    done.touch()
    return ""


class EngineTest(unittest.TestCase):
    def setUp(self):
        self.folder = FOLDER / self._testMethodName
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        (self.folder / "Snakefile").write_text(SNAKEFILE)

    def snakemake(self, *words, program=None, threads=2, code=0):
        done = run(program or FOLDER / "snakemake-9/bin/snakemake", *words, cwd=self.folder, env={**os.environ, "THREADS": str(threads)})
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def holdfast(self, *words, code=0):
        done = run(PROGRAM, *words, cwd=self.folder)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout

    def planned_threads(self, plan, program=None):
        """The threads that a dry run shows with the profile that the plan wrote."""
        text = self.snakemake("-n", "-F", "--profile", "profiles/holdfast", program=program)
        shown = {}
        for block in re.findall(r"^(?:local)?rule .*?(?=^\[|\Z)", text, re.M | re.S):
            shown[re.match(r"\w+ (\w+):", block)[1]] = int((re.search(r"^    threads: (\d+)", block, re.M) or [0, 1])[1])
        return {rule: shown[rule] for rule in plan["threads"]}

    def test_both_versions_read_the_profile(self):
        (self.folder / "jobs.txt").write_text(self.snakemake("-n", "-F", "--cores", "12"))
        rows = [f"{rule},{p},{a + b / p}" for rule, a, b in (("one", 0.1, 1.6), ("each", 0.4, 1.2), ("end", 0.2, 0)) for p in (1, 2, 4)]
        (self.folder / "runs.csv").write_text("\n".join(["program,processors,seconds", *rows]) + "\n")
        question = ["taskgraph", "plan", "runs.csv", "--graph", "jobs.txt", "--cores", "12", "--as", "snakemake"]
        plan = json.loads(self.holdfast(*question, "--json"))
        self.assertEqual(plan["threads"], {"one": 12, "each": 2, "end": 1})
        self.holdfast(*question)
        for program in (None, *([OLD] if OLD.exists() else [])):
            self.assertEqual(self.planned_threads(plan, program), plan["threads"])
        self.snakemake("-F", "--profile", "profiles/holdfast")
        self.assertEqual((self.folder / "end.txt").read_text(), "2\n" * 6)
        self.assertEqual((self.folder / "one.txt").read_text(), "12\n")
        if not OLD.exists():
            print("skipped: Debian's snakemake 7 is not installed (./setup engines)")


if __name__ == "__main__":
    PROGRAM, FOLDER = (Path(word).resolve() for word in sys.argv[1:3])
    FOLDER.mkdir(parents=True, exist_ok=True)
    if problem := install():
        print(f"skipped: {problem}")
        sys.exit(77)
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
