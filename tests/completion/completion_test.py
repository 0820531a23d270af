#!/usr/bin/env python3
"""The scripts of `holdfast completion SHELL`, in the shells themselves: completion_test.py PROGRAM"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = Path(sys.argv.pop()).resolve()
ENVIRONMENT = dict(os.environ, PATH=f"{PROGRAM.parent}:{os.environ['PATH']}")


def script(shell):
    return subprocess.run([PROGRAM, "completion", shell], check=True, capture_output=True, text=True).stdout


def bash(*words):
    """What the real function offers for words as bash has cut them."""
    quoted = " ".join("'" + word + "'" for word in ("holdfast", *words))
    lines = f"{script('bash')}\nCOMP_WORDS=({quoted}) COMP_CWORD={len(words)}\n_holdfast\nprintf '%s\\n' \"${{COMPREPLY[@]}}\""
    done = subprocess.run(["bash", "--norc", "-c", lines], env=ENVIRONMENT, capture_output=True, text=True)
    return done.stdout.split()


class Completion(unittest.TestCase):
    def test_scripts_are_short_and_shells_can_read_them(self):
        for shell in ("bash", "zsh", "fish"):
            with self.subTest(shell=shell):
                self.assertLess(len(script(shell).splitlines()), 26)
                if not shutil.which(shell):
                    print(f"completion: skipped: no {shell} (./setup package)", flush=True)
                    continue
                done = subprocess.run([shell, "-n"], input=script(shell), capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_bash_completes_verbs_options_and_values(self):
        self.assertEqual(bash("checkpoint", "pl"), ["plan"])
        self.assertIn("io", bash(""))
        self.assertEqual(bash("checkpoint", "plan", "--platform-m"), ["--platform-mtbf"])
        self.assertEqual(bash("run", "--executor", "s"), ["slurm"])

    def test_bash_completes_strategies_and_their_parameters(self):
        self.assertEqual(bash("checkpoint", "simulate", "--strategy", "young-daly,fix"), ["young-daly,fixed"])
        self.assertEqual(bash("checkpoint", "simulate", "--strategy", "fixed", ":"), ["period=", "locals="])
        self.assertEqual(bash("checkpoint", "simulate", "--strategy", "fixed", ":", "per"), ["period="])

    def test_bash_knows_where_a_file_may_stand(self):
        self.assertEqual(bash("report", ""), [])

    def in_fish(self, line, folder=None):
        if not shutil.which("fish"):
            self.skipTest("skipped: no fish (./setup package)")
        lines = f"{script('fish')}\ncomplete -C '{line}'"
        done = subprocess.run(["fish", "--no-config", "-c", lines], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True,
                              check=True)
        return [row.split("\t")[0] for row in done.stdout.splitlines()]

    def test_fish_completes(self):
        self.assertEqual(self.in_fish("holdfast checkpoint pl"), ["plan"])
        self.assertEqual(self.in_fish("holdfast checkpoint simulate --strategy young-daly,fix"), ["young-daly,fixed"])

    def test_fish_completes_a_path_behind_a_sign(self):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "figures"))
            open(os.path.join(folder, "survival.svg"), "w").close()
            self.assertEqual(self.in_fish("holdfast trace fit --plot=su", folder), ["--plot=survival.svg"])
            self.assertEqual(self.in_fish("holdfast trace fit --plot su", folder), ["survival.svg"])
            self.assertEqual(self.in_fish("holdfast report --plot=", folder), ["--plot=figures/"])
            self.assertEqual(self.in_fish("holdfast report --plot=x", folder), [])

    def test_zsh_completes(self):
        """Without a terminal there is no completion in zsh: compadd is ours, and says what it was given."""
        if not shutil.which("zsh"):
            self.skipTest("skipped: no zsh (./setup package)")
        lines = ("compdef() { : }\ncompadd() { print -l -- ${(P)@[-1]} }\n_files() { print files }\ncompset() { : }\n"
                 f"{script('zsh')}\nwords=(holdfast checkpoint pl) CURRENT=3\n_holdfast\n"
                 "words=(holdfast report '') CURRENT=3\n_holdfast")
        done = subprocess.run(["zsh", "-f", "-c", lines], env=ENVIRONMENT, capture_output=True, text=True)
        self.assertEqual(done.stdout.split(), ["plan", "files"], done.stderr)


if __name__ == "__main__":
    unittest.main()
