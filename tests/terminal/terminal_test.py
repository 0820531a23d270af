"""What the program writes to a terminal, and what to a pipe: python3 terminal_test.py PROGRAM FOLDER"""

import fcntl
import os
import pty
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest
from pathlib import Path

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
TABLE = ["checkpoint", "simulate", "--list-strategies"]
# Slow enough for a progress bar (it waits two seconds), however fast the machine: interrupted by the test.
CAMPAIGN = """
[campaign]
name = "long"
domain = "checkpoint"
scenarios = 1000000
strategies = ["young-daly"]

[parameters]
processors = 100000
failures = {distribution = "weibull", shape = 0.7, mtbf = "10y"}
work = "48h"
checkpoint = "600s"
"""


def in_terminal(arguments, columns, stop_when=None, **environment):
    """What appears on a terminal of that width; the program is interrupted when it has written stop_when."""
    parent, child = pty.openpty()
    fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    clean = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "TERM")}
    process = subprocess.Popen([PROGRAM, *arguments], stdin=subprocess.DEVNULL, stdout=child, stderr=child,
                               env={**clean, "TERM": "xterm", **environment})
    os.close(child)
    text = b""
    try:
        while part := os.read(parent, 1 << 16):
            text += part
            if stop_when is not None and re.search(stop_when, text):
                process.send_signal(2)
                stop_when = None
    except OSError:
        pass  # the other end is closed
    os.close(parent)
    process.wait()
    return text.decode().replace("\r\n", "\n")


def in_pipe(arguments):
    return subprocess.run([PROGRAM, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)


class TerminalTest(unittest.TestCase):
    def test_tables_keep_to_the_width(self):
        for columns in (60, 100):
            lines = ESCAPES.sub("", in_terminal(TABLE, columns)).splitlines()
            self.assertGreater(len(lines), 10)
            self.assertLessEqual(max(map(len, lines)), columns)

    def test_help_keeps_to_the_width(self):
        for columns in (60, 80, 200):
            for command in ([], ["capacity", "simulate"], ["trace", "fit"]):
                text = in_terminal([*command, "--help"], columns)
                lines = [line for line in text.splitlines() if "example" not in line and "holdfast" not in line]
                self.assertGreater(len(lines), 20)
                self.assertLessEqual(max(map(len, lines)), min(columns, 100))

    def test_titles_are_bold_unless_nobody_wants_it(self):
        self.assertIn("\x1b[1m", in_terminal(TABLE, 80))
        self.assertNotIn("\x1b", in_terminal(TABLE, 80, NO_COLOR="1"))
        self.assertIn("\x1b[1m", in_terminal(TABLE, 80, NO_COLOR=""))
        self.assertNotIn("\x1b", in_terminal(TABLE, 80, TERM="dumb"))

    def test_a_pipe_gets_whole_lines_without_escapes(self):
        done = in_pipe(TABLE)
        self.assertNotIn("\x1b", done.stdout)
        self.assertEqual(done.stderr, "")
        # One line per row: what reads it need not join lines again.
        rows = [line for line in done.stdout.splitlines() if line.startswith("young-daly ")]
        self.assertEqual(len(rows), 1)
        self.assertIn("Young 1974; Daly 2006", rows[0])

    def test_a_campaign_file_may_be_standard_output(self):
        # The shell makes the file before the program does.
        with tempfile.TemporaryDirectory() as folder:
            script = '"$1" init checkpoint > checkpoint.toml && "$1" run checkpoint.toml --dry-run'
            done = subprocess.run(["/bin/sh", "-c", script, "sh", str(PROGRAM)], cwd=folder, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_an_interrupt_that_the_parent_ignores_is_ignored(self):
        # As under nohup, and of a job that a script puts in the background.
        for ignored, status in ((True, 0), (False, 130)):
            before = signal.signal(signal.SIGINT, signal.SIG_IGN if ignored else signal.SIG_DFL)
            process = subprocess.Popen([PROGRAM, "checkpoint", "simulate", "--instance", "-"], stdin=subprocess.PIPE,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True)
            signal.signal(signal.SIGINT, before)
            time.sleep(1)  # it waits for its instance
            process.send_signal(signal.SIGINT)
            process.communicate('{"work": 3600, "checkpoint": 60, "failures": {"mtbf": 36000}}')
            self.assertEqual(process.returncode, status, f"SIGINT ignored: {ignored}")

    def test_progress_has_a_bar_a_rate_and_the_time_left(self):
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir(parents=True)
        campaign = FOLDER / "long.toml"
        campaign.write_text(CAMPAIGN)
        run = ["run", str(campaign), "--output", str(FOLDER / "long"), "--executor", "local"]
        text = in_terminal(run, 100, stop_when=rb"/s, [0-9][^\r]* left")
        self.assertRegex(text, r"\r[^\r]*\[[#.]{20}\] [0-9 ]+ of 1 000 000 cells, [0-9.]+ %, [0-9 ]+/s, [0-9][^\r]* left")
        # Cleared before anything else is said.
        self.assertRegex(text, r"left\x1b\[K\x1b\[\?7h\r\x1b\[K")


class Run(unittest.TestCase):
    def test_it_ends_in_at_most_twelve_lines(self):
        with tempfile.TemporaryDirectory() as folder:
            text = in_terminal(["run", str(Path("examples/first-look.toml").resolve()), "--output", folder + "/r"], 80)
            lines = ESCAPES.sub("", text.rsplit("\r", 1)[-1]).strip("\n").split("\n")
            self.assertLessEqual(len(lines), 12, text)
            self.assertTrue(any(line.startswith("best by platform_age: ") for line in lines), text)
            whole = in_terminal(["run", folder + "/r", "--full"], 80)
            self.assertIn("\x1b[32m", whole)  # the best rows
            self.assertGreater(len(whole.split("\n")), 20)

    def test_a_page_lives_while_its_campaign_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            campaign, page = Path(folder) / "long.toml", Path(folder) / "long-results/report.html"
            campaign.write_text(CAMPAIGN)
            process = subprocess.Popen([PROGRAM, "run", str(campaign), "--watch", "--quiet"], cwd=folder, stderr=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL)
            end = time.monotonic() + 100
            while time.monotonic() < end and not (page.exists() and "refresh" in page.read_text()):
                time.sleep(0.1)
            self.assertIn("running: ", page.read_text())
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(), 130)
            self.assertNotIn("refresh", page.read_text())


if __name__ == "__main__":
    PROGRAM, FOLDER = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
