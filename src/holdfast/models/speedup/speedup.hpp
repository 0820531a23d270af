#pragma once

#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace holdfast {

/// How the duration of one attempt of a job depends on its number of processors.
enum class SpeedupModel : std::uint8_t { roofline, communication, amdahl, mix, power, table };

/// "roofline", "communication" ...: the names of documents and options.
[[nodiscard]] std::string_view name(SpeedupModel model);
[[nodiscard]] std::span<const std::string_view> speedup_model_names();

/// The duration t(p) of one attempt on p processors, in the unit of its works (seconds).
///
///   roofline, communication, amdahl, mix    t(p) = parallel / min(p, cap) + sequential + (p - 1)
///   overhead power                                   t(p) = work / p^exponent table t(p) = times[p
///   - 1]
///
/// A value: 80 bytes, copied freely (tables are shared, never changed), no virtual call. Numbers
/// are checked by read_speedup() and by the callers of the makers below; here they are
/// preconditions. Source: Perotin's thesis, section 2.3.1 (models), Lemma 13 (monotone range).
class Speedup {
 public:
  /// No bound on the degree of parallelism.
  static constexpr std::int64_t kUnbounded = std::numeric_limits<std::int64_t>::max();

  /// A job of no work: duration 0.
  Speedup() = default;

  /// @pre work >= 0, max_parallelism >= 1
  static Speedup roofline(double work, std::int64_t max_parallelism);
  /// @pre work >= 0, overhead >= 0
  static Speedup communication(double work, double overhead);
  /// @pre work >= 0, 0 <= sequential_fraction <= 1
  static Speedup amdahl(double work, double sequential_fraction);
  static Speedup mix(double work, std::int64_t max_parallelism, double sequential_fraction,
                     double overhead);
  /// The same two by their parts: total work = parallel_work + sequential_work.
  static Speedup amdahl_of_parts(double parallel_work, double sequential_work);
  static Speedup mix_of_parts(double parallel_work, double sequential_work,
                              std::int64_t max_parallelism, double overhead);
  /// @pre work >= 0, 0 <= exponent <= 1
  static Speedup power(double work, double exponent);
  /// @param times  seconds on 1, 2, ... processors, each > 0; at least one
  /// @param cap    most processors that the job may be given; at most times.size()
  static Speedup table(std::vector<double> times, std::int64_t cap = kUnbounded);

  [[nodiscard]] SpeedupModel model() const { return model_; }

  /// Duration on p processors. @pre 1 <= p, and p <= limit(p) for a table
  [[nodiscard]] double time(std::int64_t p) const {
    assert(p >= 1);
    const double processors = static_cast<double>(p);
    switch (model_) {
      case SpeedupModel::table:
        return times_[p - 1];
      case SpeedupModel::power:
        return work_ / std::pow(processors, shape_);
      default: {
        const double used = p < cap_ ? processors : static_cast<double>(cap_);
        return parallel_ / used + sequential_ + (processors - 1) * overhead_;
      }
    }
  }
  /// p t(p): processors times seconds.
  [[nodiscard]] double area(std::int64_t p) const { return static_cast<double>(p) * time(p); }

  /// Most processors that may be given on a machine of that many: the machine, or a table's own
  /// length or cap.
  [[nodiscard]] std::int64_t limit(std::int64_t processors) const {
    return model_ == SpeedupModel::table && cap_ < processors ? cap_ : processors;
  }
  /// True for a table whose user said how many processors the job may be given at most.
  [[nodiscard]] bool is_capped() const { return is_capped_; }
  /// pmax: the fewest processors that attain the least time on 1..processors (times equal to a
  /// relative 1e-12 count as equal). O(1), for a table linear. On [1, fastest] every model but the
  /// table has t decreasing and the area non-decreasing. A job of no work gets 1.
  [[nodiscard]] std::int64_t fastest(std::int64_t processors) const;
  /// a_min on 1..processors: a(1), for a table the least of all.
  [[nodiscard]] double least_area(std::int64_t processors) const;
  /// True where t decreases and the area does not on [1, fastest]: every model but the table (of
  /// which it is unknown).
  [[nodiscard]] bool is_monotone() const { return model_ != SpeedupModel::table; }

  /// t(1): the work of one attempt, which decides how likely it is to fail.
  [[nodiscard]] double sequential_time() const { return time(1); }

  // What it was made of. Each is 0 (or unbounded) where the model has no such parameter.
  [[nodiscard]] double work() const { return work_; }
  [[nodiscard]] double parallel_work() const { return parallel_; }
  [[nodiscard]] double sequential_work() const { return sequential_; }
  [[nodiscard]] double overhead() const { return overhead_; }
  [[nodiscard]] std::int64_t max_parallelism() const { return cap_; }
  [[nodiscard]] double exponent() const { return model_ == SpeedupModel::power ? shape_ : 0.0; }
  /// The fraction it was given with, or negative when it was given by its parts.
  [[nodiscard]] double sequential_fraction() const {
    return model_ == SpeedupModel::power ? -1.0 : shape_;
  }
  [[nodiscard]] std::span<const double> times() const { return {times_.get(), times_size_}; }

 private:
  SpeedupModel model_ = SpeedupModel::roofline;
  bool is_capped_ = false;
  std::int64_t cap_ = kUnbounded;
  double work_ = 0;        ///< total, as given
  double parallel_ = 0;    ///< the part that processors share
  double sequential_ = 0;  ///< the part that they do not
  double overhead_ = 0;    ///< seconds per processor after the first
  double shape_ =
      -1;  ///< sequential fraction as given (negative: given by parts), or the exponent of power
  std::shared_ptr<const double[]> times_;
  std::size_t times_size_ = 0;
};

/// The largest p in [1, fastest] whose area is at most `limit`; 1 where none is. Binary search,
/// O(log fastest).
/// @pre speedup.is_monotone(); fastest == speedup.fastest(machine)
[[nodiscard]] std::int64_t largest_within_area(const Speedup& speedup, std::int64_t fastest,
                                               double limit);

/// The smallest p in [1, fastest] whose time is at most `limit`; `fastest` where none is.
/// @pre as above
[[nodiscard]] std::int64_t smallest_within_time(const Speedup& speedup, std::int64_t fastest,
                                                double limit);

/// One allocation worth considering: no other is both at least as fast and at most as large.
struct FrontierPoint {
  std::int64_t processors = 1;
  double time = 0;
  double area = 0;
};

/// The Pareto frontier over 1..processors: times strictly decreasing, areas strictly increasing.
/// Scans p upwards and keeps p when t(p) is below every earlier time, then drops an entry whose
/// area is not below that of a faster one. Meant for tables (linear); for the other models every p
/// of [1, fastest] is on it but where areas are equal.
[[nodiscard]] std::vector<FrontierPoint> pareto_frontier(const Speedup& speedup,
                                                         std::int64_t processors);

/// The part of a frontier on the lower convex hull of its (time, area) points.
[[nodiscard]] std::vector<FrontierPoint> convex_hull(std::span<const FrontierPoint> frontier);

}  // namespace holdfast
