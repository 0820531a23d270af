#include "holdfast/domains/checkpoint/levels/pattern.hpp"
#include "holdfast/domains/checkpoint/strategies.hpp"
#include "holdfast/models/resilience/job.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>

namespace holdfast::checkpoint {
namespace {

JobPattern first_order(double work, const TwoLevels& levels, double rate) {
  const Pattern pattern = first_order_pattern(levels, rate);
  if (std::isinf(work)) return {.pattern = pattern};
  const double global = pattern.work * static_cast<double>(pattern.segments);
  if (global < work || pattern.segments == 1)
    return {.pattern = pattern, .patterns = segments_for_period(work, global)};
  // The job ends before a global checkpoint would be due.
  return {
      .pattern = {.work = pattern.work,
                  .segments = std::min(pattern.segments, segments_for_period(work, pattern.work))}};
}

/// One pattern again and again; for a job with an end, as many as its work needs.
class Patterns : public Strategy {
 public:
  explicit Patterns(const JobPattern& job) : job_{job} {}

  std::span<const double> decide(const State& state) override {
    const std::int64_t done = state.checkpoints - begin_;
    cut_ = std::isinf(state.work_left)
               ? job_.pattern.work
               : state.work_left / static_cast<double>(std::max<std::int64_t>(
                                       job_.patterns * job_.pattern.segments - done, 1));
    level_ = state.local + 1 < job_.pattern.segments ? Level::local : Level::global;
    return {&cut_, 1};
  }
  std::span<const Level> levels() const override { return {&level_, 1}; }

 protected:
  JobPattern job_;
  std::int64_t begin_ = 0;  ///< segments that were safe when it was chosen

 private:
  double cut_ = 0;
  Level level_ = Level::global;
};

/// The first-order pattern for the present failure rate, chosen again when nothing is in local checkpoints alone.
class PatternsForNow final : public Patterns {
 public:
  explicit PatternsForNow(const TwoLevels& levels) : Patterns({}), levels_{levels} {}

  std::span<const double> decide(const State& state) override {
    if (state.local == 0) {
      const double rate = present_rate(state.outlook, levels_.local.checkpoint);
      job_ = first_order(state.work_left, levels_, rate);
      begin_ = state.checkpoints;
    }
    return Patterns::decide(state);
  }

 private:
  TwoLevels levels_;
};

JobPattern searched(double work, const TwoLevels& levels, double rate) {
  if (std::isinf(work)) return {.pattern = best_pattern(levels, rate)};
  return best_pattern_of_job(work, levels, rate);
}

}  // namespace

Made make_two_level(const Instance& instance, const StrategySpec& spec) {
  HOLDFAST_CHECK(check_levels(instance, spec));
  const TwoLevels levels = levels_of(instance);
  if (spec.choice("by") == "now") return std::make_unique<PatternsForNow>(levels);
  const double rate = 1 / job_mtbf(instance);
  return std::make_unique<Patterns>(spec.choice("by") == "search"
                                        ? searched(instance.work, levels, rate)
                                        : first_order(instance.work, levels, rate));
}

}  // namespace holdfast::checkpoint
