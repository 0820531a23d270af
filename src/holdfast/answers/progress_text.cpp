#include "holdfast/answers/progress_text.hpp"

#include "holdfast/base/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace holdfast {
namespace {

// Groups digits: 288 000 is easier to read than 288000.
std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, " ");
  return text;
}

}  // namespace

std::string progress_text(const Progress& progress) {
  std::string text = fmt::format("{} of {} cells", grouped(progress.done), grouped(progress.total));
  if (progress.total > 0) {
    text += fmt::format(", {:.1f} %", 100.0 * static_cast<double>(progress.done) /
                                          static_cast<double>(progress.total));
  }
  if (progress.rate >= 10)
    text += fmt::format(", {}/s", grouped(static_cast<std::uint64_t>(progress.rate)));
  else if (progress.rate > 0)
    text += fmt::format(", {:.2g}/s", progress.rate);
  if (const double left = progress.remaining();
      std::isfinite(left) && progress.done < progress.total) {
    text += fmt::format(", {} left", format_duration(std::ceil(left)));
  }
  return text;
}

std::string progress_bar(const Progress& progress) {
  constexpr std::uint64_t kCells = 20;
  if (progress.total == 0) return "";
  const std::uint64_t full = std::min(progress.done, progress.total) * kCells / progress.total;
  return "[" + std::string(full, '#') + std::string(kCells - full, '.') + "] ";
}

}  // namespace holdfast
