#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

/// Gives every state a colour, the same one in every picture for the states that all domains share. Colours are those
/// of Okabe and Ito, told apart by colour-blind readers; their lightness differs too, for print in black and white; "lost" and
/// "kept" are nearest there, and bars that are lost are crossed out.
class Palette {
 public:
  /// Colour of a state ("#0072B2"); a state seen for the first time takes the next free one.
  std::string_view color(std::string_view state);
  /// States in the order in which they were first asked for.
  [[nodiscard]] const std::vector<std::string>& states() const { return states_; }

 private:
  std::vector<std::string> states_;
  std::vector<std::string_view> colors_;
  std::size_t next_free_ = 0;
};

/// Black or white, whichever is read better on a colour ("#0072B2").
[[nodiscard]] std::string_view ink_on(std::string_view color);

/// Returns what fills the intervals in which a lane cannot be used ("url(#gone)"): grey and hatched, so that it is told from
/// idle lanes and from bars without colour, but light enough to stay behind them. Where nothing is lost
/// ("reclaimed") it is dotted.
[[nodiscard]] std::string_view hatching_of(std::string_view state);
/// Returns the patterns that hatching_of() names, an SVG element.
[[nodiscard]] std::string_view hatchings();

/// Returns true for a state that a picture crosses out, so that it is told from "kept" without colour.
[[nodiscard]] bool is_crossed_out(std::string_view state);

}  // namespace holdfast
