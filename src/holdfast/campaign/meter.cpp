#include "holdfast/campaign/meter.hpp"

#include <limits>

namespace holdfast {
namespace {

/// The time over which the rate is measured, in seconds.
constexpr double kWindow = 20;
constexpr double kBetweenMarks = 0.25;
constexpr double kBetweenWords = 0.1;

}  // namespace

double Progress::remaining() const {
  if (done >= total) return 0;
  if (!(rate > 0)) return std::numeric_limits<double>::infinity();
  return static_cast<double>(total - done) / rate;
}

Meter::Meter(const Control& control, std::uint64_t total, std::uint64_t found) : control_(control) {
  progress_.total = total;
  progress_.found = found;
  progress_.done = found;
  history_.emplace_back(0.0, found);
}

void Meter::add(std::uint64_t cells) {
  progress_.done += cells;
  update();
  if (progress_.seconds - told_ >= kBetweenWords) tell();
}

const Progress& Meter::finish() {
  update();
  tell();
  return progress_;
}

void Meter::update() {
  progress_.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  if (progress_.seconds - history_.back().first >= kBetweenMarks) {
    history_.emplace_back(progress_.seconds, progress_.done);
  }
  while (history_.size() > 2 && progress_.seconds - history_[1].first > kWindow) {
    history_.pop_front();
  }
  const double time = progress_.seconds - history_.front().first;
  const auto cells = static_cast<double>(progress_.done - history_.front().second);
  progress_.rate = time > 0 ? cells / time : 0;
}

void Meter::tell() {
  told_ = progress_.seconds;
  if (control_.progress) control_.progress(progress_);
}

}  // namespace holdfast
