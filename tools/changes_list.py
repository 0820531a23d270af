"""The list of changes: entries of changes/ and CHANGELOG.md."""

import re

FIRST_RELEASE = re.compile(r"^## ", re.M)


def fragments(root):
    return sorted(path for path in (root / "changes").glob("*.md") if path.name != "README.md")


def entries(text):
    """A fragment as items of a list, one for each paragraph."""
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        lines = paragraph.strip().splitlines()
        yield "\n".join(("- " if index == 0 else "  ") + line.strip() for index, line in enumerate(lines))


def gathered(changelog, title, texts):
    """The list of changes with these entries under a new title above the last release."""
    items = sorted((entry for text in texts for entry in entries(text)), key=lambda item: not item.startswith("- **results change**"))
    section = f"## {title}\n\n" + "\n".join(items) + "\n"
    place = FIRST_RELEASE.search(changelog)
    if not place:
        return changelog.rstrip("\n") + "\n\n" + section
    return changelog[:place.start()] + section + "\n" + changelog[place.start():]
