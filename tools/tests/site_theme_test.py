"""The theme of the documentation site, mended."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import site_theme  # noqa: E402

STYLE = '''@import url(/javascript/normal.css);
@media not print {
  body[data-theme="dark"] {
    --ink: white; }
    body[data-theme="dark"] .only-dark { display: block; } }
p { color: var(--ink); }
'''


class Theme(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.html = Path(folder.name) / "html"
        for name, text in {"html/_static/scripts/furo.js": 'import Spy from "./spy.js";\nnew Spy();\n',
                           "html/_static/scripts/spy.js": "window.Spy = Object;", "html/_static/styles/furo.css": STYLE,
                           "share/javascript/normal.css": "html { margin: 0 }\n"}.items():
            path = Path(folder.name) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def mended(self):
        site_theme.mend(self.html, self.html.parent / "share")
        return [(self.html / "_static" / name).read_text() for name in ("scripts/furo.js", "styles/furo.css")]

    def test_the_script_needs_no_import(self):
        self.assertEqual(self.mended()[0], "window.Spy = Object;\nnew Spy();\n")

    def test_the_imported_style_is_in_it(self):
        self.assertTrue(self.mended()[1].startswith("html { margin: 0 }\n"))

    def test_dark_follows_the_setting(self):
        self.assertTrue(self.mended()[1].endswith('''
@media screen and (prefers-color-scheme: dark) {
  body:not([data-theme="light"]) {
    --ink: white; }
    body:not([data-theme="light"]) .only-dark { display: block; } }
'''), self.mended()[1])

    def test_what_is_mended_stays_as_it_is(self):
        once = self.mended()
        self.assertEqual(self.mended(), once)


if __name__ == "__main__":
    unittest.main()
