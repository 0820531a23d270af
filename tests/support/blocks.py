"""What pages show to be run: blocks of programs with what they print, and indented commands of a shell."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


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
