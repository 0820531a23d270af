import subprocess

from project_copy import ToolTest


class Release(ToolTest):
    def setUp(self):
        super().setUp()
        self.write("CMakeLists.txt", "project(holdfast VERSION 0.1.0 LANGUAGES CXX)\n")
        self.write("CHANGELOG.md", "# Changes\n\nWords.\n\n## 0.1.0 (2026-01-01)\n\n- first\n")
        self.write("changes/README.md", "how\n")

    def test_a_version_is_written_where_files_name_it(self):
        self.write("packaging/conda/recipe.yaml", 'version: "0.1.0" # not 10.1.0, 0.1.0.1\n')
        self.assert_clean("release", "version", "0.2.0")
        self.assertEqual((self.root / "CMakeLists.txt").read_text(), "project(holdfast VERSION 0.2.0 LANGUAGES CXX)\n")
        self.assertEqual((self.root / "packaging/conda/recipe.yaml").read_text(), 'version: "0.2.0" # not 10.1.0, 0.1.0.1\n')
        self.assert_finds("release", "found 'next', expected a version", "version", "next")

    def test_fragments_become_a_release_above_the_last(self):
        self.write("changes/b.md", "**results change**: the seed of x,\n0.1 % at most\n")
        self.write("changes/a.md", "a new verb\n\n**results change** there,\ntoo\n")
        self.assert_finds("release", "CHANGELOG.md already has 0.1.0", "changes")
        self.assert_clean("release", "version", "0.2.0")
        self.assert_clean("release", "changes", "--day", "2026-02-03")
        self.assertEqual((self.root / "CHANGELOG.md").read_text(),
                         "# Changes\n\nWords.\n\n## 0.2.0 (2026-02-03)\n\n- **results change** there,\n  too\n"
                         "- **results change**: the seed of x,\n  0.1 % at most\n"
                         "- a new verb\n\n## 0.1.0 (2026-01-01)\n\n- first\n")
        self.assertEqual([path.name for path in (self.root / "changes").iterdir()], ["README.md"])
        self.assert_finds("release", "nothing in changes/", "changes")

    def test_only_a_commit_with_its_list_of_changes_is_released(self):
        fragment = self.write("changes/a.md", "a new verb\n")
        self.assert_finds("release", "changes/ has fragments", "files")
        fragment.unlink()
        subprocess.run(["git", "init", "-q", self.root], check=True)
        self.assert_finds("release", "these files are not committed:\n?? CHANGELOG.md", "files")
        self.assert_clean("release", "version", "0.2.0")
        self.assert_finds("release", "CHANGELOG.md has no 0.2.0", "files")
