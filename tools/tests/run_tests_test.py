import importlib.util
import sys
import tempfile
import unittest
from importlib.machinery import SourceFileLoader
from pathlib import Path

TOOLS = Path(__file__).resolve().parent.parent


def load(name):
    loader = SourceFileLoader(name, str(TOOLS / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    sys.path.insert(0, str(TOOLS))
    sys.modules[name] = module
    loader.exec_module(module)
    return module


run_tests = load("run_tests")
DOCTEST = "[doctest] test cases: {} | {} passed | {} failed | 3 skipped\n[doctest] assertions: 9 | 9 passed | 0 failed |\n"


class CountCases(unittest.TestCase):
    def check(self, succeeded, output, passed, failed, skipped=0):
        count = run_tests.count_cases(succeeded, output)
        self.assertEqual((count.passed, count.failed, len(count.skipped)), (passed, failed, skipped))

    def test_doctest_says_its_cases(self):
        self.check(True, DOCTEST.format(12, 12, 0), 12, 0)
        self.check(False, DOCTEST.format("  12", " 10", 2), 10, 2)

    def test_a_program_without_cases_of_a_suite_counts_nothing(self):
        self.check(True, DOCTEST.format(0, 0, 0), 0, 0)

    def test_unittest_says_its_tests(self):
        self.check(True, "Ran 7 tests in 0.1s\n\nOK\n", 7, 0)
        self.check(False, "Ran 7 tests in 0.1s\n\nFAILED (failures=1, errors=2)\n", 4, 3)

    def test_verify_says_its_vectors(self):
        self.check(False, "some vector fails\n30 passed, 1 failed\n", 30, 1)

    def test_pytest_says_its_tests(self):
        self.check(True, "..........\n10 passed in 3.21s\n", 10, 0)
        self.check(True, "..s\nSKIPPED [1] a.py:47: no duckdb\n2 passed, 1 skipped in 3.21s\n", 2, 0, 1)
        self.check(False, "F.E\n1 failed, 10 passed, 2 deselected, 3 errors in 61.02s (0:01:01)\n", 10, 4)

    def test_a_silent_command_is_one_case(self):
        self.check(True, "all well\n", 1, 0)
        self.check(False, "Segmentation fault\n", 0, 1)

    def test_a_crash_after_the_summary_is_a_failure(self):
        self.check(False, DOCTEST.format(5, 5, 0) + "AddressSanitizer: heap-use-after-free\n", 5, 1)

    def test_a_visible_skip_did_not_pass(self):
        self.check(True, "a_test.cpp:3: MESSAGE: skipped: no data\n" + DOCTEST.format(5, 5, 0), 4, 0, 1)


class CountJunit(unittest.TestCase):
    def count(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "junit.xml"
            path.write_bytes(text)
            count = run_tests.count_junit(path)
            return count.passed, count.failed, len(count.skipped)

    def test_entries_are_added_up(self):
        summary = DOCTEST.format(12, 12, 0).encode()
        self.assertEqual(self.count(b'<testsuite><testcase name="a" status="run"><system-out>' + summary +
                                    b'</system-out></testcase><testcase name="b" status="fail"/></testsuite>'), (12, 1, 0))

    def test_a_program_that_was_not_built_is_a_failure(self):
        self.assertEqual(self.count(b'<testsuite><testcase name="a" status="notrun"/></testsuite>')[1], 1)

    def test_any_byte_may_be_printed(self):
        self.assertEqual(self.count(b'<testsuite><testcase name="a" status="run"><system-out>\x01\xff\x1b[0m</system-out>'
                                    b"</testcase></testsuite>"), (1, 0, 0))
