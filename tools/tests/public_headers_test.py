import unittest

from project_copy import ToolTest

PAGE = "docs/reference/cpp.md"


class PublicHeaders(ToolTest):
    def setUp(self):
        super().setUp()
        self.write(PAGE, "| [a](../../src/holdfast/a.hpp) | |\n")
        self.write("src/holdfast/a.hpp", '#include "holdfast/b.hpp"\n')
        self.write("src/holdfast/b.hpp", "#include <vector>\n")
        self.write("src/holdfast/c.hpp", "")
        self.write("cmake/public_headers.txt", "holdfast/a.hpp\nholdfast/b.hpp\n")

    def test_what_is_listed_and_what_it_includes_is_public(self):
        self.assert_clean("public_headers")

    def test_a_header_that_becomes_public_by_an_include_is_seen(self):
        self.write("src/holdfast/b.hpp", '#include "holdfast/c.hpp"\n')
        self.assert_finds("public_headers", "lacks holdfast/c.hpp")
        self.assert_clean("public_headers", "--update")
        self.assertEqual((self.root / "cmake/public_headers.txt").read_text(), "holdfast/a.hpp\nholdfast/b.hpp\nholdfast/c.hpp\n")

    def test_one_that_nobody_lists_any_more_is_seen(self):
        self.write("cmake/public_headers.txt", "holdfast/a.hpp\nholdfast/b.hpp\nholdfast/c.hpp\n")
        self.assert_finds("public_headers", "holdfast/c.hpp is neither listed")

    def test_a_header_for_tests_is_not_public(self):
        self.write("src/holdfast/testing.hpp", "")
        self.write("src/holdfast/a.hpp", '#include "holdfast/testing.hpp"\n')
        self.assert_finds("public_headers", "holdfast/testing.hpp is for tests alone", "--update")


if __name__ == "__main__":
    unittest.main()
