#include "holdfast/base/text.hpp"
#include "holdfast/report/palette.hpp"
#include "holdfast/report/schedule.hpp"
#include "holdfast/report/timeline_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <string>
#include <vector>

namespace holdfast {
namespace {

// The events of the Paje format that are used, numbered as in the rows below.
constexpr std::string_view kHeader = R"(%EventDef PajeDefineContainerType 0
% Alias string
% Type string
% Name string
%EndEventDef
%EventDef PajeDefineStateType 1
% Alias string
% Type string
% Name string
%EndEventDef
%EventDef PajeDefineVariableType 2
% Alias string
% Type string
% Name string
% Color color
%EndEventDef
%EventDef PajeDefineEventType 3
% Alias string
% Type string
% Name string
% Color color
%EndEventDef
%EventDef PajeDefineEntityValue 4
% Alias string
% Type string
% Name string
% Color color
%EndEventDef
%EventDef PajeCreateContainer 5
% Time date
% Alias string
% Type string
% Container string
% Name string
%EndEventDef
%EventDef PajeDestroyContainer 6
% Time date
% Type string
% Name string
%EndEventDef
%EventDef PajeSetState 7
% Time date
% Type string
% Container string
% Value string
% Label string
%EndEventDef
%EventDef PajeSetVariable 8
% Time date
% Type string
% Container string
% Value double
%EndEventDef
%EventDef PajeNewEvent 9
% Time date
% Type string
% Container string
% Value string
%EndEventDef
0 S 0 "schedule"
0 L S "row"
1 STATE L "state"
2 TAKEN S "taken" "0.2 0.4 0.8"
3 MARK L "mark" "0.8 0.2 0.2"
4 idle STATE "idle" "0.9 0.9 0.9"
)";

// Returns a text in quotes. The format cannot express a quote inside, so it is replaced.
std::string quoted(std::string text) {
  std::replace(text.begin(), text.end(), '"', '\'');
  std::replace(text.begin(), text.end(), '\n', ' ');
  return '"' + text + '"';
}

// Returns a colour in the format: "#0072B2" as "0 0.447 0.698".
std::string paje_color(std::string_view color) {
  std::string out;
  for (std::size_t at = 1; at + 1 < color.size(); at += 2) {
    int part = 0;
    std::from_chars(color.data() + at, color.data() + at + 2, part, 16);
    out += fmt::format("{}{:.3f}", out.empty() ? "" : " ", part / 255.0);
  }
  return out;
}

// One schedule. Its rows keep containers L<schedule>.<track> busy, which are numbered lane after lane; a lane that cannot be
// used at some times has one more container for these.
struct Part {
  const Timeline* timeline = nullptr;
  TimelineRoles roles;
  LaneLayout layout;
  std::vector<std::size_t> first_track;  // per lane
  double last = 0;
  double taken = 0;  // resources in use now
};

// The start or the end of a row, or of an interval in which a lane cannot be used; the intervals are numbered after the rows.
struct PajeChange {
  double time;
  bool is_start;
  std::uint32_t part;
  std::size_t row;
};

class PajeWriter {
 public:
  PajeWriter(SinkBuffer& out, std::span<const NamedTimeline> schedules) : out_{&out} {
    for (const NamedTimeline& schedule : schedules) add(schedule);
  }

  void write(std::span<const NamedTimeline> schedules) {
    *out_ << kHeader;
    std::vector<PajeChange> changes = changes_in_order();
    define_states();
    const double begin = changes.empty() ? 0 : std::min(0.0, changes.front().time);
    for (std::size_t p = 0; p < parts_.size(); ++p) create(p, schedules[p].name, begin);
    for (std::size_t i = 0; i < changes.size(); ++i) {
      follow(changes[i]);
      const bool is_last = i + 1 == changes.size() || changes[i + 1].time > changes[i].time;
      if (is_last) tell_taken(changes[i].time);
    }
    const double end = changes.empty() ? 0 : changes.back().time;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      *out_ << fmt::format("6 {} S S{}\n", to_text(end), p);
    }
  }

 private:
  void add(const NamedTimeline& schedule) {
    Part part;
    part.timeline = schedule.timeline;
    part.roles = find_roles(*part.timeline);
    part.layout = lay_out(*part.timeline, part.roles);
    part.last = extent_of(*part.timeline, part.roles).end;
    std::size_t track = 0;
    for (std::size_t lane = 0; lane < part.layout.names.size(); ++lane) {
      part.first_track.push_back(track);
      track += part.layout.tracks[lane] + (part.layout.has_absences[lane] ? 1 : 0);
    }
    parts_.push_back(std::move(part));
  }

  std::vector<PajeChange> changes_in_order() const {
    std::vector<PajeChange> changes;
    for (std::uint32_t p = 0; p < parts_.size(); ++p) {
      const Part& part = parts_[p];
      for (std::size_t row = 0; row < part.timeline->rows(); ++row) {
        const Interval when = interval_of(*part.timeline, part.roles, row, part.last);
        changes.push_back({when.start, true, p, row});
        if (when.end > when.start) changes.push_back({when.end, false, p, row});
      }
      std::size_t number = part.timeline->rows();
      for (const Unavailable& absence : part.timeline->unavailable()) {
        changes.push_back({absence.start, true, p, number});
        changes.push_back({absence.end, false, p, number++});
      }
    }
    // At the same time, ends come before starts.
    std::stable_sort(changes.begin(), changes.end(), [](const PajeChange& a, const PajeChange& b) {
      return a.time < b.time || (a.time == b.time && !a.is_start && b.is_start);
    });
    return changes;
  }

