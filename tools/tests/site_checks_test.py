"""Checks of the documentation site, each with a planted mistake."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import site_checks  # noqa: E402

INDEX = '<a href="a.html#here">a</a><img src="p.svg" alt="a picture"><script src="s.js"></script>'


class SiteChecks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.write("index.html", INDEX)
        self.write("a.html", '<h1 id="here">a</h1><a href="https://example.org">elsewhere</a><form action="index.html"></form>')
        for name in ("p.svg", "s.js"):
            self.write(name, "")

    def write(self, name, text):
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text)

    def problems(self):
        return site_checks.check_site(self.folder)[0]

    def test_a_good_site(self):
        self.assertEqual(site_checks.check_site(self.folder), ([], 2))

    def test_a_dead_link(self):
        self.write("index.html", INDEX + '\n<a href="b.html">b</a>')
        self.assertEqual(self.problems(), ["index.html:2: found a link to b.html, where nothing is"])

    def test_a_dead_anchor(self):
        self.write("index.html", INDEX + '<a href="a.html#there">a</a><a href="#top">top</a>')
        self.assertEqual(self.problems(), ["index.html:1: found a link to a.html#there, but that page has no such place",
                                           "index.html:1: found a link to #top, but that page has no such place"])

    def test_what_a_browser_would_load_from_elsewhere(self):
        for text in ('<script src="https://example.org/x.js"></script>', '<link rel="stylesheet" href="//example.org/x.css">',
                     '<img alt="x" src="http://example.org/x.png">', '<img alt="x" srcset="p.svg 1x, https://example.org/x.png 2x">',
                     '<p style="background: url(https://example.org/x.png)"></p>'):
            with self.subTest(text):
                self.write("index.html", INDEX + text)
                self.assertEqual(len(self.problems()), 1, self.problems())
                self.assertIn("the browser would load", self.problems()[0])

    def test_a_link_to_elsewhere_is_no_request(self):
        self.write("index.html", INDEX + '<link rel="canonical" href="https://example.org"><a href="https://example.org">x</a>')
        self.assertEqual(self.problems(), [])

    def test_a_style_that_loads_from_elsewhere(self):
        self.write("s.css", "@import 'https://example.org/x.css'; p { background: url(p.svg) }")
        self.assertEqual(self.problems(), ["s.css: the browser would load https://example.org/x.css"])

    def test_a_style_that_names_what_is_not_there(self):
        self.write("s.css", "@import url(/normal.css); p { background: url('q.svg') } a { background: url(data:image/png,x) }")
        self.assertEqual(self.problems(), ["s.css: names /normal.css, where nothing is", "s.css: names q.svg, where nothing is"])

    def test_a_page_that_nothing_leads_to(self):
        self.write("lost.html", '<a href="index.html">home</a>')
        self.assertEqual(self.problems(), ["lost.html: no page leads here from index.html"])

    def test_a_picture_without_a_text(self):
        self.write("index.html", INDEX + '<img src="p.svg"><img src="p.svg" alt=" ">')
        self.assertEqual(self.problems(), ["index.html:1: a picture without a text"] * 2)

    def test_a_site_that_is_too_large(self):
        with (self.folder / "p.svg").open("wb") as file:
            file.truncate(site_checks.LARGEST)
        self.assertEqual(len(self.problems()), 1)
        self.assertIn("expected at most 31.5 MB", self.problems()[0])

    def test_two_builds_that_differ(self):
        with tempfile.TemporaryDirectory() as other:
            for path in self.folder.iterdir():
                (Path(other) / path.name).write_bytes(path.read_bytes())
            self.assertEqual(site_checks.differences(self.folder, Path(other)), [])
            (Path(other) / "p.svg").unlink()
            (Path(other) / "s.js").write_text("x")
            self.assertEqual(site_checks.differences(self.folder, Path(other)),
                             ["p.svg: two builds differ", "s.js: two builds differ"])


if __name__ == "__main__":
    unittest.main()
