"""Opens the page that computes in a headless Chromium: python3 web_test.py PROGRAM PAGE [unittest options]. What it answers is what the
program prints, byte for byte."""

import base64
import gzip
import json
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

import chrome

SKIPPED = 77  # ctest's word for it is in tests/CMakeLists.txt
MOST_PACKED = 1.8e6  # bytes
MOST_SECONDS = 0.5   # until the first answer, on the machine of a test
JOB = "--processors 2000 --mtbf 5y --checkpoint 10min --recovery 10min --work 5d"
AGED = f"{JOB} --distribution weibull --shape 0.7 --platform-age 30d"
# Questions of the panels, and some at their edges.
QUESTIONS = [
    f"checkpoint plan {JOB}",
    f"checkpoint plan {AGED}",
    f"checkpoint plan {JOB} --distribution gamma --shape 0.5 --platform-age 2y",
    "checkpoint plan --processors 1 --mtbf 8h --checkpoint 5min --work 24h",
    "checkpoint plan --processors 100000 --mtbf 1h --checkpoint 2h --work 60d",
    f"checkpoint simulate {JOB} --scenarios 200 --strategy next-step,young-daly,fixed:1h",
    f"checkpoint simulate {AGED} --scenarios 200 --strategy next-step,young-daly,fixed:1h",
    f"checkpoint simulate {AGED} --scenarios 20 --seed 7",
    f"checkpoint simulate {JOB} --scenarios 200 --strategy fixed:1800s,fixed:3600s,fixed:7200s,fixed:14400s",
    "checkpoint spares --processors 360 --mtbf 241d --repair 6d --target 0.99 --checkpoint 1min --recovery 15min",
    "moldable simulate --scenarios 20 --strategy rolling,lpa,min-time --model amdahl --jobs 40 --processors 64 --error-rate 1e-7",
    "moldable simulate --scenarios 5 --model communication --jobs 100 --processors 1000",
    f"checkpoint optimum {JOB} --strategies next-step,young-daly",
]
REFUSED = {
    "checkpoint plan --mtbf 8parsec --checkpoint 5min --work 24h": "--mtbf",
    "checkpoint plan --checkpoint 5min --work 24h": "",
    "checkpoint plan --mtbf -1h --checkpoint 5min --work 24h": "--mtbf",
}


class WebTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = chrome.Browser(BROWSER)
        cls.addClassCleanup(cls.browser.close)

    def open(self, state="", width=1366, height=900, scheme="light"):
        self.browser.resize(width, height)
        self.browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.browser.open("about:blank")  # so that another state is another load
        self.browser.open(PAGE.as_uri() + state)
        self.done()
        return self.browser

    def done(self):
        self.browser.wait("document.documentElement.dataset.done === location.hash && location.hash !== ''")

    def keep(self, name):
        self.browser.run("scrollTo(0, 0)")
        height = self.browser.run("document.documentElement.scrollHeight")
        data = self.browser.screenshot(captureBeyondViewport=True, clip={
            "x": 0, "y": 0, "width": self.browser.run("innerWidth"), "height": height, "scale": 1})
        (PAGE.parent / f"{name}.png").write_bytes(base64.b64decode(data))

    def test_answers_are_those_of_the_program(self):
        self.open()
        for question in QUESTIONS:
            with self.subTest(question):
                reply = self.browser.run(f"holdfast.ask({json.dumps({'words': question.split()})})")
                self.assertNotIn("error", reply)
                self.assertEqual(reply["json"], printed(question))

    def test_refusals_are_those_of_the_program(self):
        self.open()
        for question, place in REFUSED.items():
            with self.subTest(question):
                reply = self.browser.run(f"holdfast.ask({json.dumps({'words': question.split()})})")
                self.assertTrue(reply["error"].startswith(place), reply["error"])
                said = subprocess.run([PROGRAM, *question.split()], capture_output=True, text=True).stderr
                self.assertIn(reply["error"], said)

    def test_commands_that_are_shown_give_what_is_shown(self):
        browser = self.open("#checkpoint?distribution=weibull&shape=0.7&platform-age=30d&processors=4096")
        commands = browser.run("[...document.querySelectorAll('.command code')].map((one) => one.textContent)")
        self.assertEqual(len(commands), 4)
        for command in commands:
            program, *words = re.sub(r" --schedule \S+", "", command).split()
            self.assertEqual(program, "holdfast")
            reply = browser.run(f"holdfast.ask({json.dumps({'words': words})})")
            self.assertEqual(reply["json"], printed(" ".join(words)))
        first = browser.run("document.getElementById('verdict').textContent")
        self.assertEqual(first.lower(), json.loads(printed(commands[0].removeprefix("holdfast ")))["verdict"][0].lower())

    def test_every_panel_answers_as_its_command_does(self):
        names = self.open().run("[...document.querySelectorAll('#panels a')].map((one) => one.hash)")
        self.assertEqual(names, ["#checkpoint", "#spares", "#machine", "#moldable"])
        for name in names:
            with self.subTest(name):
                browser = self.open(name)
                said, command = browser.run("[document.getElementById('verdict').textContent, document.querySelector('.command code').textContent]")
                answer = json.loads(subprocess.run(["bash", "-c", f"{command} --json"], check=True, capture_output=True, text=True,
                                                   env={**os.environ, "PATH": f"{Path(PROGRAM).resolve().parent}:{os.environ['PATH']}"}).stdout)
                self.assertIn(said.lower(), [line.lower() for line in answer["verdict"]])
                self.assertEqual(browser.run("document.querySelectorAll('.warning, .busy').length"), 0)

    def test_a_state_is_a_link(self):
        browser = self.open("#checkpoint?mtbf=1y&processors=64")
        self.assertEqual(browser.run("document.getElementById('input-mtbf').value"), "1y")
        browser.run("""(() => { const text = document.getElementById('input-processors');
            text.value = '4096'; text.dispatchEvent(new Event('input')); })()""")
        self.done()
        link, said = browser.run("[location.hash, document.getElementById('verdict').textContent]")
        self.assertIn("processors=4096", link)
        self.open(link)
        self.assertEqual(browser.run("document.getElementById('verdict').textContent"), said)

    def test_sliders_and_keys(self):
        browser = self.open()
        before = browser.run("document.getElementById('verdict').textContent")
        browser.run("document.querySelector('#input-mtbf + input').focus()")
        for _ in range(5):
            for kind in ("keyDown", "keyUp"):
                browser.call("Input.dispatchKeyEvent", type=kind, key="PageDown", code="PageDown", windowsVirtualKeyCode=34)
        self.done()
        self.assertNotEqual(browser.run("document.getElementById('verdict').textContent"), before)
        self.assertIn("mtbf=", browser.run("location.hash"))
        self.assertNotIn("mtbf=5y", browser.run("location.hash"))

    def test_what_is_wrong_is_said_at_its_place(self):
        browser = self.open("#checkpoint?mtbf=8parsec")
        self.assertIn("--mtbf", browser.run("document.getElementById('verdict').textContent"))
        self.assertEqual(browser.run("document.querySelectorAll('.input.wrong #input-mtbf').length"), 1)
        self.assertTrue(browser.run("[...document.querySelectorAll('#parts section')].slice(1).every((one) => one.hidden)"))

    def test_nothing_leaves_the_page_and_the_console_is_silent(self):
        browser = self.open()
        self.assertEqual(browser.complaints(), [])
        self.assertEqual([url for url in browser.requests() if not url.startswith(("file:", "blob:", "data:"))], [])
        policy = re.search(r'Content-Security-Policy" content="([^"]*)"', PAGE.read_text(encoding="utf-8"))[1]
        self.assertTrue(policy.startswith("default-src 'none';"))
        self.assertNotIn("unsafe-inline", policy)
        self.assertNotIn("http", policy)

    def test_the_first_answer_comes_at_once(self):
        times = []
        for _ in range(5):
            self.open()
            times.append(self.browser.run("performance.getEntriesByName('answered')[0].startTime"))
        print(f"first answer after {', '.join(f'{time:.0f}' for time in times)} ms")
        self.assertLess(sorted(times)[len(times) // 2], 1000 * MOST_SECONDS)
        self.assertLess(len(gzip.compress(PAGE.read_bytes(), 9)), MOST_PACKED)

    def test_it_fits_a_phone_in_light_and_dark(self):
        for scheme in ("light", "dark"):
            for width in (1366, 420):
                with self.subTest(f"{width} {scheme}"):
                    browser = self.open("", width, 900, scheme)
                    self.assertLessEqual(browser.run("document.documentElement.scrollWidth"), width)
                    self.assertLess(browser.run("document.getElementById('verdict').getBoundingClientRect().bottom"), 300)
                    self.assertEqual(browser.run("document.querySelectorAll('#parts section svg').length"), 2)
                    self.keep(f"page-{width}-{scheme}")

    def test_everything_has_a_name(self):
        nodes = self.open().call("Accessibility.getFullAXTree")["nodes"]
        roles = {"textbox", "slider", "combobox", "button", "link"}
        found = [node for node in nodes if node.get("role", {}).get("value") in roles]
        self.assertGreater(len(found), 10)
        self.assertEqual([node for node in found if not node.get("name", {}).get("value")], [])


def printed(question):
    """What the program prints."""
    done = subprocess.run([PROGRAM, *question.split(), "--json"], capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


if __name__ == "__main__":
    PROGRAM, PAGE = sys.argv[1], Path(sys.argv[2]).resolve()
    BROWSER = chrome.find()
    if BROWSER is None:
        print("web: skipped: found no Chromium; ./setup web installs it")
        sys.exit(SKIPPED)
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
