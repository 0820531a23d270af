#include "holdfast/domains/checkpoint/optimum/strategy_value.hpp"

#include "holdfast/algorithms/checkpoints/outlook.hpp"
#include "holdfast/domains/checkpoint/strategies.hpp"
#include "holdfast/models/failures/ages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace holdfast::checkpoint {
namespace {

/// What survives with a smaller probability than this is ignored: 1e-12 of the time from a failure.
constexpr double kNoWeight = 1e-12;
/// The largest distance between two amounts of work, as a fraction of the amount.
constexpr double kRelativeStep = 0.01;
constexpr std::size_t kMostStates = 200'000;

/// The probability that a failure strikes while this amount of work is not yet safe.
struct Struck {
  double work_left = 0;
  double probability = 0;
};
struct Expectation {
  double time = 0;
  double completed = 0;  ///< probability of an end without a failure
  std::vector<Struck> struck;
};

class StrategyValue {
 public:
  StrategyValue(const Instance& instance, const RenewalFailures& failures, Strategy& strategy,
                Stop stop)
      : instance_{instance}, failures_{failures}, strategy_{strategy}, stop_{stop} {}

  Result<double> of_fixed_segments();
  Result<double> of_plans(double step);

 private:
  struct Place {
    double work_left = 0;
    std::int64_t checkpoints = 0;
    double age = 0;
  };

  [[nodiscard]] Result<Expectation> follow(Place from);
  [[nodiscard]] Result<Expectation> follow_again(const Restart& restart, double work_left,
                                                 std::int64_t checkpoints);
  [[nodiscard]] double solve(const Expectation& expectation, double work_left) const;
  [[nodiscard]] Result<double> from_start(double restarted_whole);
  [[nodiscard]] double known(double work_left) const;

