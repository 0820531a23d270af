#include "holdfast/campaign/own_rules.hpp"

#include "holdfast/campaign/export.hpp"
#include "holdfast/campaign/results.hpp"
#include "holdfast/campaign/run.hpp"
#include "holdfast/campaign/simulate.hpp"
#include "holdfast/contract/own_rule.hpp"

#include <doctest/doctest.h>

#include "support/scratch.hpp"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

using namespace holdfast;

namespace {

using Numbers = std::vector<double>;

// Full bandwidth in order of posting; a rest that is due to rounding counts as nothing.
void first_come(const DecisionInput& told, Numbers& rates) {
  const double total = told.once("bandwidth_total");
  double left = total;
  for (std::size_t i = 0; i < told.items; ++i) {
    const double wanted = told["bandwidth"][i];
    rates[i] = left + 1e-12 * total >= wanted ? wanted : left;
    left -= rates[i];
    if (left <= 1e-12 * total) left = 0;
  }
}

// Segments that are equal for the whole job, near the period of Young and Daly.
struct YoungDaly {
  double mtbf = 0;
  double segments = 0;

  void operator()(const DecisionInput& told, Numbers& segment) {
    const double left = told.once("work_left");
    if (segments == 0) segments = std::ceil(left / std::sqrt(2 * told.once("checkpoint") * mtbf));
    segment = {left / std::max(segments - told.once("checkpoints"), 1.0)};
  }
};

// The same, planned again after each checkpoint from the current hazard.
void local_young_daly(const DecisionInput& told, Numbers& segment) {
  const double left = told.once("work_left");
  const double period = std::sqrt(2 * told.once("checkpoint") * (1 / told.curve("hazard", 0)));
  segment = {left / std::max(1.0, std::ceil(left / period))};
}

void young_daly_of_tasks(const DecisionInput& told, Numbers& segments) {
  for (std::size_t i = 0; i < told.items; ++i) {
    const double period = std::sqrt(2 * told["checkpoint"][i] * (1 / told["rate"][i]));
    segments[i] = std::max(1.0, std::ceil(told["length"][i] / period));
  }
}

// The fewest processors of least cost, from 1 to the limit.
template <class Cost>
void least(const DecisionInput& told, Numbers& processors, const Cost& cost) {
  for (std::uint32_t i = 0; i < told.items; ++i) {
    processors[i] = 1;
    for (double p = 2; p <= told["limit"][i]; ++p) {
      const auto of = [&](double q) { return cost(q, told.curve("time", q, i)); };
      if (of(p) < of(processors[i])) processors[i] = p;
    }
  }
}
void fastest(const DecisionInput& told, Numbers& processors) {
  least(told, processors, [](double, double time) { return time; });
}
void smallest(const DecisionInput& told, Numbers& processors) {
  least(told, processors, [](double p, double time) { return p * time; });
}

Value parameters(std::string_view json) {
  return parse_json(json).value();
}

constexpr std::string_view kJob =
    R"({"work": "48h", "checkpoint": "10min", "processors": 10000, "platform_age": "100d",
        "failures": {"distribution": "weibull", "shape": 0.7, "mtbf": "10y"}})";
constexpr std::string_view kWindow = R"({"load": 1.2, "length": 20000})";
constexpr std::string_view kMachine =
    R"({"nodes": 60, "bandwidth": 1, "node_bandwidth": 0.025, "downtime": 2, "horizon": 5000,
    "failures": {"mtbf": 20000}, "jobs": [{"nodes": 30, "checkpoint": 20}, {"nodes": 20, "checkpoint": 10},
    {"nodes": 10, "work": 700, "input": 5, "output": 20, "checkpoint": 5}]})";
constexpr std::string_view kTasks = R"({"family": "seismology", "tasks": 60, "processors": 30})";
constexpr std::string_view kGraph =
    R"({"tasks": 30, "model": "amdahl", "processors": 32, "error_rate": 1e-4})";
constexpr std::string_view kJobs = R"({"jobs": 20, "model": "communication", "processors": 64})";

