"""Files of checkpoints, written so that a whole one is always there. The standard library alone."""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path
from typing import IO, Any, Callable, Optional, Union

__all__ = ["newest_valid", "save_atomically"]


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


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _write_synced(path: Path, write: Callable[[IO[bytes]], Any]) -> None:
    with path.open("wb") as file:
        write(file)
        file.flush()
        os.fsync(file.fileno())


def save_atomically(path: Union[str, "os.PathLike[str]"], write: Callable[[IO[bytes]], Any], keep: int = 2) -> None:
    """Writes a checkpoint so that a complete one remains whatever happens: the data are written to another file, flushed to the
    disk, and only then renamed to PATH, with their SHA-256 in PATH.sha256. The newest `keep` checkpoints are kept: PATH,
    PATH.1, ...

    write: a function that takes a binary file: lambda file: pickle.dump(state, file)"""
    if keep < 1:
        raise ValueError(f"keep: found {keep}, expected at least 1")
    path = Path(path)
    fresh = path.with_name(path.name + ".new")
    fresh_digest = path.with_name(path.name + ".new.sha256")
    _write_synced(fresh, write)
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
    _sync_folder(path.parent)


def newest_valid(path: Union[str, "os.PathLike[str]"]) -> Optional[Path]:
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
