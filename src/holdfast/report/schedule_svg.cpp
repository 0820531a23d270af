#include "holdfast/base/units.hpp"
#include "holdfast/report/bars.hpp"
#include "holdfast/report/palette.hpp"
#include "holdfast/report/schedule.hpp"
#include "holdfast/report/schedule_drawing.hpp"
#include "holdfast/report/schedule_panel.hpp"
#include "holdfast/report/schedule_stack.hpp"
#include "holdfast/report/svg_text.hpp"
#include "holdfast/report/time_axis.hpp"
#include "holdfast/report/timeline_view.hpp"
#include "holdfast/report/xml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace holdfast {
namespace {

constexpr double kWidth = 860;  // width of the bars, in pixels
constexpr double kLeastWidth =
    700;  // smallest width of the picture: on a phone it scrolls rather than becoming illegible
constexpr double kLeft = 96;         // room for the numbers of a scale and its name
constexpr double kWidestName = 200;  // widest name of a lane
constexpr double kNameOfLanes = 26;  // room for the title of the lanes, which is upright
constexpr double kMargin = 8;
constexpr double kRight = 20;
constexpr double kFont = 12;
constexpr double kTitle = 28;   // room above a panel
constexpr double kAxis = 44;    // room below it
constexpr double kCrossed = 8;  // a bar has room for a cross from this size on
constexpr double kNamed = 60;   // the lanes have a title from this height on
constexpr double kMark = 3;     // half the width of the mark for a row without length
constexpr int kTicks = 8;
constexpr double kMostEmpty = 0.2;  // largest empty part of the time axis before the first row

std::string_view time_unit(const Timeline& timeline, const TimelineRoles& roles) {
  return roles.start ? symbol(timeline.columns()[*roles.start].unit) : std::string_view{};
}

std::string time_text(double value, std::string_view unit) {
  return unit == "s" ? format_duration(value) : amount_text(value, unit);
}

class Picture {
 public:
  Picture(SinkBuffer& out, std::vector<SchedulePanel> panels, const PictureTitle& title)
      : out_(&out),
        panels_(std::move(panels)),
        name_(title.title),
        left_(left_of(panels_)),
        title_(title, kWidth + left_ - kMargin) {
    double first = std::numeric_limits<double>::infinity();
    for (const SchedulePanel& panel : panels_) {
      const Interval one = extent_of(*panel.schedule->timeline, panel.roles);
      first = std::min(first, one.start);
      high_ = std::max(high_, one.end);
      note_states(panel);
    }
    // Time begins at 0, unless the rows begin so late that much of the picture would be empty.
    const bool is_late = first < high_ && first > kMostEmpty * high_;
    low_ = is_late ? first : std::min(0.0, first);
    for (const SchedulePanel& panel : panels_) note_unavailable(panel);
    note_legend();
  }

  void draw() {
    double top = title_.height() + draw_legend(false);
    double height = top;
    for (const SchedulePanel& panel : panels_) height += kTitle + panel.height() + kAxis;
    *out_ << svg_start(left_ + kWidth + kRight, height, kLeastWidth, kFont, text_alternative());
    if (!unavailable_.empty()) *out_ << hatchings();
    *out_ << title_.svg(kMargin);
    draw_legend(true);
    for (const SchedulePanel& panel : panels_) {
      draw_panel(panel, top + kTitle);
      top += kTitle + panel.height() + kAxis;
    }
    *out_ << "</svg>\n";
  }

 private:
  // Returns the left edge of the bars; the names of lanes need the most room.
  static double left_of(std::span<const SchedulePanel> panels) {
    double left = kLeft;
    for (const SchedulePanel& panel : panels) {
      if (panel.is_stacked()) continue;
      for (const std::string& name : panel.layout.names) {
        left = std::max(left, kNameOfLanes + std::min(kWidestName, text_width(name, kFont)) + 8);
      }
    }
    return left;
  }

  void note_states(const SchedulePanel& panel) {
    const Timeline& timeline = *panel.schedule->timeline;
    if (panel.is_stacked()) {
      for (std::size_t row = 0; row < timeline.rows(); ++row)
        marks_ = marks_ || is_marked(timeline, panel.roles, row);
      return;
    }
    for (std::size_t row = 0; row < timeline.rows(); ++row) {
      const auto state = state_of(timeline, panel.roles, row);
      if (state.empty()) continue;
      palette_.color(state);
      const Interval when = interval_of(timeline, panel.roles, row, high_);
      if (when.end > when.start) lasting_.insert(state);
    }
  }

