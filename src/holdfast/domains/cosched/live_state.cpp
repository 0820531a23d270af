#include "holdfast/domains/cosched/live_state.hpp"

#include "holdfast/base/reader.hpp"
#include "holdfast/base/text.hpp"
#include "holdfast/domains/cosched/document_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace holdfast::cosched {
namespace {

TaskState read_task_state(ObjectReader& read) {
  TaskState state;
  state.processors = read.integer("allocation", non_negative());
  state.running = state.processors > 0;
  state.left = read.number_or("fraction", 1, between(0, 1));
  state.since = read.seconds_or("since", 0);
  return state;
}

void read_event(ObjectReader& read, LiveState& state) {
  read.required("event", [&](const Value& value, const std::string& where) -> Status {
    ObjectReader event(value, where);
    if (event.has("failure")) {
      state.failed_processor = event.integer("failure", non_negative());
      if (*state.failed_processor >= state.instance.processors) {
        event.refuse("failure",
                     fmt::format("found processor {}, expected one from 0 to {}",
                                 *state.failed_processor, state.instance.processors - 1));
      }
    } else {
      const std::string id = event.text("completion");
      for (std::size_t i = 0; i < state.instance.tasks.size(); ++i) {
        if (state.instance.tasks[i].id == id) state.completed = i;
      }
      if (state.completed == kNoTask) {
        event.refuse("completion",
                     fmt::format("found {}, expected the id of a task", in_quotes(id)));
      }
    }
    return event.finish();
  });
}

Status check_live(const LiveState& state) {
  std::int64_t used = 0;
  for (std::size_t i = 0; i < state.tasks.size(); ++i) {
    const std::int64_t count = state.tasks[i].processors;
    if (count % 2 != 0) {
      return fail(ErrorCode::bad_value, pointer_to("/tasks", i) + "/allocation",
                  fmt::format("found {}, expected an even number", count));
    }
    used += count;
  }
  if (used <= state.instance.even_processors()) return {};
  return fail(ErrorCode::bad_value, "/tasks",
              fmt::format("found {} processors in all, expected at most {}", used,
                          state.instance.even_processors()));
}

// The owners as the document lists them; otherwise as assign() gives them if all processors are free.
Status set_owners(LiveState& state, const std::vector<std::vector<std::int64_t>>& owned) {
  state.owners = Ownership(state.instance.even_processors(), state.tasks.size());
  const bool is_listed =
      std::any_of(owned.begin(), owned.end(), [](const auto& l) { return !l.empty(); });
  Allocation allocation;
  for (std::size_t i = 0; i < state.tasks.size(); ++i) {
    allocation.push_back(state.tasks[i].processors);
    if (!is_listed) continue;
    if (static_cast<std::int64_t>(owned[i].size()) != state.tasks[i].processors) {
      return fail(ErrorCode::bad_value, pointer_to("/tasks", i) + "/owned",
                  fmt::format("found {} processors, expected as many as its allocation, {}",
                              owned[i].size(), state.tasks[i].processors));
    }
    for (const std::int64_t processor : owned[i]) {
      if (processor >= state.instance.even_processors()) {
        return fail(ErrorCode::bad_value, pointer_to("/tasks", i) + "/owned",
                    fmt::format("found processor {}, expected one from 0 to {}", processor,
                                state.instance.even_processors() - 1));
      }
    }
    state.owners.set(i, owned[i]);
  }
  if (!is_listed) state.owners.assign(allocation);
  return {};
}

}  // namespace

Result<LiveState> read_live_state(const Value& document) {
  LiveState state;
  std::vector<std::vector<std::int64_t>> owned;
  ObjectReader read(document, "");
  const double fraction = read_platform(read, state.instance);
  state.now = read.seconds("now");
  read.each("tasks", [&](const Value& value, const std::string& where) -> Status {
    ObjectReader one(value, where);
    state.instance.tasks.push_back(read_task(one, state.instance.tasks.size(), fraction));
    state.tasks.push_back(read_task_state(one));
    owned.push_back(one.integers("owned", non_negative()));
    return one.finish();
  });
  read_event(read, state);
  HOLDFAST_CHECK(read.finish());
  HOLDFAST_CHECK(check_ids(state.instance));
  HOLDFAST_CHECK(check(state.instance));
  HOLDFAST_CHECK(check_live(state));
  HOLDFAST_CHECK(set_owners(state, owned));
  return state;
}

}  // namespace holdfast::cosched
