#include "holdfast/traces/slice.hpp"

#include "holdfast/base/text.hpp"
#include "holdfast/kernel/random.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace holdfast {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The window in seconds of the trace's clock.
struct Window {
  double from = -kInfinity;
  double to = kInfinity;
  [[nodiscard]] bool holds(double time) const { return from <= time && time < to; }
};

tl::unexpected<Error> refuse(std::string_view field, std::string message) {
  return fail(ErrorCode::usage, std::string(field), std::move(message));
}

/// @param is_dated  the trace's times are seconds since 1970, written as dates
/// @param zero      when the trace's clock was 0, in seconds since 1970, where that is known
Result<Window> window_of(const SliceQuestion& question, bool is_dated, std::optional<double> zero) {
  Window out;
  const auto seconds = [&](const Instant& instant, std::string_view field) -> Result<double> {
    if (is_dated && !instant.is_date) {
      return refuse(field, "found a number, expected a date as in the trace");
    }
    if (is_dated || !instant.is_date) return instant.seconds;
    if (zero) return instant.seconds - *zero;
    return refuse(field, "found a date, expected seconds as in the trace");
  };
  if (question.from) {
    HOLDFAST_TRY(from, seconds(*question.from, "from"));
    out.from = from;
  }
  if (question.to) {
    HOLDFAST_TRY(to, seconds(*question.to, "to"));
    out.to = to;
  }
  if (!(out.from < out.to)) return refuse("to", "found no later time than the start of the window");
  return out;
}

Status check_lacking(const SliceQuestion& question, bool has_times, bool has_machines,
                     bool has_sample, std::string_view what) {
  if (!has_times && (question.from || question.to)) {
    return refuse(question.from ? "from" : "to",
                  fmt::format("found a window, but {} no times", what));
  }
  if (!has_machines && !question.machines.empty()) {
    return refuse("machines", fmt::format("found names, but {} no machines", what));
  }
  if (!has_sample && question.sample) {
    return refuse("sample", fmt::format("found a number, but {} nothing to draw from", what));
  }
  return {};
}

/// Says of each of `count` things whether it is among `wanted` of them, each set being as likely (Knuth's algorithm S).
Result<std::vector<bool>> drawn(std::size_t count, std::int64_t wanted, std::uint64_t seed) {
  if (wanted < 1 || static_cast<std::uint64_t>(wanted) > count) {
    return refuse("sample", fmt::format("found {}, expected a number from 1 to {}", wanted, count));
  }
  Stream stream({.seed = seed, .purpose = Purpose::tool});
  std::vector<bool> out(count);
  auto left = wanted;
  for (std::size_t i = 0; i < count && left > 0; ++i) {
    const auto rest = static_cast<std::int64_t>(count - i);
    if (stream.integer(1, rest) > left) continue;
    out[i] = true;
    --left;
  }
  return out;
}

/// Which of the machines of these names are kept.
Result<std::vector<bool>> chosen(const std::vector<std::string>& names,
                                 const SliceQuestion& question, std::int64_t unnamed = 0) {
  std::vector<bool> out(names.size(), question.machines.empty());
  if (!question.machines.empty()) {
    std::unordered_map<std::string_view, std::vector<std::size_t>> places;
    for (std::size_t i = 0; i < names.size(); ++i) places[names[i]].push_back(i);
    for (const std::string& wanted : question.machines) {
      const auto found = places.find(wanted);
      if (found == places.end()) {
        const std::vector<std::string_view> known(names.begin(), names.end());
        const std::string_view near = closest(wanted, known);
        return refuse(
            "machines",
            fmt::format("found no machine {}{}", in_quotes(wanted),
                        near.empty()
                            ? fmt::format(", expected one of the {} in the trace", names.size())
                            : fmt::format(", did you mean {}?", in_quotes(near))));
      }
      for (const std::size_t place : found->second) out[place] = true;
    }
  }
  if (!question.sample) return out;
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i]) kept.push_back(i);
  }
  const std::size_t all = kept.size() + static_cast<std::size_t>(unnamed);
  HOLDFAST_TRY(is_drawn, drawn(all, *question.sample, question.seed));
  for (std::size_t i = 0; i < kept.size(); ++i) out[kept[i]] = is_drawn[i];
  return out;
}