  // Notes the states of intervals that the picture shows, in order of appearance.
  void note_unavailable(const SchedulePanel& panel) {
    for (const Unavailable& interval : panel.schedule->timeline->unavailable()) {
      const bool is_seen = interval.start < high_ && interval.end > low_;
      const bool is_new =
          std::find(unavailable_.begin(), unavailable_.end(), interval.state) == unavailable_.end();
      if (is_seen && is_new) unavailable_.push_back(interval.state);
    }
  }

  // Returns "schedule; shaded: worker reclaimed or down".
  [[nodiscard]] std::string text_alternative() const {
    const std::string name = name_.empty() ? "schedule" : name_;
    if (unavailable_.empty()) return name;
    const SchedulePanel& panel = panels_.front();
    return fmt::format("{}; shaded: {} {}", name,
                       panel.schedule->timeline->columns()[*panel.roles.lane].name,
                       fmt::join(unavailable_, " or "));
  }

  [[nodiscard]] TimeScale scale() const { return {low_, high_, left_, kWidth}; }

  [[nodiscard]] double x_of(double time) const { return scale().at(time); }

  struct LegendEntry {
    enum class Kind { mark, state, label, unavailable, bands } kind;
    std::string text;
  };

  // Notes the entries of the legend: marks, states, what is written in bars, times when lanes cannot be used, bands.
  void note_legend() {
    using Kind = LegendEntry::Kind;
    if (marks_) legend_.push_back({Kind::mark, "failure"});
    for (const std::string& state : palette_.states()) legend_.push_back({Kind::state, state});
    const SchedulePanel& any = panels_.front();
    if (!any.is_stacked() && any.roles.label) {
      const std::string label(any.schedule->timeline->columns()[*any.roles.label].name);
      legend_.push_back({Kind::label, label});
    }
    for (const std::string_view state : unavailable_) {
      legend_.push_back({Kind::unavailable, std::string(state)});
    }
    for (const SchedulePanel& panel : panels_) {
      if (!panel.is_stacked() && !panel.has_rates()) continue;
      const auto columns = panel.schedule->timeline->columns();
      const auto stacked = panel.is_stacked() ? panel.roles.width : panel.roles.rate;
      legend_.push_back({Kind::bands, fmt::format("{} of each {}", columns[*stacked].name,
                                                  columns[*panel.roles.lane].name)});
      return;
    }
  }

  // Draws the legend, and returns its height. @param is_seen  false: nothing is drawn
  double draw_legend(bool is_seen) {
    LegendRows rows(kMargin, left_ + kWidth, kFont);
    for (const LegendEntry& entry : legend_) {
      LegendRows::Place place = rows.next(entry.text);
      if (!is_seen) continue;
      place.y += title_.height() + 4;
      draw_swatch(entry, place.x, place.y);
      *out_ << fmt::format("<text x=\"{:g}\" y=\"{:g}\">{}</text>\n",
                           place.x + LegendRows::kSwatch - 4, place.y + 10, xml_text(entry.text));
    }
    return rows.height();
  }

  void draw_swatch(const LegendEntry& entry, double x, double y) {
    constexpr double kSize = 12;
    const auto box = [&](double left, double width, std::string_view fill, std::string_view edge) {
      *out_ << fmt::format(
          "<rect x=\"{:g}\" y=\"{:g}\" width=\"{:g}\" height=\"{:g}\" fill=\"{}\"{}/>", left, y,
          width, kSize, fill, edge);
    };
    switch (entry.kind) {
      case LegendEntry::Kind::mark:
        return draw_mark(*out_, x + kSize / 2, y + kSize / 2);
      case LegendEntry::Kind::state:
        if (!lasting_.contains(entry.text)) {
          *out_ << triangle(x + kSize / 2, y + kSize / 2 + kMark, palette_.color(entry.text), "");
          return;
        }
        box(x, kSize, palette_.color(entry.text), "");
        if (is_crossed_out(entry.text)) cross_out(x, y, kSize, kSize);
        return;
      case LegendEntry::Kind::label:
        box(x, kSize, "#ffffff", " stroke=\"#999999\"");
        *out_ << fmt::format(
            "<text x=\"{:g}\" y=\"{:g}\" font-size=\"10\" fill=\"#000000\">n</text>", x + 3, y + 9);
        return;
      case LegendEntry::Kind::unavailable:
        return box(x, kSize, hatching_of(entry.text), " stroke=\"#999999\"");
      case LegendEntry::Kind::bands:
        box(x, kSize / 2, kBandColors[0], "");
        return box(x + kSize / 2, kSize / 2, kBandColors[1], "");
    }
  }

