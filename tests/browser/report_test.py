"""Opens reports in a headless Chromium, as a user would: python3 report_test.py PROGRAM FOLDER [unittest options]"""

import base64
import sys
import time
import unittest
from pathlib import Path

import chrome
import png
from samples import make_pictures, make_reports, make_still

SKIPPED = 77  # ctest's word for it is in tests/CMakeLists.txt
# Texts of pictures that reach beyond their picture, or end in an ellipsis.
CUT = """[...document.querySelectorAll('{pictures}')].flatMap((picture) => {{
    const box = picture.getBoundingClientRect();
    return [...picture.querySelectorAll('text')].filter((text) => {{
        const own = text.getBoundingClientRect();
        const isOutside = own.left < box.left - 1 || own.right > box.right + 1 ||
            own.top < box.top - 1 || own.bottom > box.bottom + 1;
        return own.width > 0 && (isOutside || text.textContent.endsWith('\u2026'));
    }}).map((text) => text.textContent);
}})"""
# Labels of one picture that lie on each other.
TOGETHER = """[...document.querySelectorAll('svg')].flatMap((picture) => {
    const texts = [...picture.querySelectorAll('text')].filter((one) => one.getClientRects().length > 0 &&
        !one.closest('[transform*="rotate"]')).map((one) => [one.textContent, one.getBoundingClientRect()]);
    const over = ([, a], [, b]) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3;
    return texts.flatMap((one, i) => texts.slice(i + 1).filter((other) => over(one, other)).map((other) => [one[0], other[0]]));
})"""
# Entries of a legend that lie on a curve or a dot.
OVER_DATA = """(() => {
    const data = [...document.querySelectorAll('svg > path, svg > circle')].map((one) => one.getBoundingClientRect());
    return [...document.querySelectorAll('.legend text')].filter((text) => {
        const own = text.getBoundingClientRect();
        return data.some((one) => own.left < one.right && own.right > one.left && own.top < one.bottom &&
            own.bottom > one.top);
    }).map((text) => text.textContent);
})()"""
MARKS = "document.querySelectorAll('#{chart} svg g.{kind}.role-mark > path').length"


class PageTest(unittest.TestCase):
    """A browser, and what the tests of both kinds of page do with it."""

    @classmethod
    def setUpClass(cls):
        cls.reports = make_reports(PROGRAM, FOLDER)
        cls.browser = chrome.Browser(BROWSER)
        cls.addClassCleanup(cls.browser.close)

    def keep(self, name):
        """The window as a picture: kept beside the reports, and known not to be blank."""
        data = base64.b64decode(self.browser.screenshot())
        (FOLDER / f"{name}.png").write_bytes(data)
        width, height, top = self.browser.run("[innerWidth, innerHeight, scrollY]")
        small = base64.b64decode(self.browser.screenshot(
            clip={"x": 0, "y": top, "width": width, "height": height, "scale": 0.25}))
        self.assertGreater(png.colors(small), 12, f"{name}: a blank picture")


