#include "holdfast/traces/availability/outage_history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace holdfast {
namespace {

std::string full_name(const LoggedSystem& system, std::string_view node) {
  return system.name.empty() ? std::string(node) : fmt::format("{}.{}", system.name, node);
}

/// Returns the part of a service that the log covers.
StateInterval covered(const Service& service, const FailureLog& log) {
  return {std::max(service.start.value_or(log.from), log.from), std::min(service.end, log.to),
          WorkerState::up};
}

/// A builder of one worker's intervals from its outages in order of time.
class HistoryBuilder {
 public:
  HistoryBuilder(std::string name, const StateInterval& service)
      : history_{.name = std::move(name), .intervals = {}},
        now_{service.start},
        end_{service.end} {}

  void down(double from, double to) {
    to = std::min(to, end_);
    if (to <= now_) return;
    put(from, WorkerState::up);
    put(to, WorkerState::down);
  }
  WorkerHistory finish() && {
    put(end_, WorkerState::up);
    return std::move(history_);
  }

 private:
  void put(double until, WorkerState state) {
    if (!(until > now_)) return;
    auto& intervals = history_.intervals;
    if (!intervals.empty() && intervals.back().state == state) {
      intervals.back().end = until;
    } else {
      intervals.push_back({now_, until, state});
    }
    now_ = until;
  }

  WorkerHistory history_;
  double now_;
  double end_;
};

}  // namespace

Result<AvailabilityRecord> availability_of(const FailureLog& log, Oddities& lost) {
  std::int64_t unnamed = 0;
  for (const LoggedSystem& system : log.systems) {
    unnamed += std::max<std::int64_t>(0, system.nodes - system.nodes_with_rows);
  }
  if (unnamed > kMostLoggedNodes) {
    return fail(ErrorCode::bad_value, "",
                fmt::format("found {} nodes without a name, expected at most {}", unnamed,
                            kMostLoggedNodes));
  }
  AvailabilityRecord out{.format = log.format,
                         .from = log.from,
                         .to = log.to,
                         .workers = {},
                         .is_two_state = true,
                         .oddities = {}};
  std::vector<HistoryBuilder> builders;
  builders.reserve(log.nodes.size());
  for (const LoggedNode& node : log.nodes) {
    builders.emplace_back(full_name(log.systems[node.system], node.name),
                          covered(node.service, log));
  }
  std::int64_t nameless = 0, empty = 0;
  for (const Outage& outage : log.outages) {  // in order of time
    if (outage.node == Outage::kNoNode) {
      ++nameless;
    } else if (outage.up == outage.down) {
      ++empty;
    } else {
      builders[outage.node].down(outage.down, outage.up);
    }
  }
  for (HistoryBuilder& builder : builders) out.workers.push_back(std::move(builder).finish());
  for (const LoggedSystem& system : log.systems) {
    for (std::int64_t i = system.nodes_with_rows; i < system.nodes; ++i) {
      HistoryBuilder builder(full_name(system, fmt::format("unnamed-{}", i)),
                             covered(system.service, log));
      out.workers.push_back(std::move(builder).finish());
    }
  }
  lost.add("outages that name no node", nameless, "left out");
  lost.add("outages of length 0", empty, "left out: they take no time");
  return out;
}

Result<FailureLog> failures_of(const AvailabilityRecord& record, Oddities& lost) {
  FailureLogBuilder builder{std::nullopt};
  std::int64_t began_down = 0;
  for (const WorkerHistory& worker : record.workers) {
    LoggedNode& node = builder.node("", worker.name);
    if (!worker.intervals.empty() && worker.intervals.back().end < record.to) {
      node.service.end = worker.intervals.back().end;  // it was not observed after that
    }
    for (std::size_t i = 0; i < worker.intervals.size(); ++i) {
      const StateInterval& interval = worker.intervals[i];
      if (interval.state != WorkerState::down) continue;
      if (i == 0 || worker.intervals[i - 1].end != interval.start) {
        ++began_down;
        continue;
      }
      const bool is_last = i + 1 == worker.intervals.size() && interval.end == record.to;
      const double up = is_last ? std::numeric_limits<double>::infinity() : interval.end;
      const std::string line = fmt::format("{} {}", worker.name, interval.start);
      builder.add(
          {.system = "", .node = worker.name, .down = interval.start, .up = up, .line = line});
    }
  }
  lost.add("workers that were down when their record (or a part of it) began", began_down,
           "that is no failure that anybody saw");
  return builder.finish("failures-csv", 0, false, record.from, record.to);
}

}  // namespace holdfast
