from project_copy import ToolTest

LIBRARY = "src/holdfast/"


class CheckLayers(ToolTest):
    def assert_refuses(self, path, line, expected):
        self.write(path, f"#pragma once\n{line}\n")
        self.assert_finds("check_layers", f"{path}:2: {expected}")

    def assert_accepts(self, path, line):
        self.write(path, f"#pragma once\n{line}\n")
        self.assert_clean("check_layers")

    def test_a_lower_layer_is_included(self):
        self.assert_accepts(LIBRARY + "models/law.hpp", '#include "holdfast/kernel/random.hpp"')

    def test_a_higher_layer_is_refused(self):
        self.assert_refuses(LIBRARY + "kernel/a.hpp", '#include "holdfast/models/law.hpp"',
                            "kernel must not include models")

    def test_traces_and_models_are_strangers(self):
        self.assert_refuses(LIBRARY + "traces/a.cpp", '#include "holdfast/models/law.hpp"',
                            "traces must not include models")
        (self.root / LIBRARY / "traces/a.cpp").unlink()
        self.assert_refuses(LIBRARY + "models/a.cpp", '#include "holdfast/traces/jobs/swf.hpp"',
                            "models must not include traces")

    def test_rooms_of_a_layer_may_include_each_other_in_one_direction(self):
        self.write(LIBRARY + "traces/failures/a.hpp", '#pragma once\n#include "holdfast/traces/capacity/b.hpp"\n')
        self.assert_accepts(LIBRARY + "traces/a_test.cpp", '#include "holdfast/traces/failures/a.hpp"')
        self.write(LIBRARY + "traces/capacity/b_test.cpp", '#include "holdfast/traces/failures/a.hpp"\n')
        self.assert_clean("check_layers")
        self.write(LIBRARY + "traces/formats.cpp", '#include "holdfast/traces/failures/a.hpp"\n')
        self.write(LIBRARY + "traces/capacity/b.hpp", '#pragma once\n#include "holdfast/traces/formats.hpp"\n')
        self.assert_finds("check_layers", f"{LIBRARY}traces/capacity/b.hpp:2: rooms of traces include each other in a circle: "
                                          "capacity -> formats -> failures -> capacity")

    def test_the_picture_of_a_layer_stays_small(self):
        for room in range(8):
            others = "".join(f'#include "holdfast/traces/r{other}/a.hpp"\n' for other in range(room))
            self.write(LIBRARY + f"traces/r{room}/a.hpp", "#pragma once\n" + others)
        self.assert_clean("check_layers")  # 28 arrows
        for room in range(8, 10):
            others = "".join(f'#include "holdfast/traces/r{other}/a.hpp"\n' for other in range(room))
            self.write(LIBRARY + f"traces/r{room}/a.hpp", "#pragma once\n" + others)
        self.assert_finds("check_layers", "found 45 arrows between its rooms, expected fewer than 40")

    def test_errors_name_fields_below_answers(self):
        self.assert_accepts(LIBRARY + "answers/a.cpp", 'auto a = fail(ErrorCode::usage, "--size", "is missing");')
        self.assert_accepts(LIBRARY + "inputs/a.cpp", 'auto a = fail(ErrorCode::usage, "/size", "is missing");')
        self.assert_refuses(LIBRARY + "domains/io/a.cpp", 'auto a = fail(ErrorCode::usage, "--time-limit", "is missing");',
                            "an error names a field, '/time_limit', and no option")

    def test_a_domain_includes_itself_but_no_other(self):
        self.assert_accepts(LIBRARY + "domains/io/a.cpp", '#include "holdfast/domains/io/instance.hpp"')
        self.assert_refuses(LIBRARY + "domains/io/a.cpp", '#include "holdfast/domains/capacity/instance.hpp"',
                            "a domain includes no other domain")

    def test_only_the_catalog_names_domains_and_only_their_binding(self):
        self.assert_accepts(LIBRARY + "catalog/catalog.cpp", '#include "holdfast/domains/io/domain.hpp"')
        self.assert_refuses(LIBRARY + "catalog/catalog.cpp", '#include "holdfast/domains/io/instance.hpp"',
                            "catalog must not know the inside of a domain")

    def test_campaign_and_program_do_not_know_domains(self):
        self.assert_refuses(LIBRARY + "campaign/a.cpp", '#include "holdfast/domains/io/domain.hpp"',
                            "campaign must not know the inside of a domain")
        (self.root / LIBRARY / "campaign/a.cpp").unlink()
        self.assert_refuses("apps/holdfast/a.cpp", '#include "holdfast/domains/io/domain.hpp"',
                            "apps must not know the inside of a domain")

    def test_the_program_asks_the_answers_what_is_in_a_trace(self):
        self.assert_accepts(LIBRARY + "answers/trace/fit.cpp", '#include "holdfast/traces/jobs/swf.hpp"')
        (self.root / LIBRARY / "answers/trace/fit.cpp").unlink()
        self.assert_refuses("apps/holdfast/trace.cpp", '#include "holdfast/traces/jobs/swf.hpp"', "apps must not include traces")

    def test_elementary_functions_are_our_own(self):
        for path, line, name in (
            ("src/holdfast/models/law.cpp", "double f(double x) { return std::exp(x); }", "exp"),
            ("src/holdfast/models/law.cpp", "double f(double x) { return ::log1p(x); }", "log1p"),
            ("src/holdfast/models/law.hpp", "inline auto* f = &std::tgammal;", "tgamma"),
            ("apps/holdfast/a.cpp", "double f(double x) { return std::pow(x, 2); }", "pow"),
            ("bindings/c/a.cpp", "double f(double x) { return std::atan2(x, 2); }", "atan2"),
        ):
            with self.subTest(path=path, line=line):
                self.assert_refuses(path, line, f"differs between C libraries, use elementary::{name} ")
                (self.root / path).unlink()
        for path, line in (
            ("src/holdfast/models/law.cpp", "double f(double x) { return elementary::exp(std::sqrt(std::floor(x))); }"),
            ("src/holdfast/models/law.cpp", "double f(double x) { return x; }  // not std::exp(x)"),
            ("src/holdfast/models/law_test.cpp", "double f(double x) { return std::exp(x); }"),
        ):
            self.assert_accepts(path, line)

    def test_libraries_stay_in_their_place(self):
        for path, name, expected in (
            ("campaign/design.cpp", "<sqlite3.h>", "SQLite belongs in campaign/database.cpp"),
            ("campaign/executors/local.cpp", "<mpi.h>", "MPI belongs in campaign/executors/mpi.cpp"),
            ("campaign/design.cpp", "<thread>", "threads belong in campaign/executors/"),
            ("models/law.cpp", "<thread>", "threads belong in campaign/executors/"),
            ("models/law.cpp", "<mutex>", "no locks below campaign/"),
            ("campaign/design.cpp", "<CLI/CLI.hpp>", "CLI11 belongs in apps/"),
            ("campaign/design.cpp", "<nlohmann/json.hpp>", "belong in base/ alone"),
            ("campaign/design.cpp", "<toml++/toml.h>", "belong in base/ alone"),
            ("models/law.cpp", "<boost/math/special_functions/gamma.hpp>", "Boost's special functions differ"),
            ("models/law.cpp", "<random>", "use kernel/random"),
            ("models/law.cpp", "<doctest/doctest.h>", "test libraries belong in *_test.cpp"),
        ):
            with self.subTest(path=path, name=name):
                place = self.write(LIBRARY + path, f"#include {name}\n")
                self.assert_finds("check_layers", f"{LIBRARY}{path}:1: ")
                self.assert_finds("check_layers", expected)
                place.unlink()

    def test_headers_stay_cheap(self):
        for name in ("<iostream>", "<fmt/format.h>", "<regex>"):
            with self.subTest(name=name):
                self.assert_refuses(LIBRARY + "base/a.hpp", f"#include {name}", "too costly for a header")

    def test_a_costly_header_may_be_internal_to_its_layer(self):
        self.assert_accepts(LIBRARY + "base/double_double.hpp", "#include <fmt/format.h>")
        self.assert_refuses(LIBRARY + "models/law.cpp", '#include "holdfast/base/double_double.hpp"', "internal to base")

    def test_the_library_is_silent(self):
        for line, expected in (
            ('void f() { std::cout << "x"; }', "does not print"),
            ('void f() { std::printf("x"); }', "does not print"),
            ('void f() { fmt::print("x"); }', "does not print"),
            ("void f() { std::exit(1); }", "does not exit"),
            ('auto f() { return std::getenv("HOME"); }', "does not read the environment"),
            ("int f() { return rand(); }", "random numbers come from kernel/random"),
        ):
            with self.subTest(line=line):
                self.assert_refuses(LIBRARY + "base/a.cpp", line, "")
                self.assert_finds("check_layers", expected)

    def test_words_in_comments_texts_and_members_are_no_calls(self):
        for line in ("// then exit(1)", 'auto f() { return "printf(x)"; }', "void f(App& app) { app.exit(1); }",
                     "int my_printf(int x);"):
            with self.subTest(line=line):
                self.assert_accepts(LIBRARY + "base/a.cpp", line)

    def test_tests_may_print_and_use_reference_libraries(self):
        self.assert_accepts(LIBRARY + "models/law_test.cpp", "#include <boost/math/distributions/weibull.hpp>")
        self.assert_accepts(LIBRARY + "models/law_test.cpp", 'void f() { std::printf("x"); }')

    def test_a_layer_without_a_rule_is_refused(self):
        self.write(LIBRARY + "engine/a.hpp", "int x();\n")
        self.assert_finds("check_layers", "no rule for the layer 'engine'")
