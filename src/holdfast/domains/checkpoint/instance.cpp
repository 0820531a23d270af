#include "holdfast/domains/checkpoint/instance.hpp"

#include "holdfast/base/units.hpp"
#include "holdfast/domains/checkpoint/fields.hpp"
#include "holdfast/models/resilience/period.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

namespace holdfast::checkpoint {
namespace {

/// Seconds: larger costs and smaller MTBFs are typing errors with which no run ends.
constexpr double kLongestCost = 1e15;
constexpr double kShortestMtbf = 1e-9;
/// The largest number of checkpoints of a run at the usual period, and of failures within one downtime.
constexpr double kMostPeriods = 1e8;
constexpr double kTinyCheckpoint = 1e-3;
constexpr double kMostInDowntime = 1e6;

// The comparisons below are written so that NaN fails them.

Status refuse(std::string where, double found, std::string_view expected) {
  return fail(ErrorCode::bad_value, std::move(where),
              fmt::format("found {} s, expected {}", found, expected));
}

// Checks what a row of fields.cpp cannot express, and NaN, which a struct made in code may contain but no document can.
Status check_durations(const Instance& instance) {
  if (!(instance.work > 0)) return refuse("/work", instance.work, "a duration greater than 0");
  if (!(instance.planning.seconds >= 0)) {
    return refuse("/planning_time", instance.planning.seconds, "a duration of at least 0");
  }
  for (const auto& [where, cost] : {std::pair{"/checkpoint", instance.checkpoint},
                                    {"/recovery", instance.recovery},
                                    {"/downtime", instance.downtime},
                                    {"/local_checkpoint", instance.local.checkpoint},
                                    {"/local_recovery", instance.local.recovery},
                                    {"/flush", instance.late.flush},
                                    {"/planning_time", instance.planning.seconds}}) {
    if (!(cost <= kLongestCost))
      return refuse(where, cost, fmt::format("a duration of at most {} s", kLongestCost));
  }
  return {};
}

// Checks durations relative to the rate of failures. @pre instance.law
Status check_scales(const Instance& instance) {
  const double mtbf = instance.law->mean() / static_cast<double>(instance.processors);
  if (!(mtbf >= kShortestMtbf)) {
    return refuse(
        "/failures", mtbf,
        fmt::format("at least {} s between failures of all processors together", kShortestMtbf));
  }
  if (instance.downtime > kMostInDowntime * mtbf) {
    return refuse("/downtime", instance.downtime,
                  fmt::format("at most {} s: in {} MTBFs of the job nothing is ever done",
                              kMostInDowntime * mtbf, kMostInDowntime));
  }
  const double period = young_daly_period(instance.checkpoint, mtbf);
  const bool is_tiny = instance.checkpoint < kTinyCheckpoint && std::isfinite(instance.work);
  if (is_tiny && instance.work > kMostPeriods * period) {
    return refuse("/checkpoint", instance.checkpoint,
                  fmt::format("more: every {} s, as is usual for it, the work takes {:.2g} "
                              "checkpoints",
                              period, instance.work / period));
  }
  return {};
}

Status check_ages(const Instance& instance) {
  std::int64_t total = 0;
  for (std::size_t i = 0; i < instance.ages.size(); ++i) {
    const auto& [age, count] = instance.ages[i];
    const std::string where = fmt::format("/ages/{}", i);
    if (!(age >= 0) || std::isinf(age)) return refuse(where + "/0", age, "an age of at least 0");
    if (age > instance.platform_age) {
      return refuse(where + "/0", age,
                    fmt::format("an age of at most the platform's, {} s", instance.platform_age));
    }
    if (count < 1 || count > kMostProcessors - total) {
      return fail(
          ErrorCode::bad_value, where + "/1",
          fmt::format("found {}, expected a count from 1 to {}", count, kMostProcessors - total));
    }
    total += count;
  }
  if (!instance.ages.empty() && total != instance.processors) {
    return fail(ErrorCode::bad_value, "/ages",
                fmt::format("found {} processors in {} groups, expected {} (/processors)", total,
                            instance.ages.size(), instance.processors));
  }
  return {};
}

Status check_units(const Instance& instance) {
  if (!std::isfinite(instance.platform_age)) {
    return refuse("/platform_age", instance.platform_age, "an age of at least 0");
  }
  HOLDFAST_CHECK(check_ages(instance));
  if (!(instance.horizon > instance.platform_age)) {
    return refuse("/horizon", instance.horizon,
                  fmt::format("more than the platform's age, {} s", instance.platform_age));
  }
  if (instance.rejuvenation == Rejuvenation::all && instance.ages.size() > 1) {
    return fail(ErrorCode::bad_value, "/ages",
                fmt::format("found {} groups, expected one age for all: they are renewed together",
                            instance.ages.size()));
  }
  return {};
}

Status check_events(const Instance& instance) {
  if (!instance.events) return {};
  const bool has_pool = instance.platform.has_pool();
  const std::int64_t nodes = instance.processors + instance.platform.spares.value_or(0);
  double previous = 0;
  for (std::size_t i = 0; i < instance.events->size(); ++i) {
    const auto& [date, processor, repair] = (*instance.events)[i];
    const std::string where = fmt::format("/failures/events/{}", i);
    if (!(date >= 0) || std::isinf(date)) return refuse(where + "/0", date, "a date of at least 0");
    if (date < previous) {
      return refuse(where + "/0", date,
                    fmt::format("dates in increasing order: the one before is {} s", previous));
    }
    if (!(date <= instance.deadline())) {
      return refuse(
          where + "/0", date,
          fmt::format("a date before the horizon, {} s after the start", instance.deadline()));
    }
    if (processor < 0 || processor >= nodes) {
      return fail(ErrorCode::bad_value, where + "/1",
                  fmt::format("found processor {}, expected 0 to {}", processor, nodes - 1));
    }
    if (has_pool != (repair >= 0)) {
      return fail(ErrorCode::bad_value, where + "/2",
                  has_pool ? "is missing: the length of the repair, which spares make necessary"
                           : "found the length of a repair, expected none without 'spares'");
    }
    previous = date;
  }
  return {};
}

// A submission must save something; what local checkpoints and given segments mean at its end is not defined.
Status check_time_limit(const Instance& instance) {
  if (instance.time_limit == 0) return {};
  if (instance.local.exists() || !instance.segments.empty()) {
    return fail(ErrorCode::bad_value, "/time_limit",
                fmt::format("found with '{}', expected without: all checkpoints of a submission "
                            "go to the file system, and the last one comes before its end",
                            instance.local.exists() ? "local_checkpoint" : "segments"));
  }
  const double lost =
      instance.recovery + instance.planning.seconds + instance.checkpoint + instance.late.flush;
  const double progress = instance.time_limit - lost;
  if (!(progress > instance.iteration)) {
    return fail(ErrorCode::bad_value, "/time_limit",
                fmt::format("found {}, expected more than a recovery{} and a checkpoint{}, {}",
                            format_duration(instance.time_limit),
                            instance.late.flush > 0 ? ", a flush" : "",
                            instance.iteration > 0 ? " and an iteration" : "",
                            format_duration(lost + instance.iteration)));
  }
  if (std::isfinite(instance.work) && instance.work > kMostPeriods * progress) {
    return refuse("/time_limit", instance.time_limit,
                  fmt::format("more: the work takes {:.2g} submissions", instance.work / progress));
  }
  return {};
}

Status check_segments(const Instance& instance) {
  double sum = 0;
  for (std::size_t i = 0; i < instance.segments.size(); ++i) {
    const double segment = instance.segments[i];
    if (!(segment > 0))
      return refuse(fmt::format("/segments/{}", i), segment, "a duration greater than 0");
    sum += segment;
  }
  // Decimal fractions do not add up exactly, and their writer may have rounded: one part in a billion is allowed.
  if (!instance.segments.empty() && !(std::fabs(sum - instance.work) <= 1e-9 * instance.work)) {
    return refuse("/segments", sum, fmt::format("a sum equal to the work, {} s", instance.work));
  }
  return {};
}

}  // namespace

Status check(const Instance& instance) {
  HOLDFAST_CHECK(job_fields().check(instance));
  HOLDFAST_CHECK(platform_fields().check(instance));
  HOLDFAST_CHECK(check_durations(instance));
  HOLDFAST_CHECK(check_time_limit(instance));
  HOLDFAST_CHECK(check_platform(instance));
  if (instance.law) HOLDFAST_CHECK(check_scales(instance));
  return check_segments(instance);
}

Status check_platform(const Instance& instance) {
  HOLDFAST_CHECK(check_units(instance));
  HOLDFAST_CHECK(spare_fields().check(instance));
  HOLDFAST_CHECK(check_spare_platform(instance));
  return check_events(instance);
}

double processor_mtbf(const Instance& instance) {
  return instance.observed_mtbf ? *instance.observed_mtbf : instance.law->mean();
}

double job_mtbf(const Instance& instance) {
  if (instance.rejuvenation == Rejuvenation::all) return law_mtbf(instance);
  return processor_mtbf(instance) / static_cast<double>(instance.processors);
}

double law_mtbf(const Instance& instance) {
  return instance.rejuvenation == Rejuvenation::all
             ? instance.law->mean_of_minimum(instance.processors)
             : instance.law->mean() / static_cast<double>(instance.processors);
}

double usual_period(const Instance& instance, double mtbf) {
  return young_daly_period(planned_checkpoint(instance.checkpoint, instance.late), mtbf);
}

double boundary(const Instance& instance, double done, double cut, double earliest) {
  if (instance.iteration == 0) return std::min(std::max(cut, earliest), instance.work);
  const double least = std::max(std::floor(done / instance.iteration * (1 + 1e-12)) + 1,
                                std::ceil(earliest / instance.iteration * (1 - 1e-12)));
  const double nearest = std::round(cut / instance.iteration);
  const double place = std::max(least, nearest) * instance.iteration;
  return place >= instance.work * (1 - 1e-12) ? instance.work : place;
}

Instance as_believed(const Instance& instance) {
  Instance out = instance;
  if (!instance.belief) return out;
  out.law = instance.belief;
  out.belief.reset();
  out.observed_mtbf.reset();
  return out;
}

std::vector<AgeGroup> initial_groups(const Instance& instance) {
  if (!instance.ages.empty()) return instance.ages;
  return {{.age = instance.platform_age, .count = instance.processors}};
}

}  // namespace holdfast::checkpoint
