#include "holdfast/campaign/simulate.hpp"

#include "holdfast/campaign/cell.hpp"
#include "holdfast/campaign/fake_domain.hpp"
#include "holdfast/campaign/results.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace holdfast;

namespace {

SimulateRequest request(std::string_view strategies, std::uint64_t scenarios) {
  SimulateRequest out;
  out.parameters = Value::object({{"steps", 3}, {"stride", "2s"}});
  out.strategies = *parse_strategies(strategies, fake::domain().strategies);
  out.scenarios = scenarios;
  return out;
}

}  // namespace

TEST_CASE("simulate: the results document of one strategy and one scenario") {
  const auto simulation = simulate(fake::domain(), request("steady", 1));
  REQUIRE(simulation);
  const auto statistics = [](const std::string& x) {
    return R"({"mean":)" + x + R"(,"minimum":)" + x + R"(,"p10":)" + x + R"(,"p25":)" + x +
           R"(,"median":)" + x + R"(,"p75":)" + x + R"(,"p90":)" + x + R"(,"maximum":)" + x +
           R"(,"count":1})";
  };
  // No standard_error of one value; a detail called like a member of the contract does not replace it.
  CHECK(to_compact_json(simulation->document) ==
        R"({"holdfast":{"kind":"walk-result","version":1},"seed":1,"scenarios":1,)"
        R"("instance":{"stride":2,"steps":3,"limit":0,"fixed":false},)"
        R"("results":[{"strategy":"steady","metrics":{"length":)" +
            statistics("2.109674515530089") + R"(,"pace":)" + statistics("0.4740067686454156") +
            R"(,"steps":)" + statistics("3") +
            R"(},"completed":1,"failed":0,)"
            R"("strides":[0.3247783318232127,0.3407382923446266,0.3893206335972052]}],)"
            R"("comparisons":[]})");
  REQUIRE(simulation->timelines[0]);
  CHECK(simulation->timelines[0]->rows() == 3);
}

TEST_CASE("simulate: statistics and comparisons, the same for any number of threads") {
  SimulateRequest asked = request("bold,steady", 40);
  asked.baseline = 1;
  asked.control.threads = 1;
  const auto one = simulate(fake::domain(), asked);
  REQUIRE(one);
  for (const unsigned threads : {2u, 7u}) {
    asked.control.threads = threads;
    CHECK(to_json(simulate(fake::domain(), asked)->document) == to_json(one->document));
  }
  const Value& document = one->document;
  CHECK(document.at("/results/0/metrics/length/count")->number() == 40);
  CHECK(document.at("/results/0/metrics/pace/count")->number() == 27);  // absent in 13 scenarios
  CHECK(document.at("/results/0/strides")->array_items()->size() == 3);
  // steady over bold: length, pace; `steps` has no better direction.
  REQUIRE(document.at("/comparisons")->array_items()->size() == 2);
  CHECK(*document.at("/comparisons/0/numerator")->string() == "steady");
  CHECK(*document.at("/comparisons/0/denominator")->string() == "bold");
  CHECK(*document.at("/comparisons/0/metric")->string() == "length");
  CHECK(*document.at("/comparisons/1/metric")->string() == "pace");
  const double low = document.at("/comparisons/0/interval/0")->number();
  const double mean = document.at("/comparisons/0/geometric_mean")->number();
  CHECK(low < mean);
  CHECK(one->summary.comparisons[1].count == 27);
  CHECK(document.at("/results/0/seconds") == nullptr);
}

TEST_CASE("simulate: the value of every run stands by scenario, strategy and metric") {
  SimulateRequest asked = request("bold,steady", 40);
  asked.control.threads = 3;
  const auto simulation = simulate(fake::domain(), asked);
  REQUIRE(simulation);
  const std::size_t metrics = simulation->metrics.size();
  REQUIRE(simulation->flags.size() == 40 * 2);
  REQUIRE(simulation->values.size() == 40 * 2 * metrics);
  // The document has the statistics of each column.
  for (const std::size_t strategy : {0u, 1u}) {
    double length = 0;
    double paces = 0;
    for (std::size_t scenario = 0; scenario < 40; ++scenario) {
      const std::size_t cell = scenario * 2 + strategy;
      CHECK((simulation->flags[cell] & CellFlags::kPresent) != 0);
      CHECK((simulation->flags[cell] & CellFlags::kInStatistics) != 0);
      length += simulation->values[cell * metrics] / 40;
      paces += std::isnan(simulation->values[cell * metrics + 1]) ? 0 : 1;  // absent in 13 of 40
    }
    const Value& told = *simulation->document.at(pointer_to("/results", strategy) + "/metrics");
    CHECK(length == doctest::Approx(told.at("/length/mean")->number()).epsilon(1e-12));
    CHECK(paces == told.at("/pace/count")->number());
  }
  // Both see the same realisation, and each has its own result.
  CHECK(simulation->values[0] != simulation->values[metrics]);
}

