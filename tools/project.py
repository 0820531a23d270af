"""What the tools know about this project: where it is, which files are its sources, how to use all cores."""

import concurrent.futures
import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def _is_made(name):
    """Whether a folder of this name is made by builds, runs and tools (.git, .pytest_cache), and not by people."""
    return name in ("build", "__pycache__", "node_modules") or name.endswith("-results") or (name.startswith(".") and name != ".ci")


def files(root, folders, endings):
    """Paths relative to root, sorted, of the files below these folders that have one of these endings."""
    found = []
    for folder in folders:
        for place, below, names in os.walk(root / folder):
            below[:] = [name for name in below if not _is_made(name)]
            found += [Path(place, name).relative_to(root) for name in names if name.endswith(endings)]
    return sorted(found)


def cpp_files(root=ROOT):
    return files(root, ["src", "apps", "bindings", "tests", "bench", "examples", "tools/template"], (".cpp", ".hpp", ".h"))


def in_parallel(function, items):
    """Returns the results in the order of the items. For functions that wait for another process."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return list(pool.map(function, items))


def report(name, problems, checked):
    """Prints problems, one a line, and a closing sentence; returns the exit status."""
    for problem in problems:
        print(problem)
    print(f"{name}: {checked}, {len(problems) or 'no'} problem{'s' if len(problems) != 1 else ''}")
    return 1 if problems else 0
