"""Opens reports in a headless Chromium, as a user would: python3 report_test.py PROGRAM FOLDER [unittest options]"""

import base64
import csv
import sys
import time
import unittest
from pathlib import Path

import chrome
import png
from samples import make_charts, make_pictures, make_reports

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
    const data = [...document.querySelectorAll('svg path')].filter((one) => !one.closest('.legend')).map((one) => one.getBoundingClientRect());
    return [...document.querySelectorAll('.legend text')].filter((text) => {
        const own = text.getBoundingClientRect();
        return data.some((one) => own.left < one.right && own.right > one.left && own.top < one.bottom &&
            own.bottom > one.top);
    }).map((text) => text.textContent);
})()"""
MARKS = "document.querySelectorAll('#{chart} .only-wide svg {kind}').length"
LEAST_TEXT = ("Math.min(...[...document.querySelectorAll('{pictures} text')].filter((one) => one.getClientRects().length > 0).map("
              "(one) => parseFloat(getComputedStyle(one).fontSize) * Math.hypot(one.getScreenCTM().a, one.getScreenCTM().b)))")


class ReportTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.reports = make_reports(PROGRAM, FOLDER)
        cls.pictures = make_pictures(PROGRAM, FOLDER)
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

    def open(self, name, width=1366, height=768, scheme="light"):
        browser = self.browser
        browser.resize(width, height)
        browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.url = (self.reports[name] / "report.html").resolve().as_uri()
        browser.open(self.url)
        return browser

    def charts(self):
        return {chart["id"]: chart for chart in self.browser.run("JSON.parse(document.getElementById('charts').textContent)")}

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
                self.assertEqual(browser.run(MARKS.format(chart=chart, kind="[data-row] .mark")), rows)
        # Boxes: a whisker, a box, a median and a mean for each row.
        self.assertEqual(browser.run(MARKS.format(chart="boxes", kind="[data-row] > rect")), expected["boxes"])
        self.assertEqual(browser.run(MARKS.format(chart="boxes", kind="[data-row] > path")), 3 * expected["boxes"])
        # One line for each strategy and law.
        self.assertEqual(browser.run(MARKS.format(chart="lines", kind='> [data-series] > path[stroke-width="2"]')), 3 * 2)

    def test_boxes_whiskers_and_means_stand_in_one_line(self):
        browser = self.open("sweep")
        middles = browser.run("""[...document.querySelectorAll('#boxes .only-wide [data-row]')].map((row) =>
            [...row.querySelectorAll('path, rect')].map((mark) => {
                const box = mark.getBoundingClientRect();
                return box.x + box.width / 2;
            }))""")
        self.assertEqual({len(row) for row in middles}, {4})
        for row in middles:
            self.assertLess(max(row) - min(row), 1)

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
        self.assertEqual(browser.run(MARKS.format(chart="sizes-figure", kind='> [data-series] > path[stroke-width="2"]')), 2)
        self.assertEqual(browser.run(MARKS.format(chart="sizes-figure", kind="[data-row] .mark")), 2 * 3)
        # A dot for each of four numbers, on a band of its tolerance.
        self.assertEqual(len(charts["sizes-chart"]["rows"]), 4)
        self.assertEqual(browser.run(MARKS.format(chart="sizes-chart", kind="[data-row] .mark")), 4)
        self.assertEqual(browser.run(MARKS.format(chart="sizes-chart", kind="[data-row] > rect")), 4)
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

    def test_no_label_is_cut_or_lies_on_another(self):
        for width in (1366, 768, 420):
            for name in self.reports:
                browser = self.open(name, width, 800)
                with self.subTest(f"{name}, {width}"):
                    shown = browser.run("[...document.querySelectorAll('.chart')].map((one) => [...one.querySelectorAll('svg')]."
                                        "filter((svg) => svg.getBoundingClientRect().height > 60).length)")
                    self.assertEqual(set(shown), {1}, "one picture of each chart")
                    self.assertEqual(browser.run(CUT.format(pictures=".plot svg")), [])
                    self.assertEqual(browser.run(TOGETHER), [])
                    self.assertGreater(browser.run(LEAST_TEXT.format(pictures=".plot")), 8.5)
                    self.assertLessEqual(browser.run("document.documentElement.scrollWidth"), width)

    def test_charts_as_files_are_whole(self):
        files = make_charts(PROGRAM, FOLDER, self.reports["sweep"])
        self.assertEqual([file.stem for file in files], ["boxes", "ecdf", "heat", "lines", "ratios"])
        for file in files:
            self.browser.resize(1366, 800)
            self.browser.open(file.resolve().as_uri())
            with self.subTest(file.stem):
                self.assertEqual(self.browser.run(CUT.format(pictures="svg")), [])
                self.assertEqual(self.browser.run(TOGETHER), [])
                self.assertNotIn("var(", file.read_text())
                self.keep(f"file-{file.stem}")

    def test_pictures_are_whole_and_their_legends_off_the_data(self):
        browser = self.browser
        for name, picture in self.pictures.items():
            for width in (1366, 420):
                browser.resize(width, 800)
                browser.open(picture.resolve().as_uri())
                with self.subTest(f"{name}, {width}"):
                    self.assertEqual(browser.run(CUT.format(pictures="svg")), [])
                    self.assertGreater(browser.run(LEAST_TEXT.format(pictures="svg")), 6.5 if name == "survival" else 6)
                    title = browser.run("document.querySelector('text').textContent")
                    self.assertGreater(len(title), 10, "a title")
                    if name == "survival":
                        self.assertEqual(browser.run(OVER_DATA), [])
                        self.assertIn("95 % interval", browser.run("document.querySelector('.legend').textContent"))
                    self.keep(f"{name}-{width}")

    def test_axes_are_labelled_with_their_units(self):
        browser = self.open("sweep")
        titles = browser.run("[...document.querySelectorAll('#lines svg text')].map((t) => t.textContent)")
        self.assertIn("platform_age (d)", titles)
        self.assertTrue(any(title.startswith("makespan (") for title in titles), titles)

    def test_a_mark_tells_its_numbers(self):
        browser = self.open("first-look")
        browser.hover("""(() => {
            const mark = document.querySelector('#ratios .only-wide [data-row] .mark');
            mark.scrollIntoView({block: 'center'});
            const box = mark.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
        })()""", "!document.getElementById('tip').hidden")
        text = browser.run("document.getElementById('tip').textContent")
        for part in ("strategy", "geometric mean", "p90", "cells"):
            self.assertIn(part, text)

    def test_a_curve_tells_the_values_of_the_point_that_is_near(self):
        browser = self.open("sweep")
        browser.hover("""(() => {
            const line = document.querySelector('#ecdf .only-wide .curve path');
            line.scrollIntoView({block: 'center'});
            const at = line.getPointAtLength(line.getTotalLength() / 2).matrixTransform(line.getScreenCTM());
            return [at.x, at.y];
        })()""", "!document.getElementById('tip').hidden && document.querySelector('#ecdf .dot') !== null")
        self.assertIn("fraction of the cells", browser.run("document.getElementById('tip').textContent"))
        browser.run("dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape'}))")
        self.assertTrue(browser.run("document.getElementById('tip').hidden && !document.querySelector('.dot')"))

    def test_without_a_script_marks_have_titles(self):
        browser = self.open("first-look")
        title = browser.run("document.querySelector('#ratios .only-wide [data-row] > title').textContent")
        self.assertIn("geometric mean", title)

    def test_a_series_is_switched_off_by_its_name(self):
        browser = self.open("sweep")
        seen = ("[...new Set([...document.querySelectorAll('#boxes .only-wide [data-series] [data-row]')].filter((one) => "
                "one.getClientRects().length > 0).map((one) => one.closest('[data-series]').dataset.series))].sort()")
        self.assertEqual(browser.run(seen), ["0", "1", "2"])
        x, y = browser.run("""(() => {
            const name = document.querySelector("#boxes .only-wide .legend [data-series='1'] text");
            name.scrollIntoView({block: 'center'});
            const box = name.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
        })()""")
        for kind in ("mousePressed", "mouseReleased"):
            browser.mouse(kind, x, y, button="left", clickCount=1)
        browser.wait(f"{seen}.length === 2")
        self.assertEqual(browser.run(seen), ["0", "2"])
        entry = "document.querySelector('#boxes .only-wide .legend [data-series=\"1\"]')"
        self.assertEqual(browser.run(f"{entry}.getAttribute('aria-checked')"), "false")
        self.assertGreater(browser.run(f"{entry}.getClientRects().length"), 0)
        self.keep("switched-off")
        browser.run(f"{entry}.focus()")
        for kind in ("rawKeyDown", "keyUp"):
            browser.call("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", windowsVirtualKeyCode=13)
        browser.wait(f"{seen}.length === 3")

    def test_a_click_on_a_heading_sorts(self):
        browser = self.open("reproduction")
        column = ("[...document.querySelectorAll('#sizes table')].at(0).tBodies[0].rows.length && "
                  "[...[...document.querySelectorAll('#sizes table')][0].tBodies[0].rows].map((row) => "
                  "parseFloat(row.cells[0].textContent.replace(/\\s/g, '')))")
        before = browser.run(column)
        for wanted in (sorted(before), sorted(before, reverse=True), before):
            browser.click("#sizes table thead th")
            browser.wait(f"JSON.stringify({column}) === JSON.stringify({wanted})")
        browser.click("#sizes table thead th")
        self.assertEqual(browser.run("document.querySelector('#sizes table thead th').getAttribute('aria-sort')"), "ascending")

    def test_data_stand_behind_a_click(self):
        browser = self.open("first-look")
        for chart in self.charts().values():
            browser.click(f"#{chart['id']} details summary")
            browser.wait(f"document.querySelector('#{chart['id']} details table') !== null")
            self.assertEqual(browser.run(f"document.querySelectorAll('#{chart['id']} tbody tr').length"),
                             len(chart["rows"]))

    def save(self, browser, figure, kinds):
        folder = FOLDER / "saved"
        folder.mkdir(exist_ok=True)
        browser.call("Page.setDownloadBehavior", behavior="allow", downloadPath=str(folder.resolve()))
        files = {kind: folder / f"{figure}.{kind}" for kind in kinds}
        for kind, file in files.items():
            file.unlink(missing_ok=True)
            browser.run(f"[...document.querySelectorAll('#{figure} button')].find((b) => b.textContent === '{kind.upper()}').click()")
        end = time.monotonic() + chrome.PATIENCE
        while not all(file.is_file() for file in files.values()) and time.monotonic() < end:
            browser.run("0")
            time.sleep(0.1)
        return {kind: file.read_bytes() for kind, file in files.items()}

    def test_charts_are_saved(self):
        browser = self.open("first-look", scheme="dark")
        made = self.save(browser, "ratios", ("svg", "png", "csv"))
        self.assertEqual(browser.complaints(), [])
        svg = made["svg"].decode()
        self.assertTrue(svg.startswith("<svg"))
        # On white, and in the colours of light pages, whatever this one looks like.
        self.assertIn("#ffffff", svg)
        self.assertIn("#0072B2", svg)
        self.assertNotIn("var(", svg)
        self.assertEqual(browser.run("document.documentElement.dataset.theme ?? ''"), "")
        width, _, channels, rows = png.pixels(made["png"], most=1)
        self.assertEqual(width, 2 * browser.run("document.querySelector('#ratios .only-wide svg').viewBox.baseVal.width"))
        self.assertEqual(rows[0][:channels], b"\xff" * channels)
        self.assertGreater(len(made["png"]), 10_000, "a blank picture")
        chart = self.charts()["ratios"]
        rows = list(csv.reader(made["csv"].decode().splitlines()))
        self.assertEqual(rows[0], chart["columns"])
        self.assertEqual([[cell if isinstance(cell, str) else float(cell) for cell in row] for row in chart["rows"]],
                         [[cell if isinstance(known, str) else float(cell) for cell, known in zip(row, seen)]
                          for row, seen in zip(rows[1:], chart["rows"])])

    def test_a_picture_of_a_schedule_is_saved(self):
        browser = self.open("reproduction")
        made = self.save(browser, "fig-7-1-schedule-1", ("svg", "png"))
        self.assertIn(b"rate (B/s)", made["svg"])
        self.assertGreater(len(made["png"]), 10_000, "a blank picture")

    def test_the_answer_is_seen_first(self):
        for width, height in ((1366, 768), (420, 800)):
            browser = self.open("first-look", width, height)
            with self.subTest(width):
                # The sentences and the command, without scrolling; on a laptop the whole table too, and where the picture begins.
                for selector in (".answer:last-of-type", ".command", *(("#answer .tabled",) if width > 1000 else ())):
                    self.assertLess(browser.run(f"document.querySelector('{selector}').getBoundingClientRect().bottom"),
                                    height, selector)
                if width > 1000:
                    self.assertLess(browser.run("document.querySelector('#answer svg').getBoundingClientRect().top"), height)
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

    def test_charts_are_light_and_dark(self):
        seen = {}
        ink = "[...document.querySelectorAll('#ratios .only-wide text')].map((one) => getComputedStyle(one).fill)"
        for scheme in ("light", "dark"):
            for width, height in ((1366, 768), (420, 800)):
                browser = self.open("first-look", width, height, scheme)
                self.assertEqual(browser.complaints(), [])
                seen[scheme] = browser.run(ink)
                self.keep(f"first-look-{width}-{scheme}")
        self.assertIn("rgb(26, 28, 31)", seen["light"])
        self.assertIn("rgb(232, 234, 237)", seen["dark"])
        self.assertNotIn("rgb(26, 28, 31)", seen["dark"])
        browser.click("#theme")
        browser.wait(f"{ink}.includes('rgb(26, 28, 31)')")
        self.assertEqual(browser.run("document.documentElement.dataset.theme"), "light")

    def test_paper_is_light(self):
        ink = "getComputedStyle(document.querySelector('#ratios .only-wide text')).fill"
        browser = self.open("first-look", scheme="dark")
        dark = browser.run(ink)
        for theme in ("", "dark"):
            browser.run(f"document.documentElement.dataset.theme = '{theme}'")
            self.assertEqual(browser.run(ink), dark)
            browser.call("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
            browser.wait(f"{ink} !== '{dark}'")
            self.assertEqual(browser.run("getComputedStyle(document.body).color"), "rgb(26, 28, 31)")
            browser.call("Emulation.setEmulatedMedia", media="", features=[{"name": "prefers-color-scheme", "value": "dark"}])

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
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
