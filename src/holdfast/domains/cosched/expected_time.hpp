#pragma once

#include "holdfast/base/elementary.hpp"
#include "holdfast/domains/cosched/instance.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::cosched {

/// The durations of one task as functions of its number of processors j and the fraction a of its work, computed from constants
/// that are prepared once.
///
/// This works because lambda j tau = lambda (S + C) and lambda j R = lambda C do not depend on j, where S = sqrt(2 mu C); and a
/// t(j) / W(j) = a j t(j) / S. So one expm1 per evaluation is left.
class TaskTimes {
 public:
  TaskTimes(const Instance& instance, const Task& task);

  /// Returns t(j), the seconds for all of the work without failures and checkpoints.
  /// @pre j >= 1
  [[nodiscard]] double time(std::int64_t j) const {
    if (speedup_ != nullptr) return given_time(j);
    return area(j) / static_cast<double>(j);
  }
  /// Returns C(j), the seconds of one checkpoint and of one recovery; 0 without failures.
  [[nodiscard]] double checkpoint(std::int64_t j) const { return saved_ / static_cast<double>(j); }
  /// Returns W(j), the work between two checkpoints in seconds; infinite without failures.
  [[nodiscard]] double work_per_period(std::int64_t j) const {
    return span_ / static_cast<double>(j);
  }
  /// Returns tau(j) = W(j) + C(j), in seconds.
  [[nodiscard]] double period(std::int64_t j) const { return work_per_period(j) + checkpoint(j); }
  /// Returns N, the number of complete periods in the fraction a of the work.
  [[nodiscard]] double periods(std::int64_t j, double a) const;
  /// Returns a t(j) + N C(j), the seconds of the fraction if nothing fails.
  [[nodiscard]] double real(std::int64_t j, double a) const {
    return a * time(j) + periods(j, a) * checkpoint(j);
  }
  /// Returns tR(j, a), the expected seconds for the fraction including failures; 0 for a = 0. Source: the co-scheduling report,
  /// Eq. 4.
  [[nodiscard]] double expected(std::int64_t j, double a) const {
    if (a == 0) return 0;
    if (is_bare()) return a * given_time(j);
    const double a_area = a * area(j);
    if (rate_ == 0) return a_area / static_cast<double>(j);
    return (mtbf_ / static_cast<double>(j) + downtime_) * growth(a_area, j, a);
  }
  /// Returns RC(from -> j) + C(j) + tR(j, a), the expected seconds for the move to j processors and for the rest. Cost: one
  /// division.
  /// @pre from != j
  [[nodiscard]] double moved(std::int64_t from, std::int64_t j, double a) const {
    const double inverse = 1 / static_cast<double>(j);
    const double messages =
        static_cast<double>(std::max(std::min(from, j), from < j ? j - from : from - j));
    const double move = messages * (move_cost_ * data_ / static_cast<double>(from)) + saved_;
    if (a == 0) return move * inverse;
    if (is_bare()) return move * inverse + a * given_time(j);
    const double a_area = a * area(j);
    if (rate_ == 0) return (move + a_area) * inverse;
    const double grown = growth(a_area, j, a);
    return (move + mtbf_ * grown) * inverse + downtime_ * grown;
  }
  /// Returns a lower bound on the count below `from` at which moved() may fall to `limit`: every even k in [2, result) has
  /// moved(from, k, a) > limit. Between from / 2 and `from` it is within a few counts of the first such k. It is 2 if the
  /// speedup is not the source's profile. Cost: two divisions.
  ///
  /// Proof: in the growth of Eq. 4, N B + expm1(lambda last) >= B x / S - delta for x = a j t(j), because the gap between a
  /// convex function and its chord is at most that of one period; and a move sends at least from / 2 messages.
  [[nodiscard]] std::int64_t first_possible(std::int64_t from, double a, double limit) const;
  /// Returns RC(j -> k), the seconds to move the data of the task; 0 for j = k. Source: the co-scheduling report, Eq. 9.
  [[nodiscard]] double redistribution(std::int64_t j, std::int64_t k) const;

