#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "holdfast/domains/cosched/instance.hpp"

namespace holdfast::cosched {

/// The durations of one task as functions of its number of processors j and the fraction a of its work: everything
/// that the planner asks, from constants prepared once (spec: faster than the source, 1).
///
/// Why that is possible: lambda j tau = lambda (S + C) and lambda j R = lambda C do not depend on j, where
/// S = sqrt(2 mu C); and a t(j) / W(j) = a j t(j) / S. One expm1 per evaluation is left.
class TaskTimes {
 public:
  TaskTimes(const Instance& instance, const Task& task);

  /// t(j): seconds without failure and without checkpoint, for all of the work. @pre j >= 1
  [[nodiscard]] double time(std::int64_t j) const { return area(j) / static_cast<double>(j); }
  /// C(j): one checkpoint; a recovery takes as long. 0 without failures.
  [[nodiscard]] double checkpoint(std::int64_t j) const { return saved_ / static_cast<double>(j); }
  /// W(j): work between two checkpoints; infinite without failures.
  [[nodiscard]] double work_per_period(std::int64_t j) const { return span_ / static_cast<double>(j); }
  /// tau(j) = W(j) + C(j).
  [[nodiscard]] double period(std::int64_t j) const { return work_per_period(j) + checkpoint(j); }
  /// N: complete periods in the fraction a of the work.
  [[nodiscard]] double periods(std::int64_t j, double a) const;
  /// a t(j) + N C(j): what the fraction takes when nothing fails.
  [[nodiscard]] double real(std::int64_t j, double a) const {
    return a * time(j) + periods(j, a) * checkpoint(j);
  }
  /// tR(j, a): expected time of the fraction, failures included. 0 for a = 0. Source: seed 004, Eq. 4.
  [[nodiscard]] double expected(std::int64_t j, double a) const;
  /// Eq. 4 as it is printed, without prepared constants: the reference of the one above.
  [[nodiscard]] double expected_reference(std::int64_t j, double a) const;
  /// RC(j -> k): seconds to move the data of the task. 0 for j = k. Source: seed 004, Eq. 9.
  [[nodiscard]] double redistribution(std::int64_t j, std::int64_t k) const;

 private:
  [[nodiscard]] double area(std::int64_t j) const;
  [[nodiscard]] double periods_of(double a_area, std::int64_t j, double a) const;

  const Speedup* speedup_ = nullptr;  ///< null: the source's profile, whose area is linear in j
  double area_constant_ = 0;
  double area_slope_ = 0;
  double mtbf_ = 0;       ///< infinite without failures
  double rate_ = 0;       ///< lambda
  double downtime_ = 0;
  double saved_ = 0;      ///< C_i = c m_i
  double span_ = 0;       ///< S_i = sqrt(2 mu C_i)
  double recovery_factor_ = 1;  ///< exp(lambda C_i)
  double period_growth_ = 0;    ///< expm1(lambda (S_i + C_i))
  double data_ = 0;
  double move_cost_ = 1;
};

/// One per task, in order.
[[nodiscard]] std::vector<TaskTimes> task_times(const Instance& instance);

/// One message of a redistribution: sender and receiver by their position among those that send and receive.
struct Message {
  std::int64_t sender = 0;
  std::int64_t receiver = 0;
};

/// The moves behind RC(j -> k): rounds in which no processor sends or receives twice. Each of the s senders (growing:
/// the j old ones; shrinking: the j - k that leave) sends m / (j k) data units to each of the r receivers (the k - j
/// new ones; the k that stay): max(s, r) rounds, message (a, b) in round (a + b) mod max(s, r).
/// @pre j, k >= 1. Source: seed 004, section 3.3 and Figures 1 to 3; Konig's theorem.
[[nodiscard]] std::vector<std::vector<Message>> redistribution_rounds(std::int64_t j, std::int64_t k);

}  // namespace holdfast::cosched
