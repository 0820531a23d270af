import unittest

from project_copy import ToolTest

README = "docs/decisions/README.md"


class MakeDecisions(ToolTest):
    def setUp(self):
        super().setUp()
        self.write(README, "# Decision records\n\n| record | decision |\n|---|---|\n")
        self.write("docs/decisions/0002-b.md", "# 0002 B is chosen\n")
        self.write("docs/decisions/0001-a.md", "# 0001 A is chosen\n")

    def test_the_index_is_made_of_first_lines(self):
        self.assert_finds("make_decisions", "the index differs", "--check")
        self.assert_clean("make_decisions")
        self.assertEqual((self.root / README).read_text().splitlines()[-2:],
                         ["| [0001](0001-a.md) | A is chosen |", "| [0002](0002-b.md) | B is chosen |"])
        self.assert_clean("make_decisions", "--check")

    def test_a_record_without_its_number_is_refused(self):
        self.write("docs/decisions/0003-c.md", "# 0004 C is chosen\n")
        self.assert_finds("make_decisions", "0003-c.md: found a first line", "--check")


if __name__ == "__main__":
    unittest.main()
