"""Mends the theme furo as Debian 12 has it (2022.12.07): its script is not bundled, its style imports another package's by a path
that only a web server of Debian knows, and its dark colours follow a click but not the system's setting, because sassc loses
a media query inside another. A furo that has none of this is left as it is."""

import re
from pathlib import Path

_IMPORT_SCRIPT = re.compile(r'^import \w+ from "(\./[\w.-]+)";\n', re.M)
_IMPORT_STYLE = re.compile(r"@import url\((/javascript/[^)]+)\);")
_DARK = 'body[data-theme="dark"]'


def as_one_script(text, read):
    """A script without imports: the scripts that it imports, which become members of the window, stand before it."""
    imported = [read(name) for name in _IMPORT_SCRIPT.findall(text)]
    return "".join(part.rstrip() + "\n" for part in imported) + _IMPORT_SCRIPT.sub("", text)


def block_at(text, begin):
    """The text between the first brace after `begin` and its partner."""
    opened = text.index("{", begin)
    depth = 0
    for at in range(opened, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return text[opened + 1:at]
    raise ValueError("a brace without its partner")


def with_dark_by_setting(style):
    """The style, with its dark colours also where the system asks for them and the reader has not chosen light."""
    begin = style.find("@media not print")
    if "prefers-color-scheme" in style or begin < 0:
        return style
    rules = block_at(style, begin).replace(_DARK, 'body:not([data-theme="light"])')
    return f"{style.rstrip()}\n@media screen and (prefers-color-scheme: dark) {{{rules}}}\n"


def mend(html, share=Path("/usr/share")):
    """Mends the theme's files in a built site."""
    script, style = html / "_static/scripts/furo.js", html / "_static/styles/furo.css"
    text = script.read_text(encoding="utf-8")
    script.write_text(as_one_script(text, lambda name: (script.parent / name).read_text(encoding="utf-8")), encoding="utf-8")

    def imported(match):
        path = share / match[1].lstrip("/")
        return path.read_text(encoding="utf-8") if path.is_file() else match[0]

    text = _IMPORT_STYLE.sub(imported, style.read_text(encoding="utf-8"))
    style.write_text(with_dark_by_setting(text), encoding="utf-8")
