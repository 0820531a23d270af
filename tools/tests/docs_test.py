"""tools/docs when something that it needs is missing."""

import unittest

from project_copy import ToolTest


class Docs(ToolTest):
    def test_it_skips_visibly_without_a_program(self):
        status, output = self.run_tool("docs", "--program", self.root / "holdfast", "--output", self.root / "docs")
        self.assertEqual(status, 77)
        # If Sphinx is not installed either, that is said first.
        self.assertRegex(output, r"^docs: skipped: no (program /.*/holdfast \(\./run builds it|Sphinx, MyST or furo \(\./setup docs)")
        self.assertFalse((self.root / "docs").exists())


if __name__ == "__main__":
    unittest.main()
