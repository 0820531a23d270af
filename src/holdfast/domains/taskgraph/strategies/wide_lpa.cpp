#include "holdfast/domains/taskgraph/strategies/wide_lpa.hpp"

#include "holdfast/domains/taskgraph/strategies/makers.hpp"

#include <algorithm>
#include <utility>

namespace holdfast::taskgraph {
namespace {

// Whether time on the longest path is what a graph lacks. Where the area of its tasks is as scarce, as it is on small machines,
// wide tasks keep others waiting (measured: the README).
bool is_long(const Bounds& bounds) {
  return bounds.critical_path >= 1.5 * bounds.area;
}

// Whether area is what it lacks (measured, too).
bool is_large(const Bounds& bounds) {
  return bounds.area > 1.25 * bounds.critical_path;
}

}  // namespace

WideLpa::WideLpa(const Instance& instance, CappedLpa base, const WideLpaOptions& options)
    : ListStrategy{base.order()},
      base_{std::move(base)},
      budget_{options.gamma * static_cast<double>(instance.processors)},
      proven_ratio_{base_.proven_ratio()} {
  const auto share =
      static_cast<std::int64_t>(options.phi * static_cast<double>(instance.processors));
  choices_.reserve(instance.size());
  for (const Speedup& task : instance.tasks) {
    const AllocationRule rule = base_.rule(task.model());
    const std::int64_t narrow = base_.allocate({.speedup = task});
    const std::int64_t most = std::min(share, allocation_cap(rule.mu, instance.processors));
    const std::int64_t wide = most > narrow ? std::max(narrow, task.fastest(most)) : narrow;
    const double free = rule.alpha * task.least_area(instance.processors);
    const std::int64_t fastest = task.fastest(instance.processors);
    const std::int64_t slim =
        base_.beta() && task.is_monotone()
            ? std::min(narrow,
                       smallest_within_time(task, fastest, *base_.beta() * task.time(fastest)))
            : narrow;
    choices_.push_back({narrow, wide, slim, std::max(0.0, task.area(wide) - free)});
  }
  // The area of a roofline task does not grow, so nothing is ever spent.
  if (!proven_ratio_ || common_model(instance.tasks) == SpeedupModel::roofline) return;
  *proven_ratio_ += options.gamma / (1 - base_.rule(instance.tasks.front().model()).mu);
}

Result<WideLpa> WideLpa::make(const Instance& instance, const WideLpaOptions& options) {
  HOLDFAST_TRY(base, CappedLpa::make(instance, options.base));
  return WideLpa(instance, std::move(base), options);
}

std::int64_t WideLpa::allocate(const Arrival& arrival) const {
  const Choice& choice = choices_[arrival.task];
  const Known* known = arrival.known;
  if (known == nullptr) return choice.narrow;
  if (is_large(known->bounds)) return choice.slim;
  if (!is_long(known->bounds)) return choice.narrow;
  const double spent = known->extra_area + choice.extra;
  return spent <= budget_ * known->bounds.lower() ? choice.wide : choice.narrow;
}

double WideLpa::extra_area(const Arrival& arrival, std::int64_t processors) const {
  const Choice& choice = choices_[arrival.task];
  return processors > choice.narrow ? choice.extra : 0;
}

Made make_wide_lpa(const StrategySpec& spec, const Instance& instance) {
  HOLDFAST_TRY(made, WideLpa::make(instance, {.base = capped_lpa_options(spec),
                                              .phi = spec.number("phi"),
                                              .gamma = spec.number("gamma")}));
  return std::make_unique<WideLpa>(std::move(made));
}

}  // namespace holdfast::taskgraph
