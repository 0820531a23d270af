#!/usr/bin/env python3
"""Holdfast beside the real Snakemake: snakemake_test.py PROGRAM FOLDER. Version 9 is installed into FOLDER/snakemake-9 from the index of Python
packages, once; Debian's 7.21 is used where it is installed. Jobs sleep, so two cores are enough for many."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NEW = "snakemake==9.27.1"
OLD = Path("/usr/bin/snakemake")
MOMENTS = int(os.environ.get("HOLDFAST_MOMENTS", "3"))  # of kills
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
# Chains of one and of two jobs.
CHAINS = '''
rule all:
    input: "a-short", "c-long"
rule a:
    output: "a-short"
    shell: "touch {output}"
rule b:
    output: "b-long"
    shell: "touch {output}"
rule c:
    input: "b-long"
    output: "c-long"
    shell: "touch {output}"
'''
FAILING = '''
rule fails:
    output: "out.txt"
    resources: attempt=lambda wildcards, attempt: attempt
    shell: "sleep 0.2; test {resources.attempt} = 2 && touch {output}"
'''


def run(*words, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, **options)


def install():
    """Makes the environment of Snakemake 9, once, and puts the plugins of this clone into it. Returns why there is none, or nothing."""
    venv = FOLDER / "snakemake-9"
    done = venv / NEW
    ours = [venv / "bin/pip", "install", "--force-reinstall", "--no-deps", ROOT / "bindings/snakemake"]
    for words in (*([] if done.exists() else [[sys.executable, "-m", "venv", "--clear", venv], [venv / "bin/pip", "install", NEW]]), ours):
        said = run(*words)
        if said.returncode != 0:
            return f"{NEW} and its plugins cannot be installed: {said.stderr.strip()[-300:]}"
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

    def history(self):
        return [json.loads(line) for line in (self.folder / ".holdfast/history.jsonl").read_text().splitlines()]

    def measured_plan(self):
        """A plan from three runs of which only the plugin knows."""
        for number in (1, 2, 4):
            self.snakemake("-F", "--cores", "12", "--logger", "holdfast", threads=number)
        (self.folder / "jobs.txt").write_text(self.snakemake("-n", "-F", "--cores", "12"))
        self.holdfast("taskgraph", "plan", ".holdfast/history.jsonl", "--graph", "jobs.txt", "--cores", "12", "--output", "plan.json")
        return json.loads((self.folder / "plan.json").read_text())

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


    def test_a_plan_from_the_history(self):
        plan = self.measured_plan()
        self.assertEqual(len(self.history()), 3 * 8)
        self.assertEqual({rule["rule"] for rule in plan["rules"]}, {"one", "each", "end"})
        self.assertEqual(set(plan["sizes"]), {"one.txt", "end.txt", *(f"each/s{i}.txt" for i in range(6))})
        self.assertGreater(plan["threads"]["one"], 6, plan)
        one = next(rule for rule in plan["rules"] if rule["rule"] == "one")
        self.assertLess(abs(one["seconds"][0] - 1.7), 0.8, one)  # and what a busy machine adds
        text = self.snakemake("-F", "--cores", "12", "--scheduler", "holdfast", "--scheduler-holdfast-plan", "plan.json",
                              "--scheduler-holdfast-widen", "--logger", "holdfast", "--quiet", "rules")
        self.assertNotIn("greedy", text)
        last = self.history()[3 * 8:]
        self.assertGreater(last[0]["threads"], 6)  # one job alone, which is faster on more
        self.assertEqual((self.folder / "one.txt").read_text(), f"{last[0]['threads']}\n")  # its command knows
        moments = [line["started"] for line in last]
        for moment in moments:
            running = [line["threads"] for line in last if line["started"] <= moment < line["started"] + line["seconds"] - 0.05]
            self.assertLessEqual(sum(running), 12)

    def test_the_longest_path_goes_first(self):
        """Two chains and a core for one job: the job at the beginning of the long chain starts first, whatever its name."""
        (self.folder / "Snakefile").write_text(CHAINS)
        rules = [{"rule": rule, "threads": 1, "seconds": [1]} for rule in ("a", "b", "c")]
        (self.folder / "plan.json").write_text(json.dumps({"rules": rules, "sizes": {"c-long": 5}}))
        self.snakemake("--cores", "1", "--logger", "holdfast", "--scheduler", "holdfast", "--scheduler-holdfast-plan", "plan.json")
        self.assertEqual([line["output"] for line in self.history()], ["b-long", "c-long", "a-short"])

    def test_without_a_plan_it_is_greedy(self):
        (self.folder / "broken.json").write_text("{")
        for words in ((), ("--scheduler-holdfast-plan", "absent.json"), ("--scheduler-holdfast-plan", "broken.json")):
            self.assertIn("the greedy scheduler decides", self.snakemake("-F", "--cores", "12", "--scheduler", "holdfast", *words))

    def test_failures_and_kills_leave_a_history(self):
        (self.folder / "Snakefile").write_text(FAILING)
        self.snakemake("--cores", "2", "--retries", "1", "--logger", "holdfast")
        self.assertEqual([line["status"] for line in self.history()], ["failed", "done"])
        (self.folder / "Snakefile").write_text(SNAKEFILE)
        before = b""
        for moment in range(MOMENTS):
            words = [FOLDER / "snakemake-9/bin/snakemake", "-F", "--nolock", "--cores", "12", "--logger", "holdfast"]
            running = subprocess.Popen(words, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
            time.sleep(2 + 3 * moment / MOMENTS)  # any moment will do
            os.killpg(running.pid, signal.SIGKILL)
            running.wait()
            after = (self.folder / ".holdfast/history.jsonl").read_bytes()
            self.assertTrue(after.startswith(before))
            before = after
        with open(self.folder / ".holdfast/history.jsonl", "a") as history:
            history.write('{"rule": "each", "sta')  # as if a kill had come inside a line
        self.snakemake("-F", "--nolock", "--cores", "12", "--logger", "holdfast")
        found = json.loads(self.holdfast("moldable", "fit", ".holdfast/history.jsonl", "--json"))
        self.assertEqual({series["name"] for series in found["series"]}, {"one", "each", "end", "fails"})


    def test_the_interval_of_a_rule_reaches_its_command(self):
        seen = {"rule": "job", "status": "done", "started": 0, "output": "job.txt"}
        lines = [json.dumps({**seen, "threads": p, "seconds": t}) for p, t in ((1, 900), (2, 500))]
        (self.folder / "history.jsonl").write_text("\n".join(lines) + "\n")
        (self.folder / "Snakefile").write_text('rule job:\n    output: "job.txt"\n    shell: "echo {config[every_job]} > {output}"\n')
        (self.folder / "jobs.txt").write_text(self.snakemake("-n", "-F", "--cores", "2", "--config", "every_job=1"))
        question = ["workflow", "plan", "history.jsonl", "--graph", "jobs.txt", "--cores", "2", "--mtbf", "10h", "--checkpoint", "1s"]
        rules = json.loads(self.holdfast(*question, "--as", "snakemake", "--json"))["rules"]
        self.assertGreater(rules[0]["segments"], 1)
        self.holdfast(*question, "--as", "snakemake")
        for program in (None, *([OLD] if OLD.exists() else [])):
            self.snakemake("-F", "--cores", "1", "--profile", "profiles/checkpoints", program=program)
            self.assertEqual((self.folder / "job.txt").read_text(), f"{rules[0]['every']:.0f}\n")


if __name__ == "__main__":
    PROGRAM, FOLDER = (Path(word).resolve() for word in sys.argv[1:3])
    FOLDER.mkdir(parents=True, exist_ok=True)
    if problem := install():
        print(f"skipped: {problem}")
        sys.exit(77)
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
