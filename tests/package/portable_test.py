#!/usr/bin/env python3
"""portable_test.py FOLDER: what tools/portable has made there, used as by somebody who has nothing else. The program runs in a root
with nothing but its archive (as root), and for ARM under qemu; each wheel is installed into an environment of its own."""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from importlib.machinery import SourceFileLoader
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tests/install"), str(ROOT / "tools")]
import elf  # noqa: E402

loader = SourceFileLoader("portable", str(ROOT / "tools/portable"))
portable = importlib.util.module_from_spec(importlib.util.spec_from_loader("portable", loader))
loader.exec_module(portable)
FOLDER = Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else ROOT / "build/portable"
PYTHONS = {Path(path).name: path for path, _ in portable.pythons()}
PLAN = "checkpoint plan --mtbf 8h --checkpoint 5min --work 24h --json".split()


def run(*words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise AssertionError(f"{words}: exit {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


class Archives(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.home = Path(scratch.name, "a home")
        self.home.mkdir()

    def installed(self, arch):
        """The program, installed into the home by the script of its archive, as it would run on such a machine."""
        archive = next(iter(FOLDER.glob(f"holdfast-*-{arch}-linux.tar.zst")), None)
        self.assertIsNotNone(archive, f"found no archive for {arch} in {FOLDER}; cmake --workflow --preset portable makes it")
        run("tar", "--zstd", "-xf", archive, cwd=self.home)
        tree = self.home / archive.name.removesuffix(".tar.zst")
        return tree, tree / "bin/holdfast"

    def test_x86_64_in_a_home(self):
        tree, _ = self.installed("x86_64")
        said = run(tree / "install.sh", env={"HOME": str(self.home), "PATH": "/usr/bin:/bin"})
        self.assertIn("PATH=", said)
        program = self.home / ".local/bin/holdfast"
        self.assertEqual(elf.read(program, "--dynamic").count("NEEDED"), 0)
        self.assertIn(" 0 failed", run(program, "verify", cwd=self.home))
        for file in ("share/man/man1/holdfast.1.gz", "share/bash-completion/completions/holdfast", "share/holdfast/examples/first-look.toml"):
            self.assertTrue((self.home / ".local" / file).exists(), file)
        self.assertIn("cosched-fig-1", run(program, "reproduce", "--list", cwd=self.home))

    def test_libraries_for_x86_64(self):
        tree, _ = self.installed("x86_64")
        libraries = [path for path in (tree / "lib").rglob("*.so*") if not path.is_symlink()]
        self.assertEqual(len(libraries), 3)
        for path in libraries:
            versions = re.findall(r"Name: GLIBC_2\.(\d+)", elf.read(path, "--version-info"))
            self.assertLessEqual(max(map(int, versions)), 28, path)
            self.assertLessEqual(set(re.findall(r"NEEDED.*\[(.*?)\.so", elf.read(path, "--dynamic"))),
                                 {"libc", "libm", "libdl", "libpthread", "ld-linux-x86-64"}, path)
        run(sys.executable, ROOT / "bindings/c/library_test.py", tree / "lib/libholdfast.so.1")
        loop = self.home / "loop"
        run("cc", "-std=c99", ROOT / "bindings/c/loop_test.c", "-I", tree / "include", "-L", tree / "lib", "-lholdfast", "-o", loop)
        run(loop, env={"LD_LIBRARY_PATH": str(tree / "lib")})
        self.assertIn("loop", run("ls", self.home, env={"LD_PRELOAD": str(tree / "lib/holdfast/libholdfast_io_preload.so")}))

    def test_wheels(self):
        wheels = sorted(FOLDER.glob("*.whl"))
        self.assertTrue(wheels, "found no wheel; pythons with headers of their own are needed (tools/portable)")
        _, program = self.installed("x86_64")
        for wheel in wheels:
            with self.subTest(wheel=wheel.name):
                fits = json.loads(run(portable.zig.FOLDER / "venv/bin/auditwheel", "show", "--json", wheel))["overall_tag"]
                self.assertLessEqual(int(re.fullmatch(r"manylinux_2_(\d+)_x86_64", fits)[1]), 28)
                version = re.search(r"-cp3(\d+)-", wheel.name)[1]
                python = self.home / version / "bin/python"
                run(PYTHONS[f"python3.{version}"], "-m", "venv", self.home / version)
                run(python, "-m", "pip", "install", "-q", wheel)
                self.assertEqual(run(python, "-m", "holdfast", *PLAN, cwd=self.home), run(program, *PLAN, cwd=self.home))
                self.assertIn(" 0 failed", run(self.home / version / "bin/holdfast", "verify", cwd=self.home))

    @unittest.skipUnless(os.geteuid() == 0, "skipped: only root can enter a root with nothing but the archive")
    def test_x86_64_in_an_empty_root(self):
        tree, program = self.installed("x86_64")
        vectors = [f"/{path.relative_to(self.home)}" for path in sorted(tree.glob("share/holdfast/domains/*/vectors/*.json"))]
        program = f"/{program.relative_to(self.home)}"
        self.assertIn(" 0 failed", run(shutil.which("chroot"), self.home, program, "verify", *vectors, env={}))

    @unittest.skipUnless(shutil.which("qemu-aarch64-static"), "skipped: no qemu-aarch64-static (./setup portable)")
    def test_aarch64_under_qemu(self):
        _, program = self.installed("aarch64")
        self.assertIn("AArch64", elf.read(program, "--file-header"))
        self.assertIn(" 0 failed", run("qemu-aarch64-static", program, "verify", cwd=self.home))
        _, here = self.installed("x86_64")
        self.assertEqual(run("qemu-aarch64-static", program, *PLAN), run(here, *PLAN))


if __name__ == "__main__":
    unittest.main()
