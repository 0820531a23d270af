#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/models/failures/law.hpp"

#include <array>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

/// The law of the length of a repair: always the same, that of a failure law, or one of the lengths that were recorded. An
/// immutable value; times are in seconds.
class RepairLaw {
 public:
  /// Repairs that take no time.
  RepairLaw() = default;
  /// Make a law that is always the same length (seconds), and that of a failure law.
  [[nodiscard]] static RepairLaw constant(double length);
  [[nodiscard]] static RepairLaw of(Law law);
  /// Makes the law that draws one of these lengths, seconds.
  /// @pre lengths not empty, each at least 0
  [[nodiscard]] static RepairLaw recorded(std::span<const double> lengths);

  /// Returns the mean length, seconds.
  [[nodiscard]] double mean() const { return mean_; }
  /// Returns the length that a uniform number stands for, seconds; it grows with the number.
  /// @pre 0 < uniform < 1
  [[nodiscard]] double length(double uniform) const;
  /// Returns true if the law is exponential.
  [[nodiscard]] bool is_exponential() const { return law_ && law_->name() == "exponential"; }
  /// Returns the same law with all lengths multiplied.
  [[nodiscard]] RepairLaw times(double factor) const;
  /// Returns the document that reads back as this law.
  [[nodiscard]] Value description() const;
  /// Returns the law in words, without its mean: "exponential".
  [[nodiscard]] std::string_view name() const;

 private:
  double mean_ = 0;
  double factor_ = 1;            ///< of the law and of the lengths
  std::optional<Law> law_;       ///< none: constant, or recorded
  std::vector<double> lengths_;  ///< sorted; empty: not recorded
};

/// The names of these laws in documents.
inline constexpr auto kRepairLaws =
    std::to_array<std::string_view>({"exponential", "constant", "weibull", "gamma", "lognormal",
                                     "empirical", "hyperexponential", "recorded"});

/// Reads the law of a repair, or of another time whose mean is called "mean": a duration or {"mean"} (exponential),
/// {"distribution": "constant", "mean"}, {"distribution": "recorded", "lengths"}, or a law with its fields, as in "failures".
/// @param where  pointer to the value, for errors
/// @param directory  the folder to which the relative path of an empirical law's file refers
[[nodiscard]] Result<RepairLaw> read_repair_law(const Value& value, const std::string& where,
                                                const std::filesystem::path& directory = ".");
/// Reads such a law that is a law of failures: neither constant nor recorded.
[[nodiscard]] Result<Law> read_law_of_mean(const Value& value, const std::string& where,
                                           const std::filesystem::path& directory = ".");

}  // namespace holdfast