  void define_states() {
    Palette palette;
    for (const Part& part : parts_) {
      for (std::size_t row = 0; row < part.timeline->rows(); ++row) {
        std::string state = state_of(*part.timeline, part.roles, row);
        if (state.empty()) state = "busy";
        if (state == "idle" || states_.contains(state)) continue;
        const std::string alias = fmt::format("V{}", states_.size());
        *out_ << fmt::format("4 {} STATE {} \"{}\"\n", alias, quoted(state),
                             paje_color(palette.color(state)));
        states_.emplace(std::move(state), alias);
      }
    }
    states_.emplace("idle", "idle");
    for (const Part& part : parts_) {
      for (const Unavailable& absence : part.timeline->unavailable()) define_absence(absence.state);
    }
  }

  void define_absence(std::string_view state) {
    if (absent_.contains(state)) return;
    const std::string alias = fmt::format("U{}", absent_.size());
    *out_ << fmt::format("4 {} STATE {} \"0.5 0.5 0.5\"\n", alias, quoted(std::string(state)));
    absent_.emplace(state, alias);
  }

  void create(std::size_t p, std::string_view name, double begin) {
    const Part& part = parts_[p];
    *out_ << fmt::format("5 {} S{} S 0 {}\n", to_text(begin), p, quoted(std::string(name)));
    for (std::size_t lane = 0; lane < part.layout.names.size(); ++lane) {
      const std::uint32_t tracks = part.layout.tracks[lane];
      for (std::uint32_t track = 0; track < tracks; ++track) {
        const std::size_t number = part.first_track[lane] + track;
        std::string text = part.layout.names[lane];
        if (text.empty()) text = fmt::format("{}", number);
        if (tracks > 1 && !part.layout.names[lane].empty()) text += fmt::format(".{}", track);
        create_row(p, number, std::move(text), begin);
      }
      if (part.layout.has_absences[lane]) {
        create_row(p, part.first_track[lane] + tracks, part.layout.names[lane] + ", unavailable",
                   begin);
      }
    }
  }

  void create_row(std::size_t p, std::size_t number, std::string name, double begin) {
    *out_ << fmt::format("5 {0} L{1}.{2} L S{1} {3}\n7 {0} STATE L{1}.{2} idle \"\"\n",
                         to_text(begin), p, number, quoted(std::move(name)));
  }

  void follow_absence(const PajeChange& change) {
    const Part& part = parts_[change.part];
    const std::uint32_t lane = part.layout.lane_of[change.row];
    const std::string_view state =
        part.timeline->unavailable()[change.row - part.timeline->rows()].state;
    *out_ << fmt::format("7 {} STATE L{}.{} {} \"\"\n", to_text(change.time), change.part,
                         part.first_track[lane] + part.layout.tracks[lane],
                         change.is_start ? absent_.find(state)->second : "idle");
  }

  void follow(const PajeChange& change) {
    Part& part = parts_[change.part];
    if (change.row >= part.timeline->rows()) return follow_absence(change);
    const std::uint32_t lane = part.layout.lane_of[change.row];
    const std::size_t track = part.first_track[lane] + part.layout.track_of[change.row];
    const Interval when = interval_of(*part.timeline, part.roles, change.row, part.last);
    const double width = width_of(*part.timeline, part.roles, change.row);
    if (!change.is_start) {
      *out_ << fmt::format("7 {} STATE L{}.{} idle \"\"\n", to_text(change.time), change.part,
                           track);
      part.taken -= width;
      return;
    }
    std::string state = state_of(*part.timeline, part.roles, change.row);
    if (state.empty()) state = "busy";
    if (!(when.end > when.start)) {
      *out_ << fmt::format("9 {} MARK L{}.{} {}\n", to_text(change.time), change.part, track,
                           quoted(std::move(state)));
      return;
    }
    const std::string label = part.roles.label
                                  ? cell_text(part.timeline->row(change.row)[*part.roles.label])
                                  : word_of(*part.timeline, part.roles, change.row);
    *out_ << fmt::format("7 {} STATE L{}.{} {} {}\n", to_text(change.time), change.part, track,
                         states_.find(state)->second, quoted(label));
    part.taken += width;
  }

  // Writes how many resources are in use after all events at an instant, if the schedule counts resources.
  void tell_taken(double time) {
    for (std::uint32_t p = 0; p < parts_.size(); ++p) {
      Part& part = parts_[p];
      if (!part.roles.width || part.taken == told_[p]) continue;
      told_[p] = part.taken;
      *out_ << fmt::format("8 {} TAKEN S{} {}\n", to_text(time), p, to_text(part.taken));
    }
  }

  SinkBuffer* out_;
  std::vector<Part> parts_;
  std::map<std::string, std::string, std::less<>> states_;  // name -> alias
  std::map<std::string, std::string, std::less<>> absent_;  // the same for lanes not in use
  std::map<std::uint32_t, double> told_;
};

}  // namespace

Status write_schedule_paje(std::span<const NamedTimeline> schedules, const TextSink& sink) {
  SinkBuffer out(sink);
  PajeWriter(out, schedules).write(schedules);
  return out.finish();
}

}  // namespace holdfast
