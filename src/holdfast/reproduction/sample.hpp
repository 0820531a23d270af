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
    std::uint32_t instance =
        0;  ///< the first of two numbers of a draw; 0 where each instance has one scenario
    std::uint32_t draw =
        0;  ///< the other one: its scenario, or its instance where that has one scenario
  };
  std::vector<Entry> entries;
};

/// Estimates of one number that each leave out a part of its draws.
struct Parts {
  std::uint32_t strata = 0;  ///< into how many the draws are divided; each has as many parts
  std::vector<double> without = {};  ///< those of one stratum in a row; NaN: no estimate
};

struct Measured {
  std::optional<double> value = {};           ///< nothing if no cell has it
  std::optional<double> standard_error = {};  ///< nothing with fewer than two groups
  bool is_sampled = false;                    ///< true if the value depends on random draws
  std::int64_t groups = 0;                    ///< independent draws, or groups of them
  std::uint64_t draws =
      0;  ///< scenarios of each instance (or instances) that it is measured from; 0: no campaign
  double missing = 0;  ///< the share of the campaign's draws that it is not measured from
  Parts parts = {};    ///< only where some are missing
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
  /// Returns estimates without a part of the draws each.
  /// @param draws  number of the entries' draws in each instance
  [[nodiscard]] Parts parts(const Sample& sample, std::uint32_t draws) const;
  /// Returns true if the number depends on how many draws there are, not on chance alone.
  [[nodiscard]] bool needs_all_draws() const;

 private:
  struct Entry;
  friend struct StatisticTable;
  /// What a number is made of: sums, or all values, so that it moves with their number or a part of them says little about it.
  enum class Kind : std::uint8_t { sums, all };
  using Estimates = std::vector<std::optional<double>>;

  /// Returns estimates without each part; nothing for a part without entries.
  template <class PartOf>
  [[nodiscard]] Estimates without_parts(const Sample& sample, std::uint32_t parts,
                                        PartOf part_of) const;

  const Entry* entry_ = nullptr;
  bool by_instance_ = false;
  double argument_ = 0;
};

}  // namespace holdfast::reproduction