SimulateRequest request(const Domain& domain, std::string_view json, std::string_view strategies,
                        std::span<const OwnRule> rules) {
  SimulateRequest out;
  out.parameters = parameters(json);
  out.strategies = parse_strategies(strategies, domain.strategies, Value::object(), rules).value();
  out.scenarios = 6;
  out.control.threads = 2;
  return out;
}

Result<Simulation> simulated(std::string_view name, std::string_view json, const OwnRule& rule) {
  const Domain& domain = *find_domain(name).value();
  return simulate(domain, request(domain, json, "custom:mine", {&rule, 1}));
}

}  // namespace

TEST_CASE("own rules: one that does what a built-in strategy does gives the same bytes") {
  struct Row {
    std::string_view domain, parameters, strategy;
    OwnRule rule;
  };
  const Row rows[] = {
      {"io", kWindow, "fcfs", own_rule("mine", first_come)},
      {"machine", kMachine, "fcfs:waiting=blocking", own_rule("mine", first_come)},
      {"checkpoint", kJob, "young-daly",
       own_rule("mine", YoungDaly{.mtbf = 10 * 365 * 86400.0 / 10000})},
      {"checkpoint", kJob, "local-young-daly", own_rule("mine", local_young_daly)},
      {"workflow", kTasks, "min-exp", own_rule("mine", young_daly_of_tasks)},
      {"taskgraph", kGraph, "min-time", own_rule("mine", fastest)},
      {"moldable", kJobs, "min-area", own_rule("mine", smallest)},
  };
  for (const Row& row : rows) {
    CAPTURE(row.domain);
    CAPTURE(row.strategy);
    const Domain& domain = *find_domain(row.domain).value();
    SimulateRequest asked =
        request(domain, row.parameters, std::string(row.strategy) + ",custom:mine", {&row.rule, 1});
    asked.check = true;
    const auto simulation = simulate(domain, asked);
    REQUIRE_MESSAGE(simulation, simulation.error().text());
    CHECK(simulation->checked == 2 * simulation->scenarios);  // by the domain's own validator
    const Value& document = simulation->document;
    CHECK(*document.at("/results/1/strategy")->string() == "custom:name=mine:version=1");
    CHECK(simulation->shown[1] == "mine");
    CHECK(to_compact_json(*document.at("/results/0/metrics")) ==
          to_compact_json(*document.at("/results/1/metrics")));
    CHECK(to_compact_json(*document.at("/results/0/metrics")).size() > 100);
  }
}

