#include "holdfast/domains/moldable/validate.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace holdfast::moldable {

TEST_CASE("validate: each rule, broken once") {
  // Two sequential jobs of 2 s and one of 3 s on 2 processors; the last fails once.
  Instance instance;
  instance.processors = 2;
  instance.jobs = {Speedup::roofline(2, 1), Speedup::roofline(2, 1), Speedup::roofline(3, 1)};
  const std::vector<std::int64_t> failures{0, 0, 1};
  using Rows = std::vector<Attempt>;
  const auto row = [](std::uint32_t job, std::int64_t number, double start, double end,
                      bool failed) {
    return Attempt{.job = job, .number = number, .start = start, .end = end, .has_failed = failed};
  };
  const Rows good{row(2, 1, 0, 3, true), row(0, 1, 0, 2, false), row(1, 1, 2, 4, false),
                  row(2, 2, 3, 6, false)};
  CHECK(validate(instance, failures, good, false).has_value());

  struct Case {
    const char* why;
    Rows rows;
  };
  const Case cases[] = {
      {"is missing", {good[0], good[1], good[2]}},
      {"makes each of", {good[0], good[1], good[2], good[3], row(2, 3, 6, 9, false)}},
      {"lasts", {good[0], good[1], row(1, 1, 2, 5, false), good[3]}},
      {"has succeeded", {row(2, 1, 0, 3, false), good[1], good[2], good[3]}},
      {"at most 2", {good[0], good[1], row(1, 1, 0, 2, false), good[3]}},
      {"before it may", {good[0], good[1], row(1, 1, 3, 5, false), row(2, 2, 2, 5, false)}},
      {"there was room", {good[0], good[1], row(1, 1, 2.5, 4.5, false), good[3]}},
  };
  for (const Case& one : cases) {
    CAPTURE(one.why);
    const Status status = validate(instance, failures, one.rows, false);
    REQUIRE(!status.has_value());
    CAPTURE(status.error().message);
    CHECK(status.error().message.find(one.why) != std::string::npos);
  }

  // In batches the second attempt waits for all first ones.
  CHECK(!validate(instance, failures, good, true).has_value());
  const Rows batches{good[0], good[1], good[2], row(2, 2, 4, 7, false)};
  CHECK(validate(instance, failures, batches, true).has_value());
  CHECK(!validate(instance, failures, batches, false).has_value());
}

}  // namespace holdfast::moldable
