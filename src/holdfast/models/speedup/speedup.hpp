#pragma once

#include "holdfast/base/elementary.hpp"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace holdfast {

/// The models of how the duration of one attempt depends on its number of processors.
enum class SpeedupModel : std::uint8_t { roofline, communication, amdahl, mix, power, table };

/// Returns the name of a model in documents and options: "roofline", "communication" ...
[[nodiscard]] std::string_view name(SpeedupModel model);
/// Returns all these names, in the order of the enumeration.
[[nodiscard]] std::span<const std::string_view> speedup_model_names();

/// The duration t(p) of one attempt on p processors, in the unit of its works (seconds).
///
///   roofline, communication, amdahl, mix    t(p) = parallel / min(p, cap) + sequential + (p - 1) overhead
///   power                                   t(p) = work / p^exponent
///   table                                   t(p) = times[p - 1]
///
/// A Speedup is a value of 80 bytes that is cheap to copy (tables are shared and never changed) and has no virtual call.
/// read_speedup() and the callers of the makers below check the numbers; here they are preconditions.
/// Source: Perotin's thesis, section 2.3.1 (models), Lemma 13 (monotone range).
class Speedup {
 public:
  /// A degree of parallelism without a bound.
  static constexpr std::int64_t kUnbounded = std::numeric_limits<std::int64_t>::max();

  /// Makes a job without work, whose duration is 0.
  Speedup() = default;

  /// Makes t(p) = work / min(p, max_parallelism). Works, overheads and times are in seconds here and below.
  /// @pre work >= 0, max_parallelism >= 1
  static Speedup roofline(double work, std::int64_t max_parallelism);
  /// Makes t(p) = work / p + (p - 1) overhead.
  /// @pre work >= 0, overhead >= 0
  static Speedup communication(double work, double overhead);
  /// Makes a job with a sequential fraction.
  /// @pre work >= 0, 0 <= sequential_fraction <= 1
  static Speedup amdahl(double work, double sequential_fraction);
  /// Makes a job with a sequential fraction, a bounded parallelism and an overhead per processor.
  /// @pre those of roofline(), communication() and amdahl()
  static Speedup mix(double work, std::int64_t max_parallelism, double sequential_fraction,
                     double overhead);
  /// Make these two from their parts, which add up to the total work.
  static Speedup amdahl_of_parts(double parallel_work, double sequential_work);
  static Speedup mix_of_parts(double parallel_work, double sequential_work,
                              std::int64_t max_parallelism, double overhead);
  /// Makes t(p) = work / p^exponent.
  /// @pre work >= 0, 0 <= exponent <= 1
  static Speedup power(double work, double exponent);
  /// Makes a job from measured durations.
  /// @param times  seconds on 1, 2, ... processors, each > 0; at least one
  /// @param cap    largest number of processors that the job may be given; at most times.size()
  static Speedup table(std::vector<double> times, std::int64_t cap = kUnbounded);

  /// Returns the model.
  [[nodiscard]] SpeedupModel model() const { return model_; }

  /// Returns the duration on p processors, in seconds.
  /// @pre 1 <= p, and p <= limit(p) for a table
  [[nodiscard]] double time(std::int64_t p) const {
    assert(p >= 1);
    const double processors = static_cast<double>(p);
    switch (model_) {
      case SpeedupModel::table:
        return times_[p - 1];
      case SpeedupModel::power:
        return work_ / elementary::pow(processors, shape_);
      default: {
        const double used = p < cap_ ? processors : static_cast<double>(cap_);
        return parallel_ / used + sequential_ + (processors - 1) * overhead_;
      }
    }
  }
  /// Returns the area p t(p) in processor-seconds.
  [[nodiscard]] double area(std::int64_t p) const { return static_cast<double>(p) * time(p); }

