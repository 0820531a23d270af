"""tools/check_reproducible: packages that differ are distinguished, and the file is named."""

import runpy
import shutil
import subprocess
import sys
import unittest

from project_copy import TOOLS, ToolTest

sys.path.insert(0, str(TOOLS))

TOOL = runpy.run_path(str(TOOLS / "check_reproducible"), run_name="tool") if shutil.which("dpkg-deb") else {}
CONTROL = "Package: boat\nVersion: 1\nArchitecture: all\nMaintainer: A <a@b.c>\nDescription: floats\n"


@unittest.skipUnless(TOOL, "skipped: no dpkg-deb")
class Compared(ToolTest):
    def package(self, folder, files):
        for name, text in {"DEBIAN/control": CONTROL, **files}.items():
            self.write(f"{folder}/tree/{name}", text)
        subprocess.run(["dpkg-deb", "--root-owner-group", "-b", self.root / folder / "tree", self.root / folder / "boat.deb"], check=True,
                       stdout=subprocess.DEVNULL, env={"PATH": "/usr/bin:/bin", "SOURCE_DATE_EPOCH": "0"})
        return TOOL["packages"](self.root / folder)

    def compared(self, one, other):
        return TOOL["compared"](one, other, self.root / "scratch")

    def test_the_same_files_are_the_same_package(self):
        self.assertEqual(self.compared(self.package("one", {"usr/oar": "x"}), self.package("other", {"usr/oar": "x"})), [])

    def test_a_file_that_differs_is_named(self):
        one, other = self.package("one", {"usr/oar": "x", "usr/sail": "s"}), self.package("other", {"usr/oar": "y", "usr/sail": "s"})
        self.assertEqual(self.compared(one, other), ["boat.deb: usr/oar differs"])

    def test_what_one_has_alone_is_named(self):
        one, other = self.package("one", {"usr/oar": "x"}), self.package("other", {"usr/oar": "x", "usr/sail": "s"})
        self.assertEqual(self.compared(one, other), ["boat.deb: usr/sail is in only one of them"])
        self.assertEqual(self.compared(one, {}), ["boat.deb was built in only one of the folders"])

    def test_files_are_copied_as_git_knows_them(self):
        self.write(".gitignore", "build\n")
        self.write("kept.txt", "k")
        self.write("build/made.txt", "m")
        subprocess.run(["git", "init", "-q", self.root], check=True)
        TOOL["copy_of"](self.root, self.root.parent / "copy")
        self.assertEqual(sorted(path.name for path in (self.root.parent / "copy").iterdir()), [".gitignore", "kept.txt"])


if __name__ == "__main__":
    unittest.main()
