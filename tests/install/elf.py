"""What a program or shared library tells the loader, as readelf prints it."""

import os
import re
import stat
import subprocess
from pathlib import Path


def programs_below(folder):
    """Programs and shared libraries, not the objects that they are made of."""
    for path in sorted(Path(folder).rglob("*")):
        if path.suffix == ".o" or path.is_symlink() or not path.is_file():
            continue
        with path.open("rb") as file:
            if file.read(4) == b"\x7fELF":
                yield path


def read(path, *options):
    return subprocess.run(["readelf", "--wide", *options, str(path)], stdout=subprocess.PIPE, text=True,
                          check=True).stdout


def run_path_entries(path):
    """Where a program looks for libraries before the system's folders, entry by entry."""
    found = re.findall(r"\((?:RPATH|RUNPATH)\)\s+Library \w+: \[(.*)\]", read(path, "--dynamic"))
    return [entry for line in found for entry in line.split(":")]


def danger_of(entry, path, roots):
    """Why somebody else may put a library there, or None. roots: folders that $ORIGIN may lead to."""
    if entry.startswith("$ORIGIN"):
        place = Path(os.path.normpath(entry.replace("$ORIGIN", str(path.parent), 1)))
        return None if any(place.is_relative_to(root) for root in roots) else f"'{entry}' leads out of what was built"
    if not entry.startswith("/"):
        return f"'{entry}' is looked for in the current directory"
    place = Path(os.path.normpath(entry))
    for folder, below in zip((place, *place.parents), (None, place, *place.parents)):
        if folder.exists() and folder.stat().st_mode & stat.S_IWOTH and not (below and is_kept(folder, below)):
            return f"everybody may write to '{entry}' or above it"
    return None


def is_kept(folder, below):
    """Whether nobody else can replace what lies in a folder to which everybody may write: it has the sticky bit, as /tmp has, and what
    lies there is ours or root's."""
    return bool(folder.stat().st_mode & stat.S_ISVTX) and below.exists() and below.lstat().st_uid in (0, os.getuid())


def missing_protections(path):
    """Which protections of a release a program or library lacks. It must have arrays on its stack and copy into them: what
    has neither calls no check of them."""
    segments, dynamic, symbols = read(path, "--segments"), read(path, "--dynamic"), read(path, "--dyn-syms")
    marks = {
        "position-independent code": re.search(r"Elf file type is DYN", segments),
        "relocations that are read-only (GNU_RELRO)": re.search(r"^\s*GNU_RELRO\b", segments, re.M),
        "all symbols bound at the start (BIND_NOW)": re.search(r"BIND_NOW|FLAGS_1\).*\bNOW\b", dynamic),
        "a stack that is not executable": re.search(r"^\s*GNU_STACK\s+(?:0x\w+\s+){5}RW\s", segments, re.M),
        "the stack protector (__stack_chk_fail)": re.search(r"\b__stack_chk_fail\b", symbols),
        "checked copies (__*_chk)": re.search(r"\b__(?!stack)\w+_chk\b", symbols),
    }
    return [name for name, found in marks.items() if not found]


def exported(path):
    """Symbols that a program or shared library defines for others, templates and inline functions included."""
    return _dynamic_symbols(path, "--defined-only")


def imported(path):
    """Symbols that a program or shared library takes from others."""
    return _dynamic_symbols(path, "--undefined-only")


def _dynamic_symbols(path, which):
    said = subprocess.run(["nm", "--dynamic", which, str(path)], stdout=subprocess.PIPE, text=True, check=True).stdout
    return [line.split()[-1] for line in said.splitlines()]
