#include "holdfast/base/value.hpp"
#include "holdfast/catalog/catalog.hpp"
#include "holdfast/contract/domain.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// No strategy ever exceeds its bound, in any domain that has one.

using namespace holdfast;

namespace {

// Draws the same numbers with every standard library, unlike the distributions of <random>.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : bits_{seed} {}
  double uniform() { return (static_cast<double>(bits_() >> 12) + 0.5) * 0x1p-52; }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  std::int64_t integer(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(bits_() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool chance(double probability) { return uniform() < probability; }

 private:
  std::mt19937_64 bits_;
};

Value law(Numbers& numbers) {
  const double mtbf = std::pow(10.0, numbers.uniform(4, 8));
  if (numbers.chance(0.5)) return Value::object({{"distribution", "exponential"}, {"mtbf", mtbf}});
  return Value::object(
      {{"distribution", "weibull"}, {"shape", numbers.uniform(0.5, 1.5)}, {"mtbf", mtbf}});
}

std::string_view one_of(Numbers& numbers, std::initializer_list<std::string_view> choices) {
  return choices.begin()[numbers.integer(0, static_cast<std::int64_t>(choices.size()) - 1)];
}

// Returns a small problem of the domain; null if there is none here yet.
Value small_document(std::string_view domain, Numbers& numbers) {
  if (domain == "checkpoint") {
    return Value::object({{"work", std::pow(10.0, numbers.uniform(2.5, 4.5))},
                          {"processors", numbers.integer(1, 20)},
                          {"checkpoint", numbers.uniform(1, 1000)},
                          {"recovery", numbers.uniform(0, 1000)},
                          {"downtime", numbers.uniform(0, 300)},
                          {"horizon", 1e7},
                          {"failures", law(numbers)}});
  }
  if (domain == "moldable" && numbers.chance(0.3)) {
    Value sizes = Value::array();
    for (std::int64_t job = numbers.integer(1, 12); job > 0; --job) {
      sizes.push(Value(Value::Array{numbers.uniform(1, 1e5), numbers.integer(1, 60)}));
    }
    return Value::object(
        {{"log", Value::object({{"sizes", sizes}})},
         {"model", one_of(numbers, {"roofline", "communication", "amdahl", "mix"})},
         {"processors", numbers.integer(1, 100)}});
  }
  if (domain == "moldable") {
    return Value::object(
        {{"model", one_of(numbers, {"roofline", "communication", "amdahl", "mix", "power"})},
         {"jobs", numbers.integer(1, 12)},
         {"processors", numbers.integer(1, 100)},
         {"error_model", one_of(numbers, {"work", "area", "fail-stop"})},
         {"error_rate", std::pow(10.0, numbers.uniform(-9, -6.5))}});
  }
  if (domain == "taskgraph") {
    return Value::object(
        {{"model", one_of(numbers, {"roofline", "communication", "amdahl", "mix"})},
         {"tasks", numbers.integer(1, 5)},
         {"processors", numbers.integer(1, 8)},
         {"error_model", one_of(numbers, {"work", "area", "fail-stop"})},
         {"error_rate", numbers.chance(0.5) ? 0.0 : std::pow(10.0, numbers.uniform(-9, -6))}});
  }
  if (domain == "io") {
    const std::int64_t applications = numbers.integer(4, 8);
    return Value::object({{"applications", applications},
                          {"small", numbers.integer(0, applications / 2)},
                          {"load", numbers.uniform(0.3, 1)},
                          {"length", std::pow(10.0, numbers.uniform(3.5, 5))}});
  }
  if (domain == "cosched") {
    const std::int64_t tasks = numbers.integer(1, 6);
    return Value::object({{"tasks", tasks},
                          {"processors", 2 * tasks + numbers.integer(0, 40)},
                          {"minimum_data", 1e4},
                          {"maximum_data", 1e6},
                          {"sequential_fraction", numbers.uniform(0, 0.3)},
                          {"mtbf", std::pow(10.0, numbers.uniform(7.5, 9.5))},
                          {"fault_free", numbers.chance(0.2)}});
  }
  if (domain == "volatile") {
    return Value::object({{"tasks", numbers.integer(1, 5)},
                          {"workers", numbers.integer(5, 12)},
                          {"iterations", numbers.integer(1, 4)},
                          {"minimum_speed", numbers.integer(1, 3)},
                          {"concurrent_communications", numbers.integer(1, 5)},
                          {"slot_limit", 20'000}});
  }
  if (domain == "capacity") {
    const std::int64_t machines = numbers.integer(4, 16);
    const std::int64_t notice = numbers.chance(0.5) ? numbers.integer(1, 10'000) : 0;
    const auto rates = [&numbers] {
      Value out = Value::array();
      for (std::int64_t time = 0; time < 1'814'400; time += numbers.integer(3600, 90'000)) {
        out.push(Value(Value::Array{time, numbers.integer(1, 500)}));
      }
      return out;
    };
    return Value::object({{"notice", notice},
                          {"price", rates()},
                          {"carbon", rates()},
                          {"boot", numbers.chance(0.5) ? numbers.integer(1, 900) : 0},
                          {"checkpoint", numbers.integer(0, 5000)},
                          {"family", one_of(numbers, {"uniform", "log-scale", "three-types"})},
                          {"job_count", numbers.integer(5, 60)},
                          {"mean_machines", machines},
                          {"machine_range", numbers.integer(0, machines)},
                          {"cores", numbers.integer(8, 32)},
                          {"period", static_cast<double>(numbers.integer(600, 7200))},
                          {"profile", one_of(numbers, {"default", "author"})}});
  }
  return {};
}

struct Found {
  int runs = 0;    // runs that have a bound
  int met = 0;     // runs that meet their bound
  int beyond = 0;  // runs that are better than their bound
};

// The bound of a run: a metric of the run, or the first metric of a strategy that is a bound.
struct Measured {
  std::size_t metric = 0;
  std::size_t bound = 0;
  bool by_strategy = false;
};

std::vector<Measured> measured_in(const Domain& domain) {
  std::vector<Measured> out;
  for (std::size_t bound = 0; bound < domain.metrics.size(); ++bound) {
    for (std::size_t m = 0; m < domain.metrics.size(); ++m) {
      if (domain.metrics[bound].bounds == domain.metrics[m].name) out.push_back({m, bound, false});
    }
  }
  const bool has_strategy =
      out.empty() && std::any_of(domain.strategies.begin(), domain.strategies.end(),
                                 [](const StrategyEntry& entry) { return entry.is_bound; });
  if (has_strategy) out.push_back({0, 0, true});
  return out;
}

void compare(const Domain& domain, const Measured& measured, const Outcome& run,
             const Outcome& best, Found& found) {
  const auto value = run.metrics[measured.metric];
  const auto bound = (measured.by_strategy ? best : run).metrics[measured.bound];
  if (!value || !bound || !run.in_statistics) return;
  constexpr double kRounding = 1e-9;  // sums of the same numbers in another order
  ++found.runs;
  if (std::abs(*value - *bound) <= kRounding * std::abs(*bound)) {
    ++found.met;
  } else if ((domain.metrics[measured.metric].better == Better::lower) == (*value < *bound)) {
    ++found.beyond;
  }
}

// Runs all strategies that can use the document, on one draw.
void run_all(const Domain& domain, const Value& document, std::uint64_t seed,
             std::span<const Measured> measured, std::vector<Found>& found) {
  std::vector<StrategySpec> specs;
  std::size_t best = 0;
  for (const StrategyEntry& entry : domain.strategies) {
    if (entry.takes_rule || entry.name == "as-given" || entry.name == "per-group") continue;
    auto spec = parse_strategy(entry.name, domain.strategies);
    if (!spec || !domain.open(document, {&*spec, 1}, ".")) continue;  // it needs more than this
    if (entry.is_bound) best = specs.size();
    specs.push_back(std::move(*spec));
  }
  auto point = domain.open(document, specs, ".");
  if (!point) FAIL(point.error().text());
  Workspace workspace;
  std::vector<Outcome> outcomes;
  std::size_t best_outcome = 0;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    auto outcome = (*point)->run({.seed = seed}, i, workspace, false);
    if (!outcome && outcome.error().code == ErrorCode::infeasible) continue;  // a search too long
    if (!outcome) FAIL(outcome.error().text());
    if (i == best) best_outcome = outcomes.size();
    outcomes.push_back(std::move(*outcome));
  }
  for (std::size_t k = 0; k < measured.size(); ++k) {
    for (const Outcome& outcome : outcomes)
      compare(domain, measured[k], outcome, outcomes[best_outcome], found[k]);
  }
}

void check_bounds(int documents) {
  int bounded = 0;
  for (const Domain* domain : domains()) {
    CAPTURE(domain->name);
    const std::vector<Measured> measured = measured_in(*domain);
    if (measured.empty()) continue;
    ++bounded;
    Numbers numbers(29);
    std::vector<Found> found(measured.size());
    for (int i = 0; i < documents; ++i) {
      const Value document = small_document(domain->name, numbers);
      REQUIRE_MESSAGE(document.members() != nullptr, "a domain with a bound has small documents");
      CAPTURE(to_compact_json(document));
      run_all(*domain, document, static_cast<std::uint64_t>(i), measured, found);
    }
    for (std::size_t k = 0; k < measured.size(); ++k) {
      MESSAGE(domain->name << ": " << domain->metrics[measured[k].metric].name << " of "
                           << found[k].runs << " runs, " << found[k].met << " meet their bound");
      CHECK(found[k].runs > documents);
      CHECK(found[k].beyond == 0);
      CHECK(found[k].met < found[k].runs);  // the bound is not a copy of what it bounds
    }
  }
  CHECK(bounded >= 7);
}

}  // namespace

TEST_CASE("bounds: no strategy exceeds its bound, 100 random problems of each domain") {
  check_bounds(100);
}

TEST_CASE("bounds: no strategy exceeds its bound, 10 000 random problems of each domain" *
          doctest::test_suite("thorough")) {
  check_bounds(10'000);
}