  // Returns what stands beside the name of a panel.
  [[nodiscard]] static std::string end_of(const SchedulePanel& panel) {
    const Timeline& timeline = *panel.schedule->timeline;
    return "ends at " +
           time_text(extent_of(timeline, panel.roles).end, time_unit(timeline, panel.roles)) +
           (timeline.note().empty() ? "" : "; ") + timeline.note();
  }

  void draw_panel(const SchedulePanel& panel, double top) {
    *out_ << fmt::format(
        "<text x=\"{:g}\" y=\"{:g}\"><tspan font-weight=\"bold\">{}</tspan>{}{}</text>\n", left_,
        top - 9, xml_text(panel.schedule->name), panel.schedule->name.empty() ? "" : " ",
        xml_text(end_of(panel)));
    if (panel.is_stacked()) {
      draw_stack(*out_, scale(), panel, panel.roles, top, SchedulePanel::kStackHeight);
    } else {
      draw_unavailable(panel, top);
      draw_lane_names(panel, top);
      draw_bars(panel, top);
    }
    if (panel.has_rates()) {
      TimelineRoles roles = panel.roles;
      roles.width = roles.rate;
      draw_stack(*out_, scale(), panel, roles, top + panel.bars_height() + SchedulePanel::kStripGap,
                 SchedulePanel::kStripHeight);
    }
    draw_axis(panel, top + panel.height());
  }

  // Draws, behind the bars and as high as the lane, when lanes cannot be used.
  void draw_unavailable(const SchedulePanel& panel, double top) {
    const Timeline& timeline = *panel.schedule->timeline;
    BarPainter painter(*out_, static_cast<std::int64_t>(panel.layout.names.size()));
    for (std::size_t i = 0; i < timeline.unavailable().size(); ++i) {
      const Unavailable& interval = timeline.unavailable()[i];
      const std::size_t lane = panel.layout.lane_of[timeline.rows() + i];
      const Bar bar{.left = x_of(std::max(interval.start, low_)),
                    .right = x_of(std::min(interval.end, high_)),
                    .top = top + panel.lane_tops[lane],
                    .height = panel.lane_tops[lane + 1] - panel.lane_tops[lane]};
      if (!(bar.right > bar.left)) continue;
      const auto unit = static_cast<std::int64_t>(lane);  // a lane is one unit of the painter
      const ResourceRange range{unit, unit + 1};
      if (painter.visible({&range, 1}, bar.left, bar.right).empty()) continue;
      draw_interval(panel, interval, bar, painter);
    }
    painter.finish();
  }

  void draw_interval(const SchedulePanel& panel, const Unavailable& interval, const Bar& bar,
                     BarPainter& painter) {
    const std::string_view fill = hatching_of(interval.state);
    if (!BarPainter::is_large(bar)) return painter.add_small(bar, fill);
    const std::string_view unit = time_unit(*panel.schedule->timeline, panel.roles);
    *out_ << fmt::format(
        "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\">"
        "<title>{}: {} to {}</title></rect>\n",
        bar.left, bar.top, bar.right - bar.left, bar.height, fill, xml_text(interval.state),
        time_text(interval.start, unit), time_text(interval.end, unit));
  }

  void draw_lane_names(const SchedulePanel& panel, double top) {
    if (panel.roles.lane && panel.bars_height() >= kNamed) {
      draw_upright(*out_, panel.schedule->timeline->columns()[*panel.roles.lane].name, 14,
                   top + panel.bars_height() / 2);
    }
    for (std::size_t lane = 0; lane < panel.layout.names.size(); ++lane) {
      const double begin = panel.lane_tops[lane];
      const double end = panel.lane_tops[lane + 1];
      if (end - begin < kLegible || panel.layout.names[lane].empty()) continue;
      *out_ << fmt::format(
          "<text x=\"{:g}\" y=\"{:.2f}\" text-anchor=\"end\">{}</text>\n", left_ - 8,
          top + (begin + end) / 2 + 4,
          xml_text(shorten(panel.layout.names[lane], left_ - kNameOfLanes - 8, kFont)));
      if (lane > 0) {
        *out_ << fmt::format("<path d=\"M{:g} {:.2f}h{:g}\" stroke=\"#999999\"/>\n", left_,
                             top + begin, kWidth);
      }
    }
  }

