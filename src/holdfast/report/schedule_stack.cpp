#include "holdfast/report/schedule_stack.hpp"

#include "holdfast/base/units.hpp"
#include "holdfast/report/stacked.hpp"
#include "holdfast/report/time_axis.hpp"
#include "holdfast/report/xml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace holdfast {
namespace {

constexpr double kTickSpace = 55;  // pixels of height per tick of a scale
constexpr double kPixel = 0.5;     // pixels below which steps of a stack are drawn as one

class Stack {
 public:
  Stack(SinkBuffer& out, const TimeScale& time) : out_(&out), time_(time) {}

  void draw(const SchedulePanel& panel, const TimelineRoles& roles, double top, double height) {
    const Timeline& timeline = *panel.schedule->timeline;
    const double resolution = kPixel * (time_.high - time_.low) / time_.width;
    const StackedBands bands = stack_up(timeline, roles, panel.layout, resolution);
    const TimelineColumn& column = timeline.columns()[*roles.width];
    const double bottom = top + height;
    const double scale = height / std::max(bands.highest, 1e-300);
    for (std::size_t lane = 0; lane < bands.lanes.size(); ++lane) {
      draw_band(bands.lanes[lane], panel.layout.names[lane], symbol(column.unit),
                kBandColors[lane % std::size(kBandColors)], bottom, scale);
    }
    for (const StackedBands::Mark& mark : bands.marks) {
      draw_mark(*out_, x_of(mark.time), bottom - mark.height * scale);
    }
    const TimeAxis axis = make_axis(0, bands.highest, symbol(column.unit),
                                    std::max(2, static_cast<int>(height / kTickSpace)));
    const std::string what = axis.unit.empty() ? std::string(column.name)
                                               : fmt::format("{} ({})", column.name, axis.unit);
    *out_ << fmt::format("<path d=\"M{:g} {:g}V{:g}\" stroke=\"#000000\"/>\n", time_.left, top,
                         bottom);
    draw_upright(*out_, what, time_.left - 50, top + height / 2);
    for (const TimeAxis::Tick& tick : axis.ticks) {
      const double y = bottom - tick.at * scale;
      *out_ << fmt::format("<path d=\"M{0:g} {1:.2f}h-5\" stroke=\"#000000\"/>", time_.left, y)
            << fmt::format("<text x=\"{:g}\" y=\"{:.2f}\" text-anchor=\"end\">{}</text>\n",
                           time_.left - 8, y + 4, tick.text);
    }
  }

 private:
  [[nodiscard]] double x_of(double time) const { return time_.at(time); }

  void draw_band(std::span<const StackedBands::Step> steps, const std::string& name,
                 std::string_view unit, std::string_view color, double bottom, double scale) {
    std::string upper;               // along the top edge
    std::vector<std::string> lower;  // along the bottom edge, which is drawn backwards
    double most = 0;
    const StackedBands::Step* widest = nullptr;
    *out_ << "<path d=\"";
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const bool is_held = steps[i].high > steps[i].low;
      if (is_held) {
        const double begin = x_of(steps[i].time);
        const double end = i + 1 < steps.size() ? x_of(steps[i + 1].time) : x_of(time_.high);
        upper += fmt::format("{}{:.1f} {:.1f}H{:.1f}", upper.empty() ? "M" : "L", begin,
                             bottom - steps[i].high * scale, end);
        lower.push_back(
            fmt::format("L{:.1f} {:.1f}H{:.1f}", end, bottom - steps[i].low * scale, begin));
        if (steps[i].high - steps[i].low > most) {
          most = steps[i].high - steps[i].low;
          widest = &steps[i];
        }
      }
      if (!is_held || i + 1 == steps.size()) {
        *out_ << upper;
        for (auto part = lower.rbegin(); part != lower.rend(); ++part) *out_ << *part;
        if (!upper.empty()) *out_ << "Z";
        upper.clear();
        lower.clear();
      }
    }
    *out_ << fmt::format(
        "\" fill=\"{}\" stroke=\"#ffffff\" stroke-width=\"0.4\"><title>{}: up to "
        "{}</title></path>\n",
        color, xml_text(name), amount_text(most, unit));
    draw_band_name(steps, name, widest, bottom, scale);
  }

  // Draws the name inside the band: at its start if it is high enough there, otherwise where it is widest.
  void draw_band_name(std::span<const StackedBands::Step> steps, const std::string& name,
                      const StackedBands::Step* widest, double bottom, double scale) {
    if (widest == nullptr) return;
    const double length = 7.0 * static_cast<double>(name.size());
    const auto has_room = [&](const StackedBands::Step& step) {
      if ((step.high - step.low) * scale < kLegible + 1) return false;
      // The name may cross an edge where the band moves, but must not extend beyond its end.
      const auto end =
          std::find_if(steps.begin() + (&step - steps.data()), steps.end(),
                       [](const StackedBands::Step& later) { return later.high <= later.low; });
      return x_of(step.time) + 8 + length <=
             (end == steps.end() ? x_of(time_.high) : x_of(end->time));
    };
    const StackedBands::Step& place = has_room(steps.front()) ? steps.front() : *widest;
    if (!has_room(place)) return;
    const double x = x_of(place.time) + 8;  // to the right of a mark at the start
    *out_ << fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"10\" fill=\"#000000\">{}</text>\n", x,
        bottom - (place.low + place.high) / 2 * scale + 3.5, xml_text(name));
  }

  SinkBuffer* out_;
  TimeScale time_;
};

}  // namespace

void draw_stack(SinkBuffer& out, const TimeScale& time, const SchedulePanel& panel,
                const TimelineRoles& roles, double top, double height) {
  Stack(out, time).draw(panel, roles, top, height);
}

}  // namespace holdfast