/// Errors about what is left name the question that left nothing.
tl::unexpected<Error> nothing_left(const SliceQuestion& question, std::string_view what) {
  const std::string_view field = question.from     ? "from"
                                 : question.to     ? "to"
                                 : question.sample ? "sample"
                                                   : "machines";
  return refuse(field, fmt::format("found no {} in that part, expected at least one", what));
}

class Slicer {
 public:
  explicit Slicer(const SliceQuestion& question) : question_{question} {}

  Result<TraceRecords> operator()(JobLog log) const {
    HOLDFAST_CHECK(check_lacking(question_, true, false, true, "jobs name"));
    std::optional<double> zero;
    if (const auto start = log.facts.number("UnixStartTime")) zero = static_cast<double>(*start);
    HOLDFAST_TRY(window, window_of(question_, false, zero));
    std::erase_if(log.jobs, [&](const LoggedJob& job) { return !window.holds(job.submit); });
    if (log.jobs.empty()) return nothing_left(question_, "job");
    if (question_.sample) {
      HOLDFAST_TRY(is_drawn, drawn(log.jobs.size(), *question_.sample, question_.seed));
      keep(log.jobs, is_drawn);
    }
    log.facts.jobs = static_cast<std::int64_t>(log.jobs.size());
    for (auto& [name, value] : log.facts.header) {
      if (name == "MaxJobs" || name == "MaxRecords") value = std::to_string(log.facts.jobs);
    }
    return TraceRecords(std::move(log));
  }

  Result<TraceRecords> operator()(FailureLog log) const {
    HOLDFAST_TRY(window, window_of(question_, log.is_dated, std::nullopt));
    HOLDFAST_CHECK(keep_nodes(log));
    const bool has_window = question_.from || question_.to;
    std::erase_if(log.outages, [&](const Outage& o) { return !window.holds(o.down); });
    if (log.outages.empty()) return nothing_left(question_, "failure");
    log.rows = static_cast<std::int64_t>(log.outages.size());
    if (!has_window) return TraceRecords(std::move(log));
    log.to = std::min(log.to, window.to);
    log.from = std::max(log.from, window.from);
    if (question_.from) log.observed_from = log.from;
    for (Outage& outage : log.outages) {
      if (outage.up > log.to) outage.up = kInfinity;
    }
    return TraceRecords(std::move(log));
  }

  Result<TraceRecords> operator()(AvailabilityRecord record) const {
    HOLDFAST_TRY(window, window_of(question_, false, std::nullopt));
    std::vector<std::string> names;
    names.reserve(record.workers.size());
    for (const WorkerHistory& worker : record.workers) names.push_back(worker.name);
    HOLDFAST_TRY(is_kept, chosen(names, question_));
    keep(record.workers, is_kept);
    record.from = std::max(record.from, window.from);
    record.to = std::min(record.to, window.to);
    bool has_any = false;
    for (WorkerHistory& worker : record.workers) {
      for (StateStretch& stretch : worker.stretches) {
        stretch.start = std::max(stretch.start, record.from);
        stretch.end = std::min(stretch.end, record.to);
      }
      std::erase_if(worker.stretches, [](const StateStretch& s) { return !(s.start < s.end); });
      has_any = has_any || !worker.stretches.empty();
    }
    if (!has_any) return nothing_left(question_, "worker");
    return TraceRecords(std::move(record));
  }

  Result<TraceRecords> operator()(CapacitySeries series) const {
    HOLDFAST_CHECK(check_lacking(question_, true, false, false, "a series of capacity has"));
    HOLDFAST_TRY(window, window_of(question_, series.is_dated, std::nullopt));
    std::vector<SeriesPoint> points;
    for (const SeriesPoint& point : series.points) {
      if (point.time >= window.to) break;
      if (point.time <= window.from) points.clear();  // only the last one before still holds
      points.push_back({std::max(point.time, window.from), point.value});
    }
    const double end = std::min(series.end, window.to);
    // The last value may hold for no time at all (a file that ends with it).
    if (points.empty() || points.front().time > end ||
        (points.front().time == end && series.end != series.points.front().time)) {
      return nothing_left(question_, "value");
    }
    series.points = std::move(points);
    series.end = end;
    return TraceRecords(std::move(series));
  }

