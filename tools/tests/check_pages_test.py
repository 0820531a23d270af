from project_copy import ToolTest

PAGE = """# page

```
$ holdfast greet \\
    'a b'
hello a b
```

    $ holdfast not fenced: not run
"""


class CheckPages(ToolTest):
    def setUp(self):
        super().setUp()
        self.program = self.write("holdfast", '#!/bin/sh\nshift\necho "hello $*"\nprintf "\\nbye  \\n"\n')
        self.program.chmod(0o755)

    def check(self, *arguments):
        return self.run_tool("check_pages", "--program", self.program, *arguments)

    def test_another_output_is_found(self):
        self.write("a.md", PAGE)
        status, output = self.check()
        self.assertEqual(status, 1)
        self.assertIn("a.md:4: holdfast greet 'a b'", output)
        self.assertIn("0 passed, 1 failed", output)

    def test_update_writes_what_is_printed(self):
        page = self.write("a.md", PAGE)
        self.assertEqual(self.check("--update")[0], 0)
        self.assertIn("hello a b\n\nbye\n```", page.read_text())
        self.assertEqual(self.check(), (0, "1 passed, 0 failed\n"))

    def test_dots_stand_for_any_lines(self):
        self.write("a.md", "```\n$ ./run x y\n...\nbye\n```\n")
        self.assertEqual(self.check()[0], 0)
        self.write("a.md", "```\n$ ./run x y\n...\nciao\n```\n")
        self.assertEqual(self.check()[0], 1)

    def test_update_leaves_out_what_was_left_out(self):
        self.program.write_text("#!/bin/sh\nseq 1 9 | sed 's/^/line /'\necho end $2\n")
        page = self.write("a.md", "```\n$ ./run x y\nline 1\n...\nlane 5\nlane 6\n...\nend x\n```\n")
        self.assertEqual(self.check("--update")[0], 0)
        self.assertIn("\nline 1\n...\nline 5\nline 6\n...\nend y\n```", page.read_text())
        self.assertEqual(self.check(), (0, "1 passed, 0 failed\n"))

    def test_a_command_without_its_data_is_skipped_visibly(self):
        self.write("a.md", "```\n$ holdfast trace info $HOLDFAST_DATA/a.csv\nmuch\n```\n")
        status, output = self.check()
        self.assertEqual(status, 0)
        self.assertIn("a.md:2: skipped: no ", output)
        self.assertTrue(output.endswith("0 passed, 0 failed, 1 skipped\n"), output)

    def test_a_picture_is_what_a_command_draws(self):
        self.program.write_text('#!/bin/sh\necho "<svg/>" > "$2"\n')
        self.write("a.md", "```\n$ ./run draw one.svg\n```\n\n![one](pictures/one.svg)\n")
        self.assertEqual(self.check(), (1, "a.md:5: no picture pictures/one.svg\n1 passed, 1 failed\n"))
        picture = self.write("pictures/one.svg", "<svg>another</svg>\n")
        status, output = self.check()
        self.assertEqual(status, 1)
        self.assertIn("a.md:5: pictures/one.svg: the page's commands draw another picture", output)
        self.assertEqual(self.check("--update")[0], 0)
        self.assertEqual(picture.read_text(), "<svg/>\n")
        self.assertEqual(self.check(), (0, "1 passed, 0 failed\n"))
