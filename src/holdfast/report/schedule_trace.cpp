#include "holdfast/base/value.hpp"
#include "holdfast/report/schedule.hpp"
#include "holdfast/report/timeline_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace holdfast {
namespace {

constexpr double kMicroseconds = 1e6;
// Steps of a counter that are closer than this part of the whole are merged, so that counters need little space compared with
// the rows.
constexpr double kFinestTrace = 1e-5;

std::string json_text(std::string_view text) {
  return to_compact_json(Value(text));
}

class TraceWriter {
 public:
  explicit TraceWriter(SinkBuffer& out) : out_(&out) {}

  void add(std::size_t process, const NamedTimeline& schedule) {
    const TimelineRoles roles = find_roles(*schedule.timeline);
    const LaneLayout layout = lay_out(*schedule.timeline, roles);
    name_process(process, schedule.name);
    const std::vector<std::size_t> first_thread = name_threads(process, layout);
    const double last = extent_of(*schedule.timeline, roles).end;
    for (std::size_t row = 0; row < schedule.timeline->rows(); ++row) {
      const std::size_t thread = first_thread[layout.lane_of[row]] + layout.track_of[row];
      add_row(*schedule.timeline, roles, row, process, thread, last);
    }
    add_absences(process, *schedule.timeline, layout, first_thread);
    if (roles.width) add_counters(process, *schedule.timeline, roles, layout);
  }

 private:
  void event(const std::string& text) {
    *out_ << (is_first_ ? "\n" : ",\n") << text;
    is_first_ = false;
  }

  void name_process(std::size_t process, std::string_view name) {
    event(fmt::format(R"({{"ph":"M","name":"process_name","pid":{},"args":{{"name":{}}}}})",
                      process, json_text(name)));
  }

  // Names the threads, which are numbered from 1, lane after lane; a lane has one per track and one for its absences. Returns
  // the number of each lane's first thread.
  std::vector<std::size_t> name_threads(std::size_t process, const LaneLayout& layout) {
    std::vector<std::size_t> first;
    std::size_t thread = 1;
    for (std::size_t lane = 0; lane < layout.names.size(); ++lane) {
      first.push_back(thread);
      for (std::uint32_t track = 0; track < layout.tracks[lane]; ++track, ++thread) {
        const std::string name = !layout.names[lane].empty() ? layout.names[lane]
                                 : layout.tracks[lane] > 1   ? fmt::format("row {}", track)
                                                             : "run";
        name_thread(process, thread, name);
      }
      if (layout.has_absences[lane]) {
        name_thread(process, thread++, layout.names[lane] + ", unavailable");
      }
    }
    return first;
  }

  void name_thread(std::size_t process, std::size_t thread, std::string_view name) {
    event(fmt::format(
        R"({{"ph":"M","name":"thread_name","pid":{0},"tid":{1},"args":{{"name":{2}}}}})", process,
        thread, json_text(name)));
    event(fmt::format(
        R"({{"ph":"M","name":"thread_sort_index","pid":{0},"tid":{1},"args":{{"sort_index":{1}}}}})",
        process, thread));
  }

  // Absences are on separate threads, because a row may continue, suspended, while its lane cannot be used.
  void add_absences(std::size_t process, const Timeline& timeline, const LaneLayout& layout,
                    const std::vector<std::size_t>& first_thread) {
    for (std::size_t i = 0; i < timeline.unavailable().size(); ++i) {
      const Unavailable& absence = timeline.unavailable()[i];
      const std::uint32_t lane = layout.lane_of[timeline.rows() + i];
      event(fmt::format(
          R"({{"ph":"X","name":{},"pid":{},"tid":{},"ts":{},"dur":{},"cat":"unavailable"}})",
          json_text(absence.state), process, first_thread[lane] + layout.tracks[lane],
          absence.start * kMicroseconds, (absence.end - absence.start) * kMicroseconds));
    }
  }

  void add_row(const Timeline& timeline, const TimelineRoles& roles, std::size_t row,
               std::size_t process, std::size_t thread, double last) {
    const Interval when = interval_of(timeline, roles, row, last);
    const std::string state = state_of(timeline, roles, row);
    const std::string label =
        roles.label ? cell_text(timeline.row(row)[*roles.label]) : word_of(timeline, roles, row);
    std::string text = fmt::format(
        R"({{"ph":"{}","name":{},"pid":{},"tid":{},"ts":{})", when.end > when.start ? "X" : "i",
        json_text(label.empty() ? "row" : label), process, thread, when.start * kMicroseconds);
    text += when.end > when.start
                ? fmt::format(R"(,"dur":{})", (when.end - when.start) * kMicroseconds)
                : std::string(R"(,"s":"t")");
    if (!state.empty()) text += ",\"cat\":" + json_text(state);
    event(text + ",\"args\":" + to_compact_json(arguments(timeline, roles, row)) + "}");
  }

  // Adds how many resources each lane takes, as counters over time.
  void add_counters(std::size_t process, const Timeline& timeline, const TimelineRoles& roles,
                    const LaneLayout& layout) {
    struct Change {
      double time;
      double width;
    };
    const Interval extent = extent_of(timeline, roles);
    std::vector<std::vector<Change>> changes(layout.names.size());
    for (std::size_t row = 0; row < timeline.rows(); ++row) {
      const Interval when = interval_of(timeline, roles, row, extent.end);
      const double width = width_of(timeline, roles, row);
      if (!(when.end > when.start)) continue;
      changes[layout.lane_of[row]].push_back({when.start, width});
      changes[layout.lane_of[row]].push_back({when.end, -width});
    }
    const std::string what(timeline.columns()[*roles.width].name);
    for (std::size_t lane = 0; lane < changes.size(); ++lane) {
      auto& steps = changes[lane];
      std::sort(steps.begin(), steps.end(), [](const Change& a, const Change& b) {
        return std::pair(a.time, a.width) < std::pair(b.time, b.width);
      });
      const std::string& own = layout.names[lane];
      const std::string name = json_text(own.empty() ? what : what + " of " + own);
      double taken = 0;
      for (std::size_t i = 0; i < steps.size();) {
        const double time = steps[i].time;
        while (i < steps.size() &&
               steps[i].time <= time + kFinestTrace * (extent.end - extent.start)) {
          taken += steps[i++].width;
        }
        event(fmt::format(R"({{"ph":"C","name":{},"pid":{},"ts":{},"args":{{"taken":{}}}}})", name,
                          process, time * kMicroseconds, taken));
      }
    }
  }

  static Value arguments(const Timeline& timeline, const TimelineRoles& roles, std::size_t row) {
    Value out = Value::object();
    const auto cells = timeline.row(row);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (i == roles.start || i == roles.end) continue;
      if (std::holds_alternative<std::monostate>(cells[i])) continue;
      out.set(timeline.columns()[i].name, cell_value(cells[i]));
    }
    return out;
  }

  SinkBuffer* out_;
  bool is_first_ = true;
};

}  // namespace

Status write_schedule_trace(std::span<const NamedTimeline> schedules, const TextSink& sink) {
  SinkBuffer out(sink);
  out << R"({"displayTimeUnit":"ms","traceEvents":[)";
  TraceWriter writer(out);
  for (std::size_t i = 0; i < schedules.size(); ++i) writer.add(i + 1, schedules[i]);
  out << "\n]}\n";
  return out.finish();
}

}  // namespace holdfast
