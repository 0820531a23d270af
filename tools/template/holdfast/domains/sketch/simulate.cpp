#include "holdfast/domains/sketch/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>

namespace holdfast::sketch {
namespace {

constexpr auto kColumns = std::to_array<TimelineColumn>({
    {.name = "kind", .unit = Unit::none, .role = Role::state},
    {.name = "start", .unit = Unit::seconds, .role = Role::start},
    {.name = "end", .unit = Unit::seconds, .role = Role::end},
    {.name = "lost", .unit = Unit::none, .role = Role::lost},
});

// The rows of one segment, which was cut short at `stop` if it is lost.
void add_rows(Timeline& timeline, double start, double saving, double stop, bool lost) {
  timeline.add({"work", start, std::min(saving, stop), lost});
  if (stop > saving) timeline.add({"save", saving, stop, lost});
}

}  // namespace

std::span<const TimelineColumn> schedule_columns() {
  return kColumns;
}

Result<Metrics> simulate(const Instance& instance, Strategy& strategy, Failures failures,
                         Timeline* timeline) {
  Metrics metrics;
  State state{.now = 0, .work_left = instance.work};
  while (state.work_left > 0) {
    const double segment = strategy.next_segment(state);
    assert(segment > 0 && segment <= state.work_left);
    while (failures.next() < state.now) failures.pass();

    const double saving = state.now + segment;
    const double end = saving + instance.save;
    const bool lost = failures.next() < end;  // at the end itself the save is safe
    const double stop = lost ? failures.next() : end;
    if (timeline != nullptr) add_rows(*timeline, state.now, saving, stop, lost);
    state.now = stop;
    if (!lost) {
      state.work_left -= segment;
      continue;
    }
    failures.pass();
    if (++metrics.failures == kMostFailures) {
      return fail(ErrorCode::infeasible, "",
                  fmt::format("the job was struck {} times and is not done", kMostFailures));
    }
  }
  metrics.makespan = state.now;
  return metrics;
}

}  // namespace holdfast::sketch
