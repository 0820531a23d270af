#pragma once

#include "holdfast/contract/result_field.hpp"

#include <array>

/// Members of the documents of campaigns and simulations.
namespace holdfast {

/// The statistics of a metric over all draws.
inline constexpr auto kStatistics = std::to_array<ResultField>(
    {{"mean?", "mean"},
     {"standard_error?", "standard error of the mean; absent for a single value"},
     {"minimum?", "least value"},
     {"p10?", "quantile of 10 %"},
     {"p25?", "quantile of 25 %"},
     {"median?", "median"},
     {"p75?", "quantile of 75 %"},
     {"p90?", "quantile of 90 %"},
     {"maximum?", "largest value"},
     {"count", "number of values", Holds::integer},
     {"ratio_of_means?",
      "mean of the numerator over mean of the denominator, for metrics that are ratios"},
     {"possible?.bound", "metric or strategy that bounds this one", Holds::text},
     {"possible?.mean?", "part of the possible that was reached, on average"},
     {"possible?.standard_error?", "standard error of that mean"},
     {"possible?.count", "number of values", Holds::integer}});

/// What one point says of its strategies.
inline constexpr auto kPointMembers = std::to_array<ResultField>(
    {{"results[].strategy", "strategy in canonical form", Holds::text},
     {"results[].completed", "runs that completed", Holds::integer},
     {"results[].failed", "runs that did not", Holds::integer},
     {"results[].metrics.*", "statistics of that metric", kStatistics},
     {"comparisons[].numerator", "strategy that is compared with the baseline", Holds::text},
     {"comparisons[].denominator", "the baseline", Holds::text},
     {"comparisons[].metric", "metric of the comparison", Holds::text},
     {"comparisons[].geometric_mean?", "geometric mean of the paired ratios"},
     {"comparisons[].geometric_sd?", "their geometric standard deviation"},
     {"comparisons[].interval?[]", "95 % interval of the geometric mean"},
     {"comparisons[].ratio_of_means?", "ratio of the means"}});

}  // namespace holdfast
