#pragma once

#include <cmath>
#include <span>

namespace holdfast {

/// A sum that keeps the digits that rounding would lose (Neumaier's variant of Kahan's method). Its error is that of one
/// rounding, whatever the number of terms.
class CompensatedSum {
 public:
  CompensatedSum() = default;
  explicit CompensatedSum(double start) : sum_{start} {}

  void add(double term) {
    const double next = sum_ + term;
    // The smaller of the two lost its low digits.
    lost_ += std::abs(sum_) >= std::abs(term) ? (sum_ - next) + term : (term - next) + sum_;
    sum_ = next;
  }
  CompensatedSum& operator+=(double term) {
    add(term);
    return *this;
  }
  [[nodiscard]] double value() const { return sum_ + lost_; }

 private:
  double sum_ = 0;
  double lost_ = 0;
};

}  // namespace holdfast
