#include "holdfast/models/availability/chain.hpp"

#include "holdfast/base/elementary.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <limits>

namespace holdfast {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kSameEigenvalues = 1e-12;
constexpr double kRowTolerance = 1e-9;

TransitionMatrix product(const TransitionMatrix& a, const TransitionMatrix& b) {
  TransitionMatrix out{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 3; ++k) out[i][j] += a[i][k] * b[k][j];
    }
  }
  return out;
}

}  // namespace

Result<TransitionMatrix> checked_matrix(TransitionMatrix matrix, std::string_view where, int rows) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      if (!(matrix[i][j] >= 0 && matrix[i][j] <= 1)) {
        return fail(ErrorCode::bad_value, fmt::format("{}/{}/{}", where, i, j),
                    fmt::format("found {}, expected a probability from 0 to 1", matrix[i][j]));
      }
      sum += matrix[i][j];
    }
    if (!(std::abs(sum - 1) <= kRowTolerance)) {
      return fail(ErrorCode::bad_value, fmt::format("{}/{}", where, i),
                  fmt::format("found a row that sums to {:.12g}, expected 1", sum));
    }
    for (double& probability : matrix[i]) probability /= sum;
  }
  return matrix;
}

std::array<double, 3> stationary(const TransitionMatrix& matrix) {
  // (I + P) / 2 has the same limit of averages and no period; 60 squarings give 2^60 slots.
  TransitionMatrix power = matrix;
  for (std::size_t i = 0; i < 3; ++i) {
    for (double& entry : power[i]) entry /= 2;
    power[i][i] += 0.5;
  }
  for (int step = 0; step < 60; ++step) {
    power = product(power, power);
    for (auto& row :
         power) {  // rounding errors grow with every squaring, so each row is scaled to sum 1
      const double sum = row[0] + row[1] + row[2];
      for (double& entry : row) entry /= sum;
    }
  }
  return power[0];
}

UpChain::UpChain(const TransitionMatrix& matrix)
    : stays_{matrix[0][0], matrix[0][1], matrix[1][0], matrix[1][1]} {
  const auto [a, b, c, d] = stays_;
  const double fails_up = matrix[0][2], fails_reclaimed = matrix[1][2];
  if (b == 0) {
    // The worker is never reclaimed, so the second row is never used.
    l1_ = a;
    one_minus_l1_ = fails_up;
  } else {
    const double disc = std::sqrt((a - d) * (a - d) + 4 * b * c);
    l1_ = (a + d + disc) / 2;
    l2_ = (a + d - disc) / 2;
    one_minus_l1_ = (b * fails_reclaimed + fails_up * c + fails_up * fails_reclaimed) / (1 - l2_);
    defective_ = disc < kSameEigenvalues;
    if (!defective_) {
      a1_ = (a - l2_) / (l1_ - l2_);
      n1_ = (a + b - l2_) / (l1_ - l2_);
    }
  }
  log_l1_ = one_minus_l1_ < 0.5 ? elementary::log1p(-one_minus_l1_) : elementary::log(l1_);
  log_abs_l2_ = elementary::log(std::abs(l2_));
  log_n1_ = elementary::log(n1_);
  n2_over_n1_ = (1 - n1_) / n1_;
}

double UpChain::defective_not_down(double slots) const {
  if (l1_ == 0) return slots <= 1 ? stays_[0] + stays_[1] : 0;  // M^2 = 0
  return elementary::pow(l1_, slots) +
         slots * elementary::pow(l1_, slots - 1) * (stays_[0] + stays_[1] - l1_);
}

double UpChain::log_not_down(double slots) const {
  if (slots <= 0) return 0;
  if (defective_) return elementary::log(defective_not_down(slots));
  if (l1_ == 0) return -kInfinity;
  const double first = log_n1_ + slots * log_l1_;
  if (l2_ == 0 || n2_over_n1_ == 0) return first;
  if (l2_ > 0) {
    return first +
           elementary::log1p(n2_over_n1_ * elementary::exp(slots * (log_abs_l2_ - log_l1_)));
  }
  const double whole = std::ceil(slots);
  const double sign = std::fmod(whole, 2) == 0 ? 1 : -1;
  return first + elementary::log1p(sign * n2_over_n1_ *
                                   elementary::exp(whole * log_abs_l2_ - slots * log_l1_));
}

}  // namespace holdfast
