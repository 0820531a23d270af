#pragma once

#include "holdfast/base/error.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace holdfast::reproduction {

/// The cells behind one published number.
struct Sample {
  struct Entry {
    double value = 0;  ///< value of the strategy; NaN: none
    double over = 0;   ///< value of the strategy that it is compared with; NaN: none
    bool completed = true;
    std::uint32_t group = 0;  ///< number of the group; cells of one group share a realisation
    std::uint32_t unit = 0;   ///< number of the point and instance
  };
  std::vector<Entry> entries;
};

struct Measured {
  std::optional<double> value = {};           ///< nothing if no cell has it
  std::optional<double> standard_error = {};  ///< nothing with fewer than two groups
  bool is_sampled = false;                    ///< true if the value depends on random draws
  std::int64_t groups = 0;                    ///< independent draws, or groups of them
};

/// A named statistic of a sample: "geometric-mean", "wins-percent:1.3", "instance-p90".
class Statistic {
 public:
  /// Returns the statistic of that name, or the error unknown_name (without place) with a suggestion.
  [[nodiscard]] static Result<Statistic> parse(std::string_view text);

  [[nodiscard]] bool needs_pairs() const;
  [[nodiscard]] std::optional<double> of(const Sample& sample) const;
  /// Returns the value with its standard error: the jackknife over groups of cells (each left out once; more than 200 groups
  /// are pooled to at most 200).
  [[nodiscard]] Measured measure(const Sample& sample) const;

 private:
  struct Entry;
  friend struct StatisticTable;

  const Entry* entry_ = nullptr;
  bool by_instance_ = false;
  double argument_ = 0;
};

}  // namespace holdfast::reproduction
