#include "holdfast/domains/checkpoint/levels/pattern.hpp"
#include "holdfast/domains/checkpoint/strategies.hpp"
#include "holdfast/models/resilience/job.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>

namespace holdfast::checkpoint {
namespace {

/// One pattern again and again; for a job with an end, as many as its work needs.
class Patterns final : public Strategy {
 public:
  Patterns(const Pattern& pattern, std::int64_t count) : pattern_{pattern}, count_{count} {}

  std::span<const double> decide(const State& state) override {
    cut_ = std::isinf(state.work_left)
               ? pattern_.work
               : state.work_left / static_cast<double>(std::max<std::int64_t>(
                                       count_ * pattern_.segments - state.checkpoints, 1));
    level_ = state.local + 1 < pattern_.segments ? Level::local : Level::global;
    return {&cut_, 1};
  }
  std::span<const Level> levels() const override { return {&level_, 1}; }

 private:
  Pattern pattern_;
  std::int64_t count_;
  double cut_ = 0;
  Level level_ = Level::global;
};

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

JobPattern searched(double work, const TwoLevels& levels, double rate) {
  if (std::isinf(work)) return {.pattern = best_pattern(levels, rate)};
  return best_pattern_of_job(work, levels, rate);
}

}  // namespace

Made make_two_level(const Instance& instance, const StrategySpec& spec) {
  HOLDFAST_CHECK(check_levels(instance, spec));
  const TwoLevels levels = levels_of(instance);
  const double rate = 1 / job_mtbf(instance);
  const JobPattern found = spec.choice("by") == "search" ? searched(instance.work, levels, rate)
                                                         : first_order(instance.work, levels, rate);
  return std::make_unique<Patterns>(found.pattern, found.patterns);
}

}  // namespace holdfast::checkpoint
