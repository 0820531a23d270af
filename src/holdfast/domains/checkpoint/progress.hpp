#pragma once

#include "holdfast/domains/checkpoint/instance.hpp"

#include <optional>
#include <string>

namespace holdfast::checkpoint {

/// Returns "10000 processors fail every 8 h 46 min together": the job's long-run rate in words.
[[nodiscard]] std::string long_run_in_words(const Instance& instance);

/// A plan that saves less than this share of the time until the next failure makes no progress.
inline constexpr double kNoProgress = 0.01;

/// Returns a sentence if a plan that saves this share makes no progress (below 1 %), or if failures come faster than a
/// checkpoint and a recovery. If the given mean may be that of the whole machine, the sentence says so.
/// @pre instance.law
[[nodiscard]] std::optional<std::string> no_progress(const Instance& instance, double share);
/// Returns the reason if no run can end, before any run is made: neither the current hazard nor the long-run one leaves much of
/// a chance, or the work is too long. Returns nothing if runs may end.
/// @pre instance.law
[[nodiscard]] std::optional<std::string> cannot_end(const Instance& instance);

/// The numbers of interruptions after which a run is given up: in total, and without a checkpoint in between.
inline constexpr std::int64_t kMostInterruptions = 10'000'000;
inline constexpr std::int64_t kMostWithoutProgress = kMostInterruptions / 10;
/// The largest expected number of failures before a job begins; a trace starts at the platform's birth.
inline constexpr double kMostBefore = 1e7;

/// The state of a run after a failure.
struct RunSoFar {
  std::int64_t failures = 0;
  std::int64_t failures_without_progress = 0;
  double work_left = 0;   ///< seconds
  double needed = 0;      ///< seconds without a failure that are needed for the next progress
  double hazard_now = 0;  ///< Lambda over these seconds, from now on
};
/// Returns true if a run has met too many failures, or certainly will: the next progress has a probability of exp(-25) both now
/// and in the long run, or the work left alone takes twice kMostInterruptions of the job's MTBFs.
[[nodiscard]] bool will_not_end(const Instance& instance, const RunSoFar& so_far);

/// Returns true if the answer depends on ages that were not given: the law has a memory, and all processors are assumed to be
/// new.
[[nodiscard]] bool lacks_ages(const Instance& instance);
/// Returns a sentence about the meaning of missing ages.
[[nodiscard]] std::string ages_in_words(const Instance& instance);

/// Returns the instance on a platform that has been in service for long: failures come at the long-run rate, whatever the
/// processors' ages.
[[nodiscard]] Instance long_in_service(const Instance& instance);

}  // namespace holdfast::checkpoint
