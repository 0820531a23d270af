#include "holdfast/models/failures/fit_sample.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/base/text.hpp"
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

/// The number of points that replace the points of a cell.
constexpr std::size_t kNodes = 8;
/// The number of points below which evaluating all of them costs less than compressing them.
constexpr std::size_t kFewPoints = 4096;
constexpr double kCellPerSpread = 0.25;
constexpr std::size_t kMostCells = std::size_t{1} << 14;

using Moments8 = std::array<double, kNodes>;

/// The Chebyshev nodes of [-1, 1], and the matrix that turns moments (sums of t^j) into weights there: weight_i is the sum over
/// points of the Lagrange polynomial of node i.
struct CellRule {
  std::array<double, kNodes> node{};
  std::array<Moments8, kNodes> coefficient{};  ///< of t^j in the Lagrange polynomial of node i

  CellRule() {
    for (std::size_t i = 0; i < kNodes; ++i) {
      node[i] = elementary::cos(std::numbers::pi * (static_cast<double>(i) + 0.5) /
                                static_cast<double>(kNodes));
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

/// The mean and the spread of ln(age) of failures; midpoints replace intervals. The sums are those of distances to the first
/// value: they need no division per value, and are accurate enough for a start.
class LogMoments {
 public:
  void add(double y) {
    if (count_ == 0) first_ = y;
    ++count_;
    sum_ += y - first_;
    squares_ += (y - first_) * (y - first_);
  }
  [[nodiscard]] double mean() const { return first_ + sum_ / static_cast<double>(count_); }
  [[nodiscard]] double spread() const {
    const auto n = static_cast<double>(count_);
    return count_ > 1 ? std::sqrt(std::max(0.0, squares_ / n - (sum_ / n) * (sum_ / n))) : 0;
  }

 private:
  std::int64_t count_ = 0;
  double first_ = 0;
  double sum_ = 0;
  double squares_ = 0;
};

double log_midpoint(double low, double high) {
  return low > 0 ? 0.5 * (elementary::log(low) + elementary::log(high))
                 : elementary::log(high) - std::numbers::ln2;
}

/// Cells of the y axis, and the moments of the points in each of them.
class Cells {
 public:
  /// Makes empty cells. @pre all points lie in [begin, end], end - begin < kMostCells * cell
  Cells(double begin, double end, double cell)
      : begin_{begin},
        cell_{cell},
        per_cell_{1 / cell},
        count_(static_cast<std::size_t>((end - begin) / cell) + 2),  // one more for rounding up
        moments_(count_.size(), Moments8{}) {}

  void count(std::span<const double> points) {
    for (const double y : points) ++count_[index_of((y - begin_) * per_cell_)];
  }
  /// Adds points. Points of sparse cells are not compressed and go to `out`. @pre all points are counted
  void add(std::span<const double> points, double weight, std::vector<LogAge>& out) {
    for (const double y : points) {
      const double place = (y - begin_) * per_cell_;
      const std::size_t index = index_of(place);
      if (count_[index] <= kNodes) {
        out.push_back({y, weight});
        continue;
      }
      const double t = 2 * (place - static_cast<double>(index)) - 1;
      const double tt = t * t;
      // Powers are computed in pairs, so that two SIMD lanes work at once.
      double even = weight;
      double odd = weight * t;
      Moments8& sums = moments_[index];
      for (std::size_t j = 0; j < kNodes; j += 2) {
        sums[j] += even;
        sums[j + 1] += odd;
        even *= tt;
        odd *= tt;
      }
    }
  }
  void add_nodes(std::vector<LogAge>& out) const {
    const CellRule rule;
    for (std::size_t index = 0; index < count_.size(); ++index) {
      if (count_[index] <= kNodes) continue;
      const double middle = begin_ + cell_ * (static_cast<double>(index) + 0.5);
      for (std::size_t i = 0; i < kNodes; ++i) {
        double weight = 0;
        for (std::size_t j = kNodes; j-- > 0;)
          weight += rule.coefficient[i][j] * moments_[index][j];
        out.push_back({middle + 0.5 * cell_ * rule.node[i], weight});
      }
    }
  }

 private:
  static std::size_t index_of(double place) {
    return static_cast<std::size_t>(static_cast<std::int64_t>(place));
  }

  double begin_;
  double cell_;
  double per_cell_;
  std::vector<std::uint32_t> count_;
  std::vector<Moments8> moments_;
};

/// Adds a point. Tables repeat a life by its count, so equal neighbours are common.
void add_to(std::vector<LogAge>& out, double y, double weight) {
  if (!out.empty() && out.back().y == y && out.back().weight * weight > 0) {
    out.back().weight += weight;
  } else {
    out.push_back({y, weight});
  }
}

/// Returns all points with their weights, as they are or, if that pays, compressed.
std::vector<LogAge> gathered(std::span<const double> plus, std::span<const double> minus,
                             double cell) {
  std::vector<LogAge> out;
  const std::size_t points = plus.size() + minus.size();
  double begin = kInfinity;
  double end = -kInfinity;
  for (const auto& part : {plus, minus}) {
    for (const double y : part) {
      begin = std::min(begin, y);
      end = std::max(end, y);
    }
  }
  const bool is_compressed =
      points >= kFewPoints && cell > 0 && (end - begin) / cell < static_cast<double>(kMostCells);
  if (!is_compressed) {
    out.reserve(points);
    for (const double y : plus) add_to(out, y, 1);
    for (const double y : minus) add_to(out, y, -1);
    return out;
  }
  Cells cells{begin, end, cell};
  cells.count(plus);
  cells.count(minus);
  cells.add(plus, 1, out);
  cells.add(minus, -1, out);
  cells.add_nodes(out);
  return out;
}

}  // namespace

/// Gathers lifetimes in two passes: the first takes logarithms, whose mean and spread give the unit and the cells.
class LifetimeGatherer {
 public:
  explicit LifetimeGatherer(std::span<const Lifetime> lives) : lives_{lives} {}

  Result<LifetimeSample> gather() {
    out_.lives_ = static_cast<std::int64_t>(lives_.size());
    failures_.reserve(lives_.size());
    survived_.reserve(lives_.size());
    for (std::size_t i = 0; i < lives_.size(); ++i) {
      if (const char* problem = problem_of(lives_[i])) return refuse(i, problem);
      take(lives_[i]);
    }
    if (out_.failures() == 0) {
      return fail(ErrorCode::bad_value, {},
                  lives_.empty()
                      ? std::string("found no lifetime, expected at least one")
                      : fmt::format("found {}, all censored, expected at least one failure",
                                    counted(out_.lives_, "lifetime")));
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
      const double y = elementary::log(life.low);
      logs_.add(y);
      failures_.push_back(y);
      age_ += life.low;
      exposure_ += life.low;
      most_failed_ = std::max(most_failed_, life.low);
      least_failed_ = std::min(least_failed_, life.low);
    } else if (life.is_censored()) {
      if (life.low > 0) {
        survived_.push_back(elementary::log(life.low));
        exposure_ += life.low;
        most_survived_ = std::max(most_survived_, life.low);
      }
    } else {
      ++out_.between_;
      logs_.add(log_midpoint(life.low, life.high));
      between_age_ += 0.5 * (life.low + life.high);
      intervals_.emplace_back(life.low, life.high);
    }
    if (life.entry > 0) {
      ++out_.truncated_;
      entered_.push_back(elementary::log(life.entry));
      exposure_ -= life.entry;
    }
  }

  void settle() {
    out_.log_unit_ = logs_.mean();
    out_.spread_ = logs_.spread();
    const double unit = elementary::exp(out_.log_unit_);
    CompensatedSum y_sum;
    double yy_sum = 0;
    for (double& y : failures_) {
      y -= out_.log_unit_;
      y_sum += y;
      yy_sum += y * y;
    }
    for (double& y : survived_) y -= out_.log_unit_;
    for (double& y : entered_) y -= out_.log_unit_;
    out_.sum_y_ = y_sum.value();
    out_.sum_yy_ = yy_sum;
    out_.sum_age_ = age_ / unit;
    out_.log_mean_age_ =
        elementary::log((age_ + between_age_) / (unit * static_cast<double>(out_.failures())));
    out_.exposure_ = exposure_ / unit;
    out_.is_one_age_ =
        out_.between_ == 0 && least_failed_ == most_failed_ && most_survived_ <= most_failed_;
    settle_intervals();
    const double cell = kCellPerSpread * out_.spread_;
    out_.failure_ages_ = gathered(failures_, {}, cell);
    out_.survived_ages_ = gathered(survived_, entered_, cell);
  }

  /// Inspections repeat, so equal intervals are common; each distinct interval is stored once.
  void settle_intervals() {
    std::sort(intervals_.begin(), intervals_.end());
    for (std::size_t i = 0; i < intervals_.size(); ++i) {
      if (i > 0 && intervals_[i] == intervals_[i - 1]) {
        out_.intervals_.back().weight += 1;
        continue;
      }
      const auto& [low, high] = intervals_[i];
      out_.intervals_.push_back({low > 0 ? elementary::log(low) - out_.log_unit_ : -kInfinity,
                                 elementary::log(high) - out_.log_unit_, 1});
    }
  }

  std::span<const Lifetime> lives_;
  LifetimeSample out_;
  LogMoments logs_;
  std::vector<double> failures_;  ///< logarithms of ages
  std::vector<double> survived_;
  std::vector<double> entered_;
  std::vector<std::pair<double, double>> intervals_;
  double age_ = 0;  ///< sums over failures
  double between_age_ = 0;
  double exposure_ = 0;
  double most_failed_ = 0;
  double least_failed_ = kInfinity;
  double most_survived_ = 0;
};

Result<LifetimeSample> LifetimeSample::make(std::span<const Lifetime> lives) {
  return LifetimeGatherer{lives}.gather();
}

}  // namespace holdfast
