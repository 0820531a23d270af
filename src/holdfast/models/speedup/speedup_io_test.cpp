#include "holdfast/models/speedup/speedup_io.hpp"

#include <doctest/doctest.h>

#include <string>

namespace holdfast {
namespace {

Result<Speedup> read(std::string_view text) {
  auto document = parse_json(text);
  REQUIRE(document.has_value());
  return read_speedup(*document, "/jobs/3/speedup");
}

}  // namespace

TEST_CASE("speedup document: what is written reads back to the same bits") {
  const Speedup all[] = {
      Speedup::roofline(1e6, 300),
      Speedup::communication(1e6 / 3, 0.1),
      Speedup::amdahl(1e6 / 3, 0.01 / 3),
      Speedup::amdahl_of_parts(1e6 / 3, 0.01 / 3),
      Speedup::mix(1e6 / 3, 7, 0.01 / 3, 0.1),
      Speedup::mix_of_parts(1e6 / 3, 5.1, Speedup::kUnbounded, 0.1),
      Speedup::power(1e6, 1.0 / 3),
      Speedup::table({3, 2, 1.0 / 3}),
      Speedup::table({3, 2, 1.0 / 3}, 2),
  };
  for (const Speedup& once : all) {
    const std::string text = to_json(to_value(once));
    CAPTURE(text);
    const auto twice = read(text);
    REQUIRE(twice.has_value());
    CHECK(twice->model() == once.model());
    CHECK(twice->max_parallelism() == once.max_parallelism());
    for (std::int64_t p = 1; p <= once.limit(3); ++p) CHECK(twice->time(p) == once.time(p));
    CHECK(to_json(to_value(*twice)) == text);
  }
}

TEST_CASE("speedup document: a wrong one is refused at its field") {
  struct Row {
    const char* text;
    const char* where;
    const char* message;
  };
  const Row rows[] = {
      {R"({"model": "amdahl", "work": 10, "sequential_fraction": 1.5})",
       "/jobs/3/speedup/sequential_fraction", "found 1.5, expected a number from 0 to 1"},
      {R"({"model": "amdahl", "work": -1, "sequential_fraction": 0})", "/jobs/3/speedup/work",
       "found -1, expected"},
      {R"({"model": "roofline", "work": 1, "max_parallelism": 0.5})",
       "/jobs/3/speedup/max_parallelism", "found 0.5, expected"},
      {R"({"model": "communication", "work": 1, "overhead": -2})", "/jobs/3/speedup/overhead",
       "found -2, expected"},
      {R"({"model": "power", "work": 1, "exponent": 2})", "/jobs/3/speedup/exponent",
       "found 2, expected a number from 0 to 1"},
      {R"({"model": "table", "times": [3, 0]})", "/jobs/3/speedup/times/1", "found 0, expected"},
      {R"({"model": "table", "times": []})", "/jobs/3/speedup/times", "found an empty array"},
      {R"({"model": "table", "times": [3], "max_parallelism": 2})",
       "/jobs/3/speedup/max_parallelism", "found 2, expected at most the 1 processors"},
      {R"({"model": "amdal", "work": 1})", "/jobs/3/speedup/model", "amdahl"},
      {R"({"model": "roofline", "work": 1})", "/jobs/3/speedup/max_parallelism", "is missing"},
      {R"({"model": "power", "work": 1, "exponent": 1, "overhead": 3})", "/jobs/3/speedup/overhead",
       "unknown"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const auto result = read(row.text);
    REQUIRE(!result.has_value());
    CAPTURE(result.error().text());
    CHECK(exit_code(result.error().code) == 3);
    CHECK(result.error().where.starts_with(row.where));
    CHECK(result.error().message.find(row.message) != std::string::npos);
  }
}

TEST_CASE("speedup document: a table must cover the machine or be capped") {
  CHECK(check_speedup(Speedup::table({3, 2}), 2, "/jobs/0/speedup").has_value());
  CHECK(check_speedup(Speedup::table({3, 2}, 2), 8, "/jobs/0/speedup").has_value());
  const auto refused = check_speedup(Speedup::table({3, 2}), 8, "/jobs/0/speedup");
  REQUIRE(!refused.has_value());
  CHECK(refused.error().where == "/jobs/0/speedup/times");
}

}  // namespace holdfast