  // Draws the scale of resources: without lanes, the rows of the picture are the resources of one pool, numbered from the top.
  void draw_resources(const SchedulePanel& panel, const BarRows& rows, double top) {
    const Timeline& timeline = *panel.schedule->timeline;
    const auto per_unit = static_cast<double>(rows.resources_per_unit());
    const double most = static_cast<double>(rows.units()) * per_unit;
    const double wanted = std::min({static_cast<double>(kTicks), most, panel.bars_height() / 20});
    for (const TimeAxis::Tick& tick :
         make_axis(0, most, "", std::max(1, static_cast<int>(wanted))).ticks) {
      const double y = top + tick.at / per_unit * panel.unit_height;
      *out_ << fmt::format("<path d=\"M{0:g} {1:.2f}h-5\" stroke=\"#000000\"/>", left_, y)
            << fmt::format("<text x=\"{:g}\" y=\"{:.2f}\" text-anchor=\"end\">{}</text>\n",
                           left_ - 8, y + 4, tick.text);
    }
    draw_upright(*out_, timeline.columns()[*panel.roles.width].name, left_ - 60,
                 top + panel.bars_height() / 2);
  }

  void draw_bars(const SchedulePanel& panel, double top) {
    const Timeline& timeline = *panel.schedule->timeline;
    BarRows rows(timeline, panel.roles, panel.layout);
    if (rows.are_resources() && !panel.roles.lane) draw_resources(panel, rows, top);
    BarPainter painter(*out_, rows.units());
    BarPainter marked(*out_, rows.units());  // says only which marks can be seen
    std::string marks;                       // drawn over the bars
    for (std::size_t row = 0; row < timeline.rows(); ++row) {
      const Interval when = interval_of(timeline, panel.roles, row, high_);
      const std::span<const ResourceRange> ranges = rows.next(row, when);
      const double left = x_of(when.start);
      const double right = x_of(when.end);
      if (!(when.end > when.start) && !rows.are_resources() &&
          !marked.visible(ranges, left, left).empty()) {
        const double y = top + static_cast<double>(ranges.front().from) * panel.unit_height;
        marks += mark(panel, row, left, y);
      }
      if (!(when.end > when.start)) continue;
      bool is_first = true;
      for (const ResourceRange range : painter.visible(ranges, left, right)) {
        const Bar bar{.left = left,
                      .right = right,
                      .top = top + static_cast<double>(range.from) * panel.unit_height,
                      .height = static_cast<double>(range.to - range.from) * panel.unit_height};
        draw_bar(panel, row, bar, is_first, painter);
        is_first = false;
      }
    }
    painter.finish();
    *out_ << marks;
  }

  [[nodiscard]] std::string_view color_of(const std::string& state) {
    return state.empty() ? std::string_view("#0072B2") : palette_.color(state);
  }

  void draw_bar(const SchedulePanel& panel, std::size_t row, const Bar& bar, bool is_labelled,
                BarPainter& painter) {
    const Timeline& timeline = *panel.schedule->timeline;
    const std::string state = state_of(timeline, panel.roles, row);
    if (!BarPainter::is_large(bar)) return painter.add_small(bar, color_of(state));
    const std::string label =
        panel.roles.label ? cell_text(timeline.row(row)[*panel.roles.label]) : std::string();
    const double gap = bar.height > 6 ? 1 : 0;
    *out_ << fmt::format(
                 "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\" "
                 "stroke=\"#ffffff\" stroke-width=\"0.4\">",
                 bar.left, bar.top + gap, bar.right - bar.left, bar.height - 2 * gap,
                 color_of(state))
          << fmt::format("<title>{}</title></rect>\n", xml_text(tooltip(panel, row, state, label)));
    if (is_crossed_out(state) && std::min(bar.right - bar.left, bar.height) >= kCrossed) {
      cross_out(bar.left, bar.top + gap, bar.right - bar.left, bar.height - 2 * gap);
    }
    if (is_labelled && !label.empty() &&
        static_cast<double>(label.size()) * 7 + 6 <= bar.right - bar.left &&
        bar.height >= kLegible) {
      *out_ << fmt::format(
          "<text x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"10\" fill=\"{}\">{}</text>\n", bar.left + 3,
          bar.top + bar.height / 2 + 3.5, ink_on(color_of(state)), xml_text(label));
    }
  }

