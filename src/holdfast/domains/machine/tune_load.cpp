#include "holdfast/domains/machine/tune_load.hpp"

#include "holdfast/domains/machine/realisation.hpp"
#include "holdfast/domains/machine/simulate.hpp"
#include "holdfast/domains/machine/strategies.hpp"
#include "holdfast/kernel/statistics.hpp"

#include <memory>
#include <numeric>
#include <utility>

namespace holdfast::machine {
namespace {

constexpr int kSteps = 20;  // steps of 5 %
constexpr int kLeastStep = 10;

// The useful share of one run.
Result<double> useful_share(const Instance& instance, const StrategySpec& sharing,
                            const PeriodRule& rule, Realisation& realisation, Stop stop) {
  HOLDFAST_TRY(strategy, make_strategy(sharing, instance));
  strategy.period = rule;
  const Run run = simulate(instance, strategy, realisation, nullptr, stop);
  if (stop.wanted()) return fail(ErrorCode::interrupted, {}, "stopped");
  const double window = run.end - instance.warmup;
  return metrics_of(run.all, static_cast<double>(instance.nodes) * window).useful_share;
}

TriedLoad tried_load(double load, const std::vector<double>& shares,
                     const std::vector<double>& best) {
  Moments share, behind;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    share.add(shares[i]);
    behind.add(best[i] - shares[i]);
  }
  return {load, share.mean(), share.standard_error().value_or(0), behind.mean(),
          behind.standard_error().value_or(0)};
}

}  // namespace

Result<LoadSearch> tune_load(const Instance& instance, const StrategySpec& sharing,
                             std::uint64_t seed, std::int64_t scenarios, Stop stop) {
  const auto law = instance.law ? std::make_shared<const TabulatedLaw>(*instance.law) : nullptr;
  std::vector<PeriodRule> rules;
  for (int step = kLeastStep; step <= kSteps; ++step) {
    rules.push_back({.kind = PeriodKind::cooperative, .load = static_cast<double>(step) / kSteps});
  }
  rules.push_back({.kind = PeriodKind::young_daly});
  std::vector<std::vector<double>> shares(rules.size());
  for (std::int64_t scenario = 0; scenario < scenarios; ++scenario) {
    Realisation realisation(instance, law,
                            {.seed = seed, .scenario = static_cast<std::uint64_t>(scenario)});
    for (std::size_t rule = 0; rule < rules.size(); ++rule) {
      HOLDFAST_TRY(share, useful_share(instance, sharing, rules[rule], realisation, stop));
      shares[rule].push_back(share);
    }
  }
  LoadSearch out{.scenarios = scenarios};
  const std::size_t loads = rules.size() - 1;
  const auto sum = [](const std::vector<double>& all) {
    return std::accumulate(all.begin(), all.end(), 0.0);
  };
  // If the bandwidth suffices, all loads give the same result: then the best is 100 %.
  out.best = loads - 1;
  for (std::size_t rule = loads - 1; rule-- > 0;) {
    if (sum(shares[rule]) > sum(shares[out.best])) out.best = rule;
  }
  for (std::size_t rule = 0; rule < loads; ++rule) {
    out.tried.push_back(tried_load(rules[rule].load, shares[rule], shares[out.best]));
  }
  out.young_daly = tried_load(1, shares.back(), shares[out.best]);
  return out;
}

}  // namespace holdfast::machine
