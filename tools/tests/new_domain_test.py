import shutil

from project_copy import TOOLS, ToolTest

CATALOG = "src/holdfast/catalog/catalog.cpp"
EMPTY = '#include "holdfast/catalog/catalog.hpp"\n\nconstexpr std::initializer_list<Binding> kBindings = {};\n'


class NewDomain(ToolTest):
    def test_what_it_writes_passes_the_checks(self):
        self.write(CATALOG, EMPTY)
        shutil.copy(TOOLS.parent / ".clang-format", self.root)
        self.assert_clean("new_domain", "outpostofalonglongname")
        for check in ("check_layers", "check_text", "check_furniture"):
            self.assert_clean(check)
        self.assert_clean("format", "--check")
        written = [path.read_text() for path in self.root.rglob("outpost*/**/*") if path.is_file()]
        self.assertGreater(len(written), 25)
        self.assertNotIn("sketch", "".join(written).lower())

    def test_the_catalog_gets_its_lines_after_those_that_are_there(self):
        self.write(CATALOG, EMPTY)
        self.assert_clean("new_domain", "outpost")
        self.assert_clean("new_domain", "harbour")
        self.assertEqual((self.root / CATALOG).read_text(),
                         '#include "holdfast/catalog/catalog.hpp"\n'
                         '#include "holdfast/domains/outpost/domain.hpp"\n'
                         '#include "holdfast/domains/harbour/domain.hpp"\n\n'
                         "constexpr std::initializer_list<Binding> kBindings = {\n"
                         "    outpost::domain,\n"
                         "    harbour::domain,\n"
                         "};\n")

    def test_a_keyword_gets_another_namespace(self):
        self.write(CATALOG, EMPTY)
        self.assert_clean("new_domain", "volatile")
        self.assertIn("    volatile_domain::domain,\n", (self.root / CATALOG).read_text())
        header = (self.root / "src/holdfast/domains/volatile/domain.hpp").read_text()
        self.assertIn("namespace holdfast::volatile_domain {", header)

    def test_nothing_is_overwritten(self):
        self.write(CATALOG, EMPTY)
        self.write("src/holdfast/domains/outpost/mine.cpp", "\n")
        self.assert_finds("new_domain", "is already there", "outpost")
        self.assertEqual((self.root / CATALOG).read_text(), EMPTY)

    def test_a_name_that_is_no_word_is_refused(self):
        for name in ("Outpost", "out-post", "2nd", ""):
            status, output = self.run_tool("new_domain", name)
            self.assertEqual(status, 2)
            self.assertIn("expected one word of lower-case letters", output)
