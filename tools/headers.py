"""Which headers of the project a file includes, and a digest of all their texts, which is the key of the checks' caches."""

import hashlib
import re

ROOTS = ("src", "apps", "tests")
_INCLUDE = re.compile(rb'^\s*#\s*include\s*"([^"]+)"', re.M)


def _find(root, name):
    for folder in ROOTS:
        if (root / folder / name).exists():
            return root / folder / name
    return None


def closure(root, path, read):
    """The file and all headers of the project that it includes, directly or not."""
    seen = set()
    waiting = [root / path]
    while waiting:
        place = waiting.pop()
        if place in seen:
            continue
        seen.add(place)
        waiting += [found for name in _INCLUDE.findall(read(place)) if (found := _find(root, name.decode()))]
    return sorted(seen)


class Digests:
    """Digests of files of one project, together with what they include and what else a check depends on."""

    def __init__(self, root, *settings):
        self._root = root
        self._settings = settings
        self._texts = {}

    def _read(self, place):
        if place not in self._texts:
            self._texts[place] = place.read_bytes()
        return self._texts[place]

    def of(self, path):
        state = hashlib.sha256()
        places = closure(self._root, path, self._read)
        for part in (*self._settings, str(path), *(self._read(place) for place in places)):
            data = part if isinstance(part, bytes) else part.encode()
            state.update(len(data).to_bytes(8, "little"))
            state.update(data)
        return state.hexdigest()


class Checked:
    """Remembers, in a folder, the digests of what passed a check. Without a folder it remembers nothing."""

    def __init__(self, folder):
        self._folder = folder
        if folder:
            folder.mkdir(parents=True, exist_ok=True)

    def knows(self, digest):
        return self._folder is not None and (self._folder / digest).exists()

    def remember(self, digest):
        if self._folder is not None:
            (self._folder / digest).touch()
