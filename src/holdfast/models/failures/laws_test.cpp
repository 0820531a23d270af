#include "holdfast/models/failures/law.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace holdfast;

namespace {

Result<Law> read(std::string_view json) {
  const auto document = parse_json(json);
  REQUIRE(document.has_value());
  return read_law(*document, "/failures");
}

}  // namespace

TEST_CASE("read_law: every law, every form") {
  struct Row {
    std::string_view json;
    Law law;
  };
  const double breakpoints[] = {0, 86400, 864000};
  const double hazards[] = {1e-6, 1e-7, 2e-7};
  const Row rows[] = {
      {R"({"distribution": "exponential", "mtbf": "10y"})", exponential_law(315360000)},
      {R"({"distribution": "weibull", "shape": 0.7, "mtbf": 1000})",
       weibull_law_of_mean(0.7, 1000)},
      {R"({"distribution": "weibull", "scale": 500, "shape": 0.7})", weibull_law(0.7, 500)},
      {R"({"distribution": "gamma", "shape": 0.5, "mtbf": 1000})", gamma_law_of_mean(0.5, 1000)},
      {R"({"distribution": "gamma", "shape": 0.5, "scale": "1h"})", gamma_law(0.5, 3600)},
      {R"({"distribution": "lognormal", "log_mean": -1, "log_sd": 2})", lognormal_law(-1, 2)},
      {R"({"distribution": "lognormal", "mtbf": 1000, "log_sd": 1.5})",
       lognormal_law_of_mean(1000, 1.5)},
      {R"({"distribution": "lognormal", "mtbf": 315360000, "k": 2.51})",
       lognormal_law_of_ratio(315360000, 2.51)},
      {R"({"distribution": "empirical", "breakpoints": [0, 86400, 864000],
           "hazards": [1e-6, 1e-7, 2e-7]})",
       empirical_law(breakpoints, hazards)},
  };
  for (const Row& row : rows) {
    CAPTURE(row.json);
    const auto law = read(row.json);
    REQUIRE(law.has_value());
    CHECK(law->description() == row.law.description());
    for (const double x : {1.0, 1e3, 1e6}) {
      CHECK(law->cumulative_hazard(x) == row.law.cumulative_hazard(x));
    }
    // The description of a law reads back as the same law.
    const auto again = read_law(law->description(), "");
    REQUIRE(again.has_value());
    CHECK(again->description() == law->description());
    CHECK(again->mean() == law->mean());
  }
}

TEST_CASE("read_law: what is refused, and with which words") {
  struct Row {
    std::string_view json;
    std::string_view error;
  };
  const Row rows[] = {
      {R"({})", "/failures/distribution: is missing"},
      {R"([1])", "/failures: found an array, expected an object"},
      {R"({"distribution": "exponential"})", "/failures/mtbf: is missing"},
      {R"({"distribution": "exponential", "mtbf": 0})",
       "/failures/mtbf: found 0, expected a duration greater than 0"},
      {R"({"distribution": "exponential", "mtbf": -5})",
       "/failures/mtbf: found -5, expected a duration greater than 0"},
      {R"({"distribution": "weibull", "shape": 0, "mtbf": 1000})",
       "/failures/shape: found 0, expected a number greater than 0"},
      {R"({"distribution": "weibull", "shape": -0.5, "mtbf": 1000})",
       "/failures/shape: found -0.5, expected a number greater than 0"},
      {R"({"distribution": "weibull", "mtbf": 1000})", "/failures/shape: is missing"},
      {R"({"distribution": "weibull", "shape": 0.7})",
       "/failures: found neither 'mtbf' nor 'scale', expected one of them"},
      {R"({"distribution": "weibull", "shape": 0.7, "mtbf": 1000, "scale": 3})",
       "/failures/scale: found both 'mtbf' and 'scale', expected one of them"},
      {R"({"distribution": "weibull", "shape": 0.001, "mtbf": 1000})",
       "/failures: found a law whose mean is not a number that can be held, expected a finite mean "
       "greater than 0"},
      {R"({"distribution": "gamma", "shape": 0, "mtbf": 1000})",
       "/failures/shape: found 0, expected a number greater than 0 and of at most 1000000"},
      {R"({"distribution": "gamma", "shape": "a", "mtbf": 1000})",
       "/failures/shape: found 'a', expected a number"},
      {R"({"distribution": "lognormal", "log_mean": 3})", "/failures/log_sd: is missing"},
      {R"({"distribution": "lognormal", "mtbf": 1000, "log_sd": 0})",
       "/failures/log_sd: found 0, expected a number greater than 0"},
      {R"({"distribution": "lognormal", "log_mean": 3, "log_sd": 50})",
       "/failures: found a law whose mean is not a number that can be held, expected a finite mean "
       "greater than 0"},
      {R"({"distribution": "lognormal", "mtbf": 1, "k": 2})",
       "/failures/mtbf: found 1, expected a duration greater than 1 s"},
      {R"({"distribution": "lognormal", "mtbf": 1000, "log_mean": 3, "log_sd": 1})",
       "/failures/mtbf: unknown field 'mtbf'; known: distribution, log_mean, log_sd"},
      {R"({"distribution": "empirical"})",
       "/failures: found none of 'file', 'lifetimes' and 'breakpoints', expected one of them"},
      {R"({"distribution": "empirical", "lifetimes": [5]})",
       "/failures/lifetimes: found 1 lifetime that ended in a failure, expected at least 2"},
      {R"({"distribution": "empirical", "lifetimes": [5, -1]})",
       "/failures/lifetimes/1: found -1, expected a duration greater than 0"},
      {R"({"distribution": "empirical", "lifetimes": [5], "censored": [7, 8, 9]})",
       "/failures/lifetimes: found 1 lifetime that ended in a failure, expected at least 2"},
      {R"({"distribution": "empirical", "breakpoints": [1, 2], "hazards": [1, 1]})",
       "/failures/breakpoints: found no breakpoint at 0 first, expected [0, ...]"},
      {R"({"distribution": "empirical", "breakpoints": [0, 2, 2], "hazards": [1, 1, 1]})",
       "/failures/breakpoints: found 2 after 2, expected increasing numbers"},
      {R"({"distribution": "empirical", "breakpoints": [0, 2], "hazards": [1]})",
       "/failures/hazards: found 1 hazards for 2 breakpoints, expected as many"},
      {R"({"distribution": "empirical", "breakpoints": [0, 2], "hazards": [1, 0]})",
       "/failures/hazards: found 0 for the last hazard, expected a number greater than 0"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.json);
    const auto law = read(row.json);
    REQUIRE_FALSE(law.has_value());
    CHECK(law.error().text() == row.error);
    CHECK(exit_code(law.error().code) == 3);
  }
  CHECK(read(R"({"distribution": "weibul"})").error().text().find("weibull") != std::string::npos);
}

TEST_CASE("laws: the table names each law once, and each describes itself in one line") {
  for (const LawEntry& entry : laws()) {
    CHECK_FALSE(entry.summary.empty());
    CHECK_FALSE(entry.fields.empty());
    CHECK((entry.read != nullptr));
  }
  CHECK(weibull_law_of_mean(0.7, 315360000).text() == "weibull, shape 0.7, mean 10 y");
  CHECK(lognormal_law(16.5, 0.25).text().find("log mean 16.5") != std::string::npos);
}