TEST_CASE(
    "own rules: every wrong answer is refused with the scenario, the decision and the place") {
  struct Row {
    std::string_view domain, parameters;
    void (*decide)(const DecisionInput&, Numbers&);
    std::string_view place, message;
  };
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const Row rows[] = {
      {"io", kWindow, [](const DecisionInput& told, Numbers& a) { a.assign(told.items, -1); },
       "rates[0]", "found -1, expected at least 0"},
      {"machine", kMachine, [](const DecisionInput& told, Numbers& a) { a.assign(told.items, -1); },
       "rates[0]", "found -1, expected at least 0"},
      {"io", kWindow, [](const DecisionInput& told, Numbers& a) { a.assign(told.items, 1e99); },
       "rates[0]", "found 1e+99, expected at most "},
      {"io", kWindow, [](const DecisionInput&, Numbers&) {}, "rates[0]",
       "found nan, expected a finite number"},
      {"io", kWindow, [](const DecisionInput&, Numbers& a) { a.clear(); }, "rates",
       "found 0 numbers, expected 1"},
      {"checkpoint", kJob, [](const DecisionInput&, Numbers&) {}, "segments",
       "found 0 numbers, expected 1 to 1000000"},
      {"checkpoint", kJob, [](const DecisionInput&, Numbers& a) { a = {0}; }, "segments[0]",
       "found 0, expected more than 0"},
      {"checkpoint", kJob,
       [](const DecisionInput&, Numbers& a) {
         a = {10, kNan};
       },
       "segments[1]", "found nan, expected a finite number"},
      {"checkpoint", kJob,
       [](const DecisionInput&, Numbers& a) {
         a = {72800, 200000};
       },
       "segments[1]", "found 200000, expected at most 100000, the work that is left"},
      {"checkpoint", kJob,
       [](const DecisionInput&, Numbers& a) {
         a = {172800, 1};
       },
       "segments[1]", "found 1, expected at most 0, the work that is left"},
      {"workflow", kTasks, [](const DecisionInput& told, Numbers& a) { a.assign(told.items, 0); },
       "segments[0]", "found 0, expected at least 1"},
      {"workflow", kTasks, [](const DecisionInput& told, Numbers& a) { a.assign(told.items, 1.5); },
       "segments[0]", "found 1.5, expected a whole number"},
      {"workflow", kTasks, [](const DecisionInput& told, Numbers& a) { a.assign(told.items, 2e9); },
       "segments[0]", "found 2000000000, expected at most 1000000000"},
      {"taskgraph", kGraph, [](const DecisionInput& told, Numbers& a) { a.assign(told.items, 33); },
       "processors[0]", "found 33, expected at most 32"},
      {"taskgraph", kGraph,
       [](const DecisionInput& told, Numbers& a) { a.assign(told.items, 1.5); }, "processors[0]",
       "found 1.5, expected a whole number"},
      {"moldable", kJobs, [](const DecisionInput& told, Numbers& a) { a.assign(told.items, 65); },
       "processors[0]", "found 65, expected at most 64"},
      {"moldable", kJobs, [](const DecisionInput&, Numbers& a) { a = {0}; }, "processors",
       "found 1 number, expected 20"},
      // Beyond the limit there is no time, so the answer is not a number.
      {"moldable", kJobs,
       [](const DecisionInput& told, Numbers& a) {
         std::ranges::fill(a, 1);
         a[3] = told.curve("time", 65, 3);
       },
       "processors[3]", "found nan, expected a finite number"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.domain);
    CAPTURE(row.message);
    const auto simulation = simulated(row.domain, row.parameters, own_rule("mine", row.decide));
    REQUIRE_FALSE(simulation);
    CHECK(simulation.error().code == ErrorCode::bad_value);
    CHECK(simulation.error().where ==
          "strategy 'mine', instance 0, scenario 0, decision 0: " + std::string(row.place));
    CHECK(simulation.error().message.starts_with(row.message));
  }
}

TEST_CASE("own rules: together they may not give more bandwidth than there is") {
  const auto simulation =
      simulated("io", kWindow, own_rule("mine", [](const DecisionInput& told, Numbers& rates) {
                  std::ranges::copy(told["bandwidth"], rates.begin());
                }));
  REQUIRE_FALSE(simulation);
  CHECK(simulation.error().where.ends_with(": rates"));
  CHECK(simulation.error().message.starts_with("found a sum of "));
}

TEST_CASE("own rules: an exception becomes an error with the rule's name, in every domain") {
  const OwnRule rule =
      own_rule("mine", [](const DecisionInput&, Numbers&) { throw std::logic_error("no"); });
  struct Row {
    std::string_view domain, parameters;
  };
  for (const Row& row : {Row{"io", kWindow}, Row{"checkpoint", kJob}, Row{"workflow", kTasks},
                         Row{"taskgraph", kGraph}, Row{"moldable", kJobs}}) {
    CAPTURE(row.domain);
    const auto simulation = simulated(row.domain, row.parameters, rule);
    REQUIRE_FALSE(simulation);
    CHECK(simulation.error().text() ==
          "strategy 'mine', instance 0, scenario 0, decision 0: the rule threw an exception: no");
  }
}

TEST_CASE("own rules: a document that lists its tasks is decided once") {
  const Domain& taskgraph = *find_domain("taskgraph").value();
  holdfast::Request drawn;
  drawn.parameters = parameters(kGraph);
  const Value graph = taskgraph.verb("generate")->run(drawn).value().document;
  const std::string json = to_compact_json(graph);
  const auto simulation = simulated("taskgraph", json, own_rule("mine", fastest));
  REQUIRE_MESSAGE(simulation, simulation.error().text());
  CHECK(simulation->scenarios == 6);
  const auto wrong =
      simulated("taskgraph", json, own_rule("mine", [](const DecisionInput&, Numbers&) {}));
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().where == "strategy 'mine', decision 0: processors[0]");
}

