"""What packages are made of: the bill of materials, the changelog in Debian's form, and the recipes of other systems."""

import ast
import gzip
import json
import re
import shutil
import subprocess
import sys
import tomllib
import unittest

from project_copy import TOOLS, ToolTest

ROOT = TOOLS.parent
FACTS = {"version": "1.2.3", "mpi": False, "libraries": {"sea": "4.5"}}
COMPONENTS = """
[[component]]
find = "SEA"
facts = "sea"
name = "sea"
use = "dynamic"
debian = "libsea-of-no-system-dev"
licence = "MIT"
[[component]]
find = "tests"
use = "none"
"""
DEPENDENCIES = "find_package(SEA REQUIRED)  # libsea-dev\nif(X)\n  pkg_check_modules(tests REQUIRED)\nendif()\n"


class Bill(ToolTest):
    def made(self, dependencies=DEPENDENCIES, epoch="86400"):
        self.write("packaging/components.toml", COMPONENTS)
        self.write("cmake/Dependencies.cmake", dependencies)
        program = self.write("holdfast", f"#!/bin/sh\necho '{json.dumps(FACTS)}'\n")
        program.chmod(0o755)
        return subprocess.run([sys.executable, TOOLS / "make_sbom", "--root", self.root, "--program", program, self.root / "bill.json"],
                              capture_output=True, text=True, env={"PATH": "/usr/bin:/bin", "SOURCE_DATE_EPOCH": epoch})

    def test_libraries_are_there_with_their_relations(self):
        self.assertEqual(self.made().returncode, 0)
        bill = json.loads((self.root / "bill.json").read_text())
        self.assertEqual({one["name"]: (one["versionInfo"], one["licenseDeclared"]) for one in bill["packages"]},
                         {"holdfast": ("1.2.3", "Apache-2.0"), "sea": ("4.5", "MIT")})
        self.assertEqual([one["relationshipType"] for one in bill["relationships"]], ["DESCRIBES", "DYNAMIC_LINK"])
        self.assertEqual(bill["creationInfo"]["created"], "1970-01-02T00:00:00Z")
        for member in ("spdxVersion", "dataLicense", "SPDXID", "name", "documentNamespace"):
            self.assertIn(member, bill)

    def test_a_library_without_a_row_is_an_error(self):
        done = self.made(DEPENDENCIES + "find_path(LAKE lake.h)\n")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("no row for LAKE", done.stderr)

    def test_a_row_without_a_library_is_an_error(self):
        self.assertIn("a row for tests", self.made("find_package(SEA REQUIRED)\n").stderr)


class Changelog(ToolTest):
    def made(self):
        subprocess.run([sys.executable, TOOLS / "make_changelog", "--root", self.root, "--package", "holdfast", "--version", "0.2.0",
                        "--maintainer", "A <a@b.c>", "--epoch", "86400", self.root / "out.gz"], check=True)
        return gzip.decompress((self.root / "out.gz").read_bytes()).decode()

    def test_what_is_not_released_stands_above_releases(self):
        self.write("CHANGELOG.md", "# Changes\n\n## 0.1.0 (2026-03-02)\n\n- **results change**: a `word` and\n  a [link](x.md)\n- more\n")
        self.write("changes/one.md", "something new\n")
        self.write("changes/README.md", "no entry\n")
        self.assertEqual(self.made(), """holdfast (0.2.0) unstable; urgency=medium

  * something new

 -- A <a@b.c>  Fri, 02 Jan 1970 00:00:00 +0000

holdfast (0.1.0) unstable; urgency=medium

  * results change: a word and a link
  * more

 -- A <a@b.c>  Mon, 02 Mar 2026 00:00:00 +0000
""")


class Recipes(unittest.TestCase):
    """The recipes cannot be run here; but that they can be read, and agree with what the build looks for, can be checked."""

    version = re.search(r"VERSION (\d+\.\d+\.\d+)", (ROOT / "CMakeLists.txt").read_text())[1]
    rows = [row for row in tomllib.loads((ROOT / "packaging/components.toml").read_text())["component"] if row["use"] != "none"]

    def text(self, name):
        text = (ROOT / "packaging" / name).read_text()
        self.assertLess(len(text.splitlines()), 60, name)
        self.assertIn("not built", text.splitlines()[0], name)
        return text

    def test_every_library_has_a_row(self):
        done = subprocess.run([sys.executable, "-c", "import runpy, sys; from pathlib import Path; "
                               f"runpy.run_path('{TOOLS}/make_sbom')['components'](Path('{ROOT}'))"], cwd=TOOLS, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_spack(self):
        text = self.text("spack/package.py")
        ast.parse(text)
        asked = {re.split("[@+]", name)[0] for name in re.findall(r'depends_on\("([^"]+)"', text)}
        self.assertEqual(asked - {"cxx", "c", "cmake", "ninja", "pkgconfig", "python"}, {row["spack"] for row in self.rows})
        self.assertIn(f'version("{self.version}")', text)

    def test_conda(self):
        text = self.text("conda/recipe.yaml")
        asked = {line.split()[1] for line in text.split("  host:")[1].split("\n\n")[0].splitlines() if line.strip()}
        self.assertEqual(asked, {row["conda"] for row in self.rows if row["use"] != "plugin"})
        self.assertIn(f'version: "{self.version}"', text)

    def test_containers_verify_what_they_hold(self):
        for name in ("container/Dockerfile", "container/holdfast.def"):
            text = self.text(name)
            self.assertIn("debian:12-slim", text)
            self.assertIn("holdfast verify", text)
        self.assertIn(f"holdfast_{self.version}_amd64.deb", text)

    def test_the_image_has_the_libraries_that_the_program_needs(self):
        program = ROOT / "build/release/bin/holdfast"
        if not program.exists() or not shutil.which("dpkg"):
            self.skipTest("skipped: no program in build/release, or no dpkg")
        needed = re.findall(r"NEEDED.*\[(.+)\]", subprocess.run(["readelf", "-d", program], capture_output=True, text=True, check=True).stdout)
        loaded = dict(re.findall(r"(\S+) => \S*/(\S+/\S+) ", subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout))
        # With the folder: a machine may have the same library for 32 bits too. The loader, which ldd does not look for, is of libc6.
        owners = {subprocess.run(["dpkg", "-S", "*/" + loaded[name]], capture_output=True, text=True, check=True).stdout.split(":")[0]
                  for name in needed if not name.startswith("ld-linux")}
        self.assertLessEqual(owners - {"libc6", "libstdc++6", "libgcc-s1"}, set(self.text("container/Dockerfile").split()))


if __name__ == "__main__":
    unittest.main()
