#include "holdfast/report/schedule_drawing.hpp"

#include "holdfast/base/units.hpp"
#include "holdfast/report/number_column.hpp"
#include "holdfast/report/xml_text.hpp"

#include <fmt/format.h>

namespace holdfast {

std::string amount_text(double value, std::string_view unit) {
  if (unit == symbol(Unit::bytes_per_second)) {
    const DisplayUnit shown = display_unit(Unit::bytes_per_second, value);
    return fmt::format("{:.4g} {}", value / shown.size, shown.name);
  }
  return unit.empty() ? fmt::format("{:g}", value) : fmt::format("{:g} {}", value, unit);
}

void draw_upright(SinkBuffer& out, std::string_view text, double x, double y) {
  out << fmt::format(
      "<text transform=\"translate({:g} {:.2f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
      x, y, xml_text(text));
}

void draw_mark(SinkBuffer& out, double x, double y) {
  // With an edge, because it stands on bands and beside them, on light paper and on dark.
  out << fmt::format(
      "<path d=\"M{0:.1f} {1:.1f}l8 8m0 -8l-8 8\" stroke=\"#ffffff\" stroke-width=\"3.6\"/>"
      "<path d=\"M{0:.1f} {1:.1f}l8 8m0 -8l-8 8\" stroke=\"#1a1c1f\" stroke-width=\"1.6\"/>\n",
      x - 4, y - 4);
}

}  // namespace holdfast
