from project_copy import ToolTest


class CheckText(ToolTest):
    def test_what_is_found(self):
        for path, text, expected in (
            ("a.md", "one \ntwo\n", "a.md:1: trailing blanks"),
            ("a.cpp", "int x;\n\tint y;\n", "a.cpp:2: found a tab"),
            ("a.cpp", b"int x;\r\n", "a.cpp:1: found a carriage return"),
            ("a.cpp", "int x;", "a.cpp:1: no line end at the end"),
            ("a.cpp", "int x;\n\n", "empty lines at the end"),
            ("a.cpp", "int x;\n" * 501, "a.cpp:500: 501 lines, at most 500"),
            ("a.cpp", b"\xff\n", "not UTF-8"),
            ("a.json", '{"a": 1, "a": 2}\n', "the key 'a' comes twice"),
            ("a.json", '{"a": 1\n', "a.json: Expecting"),
            ("a.toml", "a = = 1\n", "a.toml: "),
            ("docs/a.md", "see [b](../b.md#there)\n", "docs/a.md:1: the link leads nowhere: ../b.md"),
            ("a.csv", b"0" * (1 << 20) + b"1", "1048577 bytes, at most 1048576"),
        ):
            with self.subTest(expected=expected):
                place = self.write(path, text)
                self.assert_finds("check_text", expected)
                place.unlink()

    def test_comments_that_are_no_sentences_are_found(self):
        self.write("src/holdfast/base/b.hpp", "#pragma once\n")
        for line, expected in (
            ("/// Of all runs together.\n", "b.cpp:1: a doc comment that starts with 'Of'"),
            ("int x;  ///< Of a run.\n", "b.cpp:1: a doc comment that starts with 'Of'"),
            ("/// Half of it. @pre x\n/// >= 2\n", "b.cpp:2: a comment line that starts with '>=' is torn"),
            ("/// @pre x > 0\n", "b.cpp:1: a doc comment that starts with '@pre' has no subject"),
            ("// Made anew each time.\n", "b.cpp:1: found 'anew' in a comment, expected plain English: again"),
            ("// Colours that all tell apart.\n", "b.cpp:1: found 'tell apart' in a comment, expected plain English: distinguish"),
            ("int x;  // as in gone.hpp\n", "b.cpp:1: the comment names a file that is not there: gone.hpp"),
            ("/// As base/gone.md says.\n", "b.cpp:1: the comment names a file that is not there: base/gone.md"),
        ):
            with self.subTest(line=line):
                self.write("src/holdfast/base/b.cpp", line)
                self.assert_finds("check_text", expected)
        self.write("src/holdfast/base/b.cpp", "/// The share\n/// Of one, x >= 2, in base/b.hpp and b.hpp.\n/// @pre x, in the mean of two\nint x;  ///< of a run: \"NAME.toml\"\n")
        self.assert_clean("check_text")

    def test_foreign_words_of_pages_are_found_outside_code(self):
        self.write("docs/a.md", "Text.\n\n```\nmade anew\n```\n\nEach meets the same draws.\n")
        self.assert_finds("check_text", "docs/a.md:7: found 'meets the same' on a page, expected plain English: sees the same")
        self.write("docs/a.md", "Text.\n\n```\nmade anew\n```\n\n    made anew\n\nThe word \"luck\", `luck`.\n")
        self.write("docs/decisions/0001-a.md", "Made anew.\n")
        self.assert_clean("check_text")

    def test_inputs_that_are_wrong_on_purpose_stay(self):
        self.write("src/holdfast/traces/samples/windows.json", b"{\r\n")
        self.write("build/dev/broken.json", "{")
        self.assert_clean("check_text")


class CheckHeaders(ToolTest):
    def test_a_header_that_needs_another_is_found(self):
        self.write("src/holdfast/base/a.hpp", "#pragma once\nstd::string f();\n")
        self.assert_finds("check_headers", "src/holdfast/base/a.hpp: does not compile alone")

    def test_what_a_source_includes_first_is_left_to_the_build(self):
        self.write("src/holdfast/base/a.hpp", "#pragma once\nint f();\n")
        self.write("src/holdfast/base/a.cpp", '#include "holdfast/base/a.hpp"\nint f() { return 1; }\n')
        self.assertIn("1 headers, 0 of 0 compiled", self.run_tool("check_headers")[1])
        self.write("src/holdfast/base/a.cpp", '#include <string>\n#include "holdfast/base/a.hpp"\n')
        self.assertIn("1 headers, 1 of 1 compiled", self.run_tool("check_headers")[1])

    def test_what_passed_is_looked_at_again_when_an_included_header_changes(self):
        cache = ("--cache", str(self.root / "build/checked"))
        self.write("src/holdfast/base/a.hpp", "#pragma once\nusing Real = double;\n")
        self.write("src/holdfast/base/b.hpp", '#pragma once\n#include "holdfast/base/a.hpp"\nReal f();\n')
        self.assertIn("2 headers, 2 of 2 compiled", self.run_tool("check_headers", *cache)[1])
        self.assertIn("2 headers, 0 of 2 compiled", self.run_tool("check_headers", *cache)[1])
        self.write("src/holdfast/base/a.hpp", "#pragma once\n")
        self.assert_finds("check_headers", "src/holdfast/base/b.hpp: does not compile alone", *cache)


