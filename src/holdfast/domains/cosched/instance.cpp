#include "holdfast/domains/cosched/instance.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/domains/cosched/expected_time.hpp"
#include "holdfast/domains/cosched/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace holdfast::cosched {
namespace {

tl::unexpected<Error> bad(std::string where, std::string message) {
  return fail(ErrorCode::bad_value, std::move(where), std::move(message));
}

Status check_task(const Task& task, std::size_t index) {
  const std::string where = pointer_to("/tasks", index);
  if (!(task.data > 1) || !std::isfinite(task.data)) {
    return bad(where + "/data",
               fmt::format("task {}: found {}, expected a number of data units greater than 1",
                           in_quotes(task.id), task.data));
  }
  if (const auto* mlog = std::get_if<MLogProfile>(&task.profile)) {
    if (!(mlog->sequential_fraction >= 0 && mlog->sequential_fraction <= 1)) {
      return bad(where + "/speedup/sequential_fraction",
                 fmt::format("task {}: found {}, expected a number from 0 to 1", in_quotes(task.id),
                             mlog->sequential_fraction));
    }
  }
  return {};
}

Status check_failures(const Instance& instance) {
  if (!instance.failures) return {};
  double before = 0;
  for (std::size_t i = 0; i < instance.failures->size(); ++i) {
    const Failure& failure = (*instance.failures)[i];
    const std::string where = pointer_to("/failures", i);
    if (!(failure.time >= before) || !std::isfinite(failure.time)) {
      return bad(where,
                 fmt::format("found a failure at {} s, expected times that increase from {} s",
                             failure.time, before));
    }
    if (failure.processor < 0 || failure.processor >= instance.processors) {
      return bad(where, fmt::format("found processor {}, expected one from 0 to {}",
                                    failure.processor, instance.processors - 1));
    }
    before = failure.time;
  }
  return {};
}

Status check_given(const Instance& instance) {
  for (std::size_t e = 0; e < instance.given.size(); ++e) {
    const std::string where = pointer_to("/allocations", e);
    const auto& allocation = instance.given[e];
    if (allocation.size() != instance.tasks.size()) {
      return bad(where, fmt::format("found {} numbers, expected one per task, {}",
                                    allocation.size(), instance.tasks.size()));
    }
    for (const std::int64_t j : allocation) {
      if (j < 0 || j % 2 != 0 || (e == 0 && j == 0)) {
        return bad(where,
                   fmt::format("found {}, expected even numbers of processors, at least 2", j));
      }
    }
    const std::int64_t sum = std::accumulate(allocation.begin(), allocation.end(), std::int64_t{0});
    if (sum > instance.even_processors()) {
      return bad(where, fmt::format("found {} processors in all, expected at most {}", sum,
                                    instance.even_processors()));
    }
  }
  return {};
}

}  // namespace

Status check_checkpoint_cost(double unit_cost, bool fault_free) {
  if (fault_free || unit_cost > 0) return {};
  return bad("/checkpoint_unit_cost",
             fmt::format("found {}, expected a number greater than 0 (with failures, a free "
                         "checkpoint makes the period 0)",
                         unit_cost));
}

Status check(const Instance& instance) {
  if (instance.tasks.empty()) return bad("/tasks", "found no task, expected at least one");
  const auto needed = static_cast<std::int64_t>(2 * instance.tasks.size());
  if (instance.processors < needed) {
    return fail(ErrorCode::bad_value, "/processors",
                fmt::format("found {}, expected at least {}: a pair for each of {} tasks",
                            instance.processors, needed, instance.tasks.size()));
  }
  HOLDFAST_CHECK(platform_fields().check(instance));
  HOLDFAST_CHECK(check_checkpoint_cost(instance.checkpoint_unit_cost, instance.fault_free));
  for (std::size_t i = 0; i < instance.tasks.size(); ++i) {
    HOLDFAST_CHECK(check_task(instance.tasks[i], i));
  }
  HOLDFAST_CHECK(check_failures(instance));
  return check_given(instance);
}

std::vector<std::string> warnings(const Instance& instance) {
  std::vector<std::string> out;
  const std::vector<TaskTimes> times = task_times(instance);
  const std::int64_t most = instance.even_processors();
  for (std::size_t i = 0; i < times.size(); ++i) {
    const Task& task = instance.tasks[i];
    // C / (mu / j) does not depend on j.
    const double share = instance.fault_free ? 0 : times[i].checkpoint(1) / instance.mtbf;
    if (share > 0.1) {
      out.push_back(
          fmt::format("task {}: a checkpoint takes {:.2g} of the MTBF of its processors; the "
                      "first-order period expects less than 0.1",
                      in_quotes(task.id), share));
    }
    if (!std::holds_alternative<Speedup>(task.profile)) continue;
    for (std::int64_t j = 4; j <= most; j += 2) {
      const double time = times[i].time(j), before = times[i].time(j - 2);
      const double area = time * static_cast<double>(j),
                   area_before = before * static_cast<double>(j - 2);
      if (time > before * (1 + 1e-12) || area < area_before * (1 - 1e-12)) {
        out.push_back(fmt::format(
            "task {}: from {} to {} processors its {}; the heuristics expect times that "
            "do not grow and work that does not shrink",
            in_quotes(task.id), j - 2, j, time > before ? "time grows" : "work shrinks"));
        break;
      }
    }
  }
  return out;
}

}  // namespace holdfast::cosched
