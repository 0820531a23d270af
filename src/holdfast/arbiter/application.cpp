#include "holdfast/arbiter/application.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace holdfast::arbiter {
namespace {

constexpr double kFirstGuess = 1073741824;  // bytes of an operation whose volume is unknown
constexpr double kMeasured = 5;             // seconds of transfer in a measurement of bandwidth
constexpr double kWindow = 60;
constexpr double kHeadroom = 1.25;
/// At least this part of the declared bandwidth counts, so that a slow hour has no lasting effect.
constexpr double kLeastPart = 1.0 / 64;
/// An application that moves less than this part of its granted bandwidth was not limited by the grant.
constexpr double kLimited = 0.9;
constexpr double kOverrun = 2;

}  // namespace

std::string_view name_of(Stage stage) {
  switch (stage) {
    case Stage::work:
      return "work";
    case Stage::wait:
      return "wait";
    case Stage::write:
      return "write";
    case Stage::idle:
      break;
  }
  return "idle";
}

void Account::open(double now, double share) {
  close(now);
  lacking_ = 1 - share;
}

void Account::close(double now) {
  delay_ = delay(now);
  since_ = now;
  lacking_ = 0;
}

double Account::delay(double now) const {
  return delay_ + lacking_ * (now - since_);
}

double Account::yield(double now) const {
  const double lived = age(now);
  return lived > 0 ? std::max(1 - delay(now) / lived, 0.0) : 0;
}

void Volumes::ended(std::uint64_t stated, std::uint64_t moved) {
  if (moved == 0) return;
  const auto bytes = static_cast<double>(moved);
  const bool is_overrun =
      stated != kUnknownVolume && bytes > kOverrun * static_cast<double>(stated);
  last_[count_++ % kKept] = {bytes, is_overrun};
}

bool Volumes::are_doubted() const {
  const auto end = last_.begin() + static_cast<std::ptrdiff_t>(std::min(count_, kKept));
  return std::count_if(last_.begin(), end, [](const Ended& one) { return one.is_overrun; }) >= 2;
}

double Volumes::remaining(std::uint64_t stated, std::uint64_t moved) const {
  const auto done = static_cast<double>(moved);
  if (stated != kUnknownVolume && stated > moved && !are_doubted()) {
    return static_cast<double>(stated) - done;
  }
  double usual = kFirstGuess;
  if (count_ > 0) {
    std::vector<double> volumes;
    for (std::size_t i = 0; i < std::min(count_, kKept); ++i) volumes.push_back(last_[i].moved);
    usual = bandwidth::median(volumes);
  }
  return usual > done ? usual - done : usual;
}

void Capability::moved(double now, double bytes, double rate) {
  const double passed = now - at_;
  at_ = now;
  if (!std::exchange(is_counting_, true)) return;  // it is unknown when these bytes began to move
  bytes_ += bytes;
  seconds_ += passed;
  granted_ += rate * passed;
  if (seconds_ < kMeasured) return;
  best_ = std::max(best_, bytes_ / seconds_);
  is_free_ = is_free_ || bytes_ < kLimited * granted_;
  bytes_ = 0;
  seconds_ = 0;
  granted_ = 0;
}

double Capability::review(double now, double declared) {
  if (now - minute_ < kWindow) return bandwidth(declared);
  const bool is_raised = measured_ > 0 && best_ >= kLimited * measured_;
  if (best_ > 0 && (is_free_ || is_raised)) {
    measured_ = std::max(kHeadroom * best_, kLeastPart * declared);
  }
  minute_ = now;
  best_ = 0;
  is_free_ = false;
  return bandwidth(declared);
}

void Iterations::posted(double now) {
  work_ = ended_ >= 0 ? now - ended_ : -1;
}

void Iterations::ended(double now, double volume, double bandwidth) {
  if (work_ >= 0) {
    sum_ += work_ + volume / bandwidth;
    count_ += 1;
  }
  ended_ = now;
}

int Iterations::set() const {
  return count_ > 0 && sum_ > 0 ? bandwidth::set_number(sum_ / count_)
                                : bandwidth::Pending::kUnknownSet;
}

}  // namespace holdfast::arbiter
