#include "holdfast/progress_line.hpp"

#include "holdfast/answers/progress_text.hpp"
#include "holdfast/console.hpp"

#include <algorithm>
#include <cstdint>
#include <ostream>

namespace holdfast::cli {
namespace {

constexpr double kPatience = 2;      // seconds before anything is shown on a terminal
constexpr double kLogPatience = 10;  // the same for a log, where lines stay
constexpr double kLogSilence = 60;   // longest time in seconds between two lines of a log
constexpr std::uint64_t kLogParts = 10;

}  // namespace

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
  // Line wrapping is switched off, so that a narrow terminal cuts the line, which can then be redrawn.
  console_->err() << "\r\x1b[?7l" << progress_bar(progress) << progress_text(progress)
                  << "\x1b[K\x1b[?7h" << std::flush;
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
  console_->err() << progress_text(progress) << '\n' << std::flush;
  tenths_ = tenths;
  logged_ = progress.seconds;
}

void ProgressLine::clear() {
  if (shown_) console_->err() << "\r\x1b[K" << std::flush;
  shown_ = false;
}

}  // namespace holdfast::cli