class StillTest(PageTest):
    """Pages whose charts no script draws, and charts as files: with the chart library or without it."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.still = make_still(PROGRAM, FOLDER, cls.reports)

    def open_still(self, name, width=1366, height=768, scheme="light"):
        browser = self.browser
        browser.resize(width, height)
        browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.addCleanup(browser.call, "Emulation.setEmulatedMedia", features=[])
        self.url = self.still[name].resolve().as_uri()
        browser.open(self.url)
        return browser

    def test_charts_show_the_same_and_nothing_is_cut(self):
        for name, marks in (("first-look", None), ("sweep", {"ratios": 3 * 2 * 2, "boxes": 3 * 3 * 2, "lines": 3 * 3 * 2,
                                                             "heat": 3 * 3 * 2})):
            for width, height in ((1366, 768), (420, 800)):
                browser = self.open_still(name, width, height)
                with self.subTest(f"{name}, {width}"):
                    self.assertEqual(browser.complaints(), [])
                    shown = browser.run("[...document.querySelectorAll('.chart')].map((one) => [...one.querySelectorAll('svg')]."
                                        "filter((svg) => svg.getBoundingClientRect().height > 100).length)")
                    self.assertEqual(set(shown), {1}, "one picture of each chart")
                    self.assertEqual(browser.run(CUT.format(pictures=".plot svg")), [])
                    self.assertEqual(browser.run(TOGETHER), [])
                    self.assertLessEqual(browser.run("document.documentElement.scrollWidth"), width)
                    least = browser.run("Math.min(...[...document.querySelectorAll('.plot svg text')].filter((one) => "
                                        "one.getClientRects().length > 0).map((one) => "
                                        "parseFloat(getComputedStyle(one).fontSize) * "
                                        "Math.hypot(one.getScreenCTM().a, one.getScreenCTM().b)))")
                    self.assertGreater(least, 8.5)
                    place = ".only-wide" if width > 700 else ".only-narrow"
                    for chart, count in (marks or {}).items():
                        found = browser.run(f"document.querySelectorAll('#{chart} {place} svg > .mark').length")
                        self.assertEqual(found, count, chart)
                    self.assertIn("still pictures", browser.run("document.querySelector('#answer').textContent"))
                    self.keep(f"{name}-still-{width}")

    def test_charts_are_light_and_dark(self):
        seen = {}
        for scheme in ("light", "dark"):
            browser = self.open_still("first-look", scheme=scheme)
            seen[scheme] = browser.run("[...document.querySelectorAll('#ratios .only-wide text')].map((one) => "
                                       "getComputedStyle(one).fill)")
            self.keep(f"first-look-still-{scheme}")
        self.assertIn("rgb(26, 28, 31)", seen["light"])
        self.assertIn("rgb(232, 234, 237)", seen["dark"])
        self.assertNotIn("rgb(26, 28, 31)", seen["dark"])
        browser.click("#theme")
        browser.wait("getComputedStyle(document.querySelector('#ratios .only-wide text')).fill !== 'rgb(163, 173, 185)'")
        self.assertEqual(browser.run("document.documentElement.dataset.theme"), "light")

    def test_charts_as_files_are_whole(self):
        files = sorted((FOLDER / "sweep-charts").glob("*.svg"))
        self.assertEqual([file.stem for file in files], ["boxes", "ecdf", "heat", "lines", "ratios"])
        for file in files:
            self.browser.resize(1366, 800)
            self.browser.open(file.resolve().as_uri())
            with self.subTest(file.stem):
                self.assertEqual(self.browser.run(CUT.format(pictures="svg")), [])
                self.assertEqual(self.browser.run(TOGETHER), [])
                self.assertNotIn("var(", file.read_text())
                self.keep(f"file-{file.stem}")


class ReportTest(PageTest):
    @classmethod
    def setUpClass(cls):
        if "vega" not in (make_reports(PROGRAM, FOLDER)["sweep"] / "report.html").read_text():
            raise unittest.SkipTest("skipped: the program was built without charts (setup installs npm)")
        super().setUpClass()
        cls.pictures = make_pictures(PROGRAM, FOLDER)

    def open(self, name, width=1366, height=768):
        browser = self.browser
        browser.resize(width, height)
        self.url = (self.reports[name] / "report.html").resolve().as_uri()
        browser.open(self.url)
        browser.run("holdfastReport.drawAll()")
        browser.wait("[...document.querySelectorAll('.plot')].every((plot) => plot.querySelector('svg'))")
        return browser

    def charts(self):
        return {chart["id"]: chart for chart in self.browser.run("holdfastReport.charts")}

    def test_nothing_leaves_the_page_and_the_console_is_silent(self):
        for name in self.reports:
            with self.subTest(name):
                browser = self.open(name)
                self.assertEqual(browser.complaints(), [])
                self.assertEqual([url for url in browser.requests() if url != self.url and not url.startswith("data:")],
                                 [])

    def test_every_row_has_its_mark(self):
        browser = self.open("sweep")
        charts = self.charts()
        self.assertEqual(sorted(charts), ["boxes", "ecdf", "heat", "lines", "ratios"])
        expected = {"ratios": 3 * 2 * 2, "boxes": 3 * 3 * 2, "lines": 3 * 3 * 2, "heat": 3 * 3 * 2}
        for chart, rows in expected.items():
            with self.subTest(chart):
                self.assertEqual(len(charts[chart]["rows"]), rows)
                kind = "mark-rect" if chart == "heat" else "mark-symbol"
                self.assertEqual(browser.run(MARKS.format(chart=chart, kind=kind)), rows)
        # Boxes: a whisker, a box and a tick for each row.
        self.assertEqual(browser.run(MARKS.format(chart="boxes", kind="mark-rect")), 2 * expected["boxes"])
        # One line for each strategy and law.
        self.assertEqual(browser.run(MARKS.format(chart="lines", kind="mark-line")), 3 * 2)

    def test_boxes_whiskers_and_means_stand_in_one_line(self):
        browser = self.open("sweep")
        middles = browser.run("""(() => {
            const of = (kind) => [...document.querySelectorAll(`#boxes svg g.${kind}.role-mark`)].map((group) =>
                [...group.querySelectorAll('path, line')].map((mark) => {
                    const box = mark.getBoundingClientRect();
                    return box.x + box.width / 2;
                }));
            return [...of('mark-rect'), ...of('mark-symbol'), ...of('mark-rule').filter((group) => group.length > 1)];
        })()""")
        # Per law: boxes, medians, means and whiskers of 3 strategies at 3 ages.
        self.assertEqual({len(group) for group in middles}, {9})
        self.assertEqual(len(middles), 2 * 4)
        middles.sort(key=lambda group: group[0])
        for law in (middles[:4], middles[4:]):
            for group in law[1:]:
                for one, other in zip(law[0], group):
                    self.assertAlmostEqual(one, other, delta=1)

    def test_the_table_of_the_answer_is_seen_whole(self):
        for name in ("first-look", "sweep"):
            browser = self.open(name)
            self.assertLessEqual(*browser.run("""(() => {
                const wide = document.querySelector('#answer .wide');
                return [wide.scrollWidth, wide.clientWidth];
            })()"""))

    def test_a_reproduction_has_its_charts_and_pictures(self):
        browser = self.open("reproduction")
        charts = self.charts()
        self.assertEqual(len(charts["sizes-figure"]["rows"]), 2 * 3)
        self.assertEqual(browser.run(MARKS.format(chart="sizes-figure", kind="mark-line")), 2)
        self.assertEqual(browser.run(MARKS.format(chart="sizes-figure", kind="mark-symbol")), 2 * 3)
        # A dot for each of four numbers, on a band of its tolerance.
        self.assertEqual(len(charts["sizes-chart"]["rows"]), 4)
        self.assertEqual(browser.run(MARKS.format(chart="sizes-chart", kind="mark-symbol")), 4)
        self.assertEqual(browser.run(MARKS.format(chart="sizes-chart", kind="mark-rect")), 4)
        pictures = browser.run("[...document.querySelectorAll('.picture')].map((one) => [one.id, "
                               "one.querySelectorAll('svg rect').length, one.querySelector('code').textContent])")
        self.assertEqual([one[0] for one in pictures], ["cosched-fig-1-schedule-1", "fig-2-5-schedule-1",
                                                        "fig-2-5-schedule-2", "fig-7-1-schedule-1"])
        for _, bars, command in pictures:
            self.assertRegex(command, "^holdfast .* simulate .*--schedule figure.svg$")
        for _, bars, _ in pictures[1:]:
            self.assertGreater(bars, 15)
        # Who holds how many processors over time.
        self.assertEqual(browser.run("[...document.querySelectorAll('#cosched-fig-1-schedule-1 path title')].map("
                                     "(title) => title.textContent)"),
                         ["T2: up to 4", "T1: up to 6", "T3: up to 10"])
        # Rates of both schedules, over time.
        self.assertEqual(browser.run("[...document.querySelectorAll('#fig-7-1-schedule-1 svg text')].filter("
                                     "(text) => text.textContent === 'rate (B/s)').length"), 2)

    def test_a_reproduction_says_what_is_out(self):
        browser = self.open("reproduction")
        self.assertIn("1 out of tolerance", browser.run("document.querySelector('.answer').textContent"))
        self.assertIn("makespan by <size>", browser.run("document.body.textContent"))

    def test_what_is_off_is_one_click_from_the_top(self):
        browser = self.open("reproduction", 420, 800)
        links = browser.run("[...document.querySelectorAll('#answer tbody a')].map((one) => one.getAttribute('href'))")
        self.assertEqual(links, ["#sizes-number-1"])
        browser.click("#answer tbody a")
        browser.wait("location.hash === '#sizes-number-1'")
        self.assertEqual(browser.run("document.querySelector('tr:target td:last-child').textContent"), "OUT")
        browser.wait("(() => { const box = document.querySelector('tr:target').getBoundingClientRect();"
                     " return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight; })()")

    def test_no_label_is_cut(self):
        for width in (1366, 420):
            for name in self.reports:
                browser = self.open(name, width, 800)
                with self.subTest(f"{name}, {width}"):
                    self.assertEqual(browser.run(CUT.format(pictures=".plot svg")), [])

    def test_pictures_are_whole_and_their_legends_off_the_data(self):
        browser = self.browser
        for name, picture in self.pictures.items():
            for width in (1366, 420):
                browser.resize(width, 800)
                browser.open(picture.resolve().as_uri())
                with self.subTest(f"{name}, {width}"):
                    self.assertEqual(browser.run(CUT.format(pictures="svg")), [])
                    least = browser.run("Math.min(...[...document.querySelectorAll('text')].map((one) => "
                                        "parseFloat(getComputedStyle(one).fontSize) * "
                                        "Math.hypot(one.getScreenCTM().a, one.getScreenCTM().b)))")
                    self.assertGreater(least, 6.5 if name == "survival" else 6)
                    title = browser.run("document.querySelector('text').textContent")
                    self.assertGreater(len(title), 10, "a title")
                    if name == "survival":
                        self.assertEqual(browser.run(OVER_DATA), [])
                        self.assertIn("95 % interval", browser.run("document.querySelector('.legend').textContent"))
                    self.keep(f"{name}-{width}")

    def test_axes_are_labelled_with_their_units(self):
        browser = self.open("sweep")
        titles = browser.run("[...document.querySelectorAll('#lines svg .role-axis-title text')].map((t) => t.textContent)")
        self.assertIn("platform_age (d)", titles)
        self.assertTrue(any(title.startswith("makespan (") for title in titles), titles)

    def test_a_mark_tells_its_numbers(self):
        browser = self.open("first-look")
        x, y = browser.run("""(() => {
            const mark = document.querySelector('#ratios svg g.mark-symbol.role-mark > path');
            mark.scrollIntoView({block: 'center'});
            const box = mark.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
        })()""")
        for step in (3, 0):
            browser.mouse("mouseMoved", x + step, y)
        browser.wait("!document.getElementById('tip').hidden")
        text = browser.run("document.getElementById('tip').textContent")
        for part in ("strategy", "geometric mean", "p90", "cells"):
            self.assertIn(part, text)

    def test_data_stand_behind_a_click(self):
        browser = self.open("first-look")
        for chart in self.charts().values():
            browser.click(f"#{chart['id']} details summary")
            browser.wait(f"document.querySelector('#{chart['id']} details table') !== null")
            self.assertEqual(browser.run(f"document.querySelectorAll('#{chart['id']} tbody tr').length"),
                             len(chart["rows"]))

    def test_charts_are_saved(self):
        browser = self.open("first-look")
        folder = FOLDER / "saved"
        folder.mkdir(exist_ok=True)
        browser.call("Page.setDownloadBehavior", behavior="allow", downloadPath=str(folder.resolve()))
        starts = {"svg": b"<svg", "png": b"\x89PNG", "csv": b"platform_age"}
        for kind in starts:
            (folder / f"ratios.{kind}").unlink(missing_ok=True)
            browser.run(f"[...document.querySelectorAll('#ratios button')].find((b) => b.textContent === '{kind.upper()}').click()")
        end = time.monotonic() + chrome.PATIENCE
        while not all((folder / f"ratios.{kind}").is_file() for kind in starts) and time.monotonic() < end:
            browser.run("0")
            time.sleep(0.1)
        for kind, start in starts.items():
            self.assertTrue((folder / f"ratios.{kind}").read_bytes().startswith(start), kind)

    def test_the_answer_is_seen_first(self):
        for width, height in ((1366, 768), (420, 800)):
            browser = self.open("first-look", width, height)
            with self.subTest(width):
                # The sentences and the command, without scrolling; on a laptop the picture too.
                for selector in (".answer:last-of-type", ".command", *(("#answer svg",) if width > 1000 else ())):
                    self.assertLess(browser.run(f"document.querySelector('{selector}').getBoundingClientRect().bottom"),
                                    height, selector)
                self.assertLessEqual(browser.run("document.documentElement.scrollWidth"), width)
            self.keep(f"first-look-{width}")
            for name in ("sweep", "reproduction"):
                self.open(name, width, height)
                self.assertLessEqual(browser.run("document.documentElement.scrollWidth"), width)
                self.keep(f"{name}-{width}")
            browser.run("document.querySelector('#fig-7-1-schedule-1').scrollIntoView()")
            self.keep(f"picture-{width}")

    def test_dark_is_one_key_away(self):
        browser = self.open("first-look")
        browser.run("document.getElementById('theme').focus()")
        for kind in ("rawKeyDown", "keyUp"):
            browser.call("Input.dispatchKeyEvent", type=kind, key=" ", code="Space", windowsVirtualKeyCode=32)
        browser.wait("document.documentElement.dataset.theme === 'dark'")
        browser.wait("getComputedStyle(document.body).backgroundColor === 'rgb(21, 24, 28)'")
        self.keep("first-look-dark")

    def test_paper_is_light(self):
        browser = self.open("first-look")
        ink = "document.querySelector('#ratios svg .role-axis-label text').getAttribute('fill')"
        browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        browser.wait(f"{ink} === '#e8eaed'")
        # What is drawn again has to be there when the event has been handled: printing waits for nothing else.
        browser.run("dispatchEvent(new Event('beforeprint'))")
        self.assertEqual(browser.run(ink), "#1a1c1f")
        self.assertEqual(browser.run("getComputedStyle(document.body).color"), "rgb(26, 28, 31)")
        browser.run("dispatchEvent(new Event('afterprint'))")
        browser.wait(f"{ink} === '#e8eaed'")
        browser.call("Emulation.setEmulatedMedia", features=[])

    def test_a_screen_reader_finds_names(self):
        for name, title in (("sweep", "a sweep over <ages> & processors"),
                            ("reproduction", "4 published tables and figures, reproduced")):
            with self.subTest(name):
                self.names_of(self.open(name), title)

    def names_of(self, browser, title):
        unnamed = browser.run("""[...document.querySelectorAll('button, figure, section, svg')].filter((element) =>
            !element.getAttribute('aria-label') && !element.getAttribute('aria-labelledby') &&
            !element.textContent.trim()).length""")
        self.assertEqual(unnamed, 0)
        self.assertEqual(browser.run("document.querySelector('h1').textContent"), title)
        self.assertEqual(browser.run("document.documentElement.lang"), "en")


if __name__ == "__main__":
    PROGRAM, FOLDER = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    BROWSER = chrome.find()
    if BROWSER is None:
        print("report: skipped: no Chromium (setup installs it)")
        sys.exit(SKIPPED)
    outcome = unittest.main(argv=[sys.argv[0], *sys.argv[3:]], exit=False).result
    for _, reason in outcome.skipped:
        print(reason)
    sys.exit(not outcome.wasSuccessful())
