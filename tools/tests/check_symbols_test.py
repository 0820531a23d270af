import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parent.parent / "check_symbols"


class CheckSymbols(unittest.TestCase):
    def check(self, body):
        with tempfile.TemporaryDirectory() as folder:
            source, made = Path(folder, "a.c"), Path(folder, "a.so")
            source.write_text(f"#include <math.h>\ndouble f(double x) {{ return {body}; }}\n", encoding="utf-8")
            subprocess.run(["cc", "-O2", "-fno-builtin", "-shared", "-fPIC", source, "-o", made, "-lm"], check=True)
            return subprocess.run([sys.executable, TOOL, made], capture_output=True, text=True)

    def test_functions_of_one_right_answer_are_used(self):
        done = self.check("sqrt(floor(x)) + fmod(x, 2) + ldexp(x, 3)")
        self.assertEqual((done.returncode, done.stdout), (0, "check_symbols: 1 files, no problems\n"))

    def test_others_are_refused(self):
        for name in ("exp", "log1p", "sinh", "tgamma", "erfc"):
            with self.subTest(name=name):
                done = self.check(f"{name}(x)")
                self.assertEqual(done.returncode, 1)
                self.assertIn(f"has {name} of a C library", done.stdout)

    def test_a_file_without_symbols_is_no_proof(self):
        done = subprocess.run([sys.executable, TOOL, __file__], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("found no symbols", done.stdout)


if __name__ == "__main__":
    unittest.main()
