"""PyPI's ziglang, in a virtual environment of the build folder, as the compiler of what runs elsewhere. tools/portable and tools/web build with it."""

import os
import re
import subprocess
import sys
from pathlib import Path

from project import ROOT

FOLDER = ROOT / "build/zig"
PYTHON = FOLDER / "venv/bin/python"
COMPILER = "ziglang==0.17.1"
VERSION = re.search(r"project\(holdfast VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]


def run(*words, **options):
    subprocess.run([str(word) for word in words], check=True, **options)


def link(path, target):
    if not path.is_symlink() or path.readlink() != target:
        path.unlink(missing_ok=True)
        path.symlink_to(target)


def prepare(folder, targets, headers, packages=()):
    """The compiler, under the names of its targets, and more packages of Python; in the folder, the headers of these libraries."""
    if not PYTHON.exists():
        run(sys.executable, "-m", "venv", FOLDER / "venv")
    run(PYTHON, "-m", "pip", "-q", "--disable-pip-version-check", "install", COMPILER, *packages)
    zig = subprocess.run([PYTHON, "-c", "import ziglang; print(ziglang.__path__[0])"], check=True, capture_output=True, text=True)
    compilers = FOLDER / "compilers"
    compilers.mkdir(exist_ok=True)
    link(compilers / "zig", Path(zig.stdout.strip()) / "zig")
    for target in targets:
        for language in ("cc", "c++"):
            link(compilers / f"{target}-{language}", ROOT / "packaging/portable/zig_compiler")
    for tool in ("ar", "ranlib"):
        (compilers / f"zig-{tool}").write_text(f'#!/bin/sh\nexec "$(dirname "$0")/zig" {tool} "$@"\n')
        (compilers / f"zig-{tool}").chmod(0o755)
    (folder / "headers").mkdir(parents=True, exist_ok=True)
    for name in headers:
        if not Path("/usr/include", name).exists():
            sys.exit(f"{Path(sys.argv[0]).name}: found no /usr/include/{name}; please run ./setup run")
        link(folder / "headers" / name, Path("/usr/include", name))


def build(folder, target, targets, jobs, **more):
    """Configures and builds targets for one kind of machine, in a folder that prepare() has made; returns the folder of that build."""
    os.environ.update({name: str(FOLDER / "cache") for name in ("ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR")}, CCACHE_COMPILERTYPE="clang")
    settings = {"CMAKE_TOOLCHAIN_FILE": ROOT / "packaging/portable/toolchain.cmake", "HOLDFAST_TARGET": target,
                "HOLDFAST_COMPILERS": FOLDER / "compilers", "HOLDFAST_HEADERS": folder / "headers", "CMAKE_BUILD_TYPE": "Release",
                "HOLDFAST_BATCHES": "ON", "HOLDFAST_TESTS": "OFF", "HOLDFAST_WERROR": "ON", "HOLDFAST_MOLD": "OFF", **more}
    # What CMake has found out about the last Python does not hold for the next.
    run("cmake", "-S", ROOT, "-B", folder / target, "-G", "Ninja", "-U*Python_*", *(f"-D{name}={value}" for name, value in settings.items()))
    run("cmake", "--build", folder / target, "-j", jobs, "--target", *targets)
    return folder / target
