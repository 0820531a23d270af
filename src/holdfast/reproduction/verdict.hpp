#pragma once

#include "holdfast/reproduction/item.hpp"
#include "holdfast/reproduction/sample.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace holdfast::reproduction {

enum class Verdict : std::uint8_t {
  shown,  ///< no tolerance was given
  within,
  /// Beyond the tolerance, with fewer scenarios than the row assumes, but within four standard errors.
  within_noise,
  unsure,  ///< beyond the tolerance, with too few scenarios to tell
  out,
  known,    ///< out of tolerance, as the item says
  missing,  ///< nothing could be measured
};

/// Returns the text of a verdict: "within", "within (noise)", "too few samples", "OUT", "out, as known", "not measured", "".
[[nodiscard]] std::string_view text_of(Verdict verdict);

/// Compares a measured number with the tolerance of its row.
/// @param scale  scale of the campaign; below 1, a tolerance is at least four standard errors
[[nodiscard]] Verdict judge(const Row& row, const Measured& measured, double scale);

/// Returns the verdict by one of the row's two numbers alone; `shown` if that number has no tolerance.
[[nodiscard]] Verdict judge_by_published(const Row& row, const Measured& measured, double scale);
[[nodiscard]] Verdict judge_by_reference(const Row& row, const Measured& measured, double scale);

/// Returns whether the order holds.
[[nodiscard]] Verdict judge(const Statement& statement, std::span<const Measured> measured,
                            double scale);

/// Returns the number on one side of a statement: a row's measured value, or the number itself.
[[nodiscard]] Measured side_of(const Statement::Side& side, std::span<const Measured> measured);

/// The number of verdicts of each kind, without `shown`.
struct Tally {
  std::size_t within = 0;  ///< numbers within tolerance
  std::size_t out = 0;     ///< numbers out of tolerance, including missing ones
  std::size_t known = 0;   ///< numbers out of tolerance that are known deviations
  std::size_t unsure = 0;  ///< numbers out of tolerance, of too few scenarios to tell

  /// Counts one verdict.
  void add(Verdict verdict);
  /// Adds the counts of another tally.
  Tally& operator+=(const Tally& other);
};

}  // namespace holdfast::reproduction
