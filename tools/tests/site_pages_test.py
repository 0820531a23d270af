"""Pages of the documentation site: where each lies, and links that hold there."""

import re
import sys
import tempfile
import unittest
from pathlib import Path, PurePosixPath

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from site_pages import Links, as_page, place, rewritten, site_pages, with_contents, with_neighbours  # noqa: E402

PROJECT = Path(__file__).resolve().parents[2]
PLACES = {Path("docs/interface.md"): PurePosixPath("interface.md"),
          Path("docs/decisions/README.md"): PurePosixPath("decisions/index.md"),
          Path("src/holdfast/domains/io/README.md"): PurePosixPath("domains/io.md"),
          Path("src/holdfast/traces/README.md"): PurePosixPath("layers/traces.md")}
IO = Path("src/holdfast/domains/io/README.md")


class Site(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for page in PLACES:
            self.write(page, "# page\n")
        self.links = Links(self.root, PLACES)

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def on_site(self, text, source=IO):
        return rewritten(text, source, self.links)

    def test_every_page_has_its_place(self):
        for source, expected in {"docs/site/index.md": "index.md", "docs/tutorials/operator.md": "tutorials/operator.md",
                                 "docs/decisions/README.md": "decisions/index.md", "docs/README.md": "all-pages.md",
                                 "README.md": "project/readme.md",
                                 "src/holdfast/domains/io/README.md": "domains/io.md",
                                 "src/holdfast/traces/README.md": "layers/traces.md",
                                 "CONTRIBUTING.md": "project/contributing.md",
                                 "tests/cli/README.md": "project/tests-cli.md"}.items():
            self.assertEqual(place(PurePosixPath(source)), PurePosixPath(expected), source)
        self.assertIsNone(place(PurePosixPath("changes/faster.md")))

    def test_what_tools_leave_in_hidden_folders_is_no_page(self):
        self.write(".pytest_cache/README.md", "# pytest cache\n")
        self.write("first-look-results/notes.md", "# notes\n")
        self.assertEqual(set(site_pages(self.root)), set(PLACES))

    def test_the_page_on_c_plus_plus_names_every_header_of_the_contract(self):
        text = (PROJECT / "docs/reference/cpp.md").read_text(encoding="utf-8")
        headers = sorted(path.name for path in (PROJECT / "src/holdfast/contract").glob("*.hpp"))
        self.assertEqual([name for name in headers if f"contract/{name})" not in text], [])

    def test_the_citation_names_the_version(self):
        version = re.search(r"project\(holdfast VERSION (\S+)", (PROJECT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]
        self.assertIn(f"\nversion: {version}\n", (PROJECT / "CITATION.cff").read_text(encoding="utf-8"))

    def test_no_two_pages_of_the_project_share_a_place(self):
        places = list(site_pages(PROJECT).values())
        self.assertGreater(len(places), 50)
        self.assertEqual(len(places), len(set(places)))

    def test_links_follow_the_pages(self):
        self.assertEqual(self.on_site("see [a](../../traces/README.md#x) and [b](../../../../docs/interface.md)"),
                         "see [a](../layers/traces.md#x) and [b](../interface.md)")
        self.assertEqual(self.on_site("[all](../../../../docs/decisions)"), "[all](../decisions/index.md)")
        self.assertEqual(self.on_site("[io](../src/holdfast/domains/io/README.md)", Path("docs/interface.md")),
                         "[io](domains/io.md)")

    def test_other_hosts_and_places_of_the_same_page_stay(self):
        for text in ("[a](https://example.org/x.md)", "[b](#limits)", "<https://example.org>", "[c](mailto:a@b.c)"):
            self.assertEqual(self.on_site(text), text)

    def test_code_stays(self):
        for text in ("`[a](nothing.md)` and ``[b](nothing.md)``", "```\n[a](nothing.md)\n```", "    [a](nothing.md)"):
            self.assertEqual(self.on_site(text), text)
        self.assertEqual(self.links.problems, [])

    def test_a_paragraph_in_a_list_is_no_code(self):
        self.assertEqual(self.on_site("1. words,\n     [a](../../traces/README.md)"),
                         "1. words,\n     [a](../layers/traces.md)")

    def test_text_files_become_pages(self):
        self.write("src/holdfast/base/error.hpp", "/// `x`\n")
        self.assertEqual(self.on_site("[error](../../base/error.hpp)"),
                         "[error](../files/src/holdfast/base/error.hpp.md)")
        page = as_page(Path("src/holdfast/base/error.hpp"), "/// ``` is in it\n")
        self.assertIn("# error.hpp\n", page)
        self.assertIn("\n````cpp\n/// ``` is in it\n````\n", page)

    def test_pictures_are_copied(self):
        self.write(IO.parent / "run.svg", "<svg/>")
        self.assertEqual(self.on_site("![a run](run.svg)"), "![a run](../files/src/holdfast/domains/io/run.svg)")
        self.assertEqual(list(self.links.copies), [IO.parent / "run.svg"])

    def test_a_link_to_nothing_is_a_problem(self):
        self.on_site("one\n[two](two.md) [out](../../../../../out.md)")
        self.assertEqual(self.links.problems, [f"{IO}:2: found a link to two.md, where nothing is",
                                               f"{IO}:2: found a link to ../../../../../out.md, where nothing is"])

    def test_tables_of_contents_name_pages(self):
        places = [PurePosixPath(name) for name in ("how-to/b.md", "how-to/a.md", "how-to/index.md", "x.md")]
        self.assertEqual(with_contents("```{toctree}\n:hidden:\n\nhow-to/b\nhow-to/*\nx\n```\nhow-to/*\n", places),
                         "```{toctree}\n:hidden:\n\nhow-to/b\nhow-to/a\nx\n```\nhow-to/*\n")
        self.assertTrue(with_neighbours("# All\n", PurePosixPath("how-to/index.md"), places).endswith("\n\na\nb\n```\n"))


if __name__ == "__main__":
    unittest.main()
