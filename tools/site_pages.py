"""The pages of the documentation site: which there are, where each lies on it, and links that hold there.

A page of the project is plain Markdown whose links hold in the repository. On the site it may lie elsewhere, beside pages that
are made for the site alone (docs/site/) or generated (reference/), so rewritten() adapts every link."""

import os
import posixpath
import re
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from project import files

# Not pages of the site: a template with blanks to fill in, and the entries of the list of changes.
LEFT_OUT = ("tools/template/", "changes/")
# Text files that pages link to are shown as pages; others are offered as they are.
LANGUAGES = {".hpp": "cpp", ".cpp": "cpp", ".toml": "toml", ".json": "json", ".py": "python", ".cmake": "cmake",
             ".md": "markdown"}
LONGEST = 64 << 10  # bytes of a text file that becomes a page
TITLES = {"CHANGELOG.md": "project/changelog.md", "README.md": "project/readme.md", "docs/README.md": "all-pages.md"}

_FENCE = re.compile(r"^\s*(```+|~~~+)")
_CODE = re.compile(r"(`+)(?:.(?!\1))*.\1")
_LINK = re.compile(r"(\]\()([^()\s]+)((?:\s+\"[^\"]*\")?\))")
_DEFINITION = re.compile(r"^(\[[^\]]+\]:\s+)(\S+)()")
_ELSEWHERE = re.compile(r"^([a-z][a-z0-9+.-]*:|//|#)", re.I)


def place(source):
    """Where a page of the project lies on the site; None if it is not a page of the site."""
    text = source.as_posix()
    if text.startswith(LEFT_OUT) and text != "changes/README.md":
        return None
    if text in TITLES:
        return PurePosixPath(TITLES[text])
    if text.startswith("docs/"):
        inside = PurePosixPath(text).relative_to("docs")
        inside = inside.relative_to("site") if inside.parts[0] == "site" else inside
        return inside.with_name("index.md") if inside.name == "README.md" else inside
    domain = re.fullmatch(r"src/holdfast/domains/(\w+)/README\.md", text)
    if domain:
        return PurePosixPath(f"domains/{domain[1]}.md")
    layer = re.fullmatch(r"src/holdfast/(\w+)/README\.md", text)
    if layer:
        return PurePosixPath(f"layers/{layer[1]}.md")
    name = text.removesuffix(".md").removesuffix("/README").replace("/", "-").lower()
    return PurePosixPath(f"project/{name}.md")


def site_pages(root):
    """Pages of the project, and where each lies on the site."""
    found = {source: place(source) for source in files(root, ["."], (".md",))}
    return {source: where for source, where in found.items() if where}


@dataclass
class Links:
    """What is known of the site while links are rewritten, and the files that the links were found to need."""

    root: Path
    places: dict  # source below the root -> place on the site
    problems: list = field(default_factory=list)
    texts: dict = field(default_factory=dict)   # files that are shown as pages -> place
    copies: dict = field(default_factory=dict)  # files and pictures that are copied -> place

    def target(self, source, link):
        """The place on the site of what a link of a page names; None if nothing is there."""
        named = PurePosixPath(posixpath.normpath(posixpath.join(source.parent.as_posix(), link)))
        if (self.root / named).is_dir():
            named /= "README.md"
        path = Path(named)
        if path in self.places:
            return self.places[path]
        if named.parts[0] == ".." or not (self.root / path).is_file():
            return None
        if path.suffix in LANGUAGES and (self.root / path).stat().st_size <= LONGEST:
            return self.texts.setdefault(path, PurePosixPath("files") / f"{named}.md")
        return self.copies.setdefault(path, PurePosixPath("files") / named)


def rewritten(text, source, links):
    """The page with links that hold where it lies on the site. Code is left as it is."""
    here = links.places[source].parent.as_posix()
    lines, fence, before_code = text.split("\n"), None, True
    for index, line in enumerate(lines):
        mark = _FENCE.match(line)
        if mark and (fence is None or line.strip() == fence):
            fence = mark[1] if fence is None else None
        elif before_code and line.startswith("    "):
            continue  # code by its indentation; inside a paragraph the same blanks mean nothing
        elif fence is None:
            before_code = not line.strip()
            lines[index] = _in_line(line, source, here, index + 1, links)
    return "\n".join(lines)


def _in_line(line, source, here, number, links):
    code = [match.span() for match in _CODE.finditer(line)]

    def new(match):
        opened, link, closed = match.groups()
        if _ELSEWHERE.match(link) or any(begin <= match.start() < end for begin, end in code):
            return match[0]
        path, hash_mark, anchor = link.partition("#")
        target = links.target(source, path)
        if target is None:
            links.problems.append(f"{source}:{number}: found a link to {path}, where nothing is")
            return match[0]
        return opened + os.path.relpath(target, here) + hash_mark + anchor + closed

    return _DEFINITION.sub(new, _LINK.sub(new, line))


def as_page(path, text):
    """A text file of the project as a page of the site."""
    marks = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", text) or [""]))
    return f"---\norphan: true\n---\n# {path.name}\n\n`{path}`\n\n{marks}{LANGUAGES[path.suffix]}\n{text.rstrip()}\n{marks}\n"


def with_neighbours(text, place, places):
    """The first page of a folder, followed by a table of contents that names the others."""
    names = sorted(other.stem for other in places if other.parent == place.parent and other != place)
    return text.rstrip("\n") + "\n\n```{toctree}\n:hidden:\n\n" + "\n".join(names) + "\n```\n"


def with_contents(text, places):
    """A page of docs/site/ whose tables of contents name pages instead of patterns: in `toctree` blocks, a line that ends
    in `/*` becomes the pages of that folder, except its index and those that the block names itself."""
    def filled(match):
        lines = match[0].split("\n")
        named = {line.strip() for line in lines}
        out = []
        for line in lines:
            if not line.endswith("/*"):
                out.append(line)
                continue
            folder = line[:-2]
            below = sorted(place.with_suffix("").as_posix() for place in places if place.parent.as_posix() == folder)
            out += [name for name in below if name not in named and not name.endswith("/index")]
        return "\n".join(out)

    return re.sub(r"^```\{toctree\}\n.*?^```", filled, text, flags=re.M | re.S)
