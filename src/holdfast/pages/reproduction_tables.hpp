#pragma once

#include "holdfast/contract/answer.hpp"
#include "holdfast/reproduction/item.hpp"
#include "holdfast/reproduction/sample.hpp"
#include "holdfast/reproduction/summary.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

/// The results of a reproduction, as tables for people.
namespace holdfast {

/// A text column that distinguishes the rows of an item.
struct KeyColumn {
  std::string title;
  std::function<std::string(const reproduction::Row&)> text_of;
};

/// Returns the columns in which the rows differ, at least one if there are rows.
[[nodiscard]] std::vector<KeyColumn> key_columns(const reproduction::Item& item);

/// Returns a row per number: published, reference, measured, verdict.
[[nodiscard]] Table numbers_table(const reproduction::Item& item,
                                  std::span<const reproduction::Measured> measured, double scale);
/// Returns a row per statement.
[[nodiscard]] Table statements_table(const reproduction::Item& item,
                                     std::span<const reproduction::Measured> measured,
                                     double scale);

/// Returns a row per item: how many of its numbers and statements hold, how long it took, and why something does not hold.
[[nodiscard]] Table totals_table(std::span<const reproduction::Reproduced> items, double scale);
/// Returns "88 of 93 checks pass, 2 out of tolerance, 3 known deviations".
[[nodiscard]] std::string tally_text(const reproduction::Tally& tally);
/// Returns "12 of 13"; nothing if nothing is judged.
[[nodiscard]] std::string share_text(const reproduction::Share& share);

/// Returns the reasons of known deviations, each once.
[[nodiscard]] std::vector<std::string> known_reasons(const reproduction::Item& item);

}  // namespace holdfast
