#include "holdfast/base/units.hpp"
#include "holdfast/report/palette.hpp"
#include "holdfast/report/schedule.hpp"
#include "holdfast/report/stacked.hpp"
#include "holdfast/report/time_axis.hpp"
#include "holdfast/report/timeline_view.hpp"
#include "holdfast/report/xml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace holdfast {
namespace {

constexpr double kWidth = 1000;  // of the bars, in pixels
constexpr double kLeft = 140;    // room for the names of the lanes
constexpr double kRight = 20;
constexpr double kTitle = 28;  // room above a panel
constexpr double kAxis = 44;   // room below it
constexpr double kLegend = 26;
constexpr double kThinnest = 0.25;  // bars are not drawn thinner than this
constexpr double kLegible = 9;      // a lane is named from this height on
constexpr int kTicks = 8;
constexpr double kStackHeight = 560;  // of a stacked panel
constexpr int kStackTicks = 5;
constexpr double kPixel = 0.5;  // steps of a stack nearer than this are one

// What one panel needs to be placed and drawn.
struct Panel {
  const NamedTimeline* schedule = nullptr;
  TimelineRoles roles;
  LaneLayout layout;
  std::vector<std::size_t> first_track;  // per lane, counted over the panel
  std::size_t tracks = 0;
  double track_height = 0;

  [[nodiscard]] bool is_stacked() const {
    return roles.stacked && roles.width && roles.start && schedule->timeline->rows() > 0;
  }
  [[nodiscard]] double height() const {
    return is_stacked() ? kStackHeight : static_cast<double>(tracks) * track_height;
  }
};

Panel make_panel(const NamedTimeline& schedule) {
  Panel panel;
  panel.schedule = &schedule;
  panel.roles = find_roles(*schedule.timeline);
  panel.layout = lay_out(*schedule.timeline, panel.roles);
  for (const std::uint32_t tracks : panel.layout.tracks) {
    panel.first_track.push_back(panel.tracks);
    panel.tracks += tracks;
  }
  panel.tracks = std::max<std::size_t>(panel.tracks, 1);
  panel.track_height = std::clamp(800.0 / static_cast<double>(panel.tracks), 1.0, 22.0);
  return panel;
}

// Light enough for black marks and names; neighbours differ for colour-blind readers too (after Okabe and Ito).
constexpr std::string_view kBandColors[] = {"#8FC1E3", "#F4C26B", "#8FD3BF", "#E3A9C8", "#C9C9C9"};

std::string_view time_unit(const Timeline& timeline, const TimelineRoles& roles) {
  return roles.start ? timeline.columns()[*roles.start].unit : std::string_view{};
}

std::string time_text(double value, std::string_view unit) {
  if (unit == "s") return format_duration(value);
  return unit.empty() ? fmt::format("{:g}", value) : fmt::format("{:g} {}", value, unit);
}

class Picture {
 public:
  Picture(SinkBuffer& out, std::vector<Panel> panels) : out_(&out), panels_(std::move(panels)) {
    for (const Panel& panel : panels_) {
      const Interval one = extent_of(*panel.schedule->timeline, panel.roles);
      low_ = std::min(low_, one.start);
      high_ = std::max(high_, one.end);
      note_states(panel);
    }
  }

  void draw() {
    double height = has_legend() ? kLegend : 0;
    for (const Panel& panel : panels_) height += kTitle + panel.height() + kAxis;
    *out_ << fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" viewBox=\"0 0 "
        "{0:g} {1:g}\" "
        "font-family=\"sans-serif\" font-size=\"12\" role=\"img\">\n<title>schedule</title>\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        kLeft + kWidth + kRight, height);
    double top = draw_legend();
    for (const Panel& panel : panels_) {
      draw_panel(panel, top + kTitle);
      top += kTitle + panel.height() + kAxis;
    }
    *out_ << "</svg>\n";
  }

 private:
  void note_states(const Panel& panel) {
    if (panel.is_stacked()) {
      marks_ = marks_ || panel.roles.mark;
      return;
    }
    const Timeline& timeline = *panel.schedule->timeline;
    for (std::size_t row = 0; row < timeline.rows(); ++row) {
      if (auto state = state_of(timeline, panel.roles, row); !state.empty()) palette_.color(state);
    }
  }

  [[nodiscard]] double x_of(double time) const {
    return high_ > low_ ? kLeft + kWidth * (time - low_) / (high_ - low_) : kLeft;
  }

  [[nodiscard]] bool has_legend() const { return marks_ || !palette_.states().empty(); }

  double draw_legend() {
    if (!has_legend()) return 0;
    double x = kLeft;
    if (marks_) {
      draw_mark(x + 6, 14);
      *out_ << fmt::format("<text x=\"{:g}\" y=\"18\">failure</text>\n", x + 17);
      x += 89;
    }
    for (const std::string& state : std::vector<std::string>(palette_.states())) {
      *out_ << fmt::format("<rect x=\"{:g}\" y=\"8\" width=\"12\" height=\"12\" fill=\"{}\"/>", x,
                           palette_.color(state))
            << fmt::format("<text x=\"{:g}\" y=\"18\">{}</text>\n", x + 17, xml_text(state));
      x += 40 + 7.0 * static_cast<double>(state.size());
    }
    return kLegend;
  }

