import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

LOGS = Path(__file__).resolve().parents[2] / "examples/logs"


class ExampleLogs(unittest.TestCase):
    def test_they_are_what_their_script_writes(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(LOGS / "make_logs.py", folder)
            subprocess.run([sys.executable, Path(folder) / "make_logs.py"], check=True)
            written = sorted(path for path in Path(folder).iterdir() if path.name != "make_logs.py")
            self.assertEqual([path.name for path in written],
                             ["cluster-failures.csv", "cluster-jobs.swf", "cluster-power.csv"])
            for path in written:
                self.assertEqual(path.read_bytes(), (LOGS / path.name).read_bytes(), path.name)
