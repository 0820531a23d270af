#include "holdfast/domains/checkpoint/fixed_period.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/domains/checkpoint/advisor/cost_estimate.hpp"
#include "holdfast/domains/checkpoint/plan.hpp"
#include "holdfast/domains/checkpoint/strategies.hpp"
#include "holdfast/models/resilience/period.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>

namespace holdfast::checkpoint {
namespace {

/// Number of periods tried first, from Young and Daly's divided by kReach to kReach times it, in equal ratios.
constexpr int kFirstLooks = 25;
constexpr double kReach = 16;
/// Number of times that the ratio between two of them is halved around the best.
constexpr int kRefinements = 9;
/// From this many seconds on, a period is a whole number of seconds.
constexpr double kWhole = 100;
/// Slurm may send the signal this many seconds early.
constexpr double kSlurmEarly = 60;

class Search {
 public:
  explicit Search(const Instance& instance) : instance_{instance} {}

  Status look(double period) {
    if (period >= kWhole) period = std::round(period);
    period = std::min(period, instance_.work);
    HOLDFAST_TRY(spec, parse_strategy(fmt::format("fixed:period={}s", period), strategies()));
    HOLDFAST_TRY(rule, make_strategy(spec, instance_));
    auto plan = make_plan(instance_, *rule);
    // Periods so short that no plan holds them all are not the best.
    if (!plan && plan.error().code == ErrorCode::infeasible) return {};
    if (!plan) return fail(std::move(plan).error());
    if (plan->worth.efficiency > best_.efficiency) {
      best_ = {.period = period, .efficiency = plan->worth.efficiency};
    }
    return {};
  }

  [[nodiscard]] const FixedPeriod& best() const { return best_; }

 private:
  const Instance& instance_;
  FixedPeriod best_;
};

std::string seconds_text(double seconds) {
  return seconds >= kWhole ? fmt::format("{:.0f}", seconds) : fmt::format("{:.3g}", seconds);
}

std::string minutes_text(double seconds) {
  return fmt::format("{:.1f}", std::max(seconds / 60, 0.1));
}

}  // namespace

Result<FixedPeriod> best_fixed_period(const Instance& instance) {
  const double usual = young_daly_period(instance.checkpoint, job_mtbf(instance));
  Search search(instance);
  double ratio = elementary::pow(kReach, 2.0 / (kFirstLooks - 1));
  double period = usual / kReach;
  for (int i = 0; i < kFirstLooks; ++i, period *= ratio) HOLDFAST_CHECK(search.look(period));
  for (int i = 0; i < kRefinements; ++i) {
    ratio = std::sqrt(ratio);
    const double middle = search.best().period;
    HOLDFAST_CHECK(search.look(middle / ratio));
    HOLDFAST_CHECK(search.look(middle * ratio));
  }
  return search.best();
}

std::string setting_of(Tool tool, double period, double checkpoint) {
  const double reserve = CostEstimate(checkpoint).reserve(period);
  const std::string seconds = seconds_text(period);
  switch (tool) {
    case Tool::shell:
      return "HOLDFAST_INTERVAL=" + seconds;
    case Tool::scr:
      return fmt::format("SCR_CHECKPOINT_SECONDS={} SCR_HALT_SECONDS={:.0f}", seconds,
                         std::ceil(reserve));
    case Tool::fti:
      return fmt::format("ckpt_l4 = {:.0f}", std::max(1.0, std::floor(period / 60)));
    case Tool::veloc:
      return "persistent_interval = " + seconds;
    case Tool::dmtcp:
      return "-i " + seconds;
    case Tool::gromacs:
      return "-cpt " + minutes_text(period);
    case Tool::slurm:
      return fmt::format("--signal=B:USR2@{:.0f}", std::ceil(reserve + kSlurmEarly));
    case Tool::lightning:
      return fmt::format("train_time_interval=timedelta(seconds={})", seconds);
    case Tool::none:
      break;
  }
  assert(false && "a tool");
  return {};
}

}  // namespace holdfast::checkpoint
