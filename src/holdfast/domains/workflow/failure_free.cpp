#include "holdfast/domains/workflow/failure_free.hpp"

#include "holdfast/algorithms/list_schedule.hpp"
#include "holdfast/algorithms/pending.hpp"
#include "holdfast/algorithms/priority_order.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace holdfast::workflow {
namespace {

/// The pending tasks if no task may overtake the first of the list: only that one can be found.
class StrictPending : public PendingTree {
 public:
  using PendingTree::PendingTree;
  [[nodiscard]] std::uint32_t first_fit(std::uint32_t free) const {
    constexpr std::uint32_t kAny = kNoSlot - 1;
    const std::uint32_t slot = PendingTree::first_fit(kAny);
    return slot != kNoSlot && needed(slot) <= free ? slot : kNoSlot;
  }
  void insert(std::uint32_t slot, std::uint32_t processors) {
    if (needed_.size() <= slot) needed_.resize(slot + 1);
    needed_[slot] = processors;
    PendingTree::insert(slot, processors);
  }

 private:
  [[nodiscard]] std::uint32_t needed(std::uint32_t slot) const { return needed_[slot]; }
  std::vector<std::uint32_t> needed_;
};

/// The client of the list scheduling kernel. A slot is the rank of a task in the list of priorities.
template <class Waiting>
class Client {
 public:
  Client(const Instance& instance, std::span<const double> extra, FailureFree& out)
      : instance_{instance}, extra_{extra}, out_{out} {}

  void begin(Waiting& waiting, std::vector<std::uint32_t> task_of) {
    const std::size_t count = instance_.size();
    task_of_ = std::move(task_of);
    slot_of_.resize(count);
    missing_.resize(count);
    for (std::uint32_t slot = 0; slot < count; ++slot) slot_of_[task_of_[slot]] = slot;
    for (std::size_t task = 0; task < count; ++task) {
      missing_[task] = static_cast<std::uint32_t>(instance_.graph.parents(task).size());
      if (missing_[task] == 0) waiting.insert(slot_of_[task], instance_.width(task));
    }
    out_.starts.resize(count);
    out_.order.reserve(count);
    out_.completions.reserve(count);
  }

  double start(std::uint32_t slot, double now) {
    const std::uint32_t task = task_of_[slot];
    out_.starts[task] = now;
    out_.order.push_back(task);
    return now + instance_.lengths[task] + (extra_.empty() ? 0.0 : extra_[task]);
  }
  std::uint32_t processors(std::uint32_t slot) { return instance_.width(task_of_[slot]); }
  void complete(Waiting& waiting, std::uint32_t slot, double /*now*/) {
    const std::uint32_t task = task_of_[slot];
    out_.completions.push_back(task);
    for (const TaskIndex child : instance_.graph.children(task)) {
      if (--missing_[child] == 0) waiting.insert(slot_of_[child], instance_.width(child));
    }
  }
  void settle(Waiting& /*waiting*/, double /*now*/) {}

 private:
  const Instance& instance_;
  std::span<const double> extra_;
  FailureFree& out_;
  std::vector<std::uint32_t> task_of_;
  std::vector<std::uint32_t> slot_of_;
  std::vector<std::uint32_t> missing_;  ///< parents that have not completed
};

std::vector<std::uint32_t> list_of(const Instance& instance) {
  std::vector<std::uint32_t> list(instance.size());
  switch (instance.priority) {
    case Priority::lpt:
      return priority_order(instance.lengths);
    case Priority::bottom_level:
      return priority_order(bottom_levels(instance.graph, instance.lengths));
    case Priority::spt: {
      std::vector<double> keys(instance.lengths);
      for (double& key : keys) key = -key;
      return priority_order(keys);
    }
    case Priority::fifo:
      break;
  }
  std::iota(list.begin(), list.end(), 0U);
  return list;
}

template <class Waiting>
FailureFree scheduled(const Instance& instance, std::span<const double> extra, Waiting waiting) {
  FailureFree out;
  Client<Waiting> client(instance, extra, out);
  client.begin(waiting, list_of(instance));
  const auto processors = static_cast<std::uint32_t>(instance.processors);
  Completions running(std::min<std::size_t>(processors, instance.size()));
  out.makespan = list_schedule(processors, waiting, running, client).end;
  return out;
}

/// The number of tasks that run between one event and the next.
struct Steps {
  std::vector<std::uint32_t> running;   ///< number of running tasks in each step
  std::vector<std::uint32_t> start_at;  ///< [n] the step with which a task starts
  std::vector<std::uint32_t> end_at;    ///< [n] the first step in which it no longer runs
};

Steps steps_of(const Instance& instance, const FailureFree& schedule) {
  const std::size_t count = instance.size();
  Steps out;
  out.start_at.resize(count);
  out.end_at.resize(count);
  out.running.reserve(2 * count);
  const auto end_of = [&](TaskIndex task) {
    return schedule.starts[task] + instance.lengths[task];
  };
  std::size_t started = 0;
  std::size_t ended = 0;
  std::uint32_t running = 0;
  while (ended < count) {
    double now = end_of(schedule.completions[ended]);
    if (started < count) now = std::min(now, schedule.starts[schedule.order[started]]);
    const auto step = static_cast<std::uint32_t>(out.running.size());
    // Starts come first, so that a task of length 0 is counted before it is subtracted.
    for (; started < count && schedule.starts[schedule.order[started]] == now; ++started) {
      out.start_at[schedule.order[started]] = step;
      ++running;
    }
    for (; ended < count && end_of(schedule.completions[ended]) == now; ++ended) {
      out.end_at[schedule.completions[ended]] = step;
      --running;
    }
    out.running.push_back(running);
  }
  return out;
}

/// The maximum over any range of an array, from a table of the maxima of all ranges of length 1, 2, 4 ...
class RangeMaximum {
 public:
  explicit RangeMaximum(std::vector<std::uint32_t> values) {
    levels_.push_back(std::move(values));
    for (std::size_t width = 2; width <= levels_[0].size(); width *= 2) {
      const std::vector<std::uint32_t>& below = levels_.back();
      std::vector<std::uint32_t> level(levels_[0].size() - width + 1);
      for (std::size_t i = 0; i < level.size(); ++i) {
        level[i] = std::max(below[i], below[i + width / 2]);
      }
      levels_.push_back(std::move(level));
    }
  }
  /// Returns the maximum over [begin, end). @pre begin < end
  [[nodiscard]] std::uint32_t of(std::size_t begin, std::size_t end) const {
    const auto level = static_cast<std::size_t>(std::bit_width(end - begin) - 1);
    return std::max(levels_[level][begin], levels_[level][end - (std::size_t{1} << level)]);
  }