 private:
  /// Returns t(j) of the given speedup. @pre speedup_ is not null
  [[nodiscard]] double given_time(std::int64_t j) const {
    return speedup_->time(std::min(j, speedup_->limit(j)));
  }
  /// Returns true if only t(j) is needed, and is given. Then it is not computed from j t(j): equal times of different j stay
  /// equal, and no rounding error makes a pair seem useful.
  [[nodiscard]] bool is_bare() const { return rate_ == 0 && speedup_ != nullptr; }
  /// Returns j t(j).
  [[nodiscard]] double area(std::int64_t j) const {
    if (speedup_ == nullptr) return area_constant_ + area_slope_ * static_cast<double>(j);
    return static_cast<double>(j) * given_time(j);
  }
  /// Returns the number of complete periods in a j t(j) = a_area.
  [[nodiscard]] double periods_of(double a_area, std::int64_t j, double a) const {
    const double ratio = a_area * inverse_span_;
    // From 2^53 on every number is whole, and beyond 2^63 there is no integer to convert it to.
    constexpr double kAllWhole = 0x1p53;
    if (ratio < kAllWhole) {
      // Truncation equals floor for a number that is not negative, and needs no call.
      const auto whole = static_cast<double>(static_cast<std::int64_t>(ratio));
      // At an exact multiple of the period the two ways of computing the ratio may round to different sides; then the formula
      // as written decides.
      constexpr double kClose = 1e-9;
      if (ratio - whole > kClose && ratio - whole < 1 - kClose) return whole;
    }
    return std::floor(a * time(j) / work_per_period(j));
  }
  /// Returns exp(lambda j R) (N expm1(lambda j tau) + expm1(lambda j last)).
  [[nodiscard]] double growth(double a_area, std::int64_t j, double a) const {
    const double count = periods_of(a_area, j, a);
    const double last = std::max(0.0, a_area - count * span_);
    return recovery_factor_ * (count * period_growth_ + elementary::expm1(rate_ * last));
  }

  const Speedup* speedup_ = nullptr;  ///< null for the source's profile, whose area is linear in j
  double area_constant_ = 0;
  double area_slope_ = 0;
  double mtbf_ = 0;  ///< infinite without failures
  double rate_ = 0;  ///< lambda
  double downtime_ = 0;
  double saved_ = 0;  ///< C_i = c m_i
  double span_ = 0;   ///< S_i = sqrt(2 mu C_i)
  double inverse_span_ = 0;
  double recovery_factor_ = 1;  ///< exp(lambda C_i)
  double period_growth_ = 0;    ///< expm1(lambda (S_i + C_i))
  /// Expected duration divided by the failure-free one, at multiples of the period.
  double stretch_ = 1;
  double slack_ = 0;  ///< processor-seconds by which Eq. 4 may be below that line
  double data_ = 0;
  double move_cost_ = 1;
};

/// Returns the durations of all tasks, in order.
[[nodiscard]] std::vector<TaskTimes> task_times(const Instance& instance);

/// One message of a redistribution. Sender and receiver are positions among the senders and the receivers.
struct Message {
  std::int64_t sender = 0;
  std::int64_t receiver = 0;
};

/// Returns the messages behind RC(j -> k), in rounds in which no processor sends or receives twice. Each of the s senders
/// (growing: the j old processors; shrinking: the j - k that leave) sends m / (j k) data units to each of the r receivers
/// (growing: the k - j new ones; shrinking: the k that stay). There are max(s, r) rounds, with message (a, b) in round (a + b)
/// mod max(s, r).
/// @pre j, k >= 1. Source: the co-scheduling report, section 3.3 and Figures 1 to 3; Konig's theorem.
[[nodiscard]] std::vector<std::vector<Message>> redistribution_rounds(std::int64_t j,
                                                                      std::int64_t k);

}  // namespace holdfast::cosched