  void draw_panel(const Panel& panel, double top) {
    *out_ << fmt::format("<text x=\"{:g}\" y=\"{:g}\" font-weight=\"bold\">{}</text>\n", kLeft,
                         top - 9, xml_text(panel.schedule->name));
    if (panel.is_stacked()) {
      draw_stack(panel, top);
    } else {
      draw_lane_names(panel, top);
      draw_bars(panel, top);
    }
    draw_axis(panel, top + panel.height());
  }

  void draw_lane_names(const Panel& panel, double top) {
    for (std::size_t lane = 0; lane < panel.layout.names.size(); ++lane) {
      const double height = panel.track_height * panel.layout.tracks[lane];
      if (height < kLegible || panel.layout.names[lane].empty()) continue;
      const double y =
          top + panel.track_height * static_cast<double>(panel.first_track[lane]) + height / 2 + 4;
      *out_ << fmt::format("<text x=\"{:g}\" y=\"{:g}\" text-anchor=\"end\">{}</text>\n", kLeft - 8,
                           y, xml_text(panel.layout.names[lane]));
    }
  }

  void draw_bars(const Panel& panel, double top) {
    const Timeline& timeline = *panel.schedule->timeline;
    std::vector<double> covered(panel.tracks, -1);
    for (std::size_t row = 0; row < timeline.rows(); ++row) {
      const Interval when = interval_of(timeline, panel.roles, row, high_);
      const std::size_t track =
          panel.first_track[panel.layout.lane_of[row]] + panel.layout.track_of[row];
      const double begin = x_of(when.start);
      const double end = std::max(x_of(when.end), begin + kThinnest);
      if (end <= covered[track] + kThinnest / 2) continue;
      covered[track] = end;
      draw_bar(panel, row, begin, end, top + panel.track_height * static_cast<double>(track));
    }
  }

  void draw_bar(const Panel& panel, std::size_t row, double begin, double end, double y) {
    const Timeline& timeline = *panel.schedule->timeline;
    const std::string state = state_of(timeline, panel.roles, row);
    const std::string label =
        panel.roles.label ? cell_text(timeline.row(row)[*panel.roles.label]) : std::string();
    const double gap = panel.track_height > 6 ? 1.5 : 0;
    *out_ << fmt::format(
                 "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\">",
                 begin, y + gap, end - begin, panel.track_height - 2 * gap,
                 state.empty() ? std::string_view("#0072B2") : palette_.color(state))
          << fmt::format("<title>{}</title></rect>\n", xml_text(tooltip(panel, row, state, label)));
    if (label.size() * 7 + 6 <= static_cast<std::size_t>(end - begin) &&
        panel.track_height >= kLegible) {
      *out_ << fmt::format(
          "<text x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"10\" fill=\"#ffffff\">{}</text>\n",
          begin + 3, y + panel.track_height / 2 + 3.5, xml_text(label));
    }
  }

  [[nodiscard]] std::string tooltip(const Panel& panel, std::size_t row, const std::string& state,
                                    const std::string& label) const {
    const Timeline& timeline = *panel.schedule->timeline;
    const std::string_view unit = time_unit(timeline, panel.roles);
    const Interval when = interval_of(timeline, panel.roles, row, high_);
    std::string text = label;
    if (!state.empty()) text += text.empty() ? state : ", " + state;
    if (!text.empty()) text += ": ";
    return text + time_text(when.start, unit) + " to " + time_text(when.end, unit);
  }

  // Bands of one colour each, lane 0 at the bottom, with a scale of resources at the left.
  void draw_stack(const Panel& panel, double top) {
    const Timeline& timeline = *panel.schedule->timeline;
    const double resolution = kPixel * (high_ - low_) / kWidth;
    const StackedBands bands = stack_up(timeline, panel.roles, panel.layout, resolution);
    const double bottom = top + kStackHeight;
    const double scale = kStackHeight / std::max(bands.highest, 1e-300);
    for (std::size_t lane = 0; lane < bands.lanes.size(); ++lane) {
      draw_band(bands.lanes[lane], panel.layout.names[lane],
                kBandColors[lane % std::size(kBandColors)], bottom, scale);
    }
    for (const StackedBands::Mark& mark : bands.marks) {
      draw_mark(x_of(mark.time), bottom - mark.height * scale);
    }
    const std::string_view what = timeline.columns()[*panel.roles.width].name;
    *out_ << fmt::format("<path d=\"M{:g} {:g}V{:g}\" stroke=\"#000000\"/>\n", kLeft, top, bottom)
          << fmt::format(
                 "<text transform=\"translate({:g} {:g}) rotate(-90)\" text-anchor=\"middle\">{}"
                 "</text>\n",
                 kLeft - 50, top + kStackHeight / 2, xml_text(what));
    for (const TimeAxis::Tick& tick : make_axis(0, bands.highest, "", kStackTicks).ticks) {
      const double y = bottom - tick.at * scale;
      *out_ << fmt::format("<path d=\"M{0:g} {1:.2f}h-5\" stroke=\"#000000\"/>", kLeft, y)
            << fmt::format("<text x=\"{:g}\" y=\"{:.2f}\" text-anchor=\"end\">{}</text>\n",
                           kLeft - 8, y + 4, tick.text);
    }
  }