 private:
  std::vector<std::vector<std::uint32_t>> levels_;
};

std::vector<std::uint32_t> most_at_once(const Instance& instance, const FailureFree& schedule) {
  Steps steps = steps_of(instance, schedule);
  const RangeMaximum running(std::move(steps.running));
  std::vector<std::uint32_t> out(instance.size());
  for (std::size_t task = 0; task < out.size(); ++task) {
    const std::uint32_t begin = steps.start_at[task];
    out[task] = std::max(1U, running.of(begin, std::max(begin + 1, steps.end_at[task])));
  }
  return out;
}

/// Returns for each task how many tasks overlap it: those that start before it ends, less those that end
/// before it starts.
std::vector<std::uint32_t> overlapping(const Instance& instance, const FailureFree& schedule) {
  const std::size_t count = instance.size();
  const auto end_of = [&](TaskIndex task) {
    return schedule.starts[task] + instance.lengths[task];
  };
  std::vector<std::uint32_t> out(count);
  std::size_t started = 0;
  for (const TaskIndex task : schedule.completions) {
    while (started < count && schedule.starts[schedule.order[started]] < end_of(task)) ++started;
    out[task] = static_cast<std::uint32_t>(started);
  }
  std::size_t ended = 0;
  double now = -1;
  // Tasks of length 0 at this time: they have ended, but did not start before.
  std::size_t instant = 0;
  const auto most = static_cast<std::uint32_t>(
      std::min<std::int64_t>(instance.processors, static_cast<std::int64_t>(count)));
  for (const TaskIndex task : schedule.order) {
    if (schedule.starts[task] != now) instant = 0;
    now = schedule.starts[task];
    for (; ended < count && end_of(schedule.completions[ended]) <= now; ++ended) {
      if (schedule.starts[schedule.completions[ended]] == now) ++instant;
    }
    const std::size_t before = end_of(task) == now ? ended - instant : ended;
    const std::size_t beside = out[task] > before ? out[task] - before : 0;
    out[task] = std::clamp(static_cast<std::uint32_t>(beside), 1U, most);
  }
  return out;
}

}  // namespace

double virtual_makespan(const Instance& instance, const FailureFree& schedule,
                        std::span<const double> durations) {
  std::vector<double> events{0};
  for (std::size_t task = 0; task < instance.size(); ++task) {
    events.push_back(schedule.starts[task]);
    events.push_back(schedule.starts[task] + instance.lengths[task]);
  }
  std::ranges::sort(events);
  double out = 0;
  for (std::size_t slice = 0; slice + 1 < events.size(); ++slice) {
    if (events[slice] == events[slice + 1]) continue;
    double slowest = 0;
    for (std::size_t task = 0; task < instance.size(); ++task) {
      const double start = schedule.starts[task];
      if (start > events[slice] || start + instance.lengths[task] <= events[slice]) continue;
      slowest = std::max(slowest, durations[task] / instance.lengths[task]);
    }
    out += slowest * (events[slice + 1] - events[slice]);
  }
  for (std::size_t task = 0; task < instance.size(); ++task) {
    if (!(instance.lengths[task] > 0)) out += durations[task];
  }
  return out;
}

FailureFree failure_free_schedule(const Instance& instance, std::span<const double> extra) {
  const std::size_t count = instance.size();
  if (instance.widths.empty()) return scheduled(instance, extra, PendingBitmap(1, count));
  if (instance.strict) return scheduled(instance, extra, StrictPending(count));
  return scheduled(instance, extra, PendingTree(count));
}

std::vector<std::uint32_t> concurrency(const Instance& instance, const FailureFree& schedule) {
  return instance.profile == Profile::author ? overlapping(instance, schedule)
                                             : most_at_once(instance, schedule);
}

}  // namespace holdfast::workflow
