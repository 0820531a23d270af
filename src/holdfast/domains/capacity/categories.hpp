#pragma once

#include "holdfast/domains/capacity/instance.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::capacity {

/// The category of a job: the share of the reference's work that lies in jobs at least as long. 0 for the longest, 1 for
/// the shortest: long jobs go to safe machines. Source: Perotin's thesis, Eq. 4.5; profile `author`: 999 quantiles of
/// work, with its slip (a length equal to the largest quantile gets 1).
class Categories {
 public:
  /// @param reference  jobs that fix the categories, at least one
  Categories(std::span<const ReferenceJob> reference, Profile profile, std::int64_t window,
             std::int64_t parts = 1000);

  [[nodiscard]] double of(std::int64_t length) const;

 private:
  std::vector<std::int64_t> lengths_;  // distinct, ascending; or the quantiles
  std::vector<double> share_;          // work in jobs at least that long, over all
  std::int64_t parts_ = 0;             // > 0: quantiles
  std::int64_t longest_ = 0;           // lengths above are cut to it first, the reference's too
};

/// Returns the jobs that fix the categories of an instance: its own reference, or the jobs released in the week before the
/// window, or all of them.
[[nodiscard]] std::vector<ReferenceJob> reference_of(const Instance& instance);

}  // namespace holdfast::capacity
