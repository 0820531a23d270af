#include "holdfast/domains/moldable/optimum.hpp"

#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

namespace holdfast::moldable {
namespace {

// With more, even listing the choices of one step takes too long.
constexpr std::size_t kMostAttempts = 64;
constexpr std::int64_t kMostOptions = 4096;

Error too_large(std::string what) {
  return {ErrorCode::infeasible, "", "the search is too large to finish: " + std::move(what)};
}

/// The attempts of all jobs as tasks, each waiting for the one before it.
struct Tasks {
  std::vector<SearchTask> tasks;
  std::vector<Attempt> attempts;  ///< job and number of each attempt
};

Tasks list_tasks(const Instance& instance) {
  Tasks out;
  std::map<std::pair<std::vector<double>, std::int64_t>, std::size_t> kinds;
  for (std::size_t job = 0; job < instance.size(); ++job) {
    std::vector<double> times;
    const std::int64_t fastest = instance.jobs[job].fastest(instance.processors);
    for (std::int64_t p = 1; p <= fastest; ++p) times.push_back(instance.jobs[job].time(p));
    const std::int64_t failures = instance.failures.empty() ? 0 : instance.failures[job];
    for (std::int64_t number = 1; number <= failures + 1; ++number) {
      // Attempts are alike if they take the same times and the same number of attempts follows.
      const auto kind = kinds.try_emplace({times, failures + 1 - number}, kinds.size());
      SearchTask task{.times = times,
                      .parents = {},
                      .kind = kind.first->second,
                      .release = instance.releases.empty() ? 0 : instance.releases[job]};
      if (number > 1) task.parents.push_back(out.tasks.size() - 1);
      out.tasks.push_back(std::move(task));
      out.attempts.push_back({.job = static_cast<std::uint32_t>(job),
                              .number = number,
                              .has_failed = number <= failures});
    }
  }
  return out;
}

}  // namespace

Result<std::vector<Attempt>> optimum(const Instance& instance, std::int64_t most_steps) {
  if (instance.adaptive) {
    return fail(ErrorCode::bad_value, "/failures",
                "found adaptive failures, expected fixed ones: they depend on the schedule");
  }
  if (!instance.strikes.empty()) {
    return fail(ErrorCode::bad_value, "/strikes",
                "found strikes, expected failures: how often an attempt fails must not depend on "
                "its processors");
  }
  std::size_t attempts = instance.size();
  for (const std::int64_t failures : instance.failures) {
    attempts += static_cast<std::size_t>(failures);
    if (attempts > kMostAttempts) break;
  }
  if (attempts > kMostAttempts) {
    return fail(too_large(fmt::format("more than {} attempts", kMostAttempts)));
  }
  std::int64_t options = 0;
  for (const Speedup& job : instance.jobs) options += job.fastest(instance.processors);
  if (options > kMostOptions) {
    return fail(too_large(fmt::format("{} allocations to choose from", options)));
  }
  Tasks all = list_tasks(instance);
  const auto found = optimal_schedule(instance.processors, all.tasks,
                                      std::numeric_limits<double>::infinity(), most_steps);
  if (!found)
    return fail(
        too_large(fmt::format("not done after {}; give fewer jobs or "
                              "processors, or more 'steps' ('simulate' has a bound for any "
                              "size)",
                              counted(most_steps, "step"))));
  std::vector<Attempt> out;
  for (const PlacedTask& placed : found->tasks) {
    Attempt attempt = all.attempts[placed.task];
    attempt.processors = placed.processors;
    attempt.start = placed.start;
    attempt.end = placed.start + instance.jobs[attempt.job].time(placed.processors);
    out.push_back(attempt);
  }
  return out;
}

}  // namespace holdfast::moldable
