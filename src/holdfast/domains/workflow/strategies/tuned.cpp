#include "holdfast/domains/workflow/simulate.hpp"
#include "holdfast/domains/workflow/strategies/makers.hpp"
#include "holdfast/kernel/random.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

namespace holdfast::workflow {
namespace {

/// Young/Daly periods divided by a factor; tasks with enough slack use them undivided.
struct Rule {
  double factor = 1;
  /// A task whose slack in the failure-free schedule is larger than this number of its Young/Daly
  /// periods is cut as if it ran alone.
  double slack = std::numeric_limits<double>::infinity();
};

constexpr auto kFactors = std::to_array<double>({0.5, 1, 1.5, 2, 3, 4, 5, 6, 8, 10, 13});
constexpr auto kSlacks = std::to_array<double>({0.25, 0.5, 1, 2, 4});

/// Trials of rules on the same scenarios, which are not those of the simulation.
class Trials {
 public:
  Trials(const Situation& situation, std::int64_t count)
      : instance_{without_fixed(*situation.instance)},
        prepared_{instance_},
        slacks_(instance_.size()),
        realisations_(static_cast<std::size_t>(count)) {
    const std::vector<double> levels = bottom_levels(instance_.graph, instance_.lengths);
    for (std::size_t task = 0; task < slacks_.size(); ++task) {
      slacks_[task] = prepared_.schedule.makespan - prepared_.schedule.starts[task] - levels[task];
    }
    for (std::size_t i = 0; i < realisations_.size(); ++i)
      prepared_.failures.draw(key(i), realisations_[i]);
  }

  [[nodiscard]] std::vector<Cut> cuts(const Rule& rule) const {
    std::vector<Cut> out(instance_.size());
    const Situation situation = prepared_.situation();
    for (std::size_t task = 0; task < out.size(); ++task) {
      const TaskView view = situation.view(task);
      const double factor =
          slacks_[task] > rule.slack * view.young_daly() ? std::min(1.0, rule.factor) : rule.factor;
      out[task] = cut_by_period(factor * view.length, view.young_daly());
      out[task].period = view.young_daly() / factor;
    }
    return out;
  }

  /// Returns the mean makespan in seconds; infinity for a rule under which a task would not end.
  [[nodiscard]] double cost(const Rule& rule) const {
    const std::vector<Cut> chosen = cuts(rule);
    Simulator simulator(prepared_, chosen);
    if (!simulator.feasible()) return std::numeric_limits<double>::infinity();
    double sum = 0;
    for (std::size_t i = 0; i < realisations_.size(); ++i)
      sum += simulator.run(key(i), realisations_[i]).makespan;
    return sum / static_cast<double>(realisations_.size());
  }

 private:
  static Instance without_fixed(const Instance& from) {
    Instance out = from;
    out.fixed_outcomes.clear();
    return out;
  }
  static StreamKey key(std::size_t trial) {
    return {.seed = 1, .purpose = Purpose::strategy, .scenario = trial};
  }

  Instance instance_;
  PreparedInstance prepared_;
  std::vector<double> slacks_;  ///< [n] seconds
  std::vector<std::vector<FirstFailure>> realisations_;
};

/// The best factor for all tasks, then the best limit of slack, then the best factor with it.
class Tuned final : public Strategy {
 public:
  explicit Tuned(std::int64_t trials) : trials_{trials} {}

  void decide(const Situation& situation, std::span<Cut> cuts) const override {
    const Trials trials(situation, trials_);
    Rule best;
    double cost = trials.cost(best);
    const auto consider = [&](const Rule& rule) {
      if (rule.factor == best.factor && rule.slack == best.slack) return;
      const double other = trials.cost(rule);
      if (other < cost) {
        cost = other;
        best = rule;
      }
    };
    for (const double factor : kFactors) consider({factor, best.slack});
    for (const double slack : kSlacks) consider({best.factor, slack});
    for (const double factor : kFactors) {
      if (factor >= 1) consider({factor, best.slack});
    }
    for (const double times : {0.8, 0.9, 1.12, 1.25}) consider({times * best.factor, best.slack});
    const std::vector<Cut> chosen = trials.cuts(best);
    std::ranges::copy(chosen, cuts.begin());
  }

 private:
  std::int64_t trials_;
};

}  // namespace

Made make_tuned(const StrategySpec& spec, const Instance& instance) {
  HOLDFAST_CHECK(has_period(instance));
  return std::make_unique<Tuned>(static_cast<std::int64_t>(spec.number("trials")));
}

}  // namespace holdfast::workflow
