"""What changes below a folder, by inotify."""

import ctypes
import os
import select
import struct
from pathlib import Path

MODIFY, MOVED_TO, CREATE, IS_FOLDER = 0x2, 0x80, 0x100, 0x40000000
_libc = ctypes.CDLL(None, use_errno=True)


class Watch:
    """Names, relative to the folder, of files that were written or that appeared."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.places = {}
        self.fd = _libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        self._add(self.folder)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.fd)

    def _add(self, place):
        """Watches a folder and those in it; returns the files that are there."""
        number = _libc.inotify_add_watch(self.fd, os.fsencode(place), MODIFY | MOVED_TO | CREATE)
        if number < 0:
            return []  # gone
        self.places[number] = place
        found = []
        try:
            for entry in os.scandir(place):
                found += self._add(Path(entry.path)) if entry.is_dir(follow_symlinks=False) else [Path(entry.path)]
        except OSError:
            pass
        return found

    def forget(self):
        """Forgets what has changed so far."""
        while self.changes(0):
            pass

    def changes(self, seconds):
        """What has changed, after waiting so long for something to change."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return []
        data, found = os.read(self.fd, 1 << 16), []
        while data:
            number, mask, _, size = struct.unpack_from("iIII", data)
            path = self.places.get(number, self.folder) / os.fsdecode(data[16 : 16 + size].rstrip(b"\0"))
            data = data[16 + size :]
            found += self._add(path) if mask & IS_FOLDER and mask & (CREATE | MOVED_TO) else [path]
        return [path.relative_to(self.folder).as_posix() for path in found]
