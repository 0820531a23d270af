"""Checks of the documentation site as a browser would see it: links and anchors, requests to other hosts, pages that nothing
leads to, pictures without a text, size, and whether two builds agree."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

LARGEST = 30 << 20  # bytes of the whole site
# What a browser loads when it shows the page, in contrast to where a reader may go.
_LOADED = {"script": ("src",), "img": ("src", "srcset"), "iframe": ("src",), "source": ("src", "srcset"), "embed": ("src",),
           "video": ("src", "poster"), "audio": ("src",), "object": ("data",), "input": ("src",), "image": ("href", "xlink:href"),
           "use": ("href", "xlink:href")}
_LINK_LOADED = {"stylesheet", "icon", "shortcut", "preload", "prefetch", "modulepreload", "preconnect", "dns-prefetch", "manifest"}
_CSS_NAMES = re.compile(r"(?:@import\s+(?:url\(\s*)?|url\(\s*)['\"]?([^'\")\s]+)")
_CSS_LOADS = re.compile(r"(?:url\(\s*|@import\s+)['\"]?((?:https?:)?//[^'\")\s]+)")


@dataclass
class Page:
    links: list = field(default_factory=list)    # (address, line): where a reader or a form goes
    loaded: list = field(default_factory=list)   # (address, line): what the browser asks for by itself
    anchors: set = field(default_factory=set)
    unnamed: list = field(default_factory=list)  # lines of pictures without a text


class _Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.page = Page()

    def handle_starttag(self, tag, attributes):
        given, line = dict(attributes), self.getpos()[0]
        page = self.page
        page.anchors.update(value for name in ("id", "name") if (value := given.get(name)))
        if tag in ("a", "area") and given.get("href"):
            page.links.append((given["href"], line))
        if tag == "form" and given.get("action"):
            page.links.append((given["action"], line))
        if tag == "link" and given.get("href"):
            loads = set((given.get("rel") or "").lower().split()) & _LINK_LOADED
            (page.loaded if loads else page.links).append((given["href"], line))
        for name in _LOADED.get(tag, ()):
            page.loaded += [(part.split()[0], line) for part in (given.get(name) or "").split(",") if part.strip()] \
                if name == "srcset" else [(given[name], line)] if given.get(name) else []
        if tag == "img" and not (given.get("alt") or "").strip():
            page.unnamed.append(line)
        page.loaded += [(address, line) for address in _CSS_LOADS.findall(given.get("style") or "")]


def read_page(text):
    reader = _Reader()
    reader.feed(text)
    reader.close()
    return reader.page


def _is_elsewhere(address):
    parts = urlsplit(address)
    return bool(parts.netloc) or parts.scheme not in ("", "data", "mailto")


def _goes_to(folder, path, address):
    """The file that an address of a page names, and its anchor."""
    parts = urlsplit(address)
    target = (folder / path).parent / unquote(parts.path) if parts.path else folder / path
    return target.resolve(), unquote(parts.fragment)


def check_site(folder):
    """Problems of a built site, one a line, and how many pages it has."""
    folder = folder.resolve()
    pages = {path: read_page(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.html"))}
    problems, leads_to = [], {}
    for path, page in pages.items():
        name = path.relative_to(folder)
        problems += [f"{name}:{line}: a picture without a text" for line in page.unnamed]
        problems += [f"{name}:{line}: the browser would load {address}"
                     for address, line in page.loaded if _is_elsewhere(address)]
        leads_to[path] = set()
        for address, line in page.links + page.loaded:
            if _is_elsewhere(address) or address.startswith(("data:", "mailto:")):
                continue
            target, anchor = _goes_to(folder, path, address)
            leads_to[path].add(target)
            if not target.is_file():
                problems.append(f"{name}:{line}: found a link to {address}, where nothing is")
            elif anchor and target in pages and anchor not in pages[target].anchors:
                problems.append(f"{name}:{line}: found a link to {address}, but that page has no such place")
    problems += _unreachable(folder, pages, leads_to) + _styles(folder)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    if size > LARGEST:
        problems.append(f"the site has {size / 1e6:.1f} MB, expected at most {LARGEST / 1e6:.1f} MB")
    return problems, len(pages)


def _unreachable(folder, pages, leads_to):
    seen, to_see = set(), [folder / "index.html"]
    while to_see:
        path = to_see.pop()
        if path not in seen:
            seen.add(path)
            to_see += leads_to.get(path, ())
    return [f"{path.relative_to(folder)}: no page leads here from index.html" for path in pages if path not in seen]


def _styles(folder):
    problems = []
    for path in sorted(folder.rglob("*.css")):
        text = path.read_text(encoding="utf-8")
        name = path.relative_to(folder)
        problems += [f"{name}: the browser would load {address}" for address in _CSS_LOADS.findall(text)]
        local = {address for address in _CSS_NAMES.findall(text) if not _is_elsewhere(address) and ":" not in address}
        problems += [f"{name}: names {address}, where nothing is" for address in sorted(local)
                     if address[0] == "/" or not (path.parent / urlsplit(address).path).is_file()]
    return problems


def differences(one, other):
    """Files of two builds that are not the same."""
    names = {path.relative_to(folder) for folder in (one, other) for path in folder.rglob("*") if path.is_file()}
    return [f"{name}: two builds differ" for name in sorted(names)
            if not (one / name).is_file() or not (other / name).is_file()
            or (one / name).read_bytes() != (other / name).read_bytes()]
