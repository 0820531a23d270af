#pragma once

#include "holdfast/algorithms/bandwidth/strategy.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::bandwidth {

/// An order of requests by ascending key; equal keys are ordered by (posted, application). Keys within 1e-12 of the first key
/// of their group count as equal, so that exact ties survive rounding. With `by_index` only identical keys are equal, and ties
/// are ordered by application.
class Ranking {
 public:
  explicit Ranking(bool by_index) : by_index_{by_index} {}

  /// Returns the positions of the requests in that order; valid until the next call.
  std::span<const std::uint32_t> sort(std::span<const Pending> requests,
                                      std::span<const double> keys);

  /// Gives full bandwidth to one request after the other while it lasts. Sorts only as far as necessary.
  void serve(const Situation& situation, std::span<const double> keys, std::span<double> rates);

 private:
  std::size_t next(std::span<const Pending> requests) const;

  bool by_index_;
  std::vector<std::uint32_t> order_;
  std::vector<double> keys_;
};

/// Bandwidth that is handed out to one request after the other. An amount that differs from zero, or from the full demand, only
/// by rounding is treated as zero or as the full demand: otherwise a tiny remainder would break a tie between two waiting
/// requests.
class BandwidthBudget {
 public:
  explicit BandwidthBudget(double bandwidth) : left_{bandwidth}, sliver_{kSliver * bandwidth} {}
  [[nodiscard]] bool is_empty() const { return left_ <= 0; }
  double give(double wanted) {
    const double rate = left_ + sliver_ >= wanted ? wanted : left_;
    left_ -= rate;
    if (left_ <= sliver_) left_ = 0;
    return rate;
  }

 private:
  static constexpr double kSliver = 1e-12;
  double left_;
  double sliver_;
};

/// Gives full bandwidth to the requests in that order while it lasts.
void serve_in_order(const Situation& situation, std::span<const std::uint32_t> order,
                    std::span<double> rates);

/// Returns the yields of all requests, in a buffer that is kept.
std::span<const double> yields_of(std::span<const Pending> requests, std::vector<double>& buffer);

}  // namespace holdfast::bandwidth
