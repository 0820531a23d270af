#include "holdfast/domains/capacity/live_state.hpp"

#include "holdfast/base/reader.hpp"
#include "holdfast/domains/capacity/document_parts.hpp"
#include "holdfast/domains/capacity/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace holdfast::capacity {
namespace {

Result<LiveState::Placed> read_placed(const Value& value, const std::string& where,
                                      const LiveState& state) {
  ObjectReader read(value, where);
  LiveState::Placed placed;
  placed.machine = read.integer("machine", between(0, static_cast<double>(state.alive - 1)));
  const std::int64_t most =
      read.ok() ? state.instance.cores_of(placed.machine) : state.instance.cores;
  placed.cores = read.integer_or("cores", 1, between(1, static_cast<double>(most)));
  placed.start = read_time(read, "start", 0);
  placed.length = read_time(read, "length", 1, {.minimum = 1, .maximum = kLatest});
  HOLDFAST_CHECK(read.finish());
  return placed;
}

}  // namespace

Result<LiveState> read_live_state(const Value& document) {
  LiveState state;
  Instance& instance = state.instance;
  ObjectReader read(document, "");
  read_rules(read, instance);
  if (!read.has("cores") && !read.has("machine_sizes")) read.refuse("cores", "is missing");
  state.now = read_time(read, "now", 0);
  state.alive = read.integer("alive_now", between(0, kMostMachines));
  instance.alive = {{0, state.alive}};
  read_machines(read, instance);
  read.each_or_none("announced", [&](const Value& value, const std::string& where) -> Status {
    HOLDFAST_TRY(step, read_step(value, where));
    if (step.time <= state.now) {
      return fail(ErrorCode::bad_value, where,
                  fmt::format("found {}, expected a date after now, {}", step.time, state.now));
    }
    instance.alive.push_back(step);
    instance.notice = kNoEnd;  // all that is announced is known
    return {};
  });
  if (read.has("checkpoint")) instance.checkpoint = read_time(read, "checkpoint", 0, kInstants);
  read_tariffs(read, instance);
  instance.begin = state.now;
  instance.end = kNoEnd;
  state.used = read.integer_or("used_machines", std::min(instance.safe_machines, state.alive),
                               non_negative());
  if (read.ok() && state.used > state.alive) {
    read.refuse("used_machines",
                fmt::format("found {}, expected at most alive_now, {}", state.used, state.alive));
  }
  state.largest_stretch = read.number_or("largest_stretch", 1, non_negative());
  for (const auto& [name, list] :
       {std::pair("running", &state.running), std::pair("planned", &state.planned)}) {
    read.each_or_none(name, [&](const Value& value, const std::string& where) -> Status {
      HOLDFAST_TRY(placed, read_placed(value, where, state));
      list->push_back(placed);
      return {};
    });
  }
  read_reference_list(read, instance);
  read.required("job", [&](const Value& value, const std::string& where) -> Status {
    HOLDFAST_TRY(job, read_job(value, where, 0));
    instance.jobs = {std::move(job)};
    return {};
  });
  HOLDFAST_CHECK(read.finish());
  HOLDFAST_CHECK(check(instance));
  if (instance.jobs[0].cores > instance.cores) {
    return fail(ErrorCode::bad_value, "/job/cores",
                fmt::format("found {}, expected at most {}, the cores of a machine",
                            instance.jobs[0].cores, instance.cores));
  }
  return state;
}

}  // namespace holdfast::capacity
