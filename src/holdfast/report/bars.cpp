#include "holdfast/report/bars.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace holdfast {
namespace {

constexpr double kThinnest = 0.5;         // pixels of a bar that must be visible
constexpr std::size_t kLongest = 60'000;  // characters of one path
constexpr std::int64_t kFinest = 400;     // largest number of units of a pool

// Returns true if widths are resources. The first row decides: widths are either all whole numbers or all rates.
bool counts_resources(const Timeline& timeline, const TimelineRoles& roles) {
  return roles.width && timeline.rows() > 0 &&
         std::holds_alternative<std::int64_t>(timeline.row(0)[*roles.width]);
}

std::int64_t tenths_of(double pixels) {
  return std::llround(pixels * 10);
}

// Appends a number of tenths: 1234 as "123.4", 1230 as "123".
void append_pixels(std::string& out, std::int64_t tenths) {
  if (tenths < 0) out += '-';
  tenths = std::abs(tenths);
  fmt::format_int whole(tenths / 10);
  out.append(whole.data(), whole.size());
  if (tenths % 10 == 0) return;
  out += '.';
  out += static_cast<char>('0' + tenths % 10);
}

}  // namespace

BarRows::BarRows(const Timeline& timeline, const TimelineRoles& roles, const LaneLayout& layout)
    : timeline_{timeline}, roles_{roles}, layout_{layout}, first_{0} {
  const std::size_t lanes = layout.names.size();
  std::int64_t most = 0;
  if (counts_resources(timeline, roles)) {
    most = std::ranges::max(most_at_once(timeline, roles, layout.lane_of, lanes));
    const std::int64_t finest =
        std::max<std::int64_t>(kFinest / static_cast<std::int64_t>(lanes), 1);
    per_unit_ = std::max<std::int64_t>((most + finest - 1) / finest, 1);
    most = (most + per_unit_ - 1) / per_unit_;
    rest_.assign(lanes, 0);
  }
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    first_.push_back(first_.back() + (most > 0 ? most : std::max(layout.tracks[lane], 1U)));
    if (most > 0) packers_.emplace_back(most);
  }
}

std::span<const ResourceRange> BarRows::next(std::size_t row, Interval when) {
  const std::uint32_t lane = layout_.lane_of[row];
  const std::int64_t base = first_[lane];
  ranges_.clear();
  if (packers_.empty()) {
    const std::int64_t track = base + layout_.track_of[row];
    ranges_.push_back({track, track + 1});
    return ranges_;
  }
  if (!(when.end > when.start)) return ranges_;
  rest_[lane] += std::llround(width_of(timeline_, roles_, row));
  const std::int64_t width = rest_[lane] / per_unit_;
  rest_[lane] -= width * per_unit_;
  const std::string name = roles_.label ? cell_text(timeline_.row(row)[*roles_.label]) : "";
  for (const ResourceRange range : packers_[lane].place(when, width, name)) {
    ranges_.push_back({base + range.from, base + range.to});
  }
  return ranges_;
}

BarPainter::BarPainter(SinkBuffer& out, std::int64_t units)
    : out_{out}, covered_(static_cast<std::size_t>(units), -1.0) {}

std::span<const ResourceRange> BarPainter::visible(std::span<const ResourceRange> ranges,
                                                   double left, double right) {
  right = std::max(right, left + kThinnest);
  visible_.clear();
  for (const ResourceRange range : ranges) {
    for (std::int64_t unit = range.from; unit < range.to; ++unit) {
      double& covered = covered_[static_cast<std::size_t>(unit)];
      if (right <= covered + kThinnest / 2) continue;
      covered = right;
      if (!visible_.empty() && visible_.back().to == unit) {
        visible_.back().to = unit + 1;
      } else {
        visible_.push_back({unit, unit + 1});
      }
    }
  }
  return visible_;
}

void BarPainter::add_small(const Bar& bar, std::string_view color) {
  auto found = paths_.find(color);
  if (found == paths_.end()) found = paths_.emplace(color, "").first;
  // Coordinates are in tenths of a pixel and sides are relative steps, so that a browser draws the picture as fast as it reads
  // it.
  std::string& path = found->second;
  const std::int64_t left = tenths_of(bar.left);
  const std::int64_t top = tenths_of(bar.top);
  const std::int64_t width = tenths_of(std::max(bar.right, bar.left + kThinnest)) - left;
  const std::int64_t height = tenths_of(bar.top + bar.height) - top;
  for (const auto& [letter, tenths] :
       {std::pair{'M', left}, {' ', top}, {'h', width}, {'v', height}, {'h', -width}}) {
    path += letter;
    append_pixels(path, tenths);
  }
  path += 'z';
  if (path.size() > kLongest) flush(color, path);
}

void BarPainter::finish() {
  for (auto& [color, path] : paths_) flush(color, path);
}

void BarPainter::flush(std::string_view color, std::string& path) {
  if (!path.empty()) out_ << "<path fill=\"" << color << "\" d=\"" << path << "\"/>\n";
  path.clear();
}

}  // namespace holdfast
