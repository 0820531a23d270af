#pragma once

#include "holdfast/domains/capacity/instance.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::capacity {

/// The category of a job: the share of the reference's work that lies in jobs that are at least as long. It is 0 for the
/// longest job and 1 for the shortest; long jobs go to safe machines. Source: Perotin's thesis, Eq. 4.5. Profile `author` uses
/// 999 quantiles of work, including its error (a length equal to the largest quantile gets 1).
class Categories {
 public:
  /// @param reference  jobs that define the categories, at least one
  Categories(std::span<const ReferenceJob> reference, Profile profile, std::int64_t window,
             std::int64_t parts = 1000);

  /// Returns the category of a job of this length, in seconds.
  [[nodiscard]] double of(std::int64_t length) const;

 private:
  std::vector<std::int64_t> lengths_;  // distinct, ascending; or the quantiles
  std::vector<double> share_;          // share of the work in jobs that are at least that long
  std::int64_t parts_ = 0;             // > 0: quantiles
  // Longer lengths, including those of the reference, are cut to this first (author).
  std::int64_t longest_ = 0;
};

/// Returns the jobs that define the categories of an instance: its own reference, or else the jobs released in the week before
/// the window, or else all jobs.
[[nodiscard]] std::vector<ReferenceJob> reference_of(const Instance& instance);

}  // namespace holdfast::capacity
