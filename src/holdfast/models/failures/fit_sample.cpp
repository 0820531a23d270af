#include "holdfast/models/failures/fit_sample.hpp"

#include "holdfast/math/sum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace holdfast {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Number of points that stand for a cell.
constexpr std::size_t kNodes = 8;
/// Below so many points, evaluating them all costs less than compressing.
constexpr std::size_t kFewPoints = 4096;
constexpr double kCellPerSpread = 0.25;
constexpr std::size_t kMostCells = std::size_t{1} << 14;

using Moments8 = std::array<double, kNodes>;

/// Chebyshev nodes of [-1, 1], and the matrix that turns moments (sum of t^j) into weights there: weight_i is the
/// sum over points of the Lagrange polynomial of node i.
struct CellRule {
  std::array<double, kNodes> node{};
  std::array<Moments8, kNodes> coefficient{};  ///< of t^j in the Lagrange polynomial of node i

  CellRule() {
    for (std::size_t i = 0; i < kNodes; ++i) {
      node[i] = std::cos(std::numbers::pi * (static_cast<double>(i) + 0.5) / static_cast<double>(kNodes));
    }
    for (std::size_t i = 0; i < kNodes; ++i) {
      Moments8& polynomial = coefficient[i];
      polynomial[0] = 1;
      std::size_t degree = 0;
      for (std::size_t j = 0; j < kNodes; ++j) {
        if (j == i) continue;
        const double factor = 1 / (node[i] - node[j]);
        ++degree;
        for (std::size_t d = degree; d > 0; --d) {
          polynomial[d] = factor * (polynomial[d - 1] - node[j] * polynomial[d]);
        }
        polynomial[0] *= -node[j] * factor;
      }
    }
  }
};

/// Mean and spread of ln(age) of failures, midpoints standing for intervals.
class LogMoments {
 public:
  void add(double y) {
    ++count_;
    const double step = y - mean_;
    mean_ += step / static_cast<double>(count_);
    squares_ += step * (y - mean_);
  }
  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double spread() const {
    return count_ > 1 ? std::sqrt(squares_ / static_cast<double>(count_)) : 0;
  }

 private:
  std::int64_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

double log_midpoint(double low, double high) {
  return low > 0 ? 0.5 * (std::log(low) + std::log(high)) : std::log(high) - std::numbers::ln2;
}

}  // namespace

std::vector<LogAge> compressed_ages(std::vector<LogAge> points, double cell) {
  if (points.size() < kFewPoints || !(cell > 0)) return points;
  const auto [least, most] = std::minmax_element(
      points.begin(), points.end(), [](const LogAge& a, const LogAge& b) { return a.y < b.y; });
  const double begin = least->y;
  const double range = (most->y - begin) / cell;
  if (!(range < static_cast<double>(kMostCells))) return points;
  const auto cells = static_cast<std::size_t>(range) + 2;  // one to spare for what rounds up
  const double per_cell = 1 / cell;

  std::vector<std::uint32_t> count(cells);
  for (const LogAge& point : points) ++count[static_cast<std::size_t>((point.y - begin) * per_cell)];
  std::vector<LogAge> out;
  std::vector<Moments8> moments(cells, Moments8{});
  for (const LogAge& point : points) {
    const double place = (point.y - begin) * per_cell;
    const auto index = static_cast<std::size_t>(place);
    if (count[index] <= kNodes) {  // as few points as nodes: they stand for themselves
      out.push_back(point);
      continue;
    }
    const double t = 2 * (place - static_cast<double>(index)) - 1;
    const double tt = t * t;
    // Pairs of powers, so that two lanes work at once.
    double even = point.weight;
    double odd = point.weight * t;
    Moments8& sums = moments[index];
    for (std::size_t j = 0; j < kNodes; j += 2) {
      sums[j] += even;
      sums[j + 1] += odd;
      even *= tt;
      odd *= tt;
    }
  }
  const CellRule rule;
  for (std::size_t index = 0; index < cells; ++index) {
    if (count[index] <= kNodes) continue;
    const double middle = begin + cell * (static_cast<double>(index) + 0.5);
    for (std::size_t i = 0; i < kNodes; ++i) {
      double weight = 0;
      for (std::size_t j = kNodes; j-- > 0;) weight += rule.coefficient[i][j] * moments[index][j];
      out.push_back({middle + 0.5 * cell * rule.node[i], weight});
    }
  }
  return out;
}

/// Gathers in two passes: logarithms first, whose mean and spread give the unit and the cells.
class LifetimeGatherer {
 public:
  explicit LifetimeGatherer(std::span<const Lifetime> lives) : lives_{lives} {}