TEST_CASE("simulate: one scenario compares without an interval") {
  SimulateRequest asked = request("bold,steady", 1);
  asked.baseline = 1;
  const auto simulation = simulate(fake::domain(), asked);
  CHECK(to_compact_json(*simulation->document.at("/comparisons/0")).find("interval") ==
        std::string::npos);
  CHECK(simulation->document.at("/comparisons/0/geometric_mean") != nullptr);
  CHECK(simulation->document.at("/comparisons/0/geometric_sd") == nullptr);
}

TEST_CASE("simulate: a document that fixes what happens is run once") {
  SimulateRequest asked = request("steady", 50);
  asked.parameters.set("fixed", true);
  const auto simulation = simulate(fake::domain(), asked);
  REQUIRE(simulation);
  CHECK(simulation->scenarios == 1);
  CHECK(simulation->document.at("/scenarios")->number() == 1);
  CHECK(simulation->document.at("/results/0/metrics/length/count")->number() == 1);
}

TEST_CASE(
    "simulate: runs that fail are counted, and enter the statistics where the domain says so") {
  SimulateRequest asked = request("steady", 30);
  asked.parameters.set("limit", 6.0);
  const auto counted = simulate(fake::domain(), asked);
  asked.parameters.set("counts_failed", false);
  const auto left_out = simulate(fake::domain(), asked);
  const double failed = counted->document.at("/results/0/failed")->number();
  CHECK(failed > 0);
  CHECK(failed < 30);
  CHECK(counted->document.at("/results/0/completed")->number() == 30 - failed);
  CHECK(counted->document.at("/results/0/metrics/length/count")->number() == 30);
  CHECK(left_out->document.at("/results/0/failed")->number() == failed);
  CHECK(left_out->document.at("/results/0/metrics/length/count")->number() == 30 - failed);
  CHECK(left_out->document.at("/results/0/metrics/length/maximum")->number() <= 6);
}

TEST_CASE("simulate: errors of the document keep their pointer, of a run its cell") {
  SimulateRequest asked = request("steady", 3);
  asked.parameters.set("steps", 0);
  CHECK(simulate(fake::domain(), asked).error().where == "/steps");
  asked.parameters.set("steps", 2);
  asked.parameters.set("fails_from", 2);
  CHECK(simulate(fake::domain(), asked).error().text() ==
        "instance 0, scenario 2, strategy steady: /steps: the walker is tired");
}

TEST_CASE("simulate: an interruption is an error, with exit code 130") {
  SimulateRequest asked = request("steady", 3);
  const std::atomic<bool> stop = true;
  asked.control.stop = &stop;
  const auto simulation = simulate(fake::domain(), asked);
  REQUIRE_FALSE(simulation);
  CHECK(exit_code(simulation.error().code) == 130);
}

TEST_CASE("simulate: reports its progress") {
  SimulateRequest asked = request("steady", 3);
  Progress last;
  asked.control.progress = [&last](const Progress& progress) { last = progress; };
  REQUIRE(simulate(fake::domain(), asked));
  CHECK(last.done == 3);
  CHECK(last.total == 3);
}

TEST_CASE("simulate: wall times only when asked for") {
  SimulateRequest asked = request("steady", 3);
  asked.timing = true;
  CHECK(simulate(fake::domain(), asked)->document.at("/results/0/seconds")->number() > 0);
}

TEST_CASE("simulate: a check covers every run, and says which failed") {
  SimulateRequest asked = request("steady,bold", 5);
  asked.check = true;
  CHECK(simulate(fake::domain(), asked)->checked == 10);
  asked.parameters.set("steps", 13);  // the fake's model allows no 13 steps
  const auto refused = simulate(fake::domain(), asked);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().text() ==
        "instance 0, scenario 0, strategy steady: the run does not obey the model: row 13: found "
        "13 steps, expected fewer");
  CHECK(exit_code(refused.error().code) == 1);
}
