#include "holdfast/domains/io/yield_bound.hpp"

#include "holdfast/domains/io/dedicated.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace holdfast::io {
namespace {

constexpr std::size_t kMostDates = 64;
constexpr double kMostSums = 65'536;  // terms of one step of the bisection
constexpr double kRoundingOfSums = 1e-12;

// What an application moves when it is alone, as a function of its dedicated execution.
class Course {
 public:
  Course(const Application& application, double length) {
    PhaseCursor cursor(application);
    while (seconds_.back() < length) {
      const Phase* phase = cursor.next(application);
      if (phase == nullptr) break;
      const bool moves = phase->kind == Phase::Kind::io;
      const double begin = seconds_.back();
      seconds_.push_back(seconds_.back() +
                         (moves ? phase->amount / application.bandwidth : phase->amount));
      volumes_.push_back(volumes_.back() + (moves ? phase->amount : 0));
      if (moves) operations_.emplace_back(begin, seconds_.back());
    }
  }

  /// Returns the seconds of dedicated execution until the application has no more phases. Beyond the window's length, the
  /// course may continue.
  [[nodiscard]] double duration() const { return seconds_.back(); }
  /// @param seconds  at most duration()
  [[nodiscard]] double volume(double seconds) const {
    if (seconds <= 0) return 0;
    const auto after = std::lower_bound(seconds_.begin(), seconds_.end(), seconds);
    if (after == seconds_.end()) return volumes_.back();
    const auto k = static_cast<std::size_t>(after - seconds_.begin());
    const double part = (seconds - seconds_[k - 1]) / (seconds_[k] - seconds_[k - 1]);
    return volumes_[k - 1] + part * (volumes_[k] - volumes_[k - 1]);
  }

  /// Returns the beginning and the end of each operation, in seconds of dedicated execution.
  [[nodiscard]] const std::vector<std::pair<double, double>>& operations() const {
    return operations_;
  }

 private:
  std::vector<std::pair<double, double>> operations_;
  std::vector<double> seconds_{0};
  std::vector<double> volumes_{0};
};

// Where an operation of an application begins or ends in its dedicated execution.
struct Border {
  std::size_t application = 0;
  double seconds = 0;
};

// Keeps every n-th in order, so that at most `most` are left.
void thin_out(std::vector<Border>& borders, std::size_t most) {
  std::sort(borders.begin(), borders.end(), [](const Border& a, const Border& b) {
    return std::pair(a.seconds, a.application) < std::pair(b.seconds, b.application);
  });
  const std::size_t step = (borders.size() + most - 1) / most;
  if (step < 2) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < borders.size(); i += step) borders[kept++] = borders[i];
  borders.resize(kept);
}

class Relaxation {
 public:
  explicit Relaxation(const Instance& instance) : instance_{instance} {
    const auto count = static_cast<double>(instance.applications.size());
    const auto most = std::clamp(static_cast<std::size_t>(std::sqrt(kMostSums / count)),
                                 std::size_t{2}, kMostDates);
    for (std::size_t i = 0; i < instance.applications.size(); ++i) {
      courses_.emplace_back(instance.applications[i], instance.length());
      for (const auto& [begin, end] : courses_.back().operations()) {
        if (begin < instance.length()) begins_.push_back({i, begin});
        ends_.push_back({i, end});
      }
    }
    thin_out(begins_, most);
    thin_out(ends_, most);
    from_ = {0};
    for (const Border& border : begins_) from_.push_back(border.seconds);
  }

  double largest() {
    double low = std::numeric_limits<double>::infinity(), high = low;
    for (std::size_t i = 0; i < courses_.size(); ++i) {
      const Application& application = instance_.applications[i];
      const double age = instance_.end - application.release;
      const double most = std::min(courses_[i].duration(), instance_.length());
      low = std::min(low, application.progress / age);
      high = std::min(high, (application.progress + most) / age);
    }
    if (is_possible(high)) return high;
    constexpr int kSteps = 36;
    for (int step = 0; step < kSteps; ++step) {
      const double middle = low + (high - low) / 2;
      (is_possible(middle) ? low : high) = middle;
    }
    return high;
  }

 private:
  [[nodiscard]] double needed(std::size_t i, double yield) const {
    const Application& application = instance_.applications[i];
    return std::min(yield * (instance_.end - application.release) - application.progress,
                    courses_[i].duration());
  }

  // Sets the dates at which operations have to end, in seconds after the window's begin.
  void choose_ends(double yield) {
    to_ = {instance_.length()};
    for (const Border& border : ends_) {
      const double date = instance_.length() - (needed(border.application, yield) - border.seconds);
      if (date > 0 && date < instance_.length()) to_.push_back(date);
    }
  }

  bool is_possible(double yield) {
    choose_ends(yield);
    required_.assign(from_.size() * to_.size(), 0);
    latest_.resize(to_.size());
    for (std::size_t i = 0; i < courses_.size(); ++i) {
      const Course& course = courses_[i];
      const double all = needed(i, yield);
      if (all <= 0) continue;
      for (std::size_t k = 0; k < to_.size(); ++k)
        latest_[k] = course.volume(all - (instance_.length() - to_[k]));
      double* sum = required_.data();
      for (const double from : from_) {
        const double moved = course.volume(std::min(from, all));
        for (const double by : latest_) *sum++ += std::max(0.0, by - moved);
      }
    }
    const double* sum = required_.data();
    for (const double from : from_) {
      for (const double to : to_) {
        const double slack = kRoundingOfSums * instance_.length();
        if (*sum++ > instance_.bandwidth * (std::max(0.0, to - from) + slack)) return false;
      }
    }
    return true;
  }

  const Instance& instance_;
  std::vector<Course> courses_;
  std::vector<Border> begins_, ends_;
  std::vector<double> from_, to_;  // dates, seconds after the window's begin
  std::vector<double> latest_;     // bytes that an application has to have moved by the dates to_
  std::vector<double> required_;   // [from][to] bytes that all have to move between two dates
};

}  // namespace

double yield_bound(const Instance& instance) {
  return Relaxation(instance).largest();
}

}  // namespace holdfast::io
