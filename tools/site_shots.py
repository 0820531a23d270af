"""Pictures of whole pages, as a reader sees them at the width of a desk and of a phone, on light and on dark: taken by a headless
Chromium when the documentation site is built."""

import base64
import os
import shutil
import subprocess
import sys

from page_commands import folder_for_commands

WIDTHS = {1366: 0.6, 420: 1.0}  # pixels of a window, and the scale of its picture
SCHEMES = ("light", "dark")
TALLEST = 3600  # pixels of a page that are shown
REFRESH = '<meta http-equiv="refresh" content="2">'


def _chrome(root):
    """The browser that tests use, too; None where there is no Chromium."""
    folder = str(root / "tests/browser")
    if folder not in sys.path:
        sys.path.append(folder)
    import chrome
    return chrome if chrome.find() else None


def name_of(item, width, scheme):
    return f"{item['name']}-{width}-{scheme}.png"


def run_script(root, program, item, folder):
    """The page that lines of a shell leave: of programs that run for a while, so that it differs from one time to the next. Returns a
    problem, or None."""
    with folder_for_commands(root) as place:
        os.symlink(root / "tests", place / "tests")
        (place / "bin").mkdir()
        os.symlink(program, place / "bin/holdfast")
        environment = {**os.environ, "PATH": f"{place / 'bin'}:{os.environ['PATH']}"}
        done = subprocess.run(["bash", "-c", "\n".join(item["script"])], cwd=place, env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True)
        page = place / item["report"]
        if not page.is_file():
            return f"gallery: {item['name']}: {item['report']} is not there: {done.stderr.strip()}"
        (folder / f"{item['name']}.html").write_text(page.read_text(encoding="utf-8").replace(REFRESH, ""), encoding="utf-8")
    return None


def take(root, program, items, pages, folder):
    """Takes the pictures of the items that make a page; `pages` is the folder of those that were drawn. Returns problems, and whether
    there is a browser."""
    chrome = _chrome(root)
    folder.mkdir(parents=True, exist_ok=True)
    if chrome is None:
        return [], False
    problems = []
    browser = chrome.Browser(chrome.find())
    try:
        for item in items:
            if "script" in item:
                problem = run_script(root, program, item, folder)
                if problem:
                    problems.append(problem)
                    continue
            else:
                shutil.copyfile(pages / f"{item['name']}.html", folder / f"{item['name']}.html")
            _shoot(browser, folder / f"{item['name']}.html", item, folder)
    finally:
        browser.close()
    return problems, True


def _shoot(browser, page, item, folder):
    for width, scale in WIDTHS.items():
        for scheme in SCHEMES:
            browser.resize(width, 900)
            browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            browser.open(page.as_uri())
            height = min(TALLEST, browser.run("document.documentElement.scrollHeight"))
            browser.resize(width, height)
            clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": scale}
            (folder / name_of(item, width, scheme)).write_bytes(base64.b64decode(browser.screenshot(clip=clip)))


def table(item, pictures):
    """The pictures of an item in Markdown; `pictures` is their folder, as links of the page name it."""
    lines = ["| window | light | dark |", "|---|---|---|"]
    for width in WIDTHS:
        shown = (f"![{item['title']}, {width} pixels wide, {scheme}]({pictures}/{name_of(item, width, scheme)})" for scheme in SCHEMES)
        lines.append(f"| {width} px | {' | '.join(shown)} |")
    return [*lines, ""]
