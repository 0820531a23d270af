#include "holdfast/progress_line.hpp"

#include "holdfast/base/units.hpp"
#include "holdfast/console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ostream>
#include <string>

namespace holdfast::cli {
namespace {

constexpr double kPatience = 2;      // seconds before anything is shown on a terminal
constexpr double kLogPatience = 10;  // and in a log, where lines stay
constexpr double kLogSilence = 60;  // seconds after which a log gets a line however little was done
constexpr std::uint64_t kLogParts = 10;

// 288 000 is read at a glance, 288000 is not.
std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, " ");
  return text;
}

// "[#####...............] ", in ASCII: no terminal fails to show it.
std::string bar(const Progress& progress) {
  constexpr std::uint64_t kCells = 20;
  if (progress.total == 0) return "";
  const std::uint64_t full = std::min(progress.done, progress.total) * kCells / progress.total;
  return "[" + std::string(full, '#') + std::string(kCells - full, '.') + "] ";
}

}  // namespace

std::string describe(const Progress& progress) {
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

void ProgressLine::show(const Progress& progress) {
  if (console_->is_quiet()) return;
  if (console_->terminal().err) {
    redraw(progress);
  } else {
    log(progress);
  }
}

void ProgressLine::redraw(const Progress& progress) {
  if (progress.seconds < kPatience) return;
  // Without a line break at the edge: a narrow terminal cuts the line rather than fill up with its remains.
  console_->err() << "\r\x1b[?7l" << bar(progress) << describe(progress) << "\x1b[K\x1b[?7h"
                  << std::flush;
  shown_ = true;
}

void ProgressLine::log(const Progress& progress) {
  if (progress.total == 0) return;
  const std::uint64_t tenths = std::min(progress.done, progress.total) * kLogParts / progress.total;
  if (progress.seconds < kLogPatience) {
    tenths_ = tenths;
    return;
  }
  if (tenths == tenths_ && progress.seconds - logged_ < kLogSilence) return;
  console_->err() << describe(progress) << '\n' << std::flush;
  tenths_ = tenths;
  logged_ = progress.seconds;
}

void ProgressLine::clear() {
  if (shown_) console_->err() << "\r\x1b[K" << std::flush;
  shown_ = false;
}

}  // namespace holdfast::cli
