#pragma once

#include "holdfast/campaign/description.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Differences between two strategies in words. For every metric, a positive gain means better.
namespace holdfast {

/// Returns the metric in words: "minimum yield" for minimum_yield.
[[nodiscard]] std::string label_of(const StoredMetric& metric);

/// Returns the gain of one strategy over another: 0.017 if a makespan is 1.7 % shorter or a yield 1.7 % higher; negative if it
/// is worse.
/// @param ratio  this strategy's value of the metric divided by the other's
[[nodiscard]] double gain(const StoredMetric& metric, double ratio);

/// One strategy compared with another, over draws that both have run.
struct PairComparison {
  std::string_view strategy;
  std::string_view other;
  std::uint64_t pairs = 0;      ///< draws in which both have the metric
  std::optional<double> ratio;  ///< strategy / other, geometric mean over the pairs
  std::optional<std::array<double, 2>> interval;  ///< 95 % interval of the ratio
  std::optional<double> ratio_of_means;
};

/// The result of a comparison of two strategies.
enum class Standing : std::uint8_t { ahead, behind, same, undecided };

/// Returns ahead or behind if the interval excludes "no difference" (with a single pair, if there is any difference); the same
/// if nothing differs by 0.01 %; undecided otherwise, and if there is no ratio.
[[nodiscard]] Standing standing_of(const StoredMetric& metric, const PairComparison& beside);

/// Returns true if so many of `points` intervals of 95 % would exclude "no difference" by chance alone, were there none: at most
/// the mean of the binomial law and two standard deviations, and one of two.
[[nodiscard]] bool is_chance(std::uint64_t excluding, std::uint64_t points);

/// Returns the verdict in one sentence without a full stop, the better strategy first: "next-step ends 1.7 % sooner than
/// young-daly (95 % interval 0.2 to 3.2 %)", "no difference between a and b is shown: a ends from 0.3 % later to 1.2 % sooner
/// (95 % interval)", "a is 2.9 % better than b in goodput (one draw, no interval)".
[[nodiscard]] std::string sentence_of(const StoredMetric& metric, const PairComparison& beside);

/// Returns the share of the best possible value that a strategy reached, as a sentence without a full stop: "next-step reaches
/// at least 78 % of what is possible (bound: clairvoyant)". It says "at least" because the bound itself may be out of reach.
/// @param part  1 if the strategy reaches the bound
[[nodiscard]] std::string possible_text(std::string_view strategy, double part,
                                        std::string_view bound);

/// Returns which part of a strategy's gain over a baseline comes from knowing more and which part from its plan, as a sentence
/// without a full stop. Empty if no gain is shown, or if there are no intervals.
/// @param knows  "today's failure rate"
/// @param whole  the strategy compared with the baseline
/// @param known  the informed strategy, which knows as much but plans no better, compared with the baseline
/// @param plan   the strategy compared with the informed one
[[nodiscard]] std::string split_text(const StoredMetric& metric, std::string_view knows,
                                     const PairComparison& whole, const PairComparison& known,
                                     const PairComparison& plan);

/// Returns the range between two gains: "from 0.3 % later to 18 % sooner", "0.8 to 18 % sooner", "1.7 % better".
[[nodiscard]] std::string range_text(const StoredMetric& metric, double low, double high);

/// Returns the same after the direction has been said: "0.8 to 18 %", unless the two ends differ in direction.
[[nodiscard]] std::string interval_of_gains(const StoredMetric& metric, double low, double high);

/// Returns true if the ends of an interval of ratios are shown as the same gain, because every draw gave the same.
[[nodiscard]] bool are_alike(const StoredMetric& metric, double one, double two);

/// Returns the gains of two ratios as numbers in per cent, the smaller one first: "-0.3 to 1.2".
[[nodiscard]] std::string gains_text(const StoredMetric& metric, double one, double two);

/// Returns the verb before a range: "ends" or "is".
[[nodiscard]] std::string_view verb_of(const StoredMetric& metric);
/// Returns the words after a range: "" or " in goodput".
[[nodiscard]] std::string object_of(const StoredMetric& metric);
/// Returns "sooner" or "better".
[[nodiscard]] std::string_view better_word(const StoredMetric& metric);
/// Returns "later" or "worse".
[[nodiscard]] std::string_view worse_word(const StoredMetric& metric);

}  // namespace holdfast
