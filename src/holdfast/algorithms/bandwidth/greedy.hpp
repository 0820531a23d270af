#pragma once

#include "holdfast/algorithms/bandwidth/strategy.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::bandwidth {

/// Who comes first: requests by ascending key, equal keys by (posted, application). Keys within 1e-12 of the first of
/// their group are equal, so that exact ties survive rounding; with `by_index` equal means equal, and ties go by
/// application.
class Ranking {
 public:
  explicit Ranking(bool by_index) : by_index_{by_index} {}

  /// Positions of the requests in that order; valid until the next call.
  std::span<const std::uint32_t> sort(std::span<const Pending> requests,
                                      std::span<const double> keys);

  /// Full bandwidth to one after the other while it lasts; sorts only as far as that needs.
  void serve(const Situation& situation, std::span<const double> keys, std::span<double> rates);

 private:
  std::size_t next(std::span<const Pending> requests) const;

  bool by_index_;
  std::vector<std::uint32_t> order_;
  std::vector<double> keys_;
};

/// Bandwidth that is handed out to one after the other. What differs from nothing, or from all that is wanted, only by
/// the rounding of differences is the one or the other: a sliver of bandwidth would end a tie between two that wait.
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

/// Full bandwidth to the requests in that order while it lasts.
void serve_in_order(const Situation& situation, std::span<const std::uint32_t> order,
                    std::span<double> rates);

/// The yields of all requests, into a buffer that is kept.
std::span<const double> yields_of(std::span<const Pending> requests, std::vector<double>& buffer);

}  // namespace holdfast::bandwidth
