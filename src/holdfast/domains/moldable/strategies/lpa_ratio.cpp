#include "holdfast/domains/moldable/strategies/lpa_ratio.hpp"

#include "holdfast/domains/moldable/strategies/makers.hpp"

#include <algorithm>

namespace holdfast::moldable {
namespace {

// The first p in [low, high] from which on holds(p) is true; high + 1 if it never is.
template <class Holds>
std::int64_t first_where(std::int64_t low, std::int64_t high, const Holds& holds) {
  ++high;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (holds(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/// What all attempts of a job are expected to take, over the least of it.
class Ratios {
 public:
  Ratios(const Speedup& job, const Limits& limits, const ErrorLaw& errors)
      : job_{job},
        errors_{errors},
        area_{expected_area(errors, limits.area)},
        time_{errors.counts_area() ? time(limits.fastest) : limits.time} {}

  [[nodiscard]] double alpha(std::int64_t p) const {
    return expected_area(errors_, job_.area(p), static_cast<double>(p)) / area_;
  }
  [[nodiscard]] double beta(std::int64_t p) const { return time(p) / time_; }

 private:
  [[nodiscard]] double time(std::int64_t p) const {
    return errors_.counts_area() ? expected_area(errors_, job_.area(p), static_cast<double>(p)) /
                                       static_cast<double>(p)
                                 : job_.time(p);
  }

  const Speedup& job_;
  const ErrorLaw& errors_;
  double area_, time_;
};

class LpaRatio final : public LocalStrategy {
 public:
  using LocalStrategy::LocalStrategy;
  std::int64_t allocate(const Speedup& job, const Limits& limits,
                        const State& state) const override {
    return lpa_ratio(job, limits, state.processors, state.errors);
  }
};

}  // namespace

double proven_ratio(double alpha, double beta, std::int64_t processors) {
  if (alpha >= beta) return 2 * alpha;
  const auto p = static_cast<double>(processors);
  return alpha * p / (p - 1) + beta * (p - 2) / (p - 1);
}

std::int64_t lpa_ratio(const Speedup& job, const Limits& limits, std::int64_t processors,
                       const ErrorLaw& errors) {
  if (processors == 1) return 1;
  if (!job.is_monotone()) return lpa_ratio_by_scan(job, limits, processors, errors);
  const Ratios ratios(job, limits, errors);
  const auto alpha = [&](std::int64_t p) { return ratios.alpha(p); };
  const auto beta = [&](std::int64_t p) { return ratios.beta(p); };
  const auto ratio = [&](std::int64_t p) { return proven_ratio(alpha(p), beta(p), processors); };

  // At pmax beta is 1 and alpha at least 1 (except for rounding, so this is not evaluated).
  const std::int64_t crossing =
      first_where(1, limits.fastest - 1, [&](std::int64_t p) { return alpha(p) >= beta(p); });
  if (crossing == 1) return 1;
  const std::int64_t turn =
      first_where(1, crossing - 2, [&](std::int64_t p) { return ratio(p + 1) >= ratio(p); });
  return ratio(crossing) < ratio(turn) ? crossing : turn;
}

std::int64_t lpa_ratio_by_scan(const Speedup& job, const Limits& limits, std::int64_t processors,
                               const ErrorLaw& errors) {
  if (processors == 1) return 1;
  const Ratios ratios(job, limits, errors);
  const std::int64_t last = job.limit(std::min(processors, limits.widest));
  std::int64_t best = 1;
  double least = 0;
  for (std::int64_t p = 1; p <= last; ++p) {
    const double ratio = proven_ratio(ratios.alpha(p), ratios.beta(p), processors);
    if (p > 1 && ratio >= least) continue;
    least = ratio;
    best = p;
  }
  return best;
}

Result<std::unique_ptr<Strategy>> make_lpa_ratio(const StrategySpec& spec, const Instance&) {
  return std::make_unique<LpaRatio>(priority_of(spec));
}

}  // namespace holdfast::moldable
