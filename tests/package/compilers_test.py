#!/usr/bin/env python3
"""compilers_test.py HOLDFAST: other compilers build everything that is installed without a warning, and their programs pass the check
vectors and give the same bytes as HOLDFAST: clang 16 from here, g++ 13 and 14 in a Debian 13, which also has another C library,
libstdc++, fmt, SQLite and zlib. tools/portable does the same with the clang of PyPI's ziglang. Half an hour of processor time."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import minimal_root

ROOT = Path(__file__).resolve().parents[2]
HOLDFAST = Path(sys.argv.pop(1)).resolve()
OPTIONS = ("-DHOLDFAST_WERROR=ON", "-DHOLDFAST_TESTS=OFF", "-DHOLDFAST_PYTHON=OFF",
           # The libraries of a Debian 13 are of its g++ 14, and g++ 13 links them with its own libstdc++; what runs is that of 14.
           "-DCMAKE_EXE_LINKER_FLAGS=-Wl,--allow-shlib-undefined", "-DCMAKE_SHARED_LINKER_FLAGS=-Wl,--allow-shlib-undefined")


def run(*words):
    done = subprocess.run([str(word) for word in words], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise AssertionError(f"{words}: exit {done.returncode}\n{done.stdout[-6000:]}")
    return done.stdout


class Compilers(unittest.TestCase):
    def check(self, compiler, run, folder, program):
        """Builds, verifies and compares. `run` runs a command where the compiler is; `program` runs the program from here."""
        print(f"compilers: {run(compiler, '--version').splitlines()[0]}", flush=True)
        for_c = compiler.replace("clang++", "clang").replace("g++", "gcc")
        run("cmake", "--preset", "release", "-B", folder, f"-DCMAKE_CXX_COMPILER={compiler}", f"-DCMAKE_C_COMPILER={for_c}", *OPTIONS)
        run("cmake", "--build", folder)
        self.assertRegex(run(f"{folder}/bin/holdfast", "verify"), r"\d+ passed, 0 failed")
        print(subprocess.run([ROOT / "tools/same_bytes", "--cells", "1000", HOLDFAST, program], check=True, capture_output=True,
                             text=True).stdout, end="", flush=True)

    def test_clang_here(self):
        with tempfile.TemporaryDirectory() as folder:
            self.check("clang++-16", run, folder, f"{folder}/bin/holdfast")

    @unittest.skipIf(minimal_root.missing(), f"skipped: {minimal_root.missing()}")
    def test_a_newer_debian(self):
        root = minimal_root.MinimalRoot("trixie")
        self.addCleanup(root.close)
        root.mount("--bind", ROOT, "root/holdfast")
        root.run("apt-get", "-q", "update")
        root.run("./setup", "run", cwd="/root/holdfast")
        root.run("apt-get", "-q", "-y", "install", "--no-install-recommends", "g++-13")
        libraries = next(root.folder.glob("usr/lib/*/ld-linux-*.so.*"))
        for version in (13, 14):
            folder = f"/root/{version}"
            self.check(f"g++-{version}", lambda *words: root.run(*words, cwd="/root/holdfast").stdout, folder,
                       f"{libraries} --library-path {libraries.parent} {root.folder}{folder}/bin/holdfast")


if __name__ == "__main__":
    unittest.main()
