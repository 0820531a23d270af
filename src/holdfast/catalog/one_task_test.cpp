#include "holdfast/base/value.hpp"
#include "holdfast/catalog/catalog.hpp"
#include "holdfast/contract/domain.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <string>
#include <string_view>

// A workflow of one task on the whole machine is a job: `workflow` and `checkpoint` share no simulator, but the failures of a draw.

using namespace holdfast;

namespace {

double makespan(std::string_view name, const std::string& text, std::string_view strategy,
                std::uint64_t scenario) {
  const Domain& domain = **find_domain(name);
  const StrategySpec spec = parse_strategy(strategy, domain.strategies).value();
  const auto point = domain.open(parse_json(text).value(), std::span(&spec, 1), ".").value();
  Workspace workspace;
  return *point->run({.seed = 7, .scenario = scenario}, 0, workspace, false)->metrics[0];
}

struct Row {
  std::string_view workflow, checkpoint;
  double error;  // the two look at the hazard with an error of 1e-9 and of 1e-6
};
constexpr Row kRows[] = {
    {"min-exp", "young-daly", 1e-12}, {"none", "none", 1e-12}, {"next-step", "next-step", 1e-4}};

}  // namespace

TEST_CASE("a workflow of one task is a job") {
  for (const char* law :
       {R"("distribution": "weibull", "shape": 0.7)", R"("distribution": "weibull", "shape": 1.5)",
        R"("distribution": "gamma", "shape": 0.5)", R"("distribution": "lognormal", "log_sd": 1.4)",
        R"("distribution": "exponential")"}) {
    for (const Row& row : kRows) {
      for (std::uint64_t scenario = 0; scenario < 12; ++scenario) {
        CAPTURE(law);
        CAPTURE(row.workflow);
        CAPTURE(scenario);
        const std::string job = fmt::format(
            R"({{"work": 90000, "checkpoint": 300, "recovery": 200, "downtime": 50, "processors": 40,
                 "platform_age": 1e6, "failures": {{"mtbf": 1e6, {}}}}})",
            law);
        const std::string task = fmt::format(
            R"({{"checkpoint": 300, "recovery": 200, "downtime": 50, "processors": 40, "mtbf": 1e6,
                 "platform_age": 1e6, {}, "tasks": [{{"length": 90000, "processors": 40}}]}})",
            law);
        const double expected = makespan("checkpoint", job, row.checkpoint, scenario);
        const double found = makespan("workflow", task, row.workflow, scenario);
        CHECK(std::fabs(found - expected) <= row.error * expected);
      }
    }
  }
}