  /// Returns the largest number of processors that the job may be given on a machine with that many: the whole machine, or the
  /// length or cap of a table.
  [[nodiscard]] std::int64_t limit(std::int64_t processors) const {
    return model_ == SpeedupModel::table && cap_ < processors ? cap_ : processors;
  }
  /// Returns true for a table with a cap that its user set.
  [[nodiscard]] bool is_capped() const { return is_capped_; }
  /// Returns pmax, the smallest number of processors with the shortest time on 1..processors (times within a relative 1e-12
  /// count as equal). It takes O(1) time, for a table linear time. On [1, fastest], for every model but the table, t decreases
  /// and the area does not decrease. A job without work gets 1.
  [[nodiscard]] std::int64_t fastest(std::int64_t processors) const;
  /// Returns a_min, the smallest area on 1..processors in processor-seconds: a(1), or for a table the smallest of all.
  [[nodiscard]] double least_area(std::int64_t processors) const;
  /// Returns true if t decreases and the area does not decrease on [1, fastest]. This holds for every model but the table, for
  /// which it is unknown.
  [[nodiscard]] bool is_monotone() const { return model_ != SpeedupModel::table; }

  /// Returns t(1) in seconds, the work of one attempt, which decides how likely it is to fail.
  [[nodiscard]] double sequential_time() const { return time(1); }

  /// Return the parameters from which it was made: works and overhead in seconds, max_parallelism in processors, the exponent
  /// without a unit. Each is 0 (or unbounded) if the model has no such parameter.
  [[nodiscard]] double work() const { return work_; }
  [[nodiscard]] double parallel_work() const { return parallel_; }
  [[nodiscard]] double sequential_work() const { return sequential_; }
  [[nodiscard]] double overhead() const { return overhead_; }
  [[nodiscard]] std::int64_t max_parallelism() const { return cap_; }
  [[nodiscard]] double exponent() const { return model_ == SpeedupModel::power ? shape_ : 0.0; }
  /// Returns the sequential fraction from which it was made; negative if it was made from parts.
  [[nodiscard]] double sequential_fraction() const {
    return model_ == SpeedupModel::power ? -1.0 : shape_;
  }
  /// Returns the durations of a table on 1, 2, ... processors, in seconds; empty for other models.
  [[nodiscard]] std::span<const double> times() const { return {times_.get(), times_size_}; }

 private:
  SpeedupModel model_ = SpeedupModel::roofline;
  bool is_capped_ = false;
  std::int64_t cap_ = kUnbounded;
  double work_ = 0;        ///< total work as given, seconds
  double parallel_ = 0;    ///< seconds of work that processors share
  double sequential_ = 0;  ///< seconds of sequential work
  double overhead_ = 0;    ///< seconds per processor after the first
  /// The sequential fraction as given (negative if parts were given), or the exponent of power.
  double shape_ = -1;
  std::shared_ptr<const double[]> times_;
  std::size_t times_size_ = 0;
};

/// Returns the largest p in [1, fastest] whose area is at most `limit` processor-seconds; 1 if there is none. Uses binary
/// search, O(log fastest).
/// @pre speedup.is_monotone(); fastest == speedup.fastest(machine)
[[nodiscard]] std::int64_t largest_within_area(const Speedup& speedup, std::int64_t fastest,
                                               double limit);

/// Returns the smallest p in [1, fastest] whose time is at most `limit` seconds; `fastest` if there is none.
/// @pre those of largest_within_area()
[[nodiscard]] std::int64_t smallest_within_time(const Speedup& speedup, std::int64_t fastest,
                                                double limit);

/// An allocation worth considering: no other one is both at least as fast and at most as large.
struct FrontierPoint {
  std::int64_t processors = 1;  ///< number of processors
  double time = 0;              ///< duration, seconds
  double area = 0;              ///< processors times duration, processor-seconds
};

/// Returns the Pareto frontier over 1..processors: times strictly decrease, areas strictly increase. It scans p upwards, keeps
/// p if t(p) is below every earlier time, and then drops an entry whose area is not below that of a faster one. It is meant for
/// tables and takes linear time; for the other models every p in [1, fastest] is on the frontier, except where areas are equal.
[[nodiscard]] std::vector<FrontierPoint> pareto_frontier(const Speedup& speedup,
                                                         std::int64_t processors);

/// Returns the part of a frontier on the lower convex hull of its (time, area) points.
[[nodiscard]] std::vector<FrontierPoint> convex_hull(std::span<const FrontierPoint> frontier);

}  // namespace holdfast
