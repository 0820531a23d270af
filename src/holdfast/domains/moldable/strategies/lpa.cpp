#include "holdfast/domains/moldable/strategies/lpa.hpp"

#include "holdfast/domains/moldable/strategies/makers.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace holdfast::moldable {
namespace {

// Bounds that the roofline model (alpha = 1) and the worst cases attain exactly must hold in spite
// of rounding; a tolerance of 1e-9 would already accept other allocations.
constexpr double kTolerance = 1e-12;

class Lpa final : public LocalStrategy {
 public:
  Lpa(Priority priority, std::optional<double> alpha) : LocalStrategy(priority), alpha_{alpha} {}

  std::int64_t allocate(const Speedup& job, const Limits& limits,
                        const State& state) const override {
    const double alpha = alpha_.value_or(default_alpha(job.model(), state.processors));
    return lpa(job, limits, state.processors, alpha, state.errors);
  }

 private:
  std::optional<double> alpha_;
};

}  // namespace

double default_alpha(SpeedupModel model, std::int64_t processors) {
  switch (model) {
    case SpeedupModel::roofline:
      return 1;
    case SpeedupModel::communication:
      return 1.5;
    case SpeedupModel::amdahl:
      return 2;
    case SpeedupModel::mix:
      return 27.0 / 13;
    case SpeedupModel::power:
      return std::sqrt(std::sqrt(static_cast<double>(processors)));
    case SpeedupModel::table:
      return std::sqrt(static_cast<double>(processors));
  }
  return 1;
}

std::int64_t lpa(const Speedup& job, const Limits& limits, std::int64_t processors, double alpha,
                 const ErrorLaw& errors) {
  if (!job.is_monotone()) return lpa_by_scan(job, limits, processors, alpha, errors);
  const double most = alpha * expected_area(errors, limits.area) * (1 + kTolerance);
  if (!errors.counts_area()) return largest_within_area(job, limits.fastest, most);
  std::int64_t low = 1, high = limits.fastest;
  while (low < high) {
    const std::int64_t middle = high - (high - low) / 2;
    if (expected_area(errors, job.area(middle), static_cast<double>(middle)) <= most) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

std::int64_t lpa_by_scan(const Speedup& job, const Limits& limits, std::int64_t processors,
                         double alpha, const ErrorLaw& errors) {
  const double most = alpha * expected_area(errors, limits.area) * (1 + kTolerance);
  const auto time = [&](std::int64_t p) {
    return errors.counts_area()
               ? expected_area(errors, job.area(p), static_cast<double>(p)) / static_cast<double>(p)
               : job.time(p);
  };
  std::int64_t best = 0;
  for (std::int64_t p = 1; p <= job.limit(std::min(processors, limits.widest)); ++p) {
    if (expected_area(errors, job.area(p), static_cast<double>(p)) > most) continue;
    if (best == 0 || time(p) < time(best) * (1 - kTolerance)) best = p;
  }
  return best;
}

std::unique_ptr<Strategy> lpa_rule() {
  return std::make_unique<Lpa>(Priority::lpt, std::nullopt);
}

Result<std::unique_ptr<Strategy>> make_lpa(const StrategySpec& spec, const Instance&) {
  std::optional<double> alpha;
  if (spec.has("alpha")) alpha = spec.number("alpha");
  return std::make_unique<Lpa>(priority_of(spec), alpha);
}

}  // namespace holdfast::moldable