  // Returns a triangle that points at a place from above.
  [[nodiscard]] static std::string triangle(double x, double y, std::string_view color,
                                            std::string_view name) {
    return fmt::format(
        "<path d=\"M{:.2f} {:.2f}h{:g}l-{:g} {:g}z\" fill=\"{}\" stroke=\"#ffffff\" "
        "stroke-width=\"0.4\">{}</path>\n",
        x - kMark, y - 2 * kMark, 2 * kMark, kMark, 2 * kMark, color,
        name.empty() ? std::string() : fmt::format("<title>{}</title>", xml_text(name)));
  }

  // Returns the mark of a row without length, for example a failure, above its lane.
  [[nodiscard]] std::string mark(const SchedulePanel& panel, std::size_t row, double x, double y) {
    const std::string state = state_of(*panel.schedule->timeline, panel.roles, row);
    return triangle(x, y, color_of(state), tooltip(panel, row, state, ""));
  }

  [[nodiscard]] std::string tooltip(const SchedulePanel& panel, std::size_t row,
                                    const std::string& state, const std::string& label) const {
    const Timeline& timeline = *panel.schedule->timeline;
    const std::string_view unit = time_unit(timeline, panel.roles);
    const Interval when = interval_of(timeline, panel.roles, row, high_);
    std::string text = label;
    const auto add = [&text](const std::string& word) {
      text += (text.empty() ? "" : ", ") + word;
    };
    const std::string word = word_of(timeline, panel.roles, row);
    if (!word.empty()) add(word);
    if (state != word) add(state);
    if (!text.empty()) text += ": ";
    text += time_text(when.start, unit);
    return when.end > when.start ? text + " to " + time_text(when.end, unit) : text;
  }

  // Draws a cross from corner to corner; the pointer reacts to the bar below it.
  void cross_out(double x, double y, double width, double height) {
    *out_ << fmt::format(
        "<path d=\"M{0:.2f} {1:.2f}l{2:.2f} {3:.2f}m0 -{3:.2f}l-{2:.2f} {3:.2f}\" "
        "stroke=\"#ffffff\" "
        "stroke-width=\"0.8\" pointer-events=\"none\"/>\n",
        x, y, width, height);
  }

  void draw_axis(const SchedulePanel& panel, double y) {
    const TimeAxis axis =
        make_axis(low_, high_, time_unit(*panel.schedule->timeline, panel.roles), kTicks);
    *out_ << fmt::format("<path d=\"M{:g} {:g}h{:g}\" stroke=\"#000000\" fill=\"none\"/>\n", left_,
                         y, kWidth);
    for (const TimeAxis::Tick& tick : axis.ticks) {
      const double x = x_of(tick.at);
      *out_ << fmt::format("<path d=\"M{0:.2f} {1:g}v5\" stroke=\"#000000\"/>", x, y)
            << fmt::format("<text x=\"{:.2f}\" y=\"{:g}\" text-anchor=\"middle\">{}</text>\n", x,
                           y + 18, tick.text);
    }
    const std::string name = axis.unit.empty() ? "time" : "time (" + axis.unit + ")";
    *out_ << fmt::format("<text x=\"{:g}\" y=\"{:g}\" text-anchor=\"middle\">{}</text>\n",
                         left_ + kWidth / 2, y + 34, xml_text(name));
  }

  SinkBuffer* out_;
  std::vector<SchedulePanel> panels_;
  std::string name_;
  double left_;  // left edge of the bars
  TitleLines title_;
  std::vector<LegendEntry> legend_;
  Palette palette_;
  std::set<std::string, std::less<>> lasting_;  // states of rows with a length
  std::vector<std::string_view> unavailable_;   // states of lanes that cannot be used
  bool marks_ = false;
  double low_ = 0;
  double high_ = 0;
};

}  // namespace

Status write_schedule_svg(std::span<const NamedTimeline> schedules, const PictureTitle& title,
                          const TextSink& sink) {
  std::vector<SchedulePanel> panels;
  panels.reserve(schedules.size());
  for (const NamedTimeline& schedule : schedules) panels.push_back(make_schedule_panel(schedule));
  SinkBuffer out(sink);
  Picture(out, std::move(panels), title).draw();
  return out.finish();
}

}  // namespace holdfast
