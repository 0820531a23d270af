#include "holdfast/domains/io/live_state.hpp"

#include "holdfast/domains/io/document_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace holdfast::io {

Result<LiveState> read_live_state(const Value& document) {
  LiveState state;
  Instance& instance = state.instance;
  ObjectReader read(document, "");
  const double node_bandwidth = read_system(read, instance);
  state.now = amount(read, "now", Unit::seconds);
  for (const std::string_view name : {"rates", "allow_completion", "nodes"}) read.ignore(name);
  instance.allow_completion = true;
  std::vector<double> yields;
  read.each("applications", [&](const Value& value, const std::string& where) -> Status {
    ObjectReader one(value, where);
    Application application;
    read_platform(one, instance, node_bandwidth, application);
    const double iteration = amount(one, "iteration_time", Unit::seconds, 0);
    Pending request{.application = static_cast<std::uint32_t>(instance.applications.size()),
                    .set = iteration > 0 ? set_number(iteration) : Pending::kUnknownSet,
                    .bandwidth = application.bandwidth,
                    .remaining = amount(one, "remaining", Unit::bytes, 0),
                    .progress = application.progress,
                    .age = state.now - application.release,
                    .posted = amount(one, "posted", Unit::seconds, 0)};
    for (const std::string_view name : {"phases", "repeat", "log"}) one.ignore(name);
    HOLDFAST_CHECK(one.finish());
    if (!(request.age >= 0 && application.progress <= request.age)) {
      return fail(ErrorCode::bad_value, where,
                  fmt::format("found progress {} at age {}, expected 0 <= progress <= age",
                              application.progress, request.age));
    }
    yields.push_back(request.yield());
    application.progress = 0;  // a decision does not need that of the window's begin
    application.release = instance.begin;
    if (request.remaining > 0) state.requests.push_back(request);
    instance.applications.push_back(std::move(application));
    return {};
  });
  HOLDFAST_CHECK(read.finish());
  if (!(state.now < instance.end)) {
    return fail(ErrorCode::bad_value, "/now",
                fmt::format("found {}, expected a date before the window's end", state.now));
  }
  HOLDFAST_CHECK(check_ids(instance));
  HOLDFAST_CHECK(check(instance));
  state.median_yield = median(yields);
  std::stable_sort(state.requests.begin(), state.requests.end(),
                   [](const Pending& a, const Pending& b) { return a.posted < b.posted; });
  return state;
}

}  // namespace holdfast::io
