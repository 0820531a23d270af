#include "holdfast/domains/moldable/strategies/lpa.hpp"

#include "holdfast/domains/moldable/strategies/makers.hpp"

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
                        std::int64_t processors) const override {
    const double alpha = alpha_.value_or(default_alpha(job.model(), processors));
    return lpa(job, limits, processors, alpha);
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

std::int64_t lpa(const Speedup& job, const Limits& limits, std::int64_t processors, double alpha) {
  const double most = alpha * limits.area * (1 + kTolerance);
  return job.is_monotone() ? largest_within_area(job, limits.fastest, most)
                           : lpa_by_scan(job, limits, processors, alpha);
}

std::int64_t lpa_by_scan(const Speedup& job, const Limits& limits, std::int64_t processors,
                         double alpha) {
  const double most = alpha * limits.area * (1 + kTolerance);
  std::int64_t best = 0;
  for (std::int64_t p = 1; p <= job.limit(processors); ++p) {
    if (job.area(p) > most) continue;
    if (best == 0 || job.time(p) < job.time(best) * (1 - kTolerance)) best = p;
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
