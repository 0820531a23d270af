from project_copy import ToolTest


class GatherChanges(ToolTest):
    def test_fragments_become_a_release_above_the_last(self):
        self.write("CHANGELOG.md", "# Changes\n\nWords.\n\n## 0.1.0 (2026-01-01)\n\n- first\n")
        self.write("changes/README.md", "how\n")
        self.write("changes/b.md", "**results change**: the seed of x,\n0.1 % at most\n")
        self.write("changes/a.md", "a new verb\n")
        self.assert_clean("gather_changes", "0.2.0", "--day", "2026-02-03")
        self.assertEqual((self.root / "CHANGELOG.md").read_text(),
                         "# Changes\n\nWords.\n\n## 0.2.0 (2026-02-03)\n\n- **results change**: the seed of x,\n  0.1 % at most\n"
                         "- a new verb\n\n## 0.1.0 (2026-01-01)\n\n- first\n")
        self.assertEqual([path.name for path in (self.root / "changes").iterdir()], ["README.md"])

    def test_without_fragments_nothing_is_written(self):
        self.write("CHANGELOG.md", "# Changes\n")
        self.assert_finds("gather_changes", "nothing in changes/", "0.2.0")
        self.assertEqual((self.root / "CHANGELOG.md").read_text(), "# Changes\n")
