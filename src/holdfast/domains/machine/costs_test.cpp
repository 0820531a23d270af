#include "holdfast/base/value.hpp"
#include "holdfast/contract/strategy_spec.hpp"
#include "holdfast/domains/machine/instance_io.hpp"
#include "holdfast/domains/machine/realisation.hpp"
#include "holdfast/domains/machine/simulate.hpp"
#include "holdfast/domains/machine/strategies/least_waste.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace holdfast;
using namespace holdfast::machine;

namespace holdfast::machine {
std::unique_ptr<bandwidth::Strategy> make_least_waste(const StrategySpec&);
}

namespace {

using Costs = std::map<std::pair<double, std::uint32_t>, double>;  // by date and job

// least-waste, which tells what it would cost to choose each job that waits.
class Told final : public bandwidth::Strategy {
 public:
  explicit Told(Costs& costs) : costs_{costs} {}

  void share(const bandwidth::Situation& situation, std::span<double> rates) override {
    std::vector<std::uint32_t> waiting;
    for (std::uint32_t i = 0; i < situation.requests.size(); ++i) {
      if (situation.requests[i].begun == bandwidth::kNever) waiting.push_back(i);
    }
    std::vector<double> costs(waiting.size());
    least_waste_costs(situation, waiting, costs);
    for (std::size_t k = 0; k < waiting.size(); ++k) {
      costs_[{situation.now, situation.requests[waiting[k]].application}] = costs[k];
    }
    inner_->decide(situation, rates);
  }

 private:
  std::unique_ptr<bandwidth::Strategy> inner_ = make_least_waste({});
  Costs& costs_;
};

Costs costs_of(std::string_view document, Waiting waiting) {
  const Instance instance = read_instance(parse_json(document).value(), ".").value();
  Costs costs;
  Strategy strategy{
      .sharing = std::make_unique<Told>(costs), .waiting = waiting, .period = {.own_first = true}};
  Realisation realisation(instance, std::make_shared<const TabulatedLaw>(*instance.law), {});
  static_cast<void>(simulate(instance, strategy, realisation));
  return costs;
}

// Check vector M5 of the specification: jobs on 4, 1 and 4 nodes.
constexpr std::string_view kThreeJobs =
    R"({"nodes": 9, "bandwidth": 1, "node_bandwidth": 1, "failures": {"mtbf": 1000, "events": []}, "jobs": [
    {"nodes": 4, "segments": [10, 20], "checkpoint": 6}, {"nodes": 1, "segments": [11, 19], "checkpoint": 5},
    {"nodes": 4, "segments": [12, 18], "checkpoint": 1}]})";

struct Row {
  double date;
  std::uint32_t job;
  double cost;
};

void check_costs(const Costs& found, std::initializer_list<Row> rows) {
  for (const auto& [date, job, cost] : rows) {
    CAPTURE(date);
    CAPTURE(job);
    const auto place = found.find({date, job});
    REQUIRE(place != found.end());
    CHECK(std::abs(place->second - cost) <= 1e-12);
  }
}

}  // namespace

TEST_CASE("least-waste: what choosing a job costs those that work on, M5") {
  check_costs(costs_of(kThreeJobs, Waiting::working),
              {{12, 1, 31.0 / 25}, {12, 2, 7.0 / 400}, {16, 1, 39.0 / 25}, {16, 2, 43.0 / 2000}});
}

TEST_CASE("least-waste: what choosing a job costs those that stall, M5") {
  check_costs(costs_of(kThreeJobs, Waiting::blocking), {{16, 1, 36}, {16, 2, 6}});
}

TEST_CASE("least-waste: a recovery that stalls against a checkpoint that works on, M8") {
  const Costs costs = costs_of(
      R"({"nodes": 6, "bandwidth": 1, "node_bandwidth": 1, "downtime": 1,
      "failures": {"mtbf": 1000, "events": [[10, 4]]}, "jobs": [
      {"nodes": 2, "segments": [8, 32], "checkpoint": 6}, {"nodes": 1, "segments": [9, 31], "checkpoint": 2},
      {"nodes": 3, "segments": [5, 35], "checkpoint": 1, "recovery": 4}]})",
      Waiting::working);
  check_costs(costs, {{14, 1, 15}, {14, 2, 9.0 / 125}});
}

TEST_CASE(
    "machine: a checkpoint of bytes where terabytes were meant is refused before it takes memory") {
  const auto read = [](const std::string& checkpoint) {
    return read_instance(
        *parse_json(R"({"nodes": 6000, "bandwidth": 8e10, "horizon": 172800, "warmup": 3600,
            "failures": {"distribution": "exponential", "mtbf": 64022400},
            "jobs": [{"id": "a", "class": "A", "submit": 0, "nodes": 1024, "checkpoint": )" +
                    checkpoint + "}]}"),
        ".");
  };
  for (const std::string slip : {"52", "5e-287"}) {
    const auto refused = read(slip);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().where == "/jobs/0/checkpoint");
    CHECK(refused.error().message.starts_with("found " + slip + " bytes, which are written in "));
  }
  CHECK(read("\"52TB\""));
  CHECK(read("0"));
  CHECK(read("52, \"period\": \"1h\""));
}