  Result<TraceRecords> operator()(LifetimeTable table) const {
    HOLDFAST_CHECK(check_lacking(question_, false, false, true, "lifetimes have"));
    if (question_.sample) {
      HOLDFAST_TRY(is_drawn, drawn(table.lifetimes.size(), *question_.sample, question_.seed));
      keep(table.lifetimes, is_drawn);
    }
    return TraceRecords(std::move(table));
  }

  Result<TraceRecords> operator()(MachineTable table) const {
    HOLDFAST_CHECK(check_lacking(question_, false, true, true, "a table of machines is sliced by"));
    std::vector<std::string> names;
    names.reserve(table.machines.size());
    for (const LoggedMachine& machine : table.machines) names.push_back(machine.id);
    HOLDFAST_TRY(is_kept, chosen(names, question_));
    keep(table.machines, is_kept);
    return TraceRecords(std::move(table));
  }

  Result<TraceRecords> operator()(const WorkflowRun&) const {
    return fail(ErrorCode::usage, "",
                "found a workflow, expected a trace that has parts: some of its tasks are another "
                "workflow");
  }
  Result<TraceRecords> operator()(const std::vector<SpeedupRuns>&) const {
    return fail(ErrorCode::usage, "",
                "found run times by processors, expected a trace with times, machines or jobs");
  }

 private:
  template <class T>
  static void keep(std::vector<T>& all, const std::vector<bool>& is_kept) {
    std::size_t next = 0;
    std::erase_if(all, [&](const T&) { return !is_kept[next++]; });
  }

  /// Nodes that the log only counts are drawn like the others; where names are given, none of them is kept.
  Status keep_nodes(FailureLog& log) const {
    if (question_.machines.empty() && !question_.sample) return {};
    std::vector<std::string> names;
    names.reserve(log.nodes.size());
    for (const LoggedNode& node : log.nodes) names.push_back(node.name);
    std::int64_t unnamed = 0;
    for (LoggedSystem& system : log.systems) {
      if (!question_.machines.empty()) system.nodes = 0;
      unnamed += std::max<std::int64_t>(0, system.nodes - system.nodes_with_rows);
    }
    if (unnamed > 0 && log.systems.size() > 1) {
      return refuse("sample", fmt::format("found {} systems with {} nodes that never failed, "
                                          "expected one: choose it with --system",
                                          log.systems.size(), unnamed));
    }
    HOLDFAST_TRY(is_kept, chosen(names, question_, unnamed));
    std::vector<std::uint32_t> place(log.nodes.size(), Outage::kNoNode);
    std::uint32_t kept = 0;
    for (LoggedSystem& system : log.systems) system.nodes_with_rows = 0;
    for (std::size_t i = 0; i < log.nodes.size(); ++i) {
      if (!is_kept[i]) continue;
      place[i] = kept++;
      ++log.systems[log.nodes[i].system].nodes_with_rows;
    }
    keep(log.nodes, is_kept);
    std::erase_if(log.outages, [&](const Outage& o) {
      return o.node == Outage::kNoNode || place[o.node] == Outage::kNoNode;
    });
    for (Outage& outage : log.outages) outage.node = place[outage.node];
    for (LoggedSystem& system : log.systems) {
      if (system.nodes > 0) system.nodes = system.nodes_with_rows;
    }
    if (unnamed > 0) log.systems.front().nodes += *question_.sample - kept;
    return {};
  }

  const SliceQuestion& question_;
};

}  // namespace

Result<TraceRecords> sliced(TraceRecords records, const SliceQuestion& question) {
  return std::visit(Slicer{question}, std::move(records));
}

}  // namespace holdfast
