"""Checkpoints of a loop's own, of which a whole one is always there: files by save_atomically and newest_valid, folders by
mark_complete and newest_complete. The standard library alone."""

from __future__ import annotations

import contextlib
import glob
import hashlib
import os
import stat
from pathlib import Path
from typing import IO, Any, Callable, Dict, Optional, Union

__all__ = ["mark_complete", "newest_complete", "newest_valid", "save_atomically"]

AnyPath = Union[str, "os.PathLike[str]"]
_LIST = b"holdfast: complete with these sizes and files\n"  # first line of a marker that mark_complete wrote


def _digest_file(path: Path) -> Path:
    return path.with_name(path.name + ".sha256")


def _older(path: Path, age: int) -> Path:
    return path if age == 0 else path.with_name(f"{path.name}.{age}")


def _digest_of(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()


def _sync(file_or_folder: Path) -> None:
    descriptor = os.open(file_or_folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _write_synced(path: Path, write: Callable[[IO[bytes]], Any]) -> None:
    with path.open("wb") as file:
        write(file)
        file.flush()
        os.fsync(file.fileno())


def save_atomically(path: AnyPath, write: Callable[[IO[bytes]], Any], keep: int = 2) -> None:
    """Writes a checkpoint so that a complete one remains whatever happens: the data are written to another file, flushed to the
    disk, and only then renamed to PATH, with their SHA-256 in PATH.sha256. The newest `keep` checkpoints are kept: PATH,
    PATH.1, ...

    write: a function that takes a binary file: lambda file: pickle.dump(state, file)"""
    publish(path, lambda fresh: _write_synced(fresh, write), keep)


def publish(path: AnyPath, write: Callable[[Path], Any], keep: int) -> None:
    """Does the same with a function that writes a file of the given name, and need not flush it to the disk."""
    if keep < 1:
        raise ValueError(f"keep: found {keep}, expected at least 1")
    path = Path(path)
    fresh = path.with_name(path.name + ".new")
    fresh_digest = path.with_name(path.name + ".new.sha256")
    write(fresh)
    _sync(fresh)
    digests = [_digest_of(fresh)]
    for age in range(keep - 1, 0, -1):
        for of in (lambda file: file, _digest_file):
            young, old = of(_older(path, age - 1)), of(_older(path, age))
            if not young.exists():
                continue
            if age > 1:
                os.replace(young, old)
                continue
            with contextlib.suppress(FileNotFoundError):
                old.unlink()
            os.link(young, old)
    # While the new digest stands beside the old file, both are valid.
    if _digest_file(path).exists():
        digests += _digest_file(path).read_text().split()[:1]
    _write_synced(fresh_digest, lambda file: file.write(("\n".join(digests) + "\n").encode()))
    os.replace(fresh_digest, _digest_file(path))
    os.replace(fresh, path)
    _sync(path.parent)


def newest_valid(path: AnyPath) -> Optional[Path]:
    """Returns the newest of PATH, PATH.1, ... whose SHA-256 is right; None if there is none."""
    path = Path(path)
    ages = [0]
    for file in path.parent.glob(path.name + ".*"):
        ending = file.name[len(path.name) + 1:]
        if ending.isdecimal():
            ages.append(int(ending))
    for age in sorted(ages):
        candidate = _older(path, age)
        with contextlib.suppress(OSError):
            if _digest_of(candidate) in _digest_file(candidate).read_text().split():
                return candidate
    return None


def _sizes(folder: Path) -> Dict[str, int]:
    """The size of each file in a folder and in those below it."""
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            file = Path(place, name)
            found[file.relative_to(folder).as_posix()] = file.stat().st_size
    return found


def mark_complete(folder: AnyPath, marker: str = "done") -> None:
    """Flushes the files of a folder to the disk, and then writes a file of that name into it, by rename, with the names and sizes of
    the others. Of several processes one calls it, after a barrier that all of them reach when they have written their files."""
    folder = Path(folder)
    sizes = {name: size for name, size in _sizes(folder).items() if name not in (marker, marker + ".new")}
    for name in sizes:
        _sync(folder / name)
    for place, _, _ in os.walk(folder):
        _sync(Path(place))
    fresh = folder / (marker + ".new")
    _write_synced(fresh, lambda file: file.write(_LIST + b"".join(b"%d %s\n" % (size, os.fsencode(name)) for name, size in sorted(sizes.items()))))
    os.replace(fresh, folder / marker)
    _sync(folder)
    _sync(folder.parent)


def _is_complete(folder: Path, marker: Path) -> bool:
    text = marker.read_bytes()
    if not text.startswith(_LIST):
        return True
    sizes = _sizes(folder)
    rows = (row.split(b" ", 1) for row in text[len(_LIST):].split(b"\n")[:-1])
    return all(sizes.get(os.fsdecode(name)) == int(size) for size, name in rows)


def newest_complete(pattern: AnyPath, marker: str = "done") -> Optional[Path]:
    """Returns the folder that was completed last, of those that match a pattern ("out/checkpoint-*[0-9]"); None if there is none.

    A folder is complete if it has a regular file of the name `marker` that is not empty; of a marker that mark_complete wrote, if all
    files are there with their sizes. The last one is that of the newest marker: after a restart from an older one, the numbers of new
    folders are smaller than that of the half one left behind."""
    found = []
    for folder in map(Path, glob.glob(os.fspath(pattern))):
        with contextlib.suppress(OSError, ValueError):
            seen = (folder / marker).stat()
            if stat.S_ISREG(seen.st_mode) and seen.st_size > 0 and _is_complete(folder, folder / marker):
                found.append((seen.st_mtime_ns, folder))
    return max(found)[1] if found else None
