#include "holdfast/domains/moldable/instance.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/models/resilience/silent_errors.hpp"
#include "holdfast/models/speedup/speedup_io.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace holdfast::moldable {
namespace {

std::string place(std::size_t job, std::string_view field) {
  return fmt::format("/jobs/{}/{}", job, field);
}

Status check_counts(const Instance& instance) {
  if (instance.failures.size() != instance.size()) {
    return fail(ErrorCode::bad_value, "/failures",
                fmt::format("found {} counts, expected {}, one per job", instance.failures.size(),
                            instance.size()));
  }
  for (std::size_t job = 0; job < instance.size(); ++job) {
    const std::int64_t count = instance.failures[job];
    if (count >= 0 && count <= kMostFailures) continue;
    return fail(ErrorCode::bad_value, fmt::format("/failures/{}", job),
                fmt::format("found {} failures of job {}, expected a count from 0 to {}", count,
                            in_quotes(instance.name(job)), kMostFailures));
  }
  return {};
}

Status check_adaptive(const Instance& instance) {
  const std::int64_t groups = instance.adaptive->groups;
  if (groups < 1 || groups > 40) {
    return fail(ErrorCode::bad_value, "/failures/groups",
                fmt::format("found {}, expected a number from 1 to 40", groups));
  }
  const std::int64_t most = (std::int64_t{1} << groups) - 1;
  if (static_cast<std::int64_t>(instance.size()) <= most) return {};
  return fail(ErrorCode::bad_value, "/failures/groups",
              fmt::format("found {} groups, which let {} jobs end, expected enough for the {} jobs",
                          groups, most, instance.size()));
}

Status check_law(const Instance& instance) {
  if (!(instance.error_rate >= 0) || std::isinf(instance.error_rate)) {
    return fail(ErrorCode::bad_value, "/error_rate",
                fmt::format("found {}, expected a number of at least 0", instance.error_rate));
  }
  HOLDFAST_CHECK(check_strikes(
      instance.errors(), instance.strikes, instance.size(),
      !instance.failures.empty() || instance.adaptive || !instance.failure_probabilities.empty()));
  HOLDFAST_CHECK(check_saves(instance.errors(), instance.processors));
  if (instance.errors().saves()) return {};
  const auto job = first_hopeless(1, failure_exposures(instance));
  if (!job) return {};
  return fail(ErrorCode::bad_value, "/error_rate",
              fmt::format("found {} errors per second of work, with which an attempt of job {} "
                          "almost never succeeds (more than 1e6 failures expected)",
                          instance.error_rate, in_quotes(instance.name(*job))));
}

Status check_given(const Instance& instance) {
  if (instance.given.empty()) return {};
  if (instance.given.size() != instance.size()) {
    return fail(ErrorCode::bad_value, "/allocations",
                fmt::format("found {} allocations, expected {}, one per job", instance.given.size(),
                            instance.size()));
  }
  for (std::size_t job = 0; job < instance.size(); ++job) {
    const std::int64_t most = instance.jobs[job].limit(instance.processors);
    for (const std::int64_t allocation : instance.given[job]) {
      if (allocation >= 1 && allocation <= most) continue;
      return fail(ErrorCode::bad_value, place(job, "allocation"),
                  fmt::format("found {} processors for job {}, expected from 1 to {}", allocation,
                              in_quotes(instance.name(job)), most));
    }
  }
  return {};
}

Status check_releases(const Instance& instance) {
  for (std::size_t job = 0; job < instance.releases.size(); ++job) {
    const double release = instance.releases[job];
    if (release >= 0 && std::isfinite(release)) continue;
    return fail(ErrorCode::bad_value, place(job, "release"),
                fmt::format("found {}, expected a number of at least 0", release));
  }
  return {};
}

}  // namespace

std::string Instance::name(std::size_t job) const {
  return ids.empty() ? fmt::format("{}", job) : ids[job];
}

bool Instance::is_fixed() const {
  if (!failures.empty() || adaptive || !strikes.empty()) return true;
  const bool may_fail = std::ranges::any_of(failure_probabilities, [](double q) { return q > 0; });
  return !(error_rate > 0) && !may_fail;
}

