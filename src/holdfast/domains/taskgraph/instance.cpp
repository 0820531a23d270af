#include "holdfast/domains/taskgraph/instance.hpp"

#include "holdfast/domains/taskgraph/fields.hpp"
#include "holdfast/models/resilience/silent_errors.hpp"
#include "holdfast/models/speedup/speedup_io.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace holdfast::taskgraph {
namespace {

std::string place(std::size_t task, std::string_view field) {
  return fmt::format("/tasks/{}/{}", task, field);
}

Status check_drawn_failures(const Instance& instance) {
  std::vector<double> times = sequential_times(instance);
  if (instance.errors().counts_area()) {
    std::ranges::transform(instance.tasks, times.begin(), [&](const Speedup& task) {
      return task.least_area(instance.processors);
    });
  }
  if (const auto task = first_hopeless(instance.error_rate, times)) {
    return fail(ErrorCode::bad_value, "/error_rate",
                fmt::format("found {} errors per second, with which more than 1e6 attempts of "
                            "task {} fail, expected a smaller rate",
                            instance.error_rate, instance.name(*task)));
  }
  double expected = 0;
  for (const double time : times) expected += expected_failed_attempts(instance.error_rate, time);
  if (!(expected <= kMostFailedAttempts)) {
    return fail(ErrorCode::infeasible, "/error_rate",
                fmt::format("found {} errors per second, with which {:.3g} attempts of all tasks "
                            "fail, expected at most {:g}",
                            instance.error_rate, expected, kMostFailedAttempts));
  }
  return {};
}

Status check_failures(const Instance& instance) {
  HOLDFAST_CHECK(check_strikes(instance.errors(), instance.strikes, instance.size(),
                               !instance.failures.empty()));
  HOLDFAST_CHECK(check_saves(instance.errors(), instance.processors));
  if (instance.errors().saves()) return {};
  if (instance.failures.empty()) return check_drawn_failures(instance);
  if (instance.failures.size() != instance.size()) {
    return fail(ErrorCode::bad_value, "/failures",
                fmt::format("found {} numbers, expected {}, one for each task",
                            instance.failures.size(), instance.size()));
  }
  constexpr std::int64_t kMost = 1'000'000;
  double sum = 0;
  for (std::size_t task = 0; task < instance.size(); ++task) {
    const std::int64_t failures = instance.failures[task];
    if (failures < 0 || failures > kMost) {
      return fail(ErrorCode::bad_value, fmt::format("/failures/{}", task),
                  fmt::format("found {}, expected a whole number from 0 to {}", failures, kMost));
    }
    sum += static_cast<double>(failures);
  }
  if (sum > kMostFailedAttempts) {
    return fail(ErrorCode::bad_value, "/failures",
                fmt::format("found {:.3g} failed attempts together, expected at most {:g}", sum,
                            kMostFailedAttempts));
  }
  return {};
}

Status check_given(const Instance& instance, std::size_t task) {
  const GivenTask& given = instance.given[task];
  for (const std::int64_t allocation : given.allocations) {
    if (allocation >= 1) continue;
    return fail(ErrorCode::bad_value, place(task, "allocation"),
                fmt::format("found {}, expected a whole number of at least 1", allocation));
  }
  if (!(given.start >= 0 && std::isfinite(given.start))) {
    return fail(ErrorCode::bad_value, place(task, "start"),
                fmt::format("found {}, expected a number of at least 0", given.start));
  }
  return {};
}

Status check_releases(const Instance& instance) {
  if (!instance.releases.empty() && instance.releases.size() != instance.size()) {
    return fail(ErrorCode::bad_value, "/tasks",
                fmt::format("found {} releases, expected {}, one for each task",
                            instance.releases.size(), instance.size()));
  }
  for (std::size_t task = 0; task < instance.releases.size(); ++task) {
    const double release = instance.releases[task];
    if (release >= 0 && std::isfinite(release)) continue;
    return fail(ErrorCode::bad_value, place(task, "release"),
                fmt::format("found {}, expected a number of at least 0", release));
  }
  return {};
}

}  // namespace

std::string Instance::name(std::size_t task) const {
  return ids.empty() ? std::to_string(task) : ids[task];
}

std::vector<std::int64_t> widest_with_errors(const Instance& instance) {
  std::vector<std::int64_t> out;
  const ErrorLaw errors = instance.errors();
  if (!errors.counts_area()) return out;
  for (const Speedup& task : instance.tasks) {
    out.push_back(fastest_with_errors(task, instance.processors, errors));
  }
  return out;
}

std::vector<double> sequential_times(const Instance& instance) {
  std::vector<double> times(instance.size());
  std::ranges::transform(instance.tasks, times.begin(),
                         [](const Speedup& task) { return task.sequential_time(); });
  return times;
}

Status check(const Instance& instance) {
  HOLDFAST_CHECK(instance_fields().check(instance));
  if (instance.size() == 0) {
    return fail(ErrorCode::bad_value, "/tasks", "found an empty graph, expected at least one task");
  }
  for (std::size_t task = 0; task < instance.size(); ++task) {
    HOLDFAST_CHECK(
        check_speedup(instance.tasks[task], instance.processors, place(task, "speedup")));
  }
  for (std::size_t task = 0; task < instance.given.size(); ++task) {
    HOLDFAST_CHECK(check_given(instance, task));
  }
  HOLDFAST_CHECK(check_releases(instance));
  return check_failures(instance);
}

}  // namespace holdfast::taskgraph