class Format(ToolTest):
    def test_a_crooked_file_is_found_and_mended(self):
        self.write(".clang-format", "BasedOnStyle: Google\n")
        self.write("src/holdfast/base/a.cpp", "int  f( ) ;\n")
        self.assert_finds("format", "src/holdfast/base/a.cpp:1: not formatted", "--check")
        self.assert_clean("format")
        self.assert_clean("format", "--check")
        self.assertEqual((self.root / "src/holdfast/base/a.cpp").read_text(), "int f();\n")


class Tidy(ToolTest):
    def test_a_mistake_is_found(self):
        self.write(".clang-tidy", "Checks: '-*,bugprone-integer-division'\nWarningsAsErrors: '*'\n")
        self.write("src/holdfast/kernel/a.cpp", "double half(int n) { return n / 2; }\n")
        self.assert_finds("tidy", "src/holdfast/kernel/a.cpp:1:29: error: result of integer division")

    def test_a_mistake_is_found_among_files_that_are_read_as_one(self):
        self.write(".clang-tidy", "Checks: '-*,bugprone-integer-division'\nWarningsAsErrors: '*'\n")
        for number in range(12):
            self.write(f"src/holdfast/kernel/file{number:02}.cpp", f"int same{number}(int n) {{ return n; }}\n")
        cache = ("--cache", str(self.root / "cache"))
        self.assertIn("12 files, 12 looked at, no problems", self.run_tool("tidy", *cache)[1])
        self.write("src/holdfast/kernel/file09.cpp", "double half(int n) { return n / 2; }\n")
        self.write("src/holdfast/kernel/file10.cpp", "int same10(int n) { return n + 1; }\n")
        self.assert_finds("tidy", "src/holdfast/kernel/file09.cpp:1:29: error: result of integer division", *cache)
        self.assertIn("12 files, 1 looked at, 1 problem", self.run_tool("tidy", *cache)[1])


class CheckFurniture(ToolTest):
    def test_what_a_domain_lacks_is_named(self):
        self.write("src/holdfast/catalog/catalog.cpp", "")
        self.write("src/holdfast/domains/io/CMakeLists.txt", "holdfast_domain(io)\n")
        self.write("src/holdfast/domains/io/README.md", "# io\n\n## Model\n\n## What it decides\n")
        (self.root / "src/holdfast/domains/io/vectors").mkdir()
        for expected in ("src/holdfast/domains/io: no simulate.cpp", "src/holdfast/domains/io/vectors: no *.json",
                         "README.md: no section '## ...limit...'", "section '## model' comes too early",
                         "catalog.cpp: no line for the domain 'io'"):
            with self.subTest(expected=expected):
                self.assert_finds("check_furniture", expected)

    def test_a_name_that_the_other_domains_do_not_use_is_found(self):
        header = "src/holdfast/domains/io/strategies.hpp"
        self.write("src/holdfast/domains/io/CMakeLists.txt", "holdfast_domain(io)\n")
        for declared, missing in (
            ("std::vector<StrategyEntry> strategy_entries();", "strategies()"),
            ("std::vector<TimelineColumn> schedule_columns();", "columns()"),
            ("Made make_strategy(const Instance& instance, const StrategySpec& spec);",
             "make_strategy(const StrategySpec& spec, const Instance& instance, ...)"),
        ):
            with self.subTest(declared=declared):
                self.write(header, f"#pragma once\n{declared}\n")
                self.assert_finds("check_furniture", f"src/holdfast/domains/io: no header declares {missing}")
        self.write(header, "std::vector<StrategyEntry> strategies();\nstd::vector<TimelineColumn> columns();\n"
                           "Result<std::unique_ptr<Strategy>> make_strategy(\n"
                           "    const StrategySpec& spec,\n    const Instance& instance, const Load& load);\n")
        output = self.run_tool("check_furniture")[1]
        for name in ("strategies()", "columns()", "make_strategy"):
            self.assertNotIn(f"declares {name}", output)