Status check(const Instance& instance) {
  if (instance.processors < 1 || instance.processors > kMostProcessors) {
    return fail(ErrorCode::bad_value, "/processors",
                fmt::format("found {}, expected a whole number from 1 to {}", instance.processors,
                            kMostProcessors));
  }
  if (instance.jobs.empty()) {
    return fail(ErrorCode::bad_value, "/jobs", "found no job, expected at least one");
  }
  for (std::size_t job = 0; job < instance.size(); ++job) {
    HOLDFAST_CHECK(check_speedup(instance.jobs[job], instance.processors, place(job, "speedup")));
  }
  if (std::ranges::all_of(instance.jobs,
                          [](const Speedup& job) { return !(job.sequential_time() > 0); })) {
    return fail(ErrorCode::bad_value, "/jobs",
                "found no work in any job, expected at least one job that takes time");
  }
  for (std::size_t job = 0; job < instance.failure_probabilities.size(); ++job) {
    const double q = instance.failure_probabilities[job];
    if (q >= 1) {
      return fail(ErrorCode::bad_value, place(job, "failure_probability"),
                  fmt::format("found {}, expected a number below 1", q));
    }
  }
  HOLDFAST_CHECK(check_releases(instance));
  HOLDFAST_CHECK(check_law(instance));
  if (!instance.failures.empty()) HOLDFAST_CHECK(check_counts(instance));
  if (instance.adaptive) HOLDFAST_CHECK(check_adaptive(instance));
  return check_given(instance);
}

std::vector<double> failure_exposures(const Instance& instance) {
  std::vector<double> out;
  out.reserve(instance.size());
  for (const Speedup& job : instance.jobs) {
    out.push_back(instance.error_rate * (instance.errors().counts_area()
                                             ? job.least_area(instance.processors)
                                             : job.sequential_time()));
  }
  for (std::size_t job = 0; job < instance.failure_probabilities.size(); ++job) {
    const double q = instance.failure_probabilities[job];
    if (q >= 0) out[job] = -elementary::log1p(-q);
  }
  return out;
}

Limits limits(const Speedup& job, std::int64_t processors) {
  const std::int64_t fastest = job.fastest(processors);
  return {fastest, job.time(fastest), job.least_area(processors)};
}

std::vector<Limits> limits(const Instance& instance) {
  std::vector<Limits> out;
  out.reserve(instance.size());
  for (const Speedup& job : instance.jobs) out.push_back(limits(job, instance.processors));
  return out;
}

std::vector<Limits> limits_for_strategies(const Instance& instance) {
  std::vector<Limits> out = limits(instance);
  const ErrorLaw errors = instance.errors();
  if (!errors.counts_area()) return out;
  for (std::size_t job = 0; job < out.size(); ++job) {
    const Speedup& speedup = instance.jobs[job];
    const std::int64_t widest = fastest_with_errors(speedup, instance.processors, errors);
    out[job] = {widest, speedup.time(widest), out[job].area, widest};
  }
  return out;
}

double lower_bound(std::vector<LeastCost> costs, std::int64_t processors) {
  std::ranges::stable_sort(costs, std::ranges::greater{}, &LeastCost::release);
  double bound = 0;
  double area = 0;  // of all that is released at that time or later
  for (const LeastCost& cost : costs) {
    area += cost.area;
    bound = std::max(
        {bound, cost.release + cost.time, cost.release + area / static_cast<double>(processors)});
  }
  return bound;
}

double lower_bound(std::span<const Limits> limits, std::int64_t processors,
                   std::span<const std::int64_t> failures, std::span<const double> releases) {
  std::vector<LeastCost> costs;
  costs.reserve(limits.size());
  for (std::size_t job = 0; job < limits.size(); ++job) {
    const double attempts = failures.empty() ? 1.0 : static_cast<double>(failures[job] + 1);
    costs.push_back({.time = attempts * limits[job].time,
                     .area = attempts * limits[job].area,
                     .release = releases.empty() ? 0 : releases[job]});
  }
  return lower_bound(std::move(costs), processors);
}

}  // namespace holdfast::moldable
