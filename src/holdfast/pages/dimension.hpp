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
  std::string name;   ///< the name asked for: "platform_age", "failures/shape", "strategy"
  std::string title;  ///< title of an axis; with `numbers`, also the unit: "platform_age (d)"
  /// Numbers in increasing order, other labels in order of appearance.
  std::vector<std::string> labels;
  /// The labels as numbers, in the unit of the title; empty: some label is not a number.
  std::vector<double> numbers = {};
  bool is_strategy = false;

  /// Returns the label of a position of the design, or of a strategy if is_strategy.
  [[nodiscard]] std::size_t label_of(std::size_t position, std::size_t strategy) const {
    return is_strategy ? strategy : of_value_[position / stride_ % of_value_.size()];
  }
  /// Returns the swept parameter that it uses. @pre it is not the strategy
  [[nodiscard]] std::size_t axis() const { return axis_; }

  std::vector<std::uint32_t> of_value_ = {};  ///< label of each value of the axis
  std::size_t axis_ = 0;
  std::size_t stride_ = 1;    ///< positions between two values of the axis
  std::size_t together_ = 1;  ///< values that share a label, at most
};

/// Returns a dimension of at most `most` labels: neighbouring ones are taken together, the same number in each. Their number is
/// then the mean of theirs.
[[nodiscard]] Dimension coarsened(const Dimension& dimension, std::size_t most);

/// Returns the dimension of the strategies.
[[nodiscard]] Dimension strategy_dimension(const Description& description);

/// Returns the dimension with that name: "strategy"; a swept parameter; "PARAMETER/member" if its values are tables; or a
/// parameter in a list of points (points without it are labelled by the parameters that they do contain).
/// @param fields  fields of the domain, for units; empty for an old results file
[[nodiscard]] Result<Dimension> find_dimension(const Description& description,
                                               std::string_view name,
                                               std::span<const Parameter> fields);

}  // namespace holdfast