  Result<LifetimeSample> gather() {
    out_.lives_ = static_cast<std::int64_t>(lives_.size());
    failures_.reserve(lives_.size());
    for (std::size_t i = 0; i < lives_.size(); ++i) {
      if (const char* problem = problem_of(lives_[i])) return refuse(i, problem);
      take(lives_[i]);
    }
    if (out_.failures() == 0) {
      return fail(ErrorCode::bad_value, {},
                  lives_.empty() ? std::string("found no lifetime, expected at least one")
                                 : fmt::format("found {} lifetimes, all censored, expected at least one failure",
                                               lives_.size()));
    }
    settle();
    return std::move(out_);
  }

 private:
  static const char* problem_of(const Lifetime& life) {
    if (!(life.low >= 0) || std::isinf(life.low)) return "a finite age of 0 or more under low";
    if (!(life.high >= life.low)) return "high at least as large as low";
    if (!(life.entry >= 0) || !(life.entry <= life.low)) return "an entry from 0 to low";
    if (life.high == 0) return "a failure at an age above 0 (or in an interval that starts at 0)";
    if (life.is_exact() && life.entry == life.low) return "a failure after the entry";
    return nullptr;
  }
  [[nodiscard]] tl::unexpected<Error> refuse(std::size_t index, const char* expected) const {
    const Lifetime& life = lives_[index];
    return fail(ErrorCode::bad_value, fmt::format("/{}", index),
                fmt::format("found low {}, high {}, entry {}, expected {}", life.low, life.high,
                            life.entry, expected));
  }

  void take(const Lifetime& life) {
    if (life.is_exact()) {
      ++out_.exact_;
      const double y = std::log(life.low);
      logs_.add(y);
      failures_.push_back({y, 1});
      age_ += life.low;
      exposure_ += life.low;
      most_failed_ = std::max(most_failed_, life.low);
      least_failed_ = std::min(least_failed_, life.low);
    } else if (life.is_censored()) {
      if (life.low > 0) {
        survived_.push_back({std::log(life.low), 1});
        exposure_ += life.low;
        most_survived_ = std::max(most_survived_, life.low);
      }
    } else {
      ++out_.between_;
      logs_.add(log_midpoint(life.low, life.high));
      intervals_.emplace_back(life.low, life.high);
    }
    if (life.entry > 0) {
      ++out_.truncated_;
      survived_.push_back({std::log(life.entry), -1});
      exposure_ -= life.entry;
    }
  }

  void settle() {
    out_.log_unit_ = logs_.mean();
    out_.spread_ = logs_.spread();
    const double unit = std::exp(out_.log_unit_);
    CompensatedSum y_sum;
    double yy_sum = 0;
    for (LogAge& point : failures_) {
      point.y -= out_.log_unit_;
      y_sum += point.y;
      yy_sum += point.y * point.y;
    }
    for (LogAge& point : survived_) point.y -= out_.log_unit_;
    out_.sum_y_ = y_sum.value();
    out_.sum_yy_ = yy_sum;
    out_.sum_age_ = age_ / unit;
    out_.exposure_ = exposure_ / unit;
    out_.is_one_age_ = out_.between_ == 0 && least_failed_ == most_failed_ && most_survived_ <= most_failed_;
    settle_intervals();
    const double cell = kCellPerSpread * out_.spread_;
    out_.failure_ages_ = compressed_ages(std::move(failures_), cell);
    out_.survived_ages_ = compressed_ages(std::move(survived_), cell);
  }

  /// Inspections repeat, so equal intervals are common: each kind is kept once.
  void settle_intervals() {
    std::sort(intervals_.begin(), intervals_.end());
    for (std::size_t i = 0; i < intervals_.size(); ++i) {
      if (i > 0 && intervals_[i] == intervals_[i - 1]) {
        out_.intervals_.back().weight += 1;
        continue;
      }
      const auto& [low, high] = intervals_[i];
      out_.intervals_.push_back({low > 0 ? std::log(low) - out_.log_unit_ : -kInfinity,
                                 std::log(high) - out_.log_unit_, 1});
    }
  }

  std::span<const Lifetime> lives_;
  LifetimeSample out_;
  LogMoments logs_;
  std::vector<LogAge> failures_;
  std::vector<LogAge> survived_;
  std::vector<std::pair<double, double>> intervals_;
  double age_ = 0;
  double exposure_ = 0;
  double most_failed_ = 0;
  double least_failed_ = kInfinity;
  double most_survived_ = 0;
};

Result<LifetimeSample> LifetimeSample::make(std::span<const Lifetime> lives) {
  return LifetimeGatherer{lives}.gather();
}

}  // namespace holdfast
