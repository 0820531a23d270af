"""./setup, with programs of our own in place of dpkg-query and apt-get."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

SETUP = Path(__file__).resolve().parents[2] / "setup"

DPKG_QUERY = """#!/bin/sh
for name; do
  if grep -qxF "$name" "$HAVE"; then echo "$name installed"; fi
done
"""
APT_GET = """#!/bin/sh
echo "$*" >> "$CALLS"
case "$*" in *--assume-no*)
  echo "0 upgraded, 86 newly installed, 0 to remove and 0 not upgraded."
  echo "Need to get 5 MB/105 MB of archives."
  echo "After this operation, 519 MB of additional disk space will be used."
  exit 1 ;;
esac
"""
SUDO = """#!/bin/sh
echo "sudo $*" >> "$CALLS"
"""
TRUE = "#!/bin/sh\nexit 0\n"


class Setup(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.calls = self.folder / "calls"
        self.have = self.folder / "have"
        self.have.write_text("")
        self.bin = self.folder / "bin"
        self.bin.mkdir()
        self.program("dpkg-query", DPKG_QUERY)
        self.program("apt-get", APT_GET)
        self.program("id", "#!/bin/sh\necho 0\n")
        for name in ("bash", "env", "grep", "awk", "cat", "sh"):
            found = subprocess.run(["sh", "-c", f"command -v {name}"], capture_output=True, text=True, check=True)
            (self.bin / name).symlink_to(found.stdout.strip())

    def program(self, name, text):
        path = self.bin / name
        path.write_text(text)
        path.chmod(0o755)

    def run_setup(self, *arguments):
        environment = {"PATH": str(self.bin), "HAVE": str(self.have), "CALLS": str(self.calls),
                       "HOLDFAST_OS_RELEASE": str(self.folder / "os-release")}
        return subprocess.run([self.bin / "bash", SETUP, *arguments], env=environment, capture_output=True, text=True)

    def installed(self):
        if not self.calls.exists():
            return []
        lines = [line.split() for line in self.calls.read_text().splitlines() if "--assume-no" not in line]
        return [word for line in lines if "install" in line for word in line[line.index("install") + 2:]]

    def listed(self):
        rows = [line.split() for line in self.run_setup("--list").stdout.splitlines()]
        return {row[0]: row[1].split(",") for row in rows}

    def test_the_group_run_installs_nothing_of_other_groups(self):
        done = self.run_setup("run")
        self.assertEqual(done.returncode, 0, done.stderr)
        expected = [name for name, groups in self.listed().items() if "run" in groups]
        self.assertEqual(self.installed(), expected)
        self.assertNotIn("doctest-dev", expected)
        self.assertIn("as root", done.stderr)
        self.assertIn("86 packages, 5 MB to fetch, 519 MB on disk", done.stderr)

    def test_without_a_group_everything_is_installed_but_what_stages_by_hand_need(self):
        self.assertEqual(self.run_setup().returncode, 0)
        expected = [name for name, groups in self.listed().items() if not set(groups) <= {"optional", "field", "engines", "portable", "web"}]
        self.assertEqual(sorted(self.installed()), sorted(expected))

    def test_what_is_there_is_not_installed_again(self):
        self.have.write_text("\n".join(self.listed()) + "\n")
        done = self.run_setup()
        self.assertEqual(done.stderr, "setup: nothing is missing\n")
        self.assertFalse(self.calls.exists())

    def test_a_browser_from_elsewhere_will_do(self):
        self.program("chromium", TRUE)
        self.run_setup("browser")
        self.assertNotIn("chromium", self.installed())

    def test_an_unknown_group_is_refused(self):
        done = self.run_setup("tests")
        self.assertEqual(done.returncode, 2)
        self.assertIn('found "tests", expected a group: run fast', done.stderr)
        self.assertFalse(self.calls.exists())

    def test_without_root_the_command_is_said(self):
        self.program("id", "#!/bin/sh\necho 1000\n")
        done = self.run_setup("test")
        self.assertEqual(done.returncode, 1)
        self.assertIn("run, as root (86 packages, 5 MB to fetch, 519 MB on disk):\n", done.stderr)
        self.assertIn("apt-get update && apt-get install --no-install-recommends doctest-dev librapidcheck-dev python3", done.stderr)
        self.assertEqual(self.installed(), [])

    def test_without_root_optional_packages_are_done_without(self):
        self.program("id", "#!/bin/sh\necho 1000\n")
        done = self.run_setup("fast")
        self.assertEqual(done.returncode, 0)
        self.assertIn("going on without ccache mold", done.stderr)

    def test_the_documentation_is_optional(self):
        self.program("id", "#!/bin/sh\necho 1000\n")
        done = self.run_setup("docs")
        self.assertEqual(done.returncode, 0)
        self.assertIn("going on without python3-sphinx python3-myst-parser furo", done.stderr)

    def on_another_system(self, *programs):
        (self.bin / "dpkg-query").unlink()
        for name in programs:
            self.program(name, TRUE)
        return self.run_setup("run")

    def test_another_system_is_told_its_own_names(self):
        done = self.on_another_system("dnf")
        self.assertEqual(done.returncode, 1)
        self.assertIn("dnf install gcc-c++ cmake ninja-build", done.stderr)
        self.assertIn("found no cmake ninja c++ pkg-config", done.stderr)

    def test_a_system_is_what_it_says_that_it_is(self):
        for text, command in (('ID="rocky"\nID_LIKE="rhel centos fedora"\n', "dnf install gcc-c++"), ("ID=arch\n", "pacman -S --needed gcc"),
                              ('ID="opensuse-leap"\nID_LIKE="suse opensuse"\n', "zypper install gcc-c++")):
            (self.folder / "os-release").write_text(text)
            done = self.run_setup("run")
            self.assertEqual(done.returncode, 1)
            self.assertIn(command, done.stderr)
        (self.folder / "os-release").write_text("ID=ubuntu\nID_LIKE=debian\n")
        self.run_setup("run")
        self.assertIn("g++", self.installed())

    def test_what_has_no_package_there_is_named_apart(self):
        done = self.on_another_system("pacman")
        self.assertIn("pacman -S --needed gcc cmake ninja", done.stderr)
        self.assertIn("and what Debian calls: librandom123-dev\n", done.stderr)

    def test_another_system_goes_on_where_what_builds_is_there(self):
        done = self.on_another_system("zypper", "cmake", "ninja", "c++", "pkg-config")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_what_building_needs_has_a_name_on_every_system(self):
        rows = [line.split() for line in self.run_setup("--elsewhere").stdout.splitlines()]
        needed = {name for name, groups in self.listed().items() if {"run", "test"} & set(groups)}
        self.assertLessEqual(needed, {row[0] for row in rows})
        self.assertEqual({len(row) for row in rows}, {5})

    def test_sudo_is_used_where_it_is(self):
        self.program("id", "#!/bin/sh\necho 1000\n")
        self.program("sudo", SUDO)
        self.assertEqual(self.run_setup("bench").returncode, 0)
        self.assertIn("sudo env DEBIAN_FRONTEND=noninteractive apt-get", self.calls.read_text())

    def test_a_dry_run_installs_nothing(self):
        done = self.run_setup("--dry-run", "run")
        self.assertEqual(done.returncode, 0)
        self.assertIn("installing", done.stderr)
        self.assertEqual(self.installed(), [])

    def test_every_group_of_a_package_is_explained(self):
        explained = {line.split()[0] for line in self.run_setup("--groups").stdout.splitlines()}
        used = {group for groups in self.listed().values() for group in groups} - {"optional"}
        self.assertEqual(used, explained)


if __name__ == "__main__":
    unittest.main()