  void draw_band(std::span<const StackedBands::Step> steps, const std::string& name,
                 std::string_view color, double bottom, double scale) {
    std::string upper, lower;  // along the top edge, and back along the bottom edge
    double most = 0;
    const StackedBands::Step* widest = nullptr;
    *out_ << "<path d=\"";
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const bool is_held = steps[i].high > steps[i].low;
      if (is_held) {
        const double begin = x_of(steps[i].time);
        const double end = i + 1 < steps.size() ? x_of(steps[i + 1].time) : x_of(high_);
        upper += fmt::format("{}{:.1f} {:.1f}H{:.1f}", upper.empty() ? "M" : "L", begin,
                             bottom - steps[i].high * scale, end);
        lower =
            fmt::format("L{:.1f} {:.1f}H{:.1f}", end, bottom - steps[i].low * scale, begin) + lower;
        if (steps[i].high - steps[i].low > most) {
          most = steps[i].high - steps[i].low;
          widest = &steps[i];
        }
      }
      if (!is_held || i + 1 == steps.size()) {
        if (!upper.empty()) *out_ << upper << lower << "Z";
        upper.clear();
        lower.clear();
      }
    }
    *out_ << fmt::format(
        "\" fill=\"{}\" stroke=\"#ffffff\" stroke-width=\"0.4\"><title>{}: up to "
        "{:g}</title></path>"
        "\n",
        color, xml_text(name), most);
    draw_band_name(steps, name, widest, bottom, scale);
  }

  // Inside the band, at its start if it is high enough there, else where it is widest.
  void draw_band_name(std::span<const StackedBands::Step> steps, const std::string& name,
                      const StackedBands::Step* widest, double bottom, double scale) {
    if (widest == nullptr) return;
    const auto is_legible = [scale](const StackedBands::Step& step) {
      return (step.high - step.low) * scale >= kLegible + 1;
    };
    const StackedBands::Step& place = is_legible(steps.front()) ? steps.front() : *widest;
    const double x = x_of(place.time) + 8;  // beside a mark at the start
    if (!is_legible(place) || x + 7.0 * static_cast<double>(name.size()) > kLeft + kWidth) return;
    *out_ << fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"10\">{}</text>\n", x,
                         bottom - (place.low + place.high) / 2 * scale + 3.5, xml_text(name));
  }

  void draw_mark(double x, double y) {
    *out_ << fmt::format(
        "<path d=\"M{:.1f} {:.1f}l8 8m0 -8l-8 8\" stroke=\"#000000\" stroke-width=\"1.6\"/>\n",
        x - 4, y - 4);
  }

  void draw_axis(const Panel& panel, double y) {
    const TimeAxis axis =
        make_axis(low_, high_, time_unit(*panel.schedule->timeline, panel.roles), kTicks);
    *out_ << fmt::format("<path d=\"M{:g} {:g}h{:g}\" stroke=\"#000000\" fill=\"none\"/>\n", kLeft,
                         y, kWidth);
    for (const TimeAxis::Tick& tick : axis.ticks) {
      const double x = x_of(tick.at);
      *out_ << fmt::format("<path d=\"M{0:.2f} {1:g}v5\" stroke=\"#000000\"/>", x, y)
            << fmt::format("<text x=\"{:.2f}\" y=\"{:g}\" text-anchor=\"middle\">{}</text>\n", x,
                           y + 18, tick.text);
    }
    const std::string name = axis.unit.empty() ? "time" : "time (" + axis.unit + ")";
    *out_ << fmt::format("<text x=\"{:g}\" y=\"{:g}\" text-anchor=\"middle\">{}</text>\n",
                         kLeft + kWidth / 2, y + 34, xml_text(name));
  }

  SinkBuffer* out_;
  std::vector<Panel> panels_;
  Palette palette_;
  bool marks_ = false;
  double low_ = 0;
  double high_ = 0;
};

}  // namespace

Status write_schedule_svg(std::span<const NamedTimeline> schedules, const TextSink& sink) {
  std::vector<Panel> panels;
  panels.reserve(schedules.size());
  for (const NamedTimeline& schedule : schedules) panels.push_back(make_panel(schedule));
  SinkBuffer out(sink);
  Picture(out, std::move(panels)).draw();
  return out.finish();
}

}  // namespace holdfast
