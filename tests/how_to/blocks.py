"""What pages show to be run: blocks of programs with what they print, and indented commands of a shell."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Debian's Python, which sees Debian's pandas whatever else is first on the path.
PYTHON = "/usr/bin/python3" if Path("/usr/bin/python3").exists() else sys.executable


def fenced(page):
    """(language, program, output or None) of a page's fenced blocks with a language. The output of a program is the fenced
    block that follows it at once."""
    text = (ROOT / page).read_text(encoding="utf-8")
    fences = list(re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    for fence, following in zip(fences, [*fences[1:], None]):
        if fence[1]:
            has_output = following and not following[1] and not text[fence.end():following.start()].strip()
            yield fence[1], fence[2], following[2] if has_output else None


def indented(page):
    """The paragraphs of a page that are indented by four blanks: commands of a shell, as one text each."""
    text = re.sub(r"^```.*?^```$", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for block in re.findall(r"(?:^    .*\n)+", text, re.MULTILINE):
        yield re.sub("^    ", "", block, flags=re.MULTILINE)


def python_has(package, **environment):
    """Whether Debian's Python imports it."""
    return subprocess.run([PYTHON, "-c", f"import {package}"], capture_output=True, env=environment or None).returncode == 0


def main(unittest, arguments):
    """Runs the tests of the calling program and says what was skipped, in the form that ./test counts."""
    outcome = unittest.main(argv=[sys.argv[0], *arguments], exit=False).result
    for _, reason in outcome.skipped:
        print(reason)
    sys.exit(not outcome.wasSuccessful())
