"""Inputs made to fill memories, and memories that are full: python3 limits_test.py PROGRAM FOLDER"""

import gzip
import resource
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

MEBI = 1 << 20
SECONDS, PEAK = 30, 1024 * MEBI  # of processor time, and bytes: what a small file may take

CAMPAIGN = """
[campaign]
name = "small"
domain = "checkpoint"
scenarios = 40
strategies = ["young-daly", "next-step"]

[parameters]
processors = [1000, 5000]
failures = {distribution = "weibull", shape = 0.7, mtbf = "10y"}
work = "48h"
checkpoint = "600s"
"""


def run(*arguments, memory=None):
    """@param memory  bytes of address space that the program may have"""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    return subprocess.run([PROGRAM, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, preexec_fn=limit)


class Limits(unittest.TestCase):
    def setUp(self):
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir(parents=True)

    def put(self, name, content):
        path = FOLDER / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def check_refused(self, name, *arguments, says=""):
        """Checks that an input is refused in words, within a gigabyte; where that is not enough, the program ends with 4."""
        done = run(*arguments, memory=PEAK)
        self.assertEqual(done.returncode, 3, (name, done.stderr[:500]))
        self.assertLess(len(done.stderr), 2000, name)
        self.assertIn(says, done.stderr.decode(), name)

    def test_small_documents_that_are_hard_to_read_are_refused_fast(self):
        deep = ".".join(["a"] * 100_000)
        documents = {
            "key.toml": deep + " = 1", "table.toml": f"[{deep}]", "inline.toml": "x = {" + deep + " = 1}",
            "long.toml": "k" * MEBI + " = [" + "1," * 100_000 + "1]",
            "values.toml": "x = [" + "1," * (8 * MEBI) + "1]",
            "tables.toml": "[[a]]\n" * MEBI,
        }
        for name, text in documents.items():
            self.check_refused(name, "run", self.put(name, text))
        for name, text in {"deep.json": "[" * MEBI, "values.json": "[" + "1," * (9 * MEBI) + "1]"}.items():
            self.check_refused(name, "checkpoint", "simulate", "--instance", self.put(name, text))

    def test_campaigns_of_very_many_parts_are_read_or_refused_fast(self):
        head, parameters = CAMPAIGN.replace("scenarios = 40", "scenarios = 1").split("\n[parameters]\n")
        names = ", ".join(f'"fixed:{1000 + i}s"' for i in range(100_000))
        many = head.replace('"young-daly", "next-step"', names)
        campaign = self.put("strategies.toml", many + '\nbaseline = "next-step"\n[parameters]\n' + parameters)
        self.check_refused("strategies", "run", campaign, "--output", FOLDER / "many", says="and 99940 others")
        axes = "".join(f"axis{i} = [1]\n" for i in range(60_000))
        self.check_refused("axes", "run", self.put("axes.toml", CAMPAIGN + axes), "--output", FOLDER / "axes",
                           says="found 60004 parameters, expected at most 1000")
        points = "[[parameters.points]]\n" + axes
        self.check_refused("points", "run", self.put("points.toml", CAMPAIGN + points), "--output", FOLDER / "points",
                           says="found 60000 parameters, expected at most 1000")

    def test_campaigns_of_very_many_points_run_and_are_reported_fast(self):
        head = CAMPAIGN.replace("scenarios = 40", "scenarios = 1").replace("processors = [1000, 5000]\n", "")
        head = head.replace('"weibull", shape = 0.7', '"exponential"')  # no table of a law per point
        points = "".join(f"[[parameters.points]]\nprocessors = {1000 + i}\n" for i in range(100_000))
        campaign = self.put("points.toml", head.replace('"young-daly", "next-step"', '"young-daly"') + points)
        results = FOLDER / "points-results"
        for arguments in (("run", campaign, "--output", results, "--force", "--quiet"), ("report", results, "--quiet")):
            done = run(*arguments)  # which sets the limit of processor time
            self.assertEqual(done.returncode, 0, done.stderr.decode())

    def test_archives_that_unpack_to_gigabytes_are_refused(self):
        zeros = gzip.compress(b"0" * MEBI) * 1024  # an archive may have several parts
        self.check_refused("toml", "run", self.put("bomb.toml.gz", zeros))
        self.check_refused("json", "checkpoint", "simulate", "--instance", self.put("bomb.json.gz", zeros))
        rows = gzip.compress(b"node,down,up\n") + gzip.compress(b"1,1,2\n" * MEBI) * 150
        self.check_refused("csv", "trace", "info", self.put("bomb.csv.gz", rows), says="unpack")

    def test_memory_that_runs_out_is_said_in_words(self):
        campaign = self.put("campaign.toml", CAMPAIGN)
        samples = Path("src/holdfast/traces/samples")
        packed = self.put("packed.csv.gz", gzip.compress((samples / "failures-csv.csv").read_bytes()))
        commands = [
            ("--help",), ("checkpoint", "simulate", "--help"), ("trace", "info", packed),
            ("trace", "fit", samples / "lanl.csv", "--json"),
            ("trace", "convert", packed, "--to", "failures-csv", "--output", FOLDER / "again.csv.zst", "--force"),
            ("checkpoint", "simulate", "--work", "8h", "--checkpoint", "5min", "--processors", "1000", "--mtbf", "2y",
             "--scenarios", "20", "--json"),
            ("checkpoint", "plan", "--work", "8h", "--checkpoint", "5min", "--processors", "1000", "--mtbf", "2y",
             "--distribution", "weibull", "--shape", "0.7"),
            ("verify", "src/holdfast/domains/checkpoint/vectors/laws.json"),
            ("run", campaign, "--threads", "2", "--output", FOLDER / "results", "--quiet"),
        ]
        for command in commands:
            least = self.least_that_starts()
            said = set()
            for step in range(24):
                shutil.rmtree(FOLDER / "results", ignore_errors=True)
                done = run(*command, memory=least + (step * step) * MEBI // 8)
                self.assertIn(done.returncode, (0, 1, 4), (command, step, done.stderr[-500:]))
                if done.returncode == 4:
                    self.assertRegex(done.stderr.decode(), "memory|cannot start a thread", (command, step))
                said.add(done.returncode)
            self.assertIn(0, said, command)
            self.assertFalse(list(FOLDER.glob("*.part")), command)

    def least_that_starts(self):
        """The least address space, to the mebibyte, in which libraries are loaded and main begins."""
        low, high = 1, 1024
        while low < high:
            middle = (low + high) // 2
            if run("--version", memory=middle * MEBI).returncode in (0, 4):
                high = middle
            else:
                low = middle + 1
        return low * MEBI


if __name__ == "__main__":
    PROGRAM, FOLDER = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
