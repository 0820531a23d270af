#!/usr/bin/env python3
"""Installs a build into an empty folder and uses it from there: install_test.py BUILD_FOLDER"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import elf

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import blocks  # noqa: E402  (beside this folder)

BUILD = Path(sys.argv.pop())


def run(*command, cwd=None, env=None):
    done = subprocess.run([str(part) for part in command], cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(str(part) for part in command)}\n{done.stdout}")
    return done.stdout


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls._folder = tempfile.TemporaryDirectory(prefix="holdfast install ")  # a blank, on purpose
        cls.addClassCleanup(cls._folder.cleanup)
        cls.prefix = Path(cls._folder.name) / "prefix"
        run("cmake", "--install", BUILD, "--prefix", cls.prefix)

    def test_the_program_runs_from_there(self):
        self.assertRegex(run(self.prefix / "bin/holdfast", "--version", cwd=self.prefix), r"\d+\.\d+\.\d+")

    def test_no_library_is_looked_for_where_others_may_put_one(self):
        programs = {root: list(elf.programs_below(root)) for root in (BUILD, self.prefix)}
        self.assertIn(BUILD / "bin/holdfast", programs[BUILD])
        self.assertIn(self.prefix / "bin/holdfast", programs[self.prefix])
        dangers = {f"{path}: {danger}" for root, paths in programs.items() for path in paths
                   for entry in elf.run_path_entries(path) if (danger := elf.danger_of(entry, path, [root]))}
        self.assertEqual(dangers, set())

    def test_a_dangerous_run_path_is_seen_as_such(self):
        program, here = Path("/opt/holdfast/bin/holdfast"), [Path("/opt/holdfast")]
        for entry in ("", ".", "lib", "$ORIGIN/../../lib", "/tmp/lib"):
            self.assertIsNotNone(elf.danger_of(entry, program, here), entry)
        for entry in ("$ORIGIN/../lib/holdfast", "/usr/lib"):
            self.assertIsNone(elf.danger_of(entry, program, here), entry)
        shared = Path(self._folder.name) / "shared"
        (shared / "lib").mkdir(parents=True)
        for mode, ours, all_of_it in ((0o755, None, None), (0o1777, None, "everybody"), (0o777, "everybody", "everybody")):
            shared.chmod(mode)
            for entry, expected in ((shared / "lib", ours), (shared, all_of_it)):
                found = elf.danger_of(str(entry), program, here)
                self.assertEqual(found and found.split()[0], expected, f"{entry} {mode:o}")

    def test_a_release_is_hardened(self):
        if "CMAKE_BUILD_TYPE:STRING=Release" not in (BUILD / "CMakeCache.txt").read_text():
            self.skipTest("skipped: only a release is hardened")
        self.assertEqual(elf.missing_protections(BUILD / "bin/holdfast"), [])
        for library in BUILD.glob("lib*/**/holdfast/libholdfast_*.so"):
            self.assertEqual(elf.missing_protections(library), [])

    def test_the_shim_does_not_call_the_checked_copies_that_it_defines(self):
        shim = next(BUILD.glob("lib*/**/holdfast/libholdfast_io_preload.so"))
        self.assertIn("__pread_chk", elf.exported(shim))
        self.assertEqual([name for name in elf.imported(shim) if re.fullmatch(r"__(?!stack)\w+_chk(@.*)?", name)], [])

    def test_a_program_without_protections_is_seen_as_such(self):
        source, program = Path(self._folder.name) / "bare.c", Path(self._folder.name) / "bare"
        source.write_text("int main(void) { return 0; }\n")
        run(os.environ.get("CC", "cc"), "-no-pie", "-z", "norelro", "-z", "lazy", "-z", "execstack", source, "-o", program)
        self.assertEqual(len(elf.missing_protections(program)), 6)

    def test_what_a_module_keeps_to_itself_is_hidden(self):
        for library in BUILD.glob("lib*/holdfast/libholdfast_mpi.so"):
            self.assertEqual([name for name in elf.exported(library) if "holdfast" in name], ["holdfast_open_transport_1"])
        if "CMAKE_BUILD_TYPE:STRING=Release" in (BUILD / "CMakeCache.txt").read_text():
            self.assertEqual([name for name in elf.exported(BUILD / "bin/holdfast") if "holdfast_asset" in name], [])

    def test_what_the_program_brings_along_is_there(self):
        share = self.prefix / "share/holdfast"
        self.assertTrue(list(share.glob("domains/*/vectors/*.json")))
        self.assertTrue(list(share.glob("reproduce/*/campaign.toml")))
        self.assertTrue((share / "examples").is_dir())
        self.assertTrue((self.prefix / "share/doc/holdfast/LICENSE").is_file())

    def test_the_program_uses_what_it_brought_along(self):
        share = self.prefix / "share/holdfast"
        item = share / "reproduce/planted"
        item.mkdir()
        (item / "item.toml").write_text('title = "planted"\nsource = "here"\n')
        (item / "published.csv").write_text("command,pointer,label\n")
        (share / "domains/checkpoint/vectors/planted.json").write_text(
            '{"holdfast": {"kind": "vectors", "version": 1}, "vectors": [{"why": "planted", "command": '
            '"checkpoint expected", "options": {}, "instance": {}, "expect": {"error": 2}}]}')
        program = self.prefix / "bin/holdfast"
        self.assertIn("planted", run(program, "reproduce", "--list", cwd=self.prefix))
        own = run(program, "verify", *share.glob("domains/*/vectors/*.json"), cwd=self.prefix)
        self.assertEqual(run(program, "verify", cwd=self.prefix).splitlines()[-1], own.splitlines()[-1])
        moved = self.prefix.with_name("moved prefix")
        self.prefix.rename(moved)
        try:
            self.assertIn("planted", run(moved / "bin/holdfast", "reproduce", "--list", cwd=moved))
        finally:
            moved.rename(self.prefix)

    def test_the_public_headers_are_installed_and_no_others(self):
        include = self.prefix / "include"
        installed = {path.relative_to(include).as_posix() for path in include.rglob("*") if path.is_file()}
        listed = (blocks.ROOT / "cmake/public_headers.txt").read_text().split()
        self.assertEqual(installed, {*listed, "holdfast.h", "holdfast_io.h", "holdfast_mpi.h"})

    def test_a_program_is_built_with_the_library(self):
        build = Path(self._folder.name) / "consumer"
        run("cmake", "-S", HERE / "consumer", "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}")
        run("cmake", "--build", build)
        said = run(build / "consumer").split()
        self.assertRegex(said[0], r"^\d+\.\d+\.\d+$")
        self.assertIn("checkpoint", said)

    def test_a_program_is_built_by_pkg_config(self):
        place = next(self.prefix.glob("lib*/**/pkgconfig"))
        os.environ["PKG_CONFIG_PATH"] = str(place)
        # Blanks in a path are escaped in what pkg-config says.
        flags = shlex.split(run("pkg-config", "--cflags", "--libs", "holdfast"))
        program = Path(self._folder.name) / "by-pkg-config"
        run(os.environ.get("CXX", "c++"), "-std=c++20", HERE / "consumer/main.cpp", "-o", program, *flags)
        self.assertIn("checkpoint", run(program).split())
        self.assertEqual(run("pkg-config", "--modversion", "holdfast").strip(), run(program).split()[0])

    def test_man_pages_completion_and_the_bill_of_materials_are_there(self):
        share = self.prefix / "share"
        for name in ("man/man1/holdfast.1.gz", "man/man1/holdfast-checkpoint.1.gz", "man/man5/holdfast-campaign.5.gz",
                     "holdfast/holdfast.spdx.json", "bash-completion/completions/holdfast", "zsh/site-functions/_holdfast",
                     "fish/vendor_completions.d/holdfast.fish"):
            self.assertTrue((share / name).is_file(), name)

    def test_a_program_brings_a_strategy_of_its_own(self):
        """The commands of the tutorial for researchers, by a reader whose home has the installation and whose clone has examples."""
        block = list(blocks.indented("docs/tutorials/researcher.md"))[-1]
        built, installed, *commands = block.splitlines()
        self.assertEqual((built, installed), ("cmake --build build/release", "cmake --install build/release --prefix ~/holdfast"))
        home = Path(self._folder.name) / "home"
        home.mkdir()
        (home / "holdfast").symlink_to(self.prefix)
        shutil.copytree(self.prefix / "share/holdfast/examples", home / "examples")
        environment = {**os.environ, "HOME": str(home)}
        said = [run("bash", "-c", command, cwd=home, env=environment) for command in commands]
        _, _, compared, first, report = said
        for name in ("fair-share", "fcfs", "by-slowdown"):
            self.assertRegex(compared, rf"(?m)^{name} ")
        self.assertIn("60 runs obey the model", compared)
        self.assertIn("180 cells, 0 of them found", first)
        self.assertIn("180 cells, 180 of them found", run("bash", "-c", commands[3], cwd=home, env=environment))
        self.assertIn("report.html", report)
        self.assertIn("by-slowdown", (home / "windows-results/report.html").read_text())
        campaign = home / "examples/own-strategy/windows.toml"
        refused = subprocess.run([self.prefix / "bin/holdfast", "run", campaign], cwd=self._folder.name,
                                 stderr=subprocess.PIPE, text=True)
        self.assertEqual(refused.returncode, 3)
        self.assertIn("takes its decisions from a program that uses the library", refused.stderr)


if __name__ == "__main__":
    os.environ.pop("DESTDIR", None)
    unittest.main()
