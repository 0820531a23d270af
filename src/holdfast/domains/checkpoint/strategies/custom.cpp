#include "holdfast/contract/rule_run.hpp"
#include "holdfast/domains/checkpoint/decision.hpp"
#include "holdfast/domains/checkpoint/strategies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace holdfast::checkpoint {
namespace {

constexpr auto kTold = std::to_array<DecisionField>({
    {.name = "work_left",
     .summary = "work of the job that is left, without failures and checkpoints",
     .unit = Unit::seconds,
     .per_item = false},
    {.name = "checkpoints", .summary = "number of checkpoints that are safe", .per_item = false},
    {.name = "checkpoint",
     .summary = "time of one checkpoint",
     .unit = Unit::seconds,
     .per_item = false},
    {.name = "recovery",
     .summary = "time of one recovery",
     .unit = Unit::seconds,
     .per_item = false},
    {.name = "downtime",
     .summary = "time after a failure until the recovery",
     .unit = Unit::seconds,
     .per_item = false},
});
constexpr auto kAsked = std::to_array<DecisionField>({
    {.name = "segments",
     .summary = "work before each of the next checkpoints, together at most work_left",
     .unit = Unit::seconds,
     .per_item = false},
});
constexpr auto kCurves = std::to_array<DecisionField>({
    {.name = "hazard",
     .summary = "failures of all processors per second, x seconds from now",
     .unit = Unit::per_second,
     .per_item = false},
    {.name = "cumulative_hazard",
     .summary = "expected number of failures of all processors in the next x seconds",
     .per_item = false},
});
constexpr DecisionTable kDecision{
    .name = "segments",
    .when = "at the start, after each recovery, and when all decided segments are done",
    .told = kTold,
    .asked = kAsked,
    .curves = kCurves,
    .is_list = true};
// A relative difference from the work up to this is due to rounding in repeated addition.
constexpr double kRounding = 1e-9;

class Custom final : public RuleStrategy<Strategy> {
 public:
  Custom(const Instance& instance, const StrategySpec& spec)
      : RuleStrategy(spec, kDecision), instance_{instance} {}

  std::span<const double> decide(const State& state) override {
    cuts_.clear();
    if (!ask(state) || !cut(state.work_left)) return {};
    return cuts_;
  }

 private:
  bool ask(const State& state) {
    const auto once = std::to_array({state.work_left, static_cast<double>(state.checkpoints),
                                     instance_.checkpoint, instance_.recovery, instance_.downtime});
    const auto evaluate = [&](std::size_t curve, std::span<const std::uint32_t>,
                              std::span<const double> x,
                              std::span<double> y) { read(state.outlook, curve, x, y); };
    return run_.ask({.scalars = once, .evaluate = evaluate});
  }

  // Evaluates the hazard from now on, if the law of the failures is known.
  void read(Outlook& outlook, std::size_t which, std::span<const double> x,
            std::span<double> y) const {
    const auto is_given = [&](double at) { return instance_.law && at >= 0 && std::isfinite(at); };
    double span = 0;
    for (const double at : x) span = is_given(at) ? std::max(span, at) : span;
    if (span == 0) span = instance_.checkpoint > 0 ? instance_.checkpoint : 1;
    const HazardCurve* curve = instance_.law ? &outlook.curve(span) : nullptr;
    for (std::size_t i = 0; i < x.size(); ++i) {
      y[i] = !is_given(x[i]) ? std::numeric_limits<double>::quiet_NaN()
             : which == 0    ? curve->hazard(x[i])
                             : curve->cumulative(x[i]);
    }
  }

  // Turns segments into the work done at each checkpoint.
  bool cut(double work_left) {
    const std::span<const double> segments = run_.answer();
    double done = 0;
    for (std::size_t i = 0; i < segments.size(); ++i) {
      double next = done + segments[i];
      if (!(next > done)) {
        run_.refuse(0, i, fmt::format("found {}, expected more than 0", segments[i]));
        return false;
      }
      if (std::isfinite(work_left) && std::abs(next - work_left) <= kRounding * work_left) {
        next = work_left;
      }
      if (!(next <= work_left) || (done == work_left)) {
        run_.refuse(0, i,
                    fmt::format("found {}, expected at most {}, the work that is left", segments[i],
                                work_left - done));
        return false;
      }
      cuts_.push_back(done = next);
    }
    return true;
  }

  const Instance& instance_;
  std::vector<double> cuts_;
};

}  // namespace

const DecisionTable& decision() {
  return kDecision;
}

Made make_custom(const Instance& instance, const StrategySpec& spec) {
  return std::make_unique<Custom>(instance, spec);
}

}  // namespace holdfast::checkpoint
