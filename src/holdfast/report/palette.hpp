#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

/// The assignment of a colour to every state. States that all domains share have the same colour in every picture. The colours
/// are those of Okabe and Ito, which colour-blind readers can distinguish. Their lightness differs too, for black-and-white
/// print; "lost" and "kept" are closest, so bars of lost work are crossed out.
class Palette {
 public:
  /// Returns the colour of a state ("#0072B2"). A new state gets the next free colour.
  std::string_view color(std::string_view state);
  /// Returns the states in the order in which they were first used.
  [[nodiscard]] const std::vector<std::string>& states() const { return states_; }

 private:
  std::vector<std::string> states_;
  std::vector<std::string_view> colors_;
  std::size_t next_free_ = 0;
};

/// Returns black or white, whichever is easier to read on a colour ("#0072B2").
[[nodiscard]] std::string_view ink_on(std::string_view color);

/// Returns the fill of intervals in which a lane cannot be used ("url(#gone)"): grey and hatched, to distinguish them from idle
/// lanes and from bars without colour, but light enough to stay in the background. If nothing is lost ("reclaimed"), it is
/// dotted.
[[nodiscard]] std::string_view hatching_of(std::string_view state);
/// Returns an SVG element with the patterns that hatching_of() names.
[[nodiscard]] std::string_view hatchings();

/// Returns true for a state that is crossed out in pictures, to distinguish it from "kept" without colour.
[[nodiscard]] bool is_crossed_out(std::string_view state);

}  // namespace holdfast
