#include "holdfast/domains/checkpoint/progress.hpp"

#include "holdfast/base/units.hpp"
#include "holdfast/models/failures/ages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace holdfast::checkpoint {
namespace {

// "1d": as it is typed.
std::string as_typed(double seconds) {
  std::string text = format_duration(seconds);
  if (std::count(text.begin(), text.end(), ' ') != 1) return fmt::format("{}s", seconds);
  std::erase(text, ' ');
  return text;
}

std::string hint(const Instance& instance) {
  if (!instance.mean_is_of_one || instance.processors == 1) return {};
  const double mean = instance.law->mean();
  return fmt::format(". If {} is the MTBF of the whole machine, say --platform-mtbf {}",
                     format_duration(mean), as_typed(mean));
}

// The least time in which a job that has failed can save something.
double least_progress(const Instance& instance) {
  return instance.checkpoint + instance.late.flush + instance.recovery;
}

std::string faster_than_saving(const Instance& instance, std::string_view end) {
  return fmt::format("{}, less than a checkpoint{} and a recovery ({}): {}{}",
                     long_run_in_words(instance), instance.late.flush > 0 ? ", its flush" : "",
                     format_duration(least_progress(instance)), end, hint(instance));
}

// True if the run would exceed the limits: 2e7 MTBFs of work, in which each processor fails more than ten times.
bool is_too_long(const Instance& instance, double work) {
  constexpr double kManyLives = 10;
  return work > 2.0 * kMostInterruptions * job_mtbf(instance) &&
         work > kManyLives * processor_mtbf(instance);
}

bool is_faster_than_saving(const Instance& instance) {
  return job_mtbf(instance) < least_progress(instance);
}

}  // namespace

std::string long_run_in_words(const Instance& instance) {
  const std::string every = format_duration(job_mtbf(instance));
  if (instance.processors == 1) return fmt::format("this processor fails every {}", every);
  return fmt::format("these {} processors fail every {} together", instance.processors, every);
}

std::optional<std::string> no_progress(const Instance& instance, double share) {
  const bool makes_progress = share >= kNoProgress;
  if (is_faster_than_saving(instance)) {
    return faster_than_saving(
        instance, makes_progress ? "most of the time is lost" : "no plan makes progress");
  }
  if (makes_progress) return std::nullopt;
  return fmt::format(
      "no plan makes progress now: less than {:g} % of the time until the next failure would "
      "become work that is "
      "saved, although in the long run {}{}",
      100 * kNoProgress, long_run_in_words(instance), hint(instance));
}

std::optional<std::string> cannot_end(const Instance& instance) {
  if (is_too_long(instance, instance.work)) {
    return fmt::format("the work of {} takes {:.2g} times the {} between two failures: no run ends",
                       format_duration(instance.work), instance.work / job_mtbf(instance),
                       format_duration(job_mtbf(instance)));
  }
  if (!is_faster_than_saving(instance)) return std::nullopt;
  const double window = least_progress(instance);
  const Ages ages = make_ages(initial_groups(instance));
  if (platform_cumulative_hazard(*instance.law, ages, window) < 1) return std::nullopt;
  const double mtbf = job_mtbf(instance);
  const double period = late_optimal_period(instance.checkpoint, mtbf, instance.late);
  return no_progress(instance,
                     1 / late_slowdown(period, instance.costs(), 1 / mtbf, instance.late));
}

bool will_not_end(const Instance& instance, const RunSoFar& so_far) {
  constexpr double kNoChance = 25;  // exp(-25) = 1e-11
  if (so_far.failures >= kMostInterruptions) return true;
  if (so_far.failures_without_progress >= kMostWithoutProgress) return true;
  if (!instance.law) return false;
  return is_too_long(instance, so_far.work_left) ||
         std::min(so_far.hazard_now, so_far.needed / job_mtbf(instance)) > kNoChance;
}

bool lacks_ages(const Instance& instance) {
  return instance.law && !instance.has_ages && !instance.events &&
         instance.law->name() != "exponential";
}

std::string ages_in_words(const Instance& instance) {
  const std::string_view begin = "no age is given (--platform-age):";
  if (instance.processors == 1) return fmt::format("{} the processor is taken as new", begin);
  return fmt::format(
      "{} all {} processors are taken as new, and the first failure comes after {} on average; "
      "long in service they fail every {} together",
      begin, instance.processors,
      format_duration(instance.law->mean_of_minimum(instance.processors)),
      format_duration(processor_mtbf(instance) / static_cast<double>(instance.processors)));
}

Instance long_in_service(const Instance& instance) {
  Instance out = instance;
  out.law = exponential_law(processor_mtbf(instance));
  return out;
}

}  // namespace holdfast::checkpoint
