"""Opens the documentation site in a headless Chromium, from disk and with every request to a host refused:
python3 site_test.py FOLDER [unittest options]. FOLDER is what tools/docs --output wrote; pictures of pages are kept in
FOLDER/seen."""

import base64
import sys
import unittest
from pathlib import Path

import chrome

SKIPPED = 77  # ctest's word for it is in tools/CMakeLists.txt
# One page of each kind; of kinds that the project may lack, the first that there is.
KINDS = ("index.html", "tutorials/*.html", "how-to/*.html", "learn.html", "domains/checkpoint.html", "understand.html",
         "decisions/0005-*.html", "gallery.html", "reference/domains/checkpoint.html", "reference/commands/checkpoint.html",
         "files/src/holdfast/base/error.hpp.html", "bibliography.html", "project/changelog.html", "search.html")
SIZES = ((1366, 768), (420, 800))
LARGE = (1600, 900)


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = chrome.Browser(BROWSER)
        cls.browser.call("Network.setBlockedURLs", urls=["http://*", "https://*", "ws://*", "wss://*"])
        (FOLDER / "seen").mkdir(exist_ok=True)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def open(self, page, size=SIZES[0], scheme="light"):
        self.browser.resize(*size)
        self.browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.browser.open(page.as_uri())
        return self.browser

    def assert_quiet(self):
        self.assertEqual(self.browser.complaints(), [])
        self.assertEqual([url for url in self.browser.requests() if not url.startswith(("file:", "data:"))], [])

    def keep(self, name):
        (FOLDER / f"seen/{name}.png").write_bytes(base64.b64decode(self.browser.screenshot()))

    def test_pages_of_each_kind(self):
        for kind in KINDS:
            page = next(iter(sorted(HTML.glob(kind))), None)
            if page is None:
                self.assertRegex(kind, "^(tutorials|how-to)/", "a page that every site has")
                continue
            for size in SIZES:
                for scheme in ("light", "dark"):
                    with self.subTest(kind, width=size[0], scheme=scheme):
                        self.look_at(page, size, scheme)
                        self.keep(f"{page.relative_to(HTML).as_posix().replace('/', '-')[:-5]}-{size[0]}-{scheme}")

    def look_at(self, page, size, scheme):
        browser = self.open(page, size, scheme)
        if page.name != "search.html":
            self.assertEqual(browser.run("document.querySelectorAll('h1').length"), 1)
        self.assertLessEqual(browser.run("document.documentElement.scrollWidth"), size[0])
        browser.wait("[...document.images].every((image) => image.complete || image.loading === 'lazy')")
        self.assertEqual(browser.run("[...document.images].filter((image) => image.complete && !image.naturalWidth)"
                                     ".map((image) => image.src)"), [])
        background = browser.run("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3)"
                                 ".reduce((sum, part) => sum + Number(part), 0)")
        (self.assertGreater if scheme == "light" else self.assertLess)(background, 384)
        self.assert_quiet()

    def test_a_large_screen_has_room_for_what_programs_print(self):
        for page in ("index.html", "domains/checkpoint.html"):
            self.look_at(HTML / page, LARGE, "light")
            self.keep(f"{page.replace('/', '-')[:-5]}-{LARGE[0]}")

    def test_the_search_finds_the_page_on_checkpoints(self):
        browser = self.open(HTML / "index.html")
        browser.run("document.querySelector('input[name=q]').value = 'young daly'")
        browser.run("document.querySelector('input[name=q]').form.submit()")
        found = "[...document.querySelectorAll('#search-results li a')].map((link) => link.pathname)"
        browser.wait(f"location.pathname.endsWith('/search.html') && {found}.length > 5")
        browser.wait(f"{found}.some((path) => path.endsWith('/domains/checkpoint.html'))")
        self.keep("search-young-daly")
        self.assert_quiet()

    def test_a_result_of_the_search_opens(self):
        browser = self.open(HTML / "search.html")
        browser.open((HTML / "search.html").as_uri() + "?q=young+daly")
        link = "[...document.querySelectorAll('#search-results li a')].find((one) => one.pathname.endsWith('/checkpoint.html'))"
        browser.wait(f"{link} !== undefined")
        browser.run(f"{link}.click()")
        browser.wait("location.pathname.endsWith('/checkpoint.html') && document.querySelector('h1') !== null")
        self.assertIn("checkpoint", browser.run("document.querySelector('h1').textContent"))

    def test_a_narrow_page_opens_its_contents(self):
        browser = self.open(HTML / "index.html", SIZES[1])
        browser.click("label[for=__navigation]")
        browser.wait("document.querySelector('.sidebar-drawer').getBoundingClientRect().left >= 0")
        self.assertIn("Domains", browser.run("document.querySelector('.sidebar-drawer').textContent"))
        self.keep("contents-420")


if __name__ == "__main__":
    FOLDER = Path(sys.argv[1]).resolve()
    HTML = FOLDER / "html"
    BROWSER = chrome.find()
    if BROWSER is None:
        print("site: skipped: no Chromium (./setup browser installs it)")
        sys.exit(SKIPPED)
    if not (HTML / "index.html").is_file():
        print(f"site: skipped: no {HTML}/index.html (the test docs builds it)")
        sys.exit(SKIPPED)
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
