#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/campaign/description.hpp"
#include "holdfast/contract/parameter.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

/// One way in which the cells of a campaign differ: a swept parameter, a part of one, or the strategy.
struct Dimension {
  std::string name;   ///< as asked for: "platform_age", "failures/shape", "strategy"
  std::string title;  ///< for an axis; with `numbers` its unit too: "platform_age (d)"
  std::vector<std::string> labels;   ///< numbers in increasing order, else as first met
  std::vector<double> numbers = {};  ///< in the title's unit; empty: some label is no number
  bool is_strategy = false;

  /// Returns the label of a position of the design; of a strategy where is_strategy.
  [[nodiscard]] std::size_t label_of(std::size_t position, std::size_t strategy) const {
    return is_strategy ? strategy : of_value_[position / stride_ % of_value_.size()];
  }
  /// Returns the swept parameter that it reads. @pre not the strategy
  [[nodiscard]] std::size_t axis() const { return axis_; }

  std::vector<std::uint32_t> of_value_ = {};  ///< label of each value of the axis
  std::size_t axis_ = 0;
  std::size_t stride_ = 1;  ///< positions between two values of the axis
};

/// Returns the dimension of that name: "strategy"; a swept parameter; "PARAMETER/member" where its values are tables; a
/// parameter that a list of points names (points that leave it out are then labelled by what they do name).
/// @param fields  of the domain, for units; an old results file is read without
[[nodiscard]] Result<Dimension> find_dimension(const Description& description,
                                               std::string_view name,
                                               std::span<const Parameter> fields);

}  // namespace holdfast