  const Instance& instance_;
  const RenewalFailures& failures_;
  Strategy& strategy_;
  Stop stop_;
  std::vector<double> amounts_;  ///< of work left, increasing, from 0 on
  std::vector<double> restarted_;
};

// Follows the strategy from one place as if nothing failed, and adds what each segment contributes.
Result<Expectation> StrategyValue::follow(Place from) {
  Expectation out;
  checkpoints::AgesOutlook outlook(failures_.law(), same_age(instance_.processors, from.age));
  double left = from.work_left;
  double passed = 0;
  double survival = 1;
  std::int64_t checkpoints = from.checkpoints;
  while (left > 0 && survival > kNoWeight) {
    const State state{.work_left = left, .checkpoints = checkpoints, .outlook = outlook};
    const auto cuts = strategy_.decide(state);
    if (cuts.empty()) return fail(ErrorCode::infeasible, "", "the strategy decides nothing");
    const double begin = passed;
    const double whole = left;
    double done = 0;
    for (const double cut : cuts) {
      const bool is_last = cut == whole;
      const double cost = is_last && !instance_.ends.final_checkpoint ? 0 : instance_.checkpoint;
      const double end = passed + (cut - done) + cost;
      const double safe = failures_.survival(from.age, end);
      out.time += failures_.time_between(from.age, passed, end);
      out.struck.push_back({.work_left = whole - done, .probability = survival - safe});
      passed = end;
      survival = safe;
      done = cut;
      ++checkpoints;
      if (survival <= kNoWeight) break;
    }
    left = done == whole ? 0 : whole - done;
    outlook.advance(passed - begin);
  }
  out.completed = survival;
  return out;
}

// The expectation from a failure on, with this amount of work left.
Result<Expectation> StrategyValue::follow_again(const Restart& restart, double work_left,
                                                std::int64_t checkpoints) {
  if (stop_.wanted()) return fail(ErrorCode::interrupted, "", "interrupted");
  Expectation out{.time = restart.time, .struck = {}};
  for (const ReadyAge& ready : restart.ages) {
    HOLDFAST_TRY(part, follow({work_left, checkpoints, ready.age}));
    out.time += ready.probability * part.time;
    out.completed += ready.probability * part.completed;
    for (const Struck& struck : part.struck)
      out.struck.push_back({struck.work_left, struck.probability * ready.probability});
  }
  return out;
}

// The expected time from a failure with this amount of work left, to which some of the later failures lead back. An amount
// between the last known one and this one is a mixture of the two.
double StrategyValue::solve(const Expectation& expectation, double work_left) const {
  double time = expectation.time;
  double leaves = expectation.completed;  // probability of reaching a known amount, or the end
  for (const Struck& struck : expectation.struck) {
    if (struck.work_left >= work_left || amounts_.empty())
      continue;  // counts as this amount; for the first amount, smaller ones do too
    const double last = amounts_.back();
    if (struck.work_left <= last) {
      time += struck.probability * known(struck.work_left);
      leaves += struck.probability;
    } else {
      const double share = (work_left - struck.work_left) / (work_left - last);
      time += struck.probability * share * restarted_.back();
      leaves += struck.probability * share;
    }
  }
  return time / leaves;
}

// Interpolates between four neighbours, namely those with the smallest third difference, so that no jump is among them.
double StrategyValue::known(double work_left) const {
  const auto above = std::lower_bound(amounts_.begin(), amounts_.end(), work_left);
  if (above == amounts_.end()) return restarted_.back();
  const auto at = static_cast<std::size_t>(above - amounts_.begin());
  if (*above == work_left || at == 0) return restarted_[at];
  const std::size_t size = amounts_.size();
  if (size < 4) {
    const double share = (work_left - amounts_[at - 1]) / (amounts_[at] - amounts_[at - 1]);
    return (1 - share) * restarted_[at - 1] + share * restarted_[at];
  }
  double smoothest = std::numeric_limits<double>::infinity();
  double value = 0;
  for (std::size_t first = at < 3 ? 0 : at - 3; first <= std::min(at - 1, size - 4); ++first) {
    const double* x = &amounts_[first];
    const double* y = &restarted_[first];
    // Newton's divided differences
    const double d01 = (y[1] - y[0]) / (x[1] - x[0]);
    const double d12 = (y[2] - y[1]) / (x[2] - x[1]);
    const double d23 = (y[3] - y[2]) / (x[3] - x[2]);
    const double d012 = (d12 - d01) / (x[2] - x[0]);
    const double d123 = (d23 - d12) / (x[3] - x[1]);
    const double d0123 = (d123 - d012) / (x[3] - x[0]);
    if (std::fabs(d0123) >= smoothest) continue;
    smoothest = std::fabs(d0123);
    const double s = work_left;
    value = y[0] + (s - x[0]) * (d01 + (s - x[1]) * (d012 + (s - x[2]) * d0123));
  }
  return value;
}

// The expected time from the job's start, given the time from a failure before anything is safe.
Result<double> StrategyValue::from_start(double restarted_whole) {
  HOLDFAST_TRY(whole, follow({instance_.work, 0, age_at_start(instance_)}));
  double time = whole.time;
  for (const Struck& struck : whole.struck) {
    time += struck.probability *
            (struck.work_left == instance_.work ? restarted_whole : known(struck.work_left));
  }
  return time;
}

Result<double> StrategyValue::of_fixed_segments() {
  std::vector<double> lefts;  // before each segment
  checkpoints::AgesOutlook outlook(failures_.law(),
                                   same_age(instance_.processors, age_at_start(instance_)));
  for (double left = instance_.work; left > 0;) {
    lefts.push_back(left);
    if (lefts.size() > kMostStates) {
      return fail(
          ErrorCode::infeasible, "",
          fmt::format("the strategy cuts the work into more than {} segments", kMostStates));
    }
    const State state{.work_left = left,
                      .checkpoints = static_cast<std::int64_t>(lefts.size() - 1),
                      .outlook = outlook};
    const double cut = strategy_.decide(state).front();
    left = cut == left ? 0 : left - cut;
  }
  const Restart restart = failures_.restart(instance_.recovery);
  for (std::size_t k = lefts.size(); k-- > 1;) {
    HOLDFAST_TRY(again, follow_again(restart, lefts[k], static_cast<std::int64_t>(k)));
    const double restarted = solve(again, lefts[k]);
    amounts_.push_back(lefts[k]);
    restarted_.push_back(restarted);
  }
  const Restart first = failures_.restart(instance_.ends.initial_recovery ? instance_.recovery : 0);
  HOLDFAST_TRY(again, follow_again(first, instance_.work, 0));
  return from_start(solve(again, instance_.work));
}

Result<double> StrategyValue::of_plans(double step) {
  const Restart restart = failures_.restart(instance_.recovery);
  const double work = instance_.work;
  constexpr double kNothing = 1e-9;
  for (double left = kNothing * work; left < work; left += std::max(step, kRelativeStep * left)) {
    HOLDFAST_TRY(again, follow_again(restart, left, 1));
    const double restarted = solve(again, left);
    amounts_.push_back(left);
    restarted_.push_back(restarted);
  }
  // As long as nothing is safe, there may be nothing to recover.
  const Restart first = failures_.restart(instance_.ends.initial_recovery ? instance_.recovery : 0);
  HOLDFAST_TRY(again, follow_again(first, work, 0));
  return from_start(solve(again, work));
}

}  // namespace

Result<double> expected_makespan(const Instance& instance, const RenewalFailures& failures,
                                 const StrategySpec& spec, double period, double per_period,
                                 Stop stop) {
  if (knows_future(spec) || spec.rule != nullptr) {
    return fail(ErrorCode::usage, "/strategies",
                fmt::format("found {}, expected strategies of Holdfast that do not know when "
                            "failures strike",
                            spec.text));
  }
  if (learns(spec)) {
    return fail(ErrorCode::usage, "/strategies",
                fmt::format("found {}, which learns from the run it is in, expected strategies "
                            "that do not ('simulate' runs {})",
                            spec.text, spec.text));
  }
  HOLDFAST_TRY(strategy, make_strategy(spec, instance));
  StrategyValue value(instance, failures, *strategy, stop);
  return replans(spec) ? value.of_plans(period / per_period) : value.of_fixed_segments();
}

}  // namespace holdfast::checkpoint
