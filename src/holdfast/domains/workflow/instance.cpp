#include "holdfast/domains/workflow/instance.hpp"

#include "holdfast/base/name_index.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/domains/workflow/fields.hpp"

#include <fmt/format.h>

#include <cmath>

namespace holdfast::workflow {
namespace {

std::string place(std::size_t task, std::string_view field) {
  return fmt::format("/tasks/{}/{}", task, field);
}

Status refuse(const Instance& instance, std::size_t task, std::string_view field,
              std::string_view found, std::string_view expected) {
  return fail(ErrorCode::bad_value, place(task, field),
              fmt::format("task {}: found {}, expected {}", in_quotes(instance.name(task)), found,
                          expected));
}

bool is_duration(double seconds) {
  return std::isfinite(seconds) && seconds >= 0;
}

Status check_machine(const Instance& instance) {
  HOLDFAST_CHECK(machine_fields().check(instance));
  // A document cannot contain these values, but a struct made in code may.
  if (!(instance.mtbf > 0)) {
    return fail(ErrorCode::bad_value, "/mtbf",
                fmt::format("found {} s, expected more than 0", instance.mtbf));
  }
  if (!is_duration(instance.downtime)) {
    return fail(ErrorCode::bad_value, "/downtime",
                fmt::format("found {} s, expected zero or more", instance.downtime));
  }
  return {};
}

Status check_costs(const Instance& instance, std::span<const double> costs,
                   std::string_view field) {
  for (std::size_t i = 0; i < costs.size(); ++i) {
    if (is_duration(costs[i])) continue;
    const std::string found = fmt::format("{} s", costs[i]);
    if (costs.size() > 1) return refuse(instance, i, field, found, "zero or more");
    return fail(ErrorCode::bad_value, fmt::format("/{}", field),
                fmt::format("found {}, expected zero or more", found));
  }
  return {};
}

Status check_fixed(const Instance& instance, std::size_t task) {
  const FixedOutcome& outcome = instance.fixed_outcomes[task];
  if (outcome.duration && !is_duration(*outcome.duration)) {
    return refuse(instance, task, "duration", fmt::format("{} s", *outcome.duration),
                  "zero or more");
  }
  if (outcome.duration && !outcome.gaps.empty()) {
    return refuse(instance, task, "gaps", "a duration too", "one of them");
  }
  for (std::size_t i = 0; i < outcome.gaps.size(); ++i) {
    if (!is_duration(outcome.gaps[i])) {
      return refuse(instance, task, fmt::format("gaps/{}", i), fmt::format("{} s", outcome.gaps[i]),
                    "zero or more");
    }
  }
  return {};
}

Status check_tasks(const Instance& instance) {
  for (std::size_t i = 0; i < instance.size(); ++i) {
    if (!is_duration(instance.lengths[i])) {
      return refuse(instance, i, "length", fmt::format("{} s", instance.lengths[i]),
                    "zero or more");
    }
    if (instance.width(i) < 1 || instance.width(i) > instance.processors) {
      return refuse(instance, i, "processors", fmt::format("{}", instance.width(i)),
                    fmt::format("a number from 1 to the machine's {}", instance.processors));
    }
    if (!instance.segments.empty() &&
        (instance.segments[i] < 1 || instance.segments[i] > kMostSegments)) {
      return refuse(instance, i, "segments", fmt::format("{}", instance.segments[i]),
                    fmt::format("a whole number from 1 to {}", kMostSegments));
    }
    if (!instance.fixed_outcomes.empty()) HOLDFAST_CHECK(check_fixed(instance, i));
  }
  return {};
}

}  // namespace

std::string Instance::name(std::size_t task) const {
  return ids.empty() ? std::to_string(task) : ids[task];
}

Status check(const Instance& instance) {
  if (instance.size() == 0) {
    return fail(ErrorCode::bad_value, "/tasks", "found no task, expected one or more");
  }
  HOLDFAST_CHECK(check_machine(instance));
  HOLDFAST_CHECK(check_costs(instance, instance.checkpoints, "checkpoint"));
  HOLDFAST_CHECK(check_costs(instance, instance.recoveries, "recovery"));
  if (instance.law && !instance.fixed_outcomes.empty()) {
    return fail(ErrorCode::bad_value, "/distribution",
                "found failures that the tasks give, expected one of them");
  }
  const NameIndex ids(instance.ids.size(), [&](std::size_t i) { return instance.ids[i]; });
  HOLDFAST_CHECK(ids.check_different("/tasks"));
  return check_tasks(instance);
}

}  // namespace holdfast::workflow
