#include "holdfast/domains/checkpoint/fixed_period.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/domains/checkpoint/advisor/cost_estimate.hpp"
#include "holdfast/domains/checkpoint/plan.hpp"
#include "holdfast/domains/checkpoint/strategies.hpp"

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
/// Number of periods of a picture.
constexpr int kDrawn = 49;
/// From this many seconds on, a period is a whole number of seconds.
constexpr double kWhole = 100;
/// Slurm may send the signal this many seconds early.
constexpr double kSlurmEarly = 60;

class Search {
 public:
  explicit Search(const Instance& instance) : instance_{instance} {}

  Result<std::optional<FixedPeriod>> look(double period) {
    if (period >= kWhole) period = std::round(period);
    const double iteration = instance_.iteration;
    if (iteration > 0) period = std::max(1.0, std::round(period / iteration)) * iteration;
    period = std::min(std::max(period, instance_.late.flush), instance_.work);
    HOLDFAST_TRY(spec, parse_strategy(fixed_text(period), strategies()));
    HOLDFAST_TRY(rule, make_strategy(spec, instance_));
    auto plan = make_plan(instance_, *rule);
    // Periods so short that no plan holds them all are not the best.
    if (!plan && plan.error().code == ErrorCode::infeasible) return std::optional<FixedPeriod>{};
    if (!plan) return fail(std::move(plan).error());
    const FixedPeriod found{.period = period, .share = plan->worth.share};
    if (found.share > best_.share) best_ = found;
    return std::optional(found);
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

std::string line_in_seconds(Tool tool, double period, double checkpoint) {
  const double reserve = CostEstimate(checkpoint).reserve(period);
  const std::string seconds = seconds_text(period);
  switch (tool) {
    case Tool::shell:
      return "HOLDFAST_INTERVAL=" + seconds;
    case Tool::scr:
      return fmt::format("SCR_CHECKPOINT_SECONDS={} SCR_HALT_SECONDS={:.0f}", seconds,
                         std::ceil(reserve));
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
    default:
      break;
  }
  assert(false && "a tool that takes seconds");
  return {};
}

// The form of a tool that counts steps, with {} for their number; empty for the others.
std::string_view form_in_steps(Tool tool, double iteration) {
  switch (tool) {
    case Tool::megatron:
      return "--save-interval {}";
    case Tool::torchtitan:
      return "--checkpoint.interval {}";
    case Tool::hf:
      return "--save_strategy steps --save_steps {}";
    case Tool::deepspeed:
      return "if engine.global_steps % {} == 0: engine.save_checkpoint(save_dir)";
    case Tool::orbax:
      return "save_interval_steps={}";
    case Tool::lightning:
      return iteration > 0 ? "every_n_train_steps={}" : "";
    default:
      return "";
  }
}

}  // namespace

std::string fixed_text(double period) {
  return fmt::format("fixed:period={}s", period);
}

Result<std::vector<FixedPeriod>> fixed_periods(const Instance& instance) {
  Search search(instance);
  std::vector<FixedPeriod> out;
  const double usual = usual_period(instance, job_mtbf(instance));
  for (int i = 0; i < kDrawn; ++i) {
    HOLDFAST_TRY(found, search.look(usual * elementary::pow(kReach, 2.0 * i / (kDrawn - 1) - 1)));
    const bool is_new = found && (out.empty() || found->period > out.back().period);
    if (is_new) out.push_back(*found);
  }
  return out;
}

Result<FixedPeriod> best_fixed_period(const Instance& instance) {
  const double usual = usual_period(instance, job_mtbf(instance));
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

Result<Setting> setting_of(Tool tool, double period, double checkpoint, double iteration) {
  if (const auto form = form_in_steps(tool, iteration); !form.empty()) {
    if (iteration == 0) {
      return fail(
          ErrorCode::bad_value, "/iteration",
          fmt::format("is missing: {} counts steps, and a step takes so long (--iteration 12s)",
                      kToolNames[static_cast<std::size_t>(tool)]));
    }
    const double steps = std::max(1.0, std::round(period / iteration));
    return Setting{.line = fmt::format(fmt::runtime(form), fmt::format("{:.0f}", steps)),
                   .period = steps * iteration};
  }
  const double whole = std::max(1.0, std::floor(period / 60));
  if (tool == Tool::fti)
    return Setting{.line = fmt::format("ckpt_l4 = {:.0f}", whole), .period = 60 * whole};
  return Setting{.line = line_in_seconds(tool, period, checkpoint), .period = period};
}

}  // namespace holdfast::checkpoint
