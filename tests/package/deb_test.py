#!/usr/bin/env python3
"""The Debian packages: what lintian says, what they hold, and how they work in a minimal Debian: deb_test.py FOLDER_OF_PACKAGES"""

import gzip
import json
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

import minimal_root

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FOLDER = Path(sys.argv.pop()).resolve()
PACKAGES = {path.name.split("_")[0]: path for path in FOLDER.glob("*.deb")}
EXPECTED = {"holdfast", "libholdfast1", "libholdfast-dev", "holdfast-doc"}
OPTIONAL = {"holdfast-mpi", "python3-holdfast"}  # where MPI and pybind11 are installed


def run(*command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


def contents(package):
    """Names of the files of a package, without ./ in front."""
    return {line.split(None, 5)[5].split(" -> ")[0].removeprefix("./") for line in run("dpkg", "-c", PACKAGES[package]).splitlines()}


class Contents(unittest.TestCase):
    def test_the_packages_are_those_of_the_record(self):
        self.assertEqual(set(PACKAGES) - OPTIONAL, EXPECTED)

    def test_the_program_brings_everything_that_it_speaks_of(self):
        found = contents("holdfast")
        for name in ("usr/bin/holdfast", "usr/share/man/man1/holdfast.1.gz", "usr/share/man/man1/holdfast-checkpoint.1.gz",
                     "usr/share/man/man5/holdfast-campaign.5.gz", "usr/share/bash-completion/completions/holdfast",
                     "usr/share/zsh/vendor-completions/_holdfast", "usr/share/fish/vendor_completions.d/holdfast.fish",
                     "usr/share/holdfast/holdfast.spdx.json", "usr/share/holdfast/examples/first-look.toml",
                     "usr/share/doc/holdfast/copyright", "usr/share/doc/holdfast/changelog.gz"):
            self.assertIn(name, found)
        self.assertTrue([name for name in found if name.endswith("/holdfast/libholdfast_io_preload.so")])
        self.assertFalse([name for name in found if name.startswith("usr/include")])

    def test_the_documentation_is_whole(self):
        found = contents("holdfast-doc")
        place = "usr/share/doc/holdfast-doc/html"
        for name in ("index.html", "searchindex.js", "gallery.html", "tutorials/application-developer.html", "tutorials/operator.html",
                     "tutorials/researcher.html", "how-to/install.html", "domains/checkpoint.html"):
            self.assertIn(f"{place}/{name}", found)
        self.assertGreater(len([name for name in found if name.endswith(".html")]), 150)
        self.assertGreater(len([name for name in found if name.endswith(".svg")]), 10)

    def test_the_library_is_that_of_programs_in_cpp(self):
        found = contents("libholdfast-dev")
        for ending in ("libholdfast.a", "cmake/holdfast/holdfast-config.cmake", "pkgconfig/holdfast.pc"):
            self.assertTrue([name for name in found if name.endswith(ending)], ending)
        self.assertIn("usr/include/holdfast/catalog/catalog.hpp", found)

    def test_the_library_of_running_jobs_is_alone(self):
        """So that two versions of it can be installed at once; what compiles against it is in libholdfast-dev."""
        files = {name for name in contents("libholdfast1") if not name.endswith("/") and not name.startswith("usr/share/doc/")}
        self.assertEqual({name.rsplit("/", 1)[1] for name in files}, {"libholdfast.so.1", "libholdfast.so.1.0"})
        found = contents("libholdfast-dev")
        for ending in ("/libholdfast.so", "include/holdfast.h", "include/holdfast_mpi.h", "fortran/holdfast.f90", "pkgconfig/holdfast-c.pc"):
            self.assertTrue([name for name in found if name.endswith(ending)], ending)
        self.assertIn("libholdfast1 (= ", run("dpkg-deb", "-f", PACKAGES["libholdfast-dev"], "Depends"))

    def test_the_package_of_python_brings_no_second_copy_of_what_the_program_brings(self):
        if "python3-holdfast" not in PACKAGES:
            self.skipTest("skipped: no python3-holdfast (./setup python, then build the packages again)")
        found = contents("python3-holdfast")
        place = "usr/lib/python3/dist-packages/holdfast"
        for name in ("__init__.py", "__init__.pyi", "py.typed", "share"):
            self.assertIn(f"{place}/{name}", found)
        self.assertTrue([name for name in found if re.fullmatch(place + r"/_core\.cpython-3\d+-.*\.so", name)])
        self.assertFalse([name for name in found if "__pycache__" in name or name.endswith(".toml")])
        needed = run("dpkg-deb", "-f", PACKAGES["python3-holdfast"], "Depends")
        for name in ("holdfast (= ", "libholdfast1 (= ", "python3-numpy"):
            self.assertIn(name, needed)

    def test_no_package_knows_where_it_was_made(self):
        scratch = FOLDER / "unpacked"
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir()
        for name, path in PACKAGES.items():
            run("dpkg-deb", "-x", path, scratch / name)
        for path in scratch.rglob("*"):
            if path.is_file() and not path.is_symlink():
                data = path.read_bytes()
                if path.suffix == ".gz":
                    data = gzip.decompress(data)
                self.assertFalse(str(ROOT).encode() in data, f"{path.relative_to(scratch)} holds {ROOT}")
        shutil.rmtree(scratch)

    def test_the_bill_of_materials_is_whole(self):
        text = subprocess.run(["dpkg-deb", "--fsys-tarfile", PACKAGES["holdfast"]], check=True, capture_output=True).stdout
        bill = json.loads(subprocess.run(["tar", "-xO", "./usr/share/holdfast/holdfast.spdx.json"], input=text, check=True,
                                         capture_output=True).stdout)
        self.assertEqual(bill["spdxVersion"], "SPDX-2.3")
        ids = {one["SPDXID"] for one in bill["packages"]} | {"SPDXRef-DOCUMENT"}
        for relation in bill["relationships"]:
            self.assertLessEqual({relation["spdxElementId"], relation["relatedSpdxElement"]}, ids)
        # libsqlite3-0 is sqlite, zlib1g is zlib; the compiler's own libraries are Debian's.
        needed = {re.sub(r"\d.*$", "", word.split()[0].removeprefix("lib"))
                  for word in run("dpkg-deb", "-f", PACKAGES["holdfast"], "Depends").split(",")}
        projects = {"lzma": "xz", "bz": "bzip2"}
        self.assertLessEqual({projects.get(name, name) for name in needed} - {"c", "gcc-s", "stdc++", "m"},
                             {one["name"] for one in bill["packages"]})

    def test_lintian_finds_nothing_that_is_not_explained(self):
        if not shutil.which("lintian"):
            self.skipTest("skipped: no lintian (./setup package)")
        done = subprocess.run(["lintian", "--allow-root", "--fail-on", "error,warning", "--tag-display-limit", "0", *PACKAGES.values()],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_every_override_of_lintian_is_explained(self):
        for path in (ROOT / "packaging/lintian").iterdir():
            paragraphs = path.read_text().strip().split("\n\n")
            for paragraph in paragraphs:
                self.assertTrue(paragraph.startswith("# "), f"{path.name}: found no reason above {paragraph.splitlines()[0]}")


@unittest.skipIf(minimal_root.missing(), f"skipped: {minimal_root.missing()}")
class Installed(unittest.TestCase):
    """In a minimal Debian, in the order of the names: installed, used, removed."""

    @classmethod
    def setUpClass(cls):
        cls.root = minimal_root.MinimalRoot()
        cls.addClassCleanup(cls.root.close)
        cls.root.run("apt-get", "-q", "update")
        # What is there anyway on a machine that people use: Debian leaves man pages out of nothing but images.
        cls.root.run("apt-get", "-q", "-y", "install", "--no-install-recommends", "man-db", "bash-completion")
        cls.files, cls.packages = cls.root.files(), cls.root.packages()
        place = cls.root.folder / "packages"
        place.mkdir()
        for path in PACKAGES.values():
            shutil.copy(path, place)
        cls.root.run("sh", "-c", "apt-get -q -y install --no-install-recommends /packages/holdfast_*.deb /packages/holdfast-doc_*.deb")
        cls.added = cls.root.packages() - cls.packages

    def test_1_it_needs_few_packages(self):
        self.assertLess(len(self.added), 8, self.added)

    def test_2_it_runs_and_verifies(self):
        self.assertRegex(self.root.run("holdfast", "--version").stdout, r"^holdfast \d+\.\d+\.\d+( \(commit [0-9a-f]{12}\))?$")
        facts = json.loads(self.root.run("holdfast", "--version", "--json").stdout)
        self.assertRegex(self.root.run("holdfast", "verify").stdout, r"\d+ passed, 0 failed")
        self.assertIn("table-2.2", self.root.run("holdfast", "reproduce", "--list").stdout)
        self.assertEqual(facts["build_type"], "Release")

    def test_3_man_pages_are_there(self):
        for page in ("holdfast", "holdfast-checkpoint", "holdfast-run", "holdfast-campaign"):
            done = self.root.run("man", "--warnings", page, MANPAGER="cat", MANWIDTH="80")
            self.assertIn("SYNOPSIS", done.stdout)
            self.assertNotIn("warning", done.stdout)

    def test_4_completion_is_loaded_where_bash_looks_for_it(self):
        script = """. /usr/share/bash-completion/bash_completion
_completion_loader holdfast
COMP_WORDS=(holdfast checkpoint pl) COMP_CWORD=2 COMP_LINE='holdfast checkpoint pl' COMP_POINT=22
_holdfast
echo "${COMPREPLY[@]}"
"""
        self.assertEqual(self.root.run("bash", "-c", script).stdout.strip().splitlines()[-1], "plan")

    def test_5_every_example_of_help_runs_from_an_empty_folder(self):
        (self.root.folder / "empty").mkdir()
        texts = [self.root.run("holdfast", "help").stdout]
        verbs = re.findall(r"^  ([a-z]+)  +\S", texts[0].split("Options:")[0], re.M)
        self.assertGreater(len(verbs), 12)
        texts += [self.root.run("holdfast", "help", verb).stdout for verb in verbs]
        examples = {line.split("holdfast ", 1)[1] for text in texts for line in text.splitlines()
                    if re.match(r"(examples?:)? +holdfast ", line)}
        self.assertGreater(len(examples), 8)
        for example in sorted(examples):
            with self.subTest(example=example):
                self.root.run("bash", "-c", "holdfast " + example, cwd="/empty", timeout=240)
        # Files of ours are named so that they are found from everywhere.
        self.assertIn("/usr/share/holdfast/examples/", "".join(examples))

    def test_6_programs_are_built_with_the_library(self):
        self.root.run("sh", "-c", "apt-get -q -y install --no-install-recommends g++ cmake ninja-build /packages/libholdfast-dev_*.deb "
                                  "/packages/libholdfast1_*.deb")
        shutil.copytree(ROOT / "tests/install/consumer", self.root.folder / "consumer")
        self.root.run("cmake", "-S", "/consumer", "-B", "/consumer/build", "-G", "Ninja")
        self.root.run("cmake", "--build", "/consumer/build")
        by_cmake = self.root.run("/consumer/build/consumer").stdout
        self.root.run("sh", "-c", "g++ -std=c++20 /consumer/main.cpp $(pkg-config --cflags --libs holdfast) -o /consumer/by-pkg-config")
        self.assertEqual(self.root.run("/consumer/by-pkg-config").stdout, by_cmake)
        self.assertIn("checkpoint", by_cmake)
        # A loop in C that asks when to write checkpoints.
        shutil.copy(ROOT / "bindings/c/loop_test.c", self.root.folder / "consumer")
        self.root.run("sh", "-c", "gcc -std=c99 /consumer/loop_test.c $(pkg-config --cflags --libs holdfast-c) -o /consumer/loop")
        self.root.run("/consumer/loop", cwd="/consumer")
        self.assertIn("libholdfast.so.1 ", self.root.run("ldd", "/consumer/loop").stdout)

    def test_7_python_asks_the_same_questions(self):
        if "python3-holdfast" not in PACKAGES:
            self.skipTest("skipped: no python3-holdfast (./setup python, then build the packages again)")
        self.root.run("sh", "-c", "apt-get -q -y install --no-install-recommends /packages/python3-holdfast_*.deb "
                                  "/packages/libholdfast1_*.deb")
        words = ["checkpoint", "plan", "--platform-mtbf", "1d", "--checkpoint", "20min", "--work", "5d", "--json"]
        self.assertEqual(self.root.run("python3", "-m", "holdfast", *words).stdout, self.root.run("holdfast", *words).stdout)
        script = """import importlib.metadata
import holdfast as hf
from holdfast.advisor import Advisor
print(importlib.metadata.version("holdfast"))
print(hf.checkpoint.plan(platform_mtbf="1d", checkpoint="20min", work="5d"))
with Advisor(processors=16, mtbf="100d") as advisor:
    advisor.ready()
    print(advisor.due())
print(hf.command(["verify"]).out.splitlines()[-1])
"""
        (self.root.folder / "question.py").write_text(script)
        said = self.root.run("python3", "-W", "error", "/question.py").stdout.splitlines()
        (self.root.folder / "question.py").unlink()
        self.assertRegex(said[0], r"^\d+\.\d+\.\d+$")
        self.assertEqual(said[-2], "0")
        self.assertRegex(said[-1], r"\d+ passed, 0 failed")

    def test_8_a_purge_leaves_nothing(self):
        shutil.rmtree(self.root.folder / "consumer", ignore_errors=True)
        shutil.rmtree(self.root.folder / "empty", ignore_errors=True)
        shutil.rmtree(self.root.folder / "packages")
        self.root.run("apt-get", "-q", "-y", "purge", *sorted(self.root.packages() - self.packages))
        self.assertEqual(self.root.packages(), self.packages)
        left = sorted(name for name in self.root.files() - self.files if "holdfast" in name)
        self.assertEqual(left, [])
        self.assertEqual(self.root.run("sh", "-c", "dpkg -l | grep -i holdfast || true").stdout, "")


if __name__ == "__main__":
    if minimal_root.missing():
        print(f"packages: skipped: {minimal_root.missing()}", flush=True)
    unittest.main()