namespace {

constexpr std::string_view kCampaign = R"([campaign]
name = "windows"
domain = "io"
scenarios = 10
strategies = ["fcfs", "custom:mine"]

[parameters]
load = [0.9, 1.3]
length = 20000
)";
constexpr std::uint64_t kRuleCells = 2 * 10 * 2;

Result<Campaign> campaign_with(const OwnRule& rule) {
  return parse_campaign(kCampaign, "own.toml", ".", std::span(&rule, 1));
}

std::string exported_rows(const std::filesystem::path& directory) {
  const auto results = Results::open(directory);
  REQUIRE(results);
  return read_text(export_results(*results, ExportFormat::csv).value());
}

// Its answers depend on what it remembers within a run: some in turn have to wait.
OwnRule moody(std::int64_t version) {
  return own_rule(
      "mine",
      [turn = std::size_t{0}](const DecisionInput& told, Numbers& rates) mutable {
        first_come(told, rates);
        if (told.items > 1) rates[turn++ % told.items] = 0;
      },
      version);
}

}  // namespace

TEST_CASE("own rules: a campaign gives the same cells on any number of threads") {
  std::string first;
  for (const unsigned threads : {1U, 2U, 5U}) {
    CAPTURE(threads);
    const Scratch scratch;
    const auto parsed = campaign_with(moody(1));
    REQUIRE_MESSAGE(parsed, parsed.error().text());
    CHECK(parsed->baseline == std::nullopt);
    const auto ran = run_campaign(*parsed, scratch / "results", {.control = {.threads = threads}});
    REQUIRE_MESSAGE(ran, ran.error().text());
    CHECK(ran->progress.done == kRuleCells);
    const std::string cells = exported_rows(scratch / "results");
    CHECK(cells.find("custom:name=mine:version=1") != std::string::npos);
    if (first.empty()) first = cells;
    CHECK(cells == first);
  }
}

TEST_CASE("own rules: cells of another version of a rule are not used") {
  const Scratch scratch;
  for (const std::int64_t version : {1, 2}) {
    const auto parsed = campaign_with(moody(version));
    REQUIRE(parsed);
    const auto ran = run_campaign(*parsed, scratch / "results", {.control = {.threads = 2}});
    REQUIRE(ran);
    CHECK(ran->progress.found == (version == 1 ? 0 : kRuleCells / 2));  // those of fcfs
  }
  // Cells of the same version are used.
  const auto again = run_campaign(*campaign_with(moody(1)), scratch / "results", {});
  REQUIRE(again);
  CHECK(again->progress.found == kRuleCells);
}

TEST_CASE("own rules: a rule that throws ends a campaign, and what was finished is kept") {
  const Scratch scratch;
  const OwnRule failing =
      own_rule("mine", [n = 0](const DecisionInput& told, Numbers& rates) mutable {
        if (++n > 3) throw std::runtime_error("no idea");
        first_come(told, rates);
      });
  const auto ran =
      run_campaign(*campaign_with(failing), scratch / "results", {.control = {.threads = 2}});
  REQUIRE_FALSE(ran);
  CHECK(ran.error().where.starts_with(
      "own.toml: load = 0.9, strategy 'mine', instance 0, scenario "));
  CHECK(ran.error().where.ends_with(", decision 3"));
  CHECK(ran.error().message == "the rule threw an exception: no idea");
  const auto mended =
      run_campaign(*campaign_with(own_rule("mine", first_come)), scratch / "results", {});
  REQUIRE(mended);
  CHECK(mended->progress.done == kRuleCells);
}

TEST_CASE("own rules: what a campaign cannot do with them is refused, with the reason") {
  const auto nobody = parse_campaign(kCampaign, "own.toml", ".");
  REQUIRE_FALSE(nobody);
  CHECK(nobody.error().text() ==
        "own.toml:5: /campaign/strategies/1: 'custom' takes its decisions from a program that uses "
        "the library, and this one brings none (docs/own-strategies.md)");
  const Scratch scratch;
  const auto elsewhere =
      run_campaign(*campaign_with(moody(1)), scratch / "results", {.executor = "slurm"});
  REQUIRE_FALSE(elsewhere);
  CHECK(elsewhere.error().text() ==
        "/executor: found 'slurm', expected local: the strategy 'mine' takes its decisions from "
        "this process");
}
