#include "holdfast/pages/gain.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace holdfast {
namespace {

constexpr double kSame = 1e-4;  // differences below 0.01 % do not count
constexpr double kTimes =
    3;  // from this factor on, "4.1 times as fast" is easier to read than per cents

// Returns true for the only metric with its own words: "ends 1.7 % sooner".
bool is_end(const StoredMetric& metric) {
  return metric.name == "makespan" && metric.better == Better::lower;
}

// Returns the number of decimals with which a percentage has `digits` significant digits.
int decimals_for(double percent, int digits) {
  if (!(percent > 0)) return 0;
  return std::clamp(digits - 1 - static_cast<int>(std::floor(elementary::log10(percent))), 0, 4);
}

// Returns enough decimals for two digits of the value, and to distinguish the ends of the interval.
int decimals_of(double gain, double width) {
  return std::max(decimals_for(100 * std::abs(gain), 2), decimals_for(100 * width / 4, 1));
}

std::string number(double gain, int decimals) {
  return fmt::format("{:.{}f}", 100 * std::abs(gain), decimals);
}

// Returns so many decimals that an end of a range is shown as 0 only if it is 0.
int decimals_of_range(double low, double high) {
  int decimals = decimals_of(std::max(std::abs(low), std::abs(high)), high - low);
  for (const double end : {low, high}) {
    if (std::abs(end) >= kSame) decimals = std::max(decimals, decimals_for(100 * std::abs(end), 1));
  }
  return decimals;
}

std::string with_direction(const StoredMetric& metric, double gain, int decimals) {
  return fmt::format("{} % {}", number(gain, decimals),
                     gain < 0 ? worse_word(metric) : better_word(metric));
}

// Returns "0.2 to 3.2 %". @pre both are above 0
std::string plain_range(double low, double high, int decimals) {
  const std::string from = number(low, decimals), to = number(high, decimals);
  return from == to ? to + " %" : from + " to " + to + " %";
}

// Returns the factor by which a strategy is better: 1 or more if it is.
double factor_of(const StoredMetric& metric, double ratio) {
  return metric.better == Better::lower ? 1 / ratio : ratio;
}

std::string factor_text(double factor) {
  return factor >= 100 ? fmt::format("{:.0f}", factor) : fmt::format("{:.2g}", factor);
}

PairComparison turned(const PairComparison& beside) {
  PairComparison out = beside;
  std::swap(out.strategy, out.other);
  if (beside.ratio) out.ratio = 1 / *beside.ratio;
  if (beside.interval) out.interval = {1 / (*beside.interval)[1], 1 / (*beside.interval)[0]};
  if (beside.ratio_of_means) out.ratio_of_means = 1 / *beside.ratio_of_means;
  return out;
}

// Returns the gains of an interval in increasing order.
std::pair<double, double> gains_of(const StoredMetric& metric,
                                   const std::array<double, 2>& interval) {
  return std::minmax(gain(metric, interval[0]), gain(metric, interval[1]));
}

// Returns "ends 1.7 % sooner than young-daly (95 % interval 0.2 to 3.2 %)".
std::string ahead_text(const StoredMetric& metric, const PairComparison& beside) {
  const double factor = factor_of(metric, *beside.ratio);
  const double by = gain(metric, *beside.ratio);
  const auto ends = beside.interval ? gains_of(metric, *beside.interval) : std::pair(by, by);
  const int decimals = std::max(decimals_of(by, ends.second - ends.first),
                                beside.interval ? decimals_of_range(ends.first, ends.second) : 0);
  std::string said, known = "one draw, no interval";
  if (factor >= kTimes) {
    said = fmt::format("is {} times as {} as {}", factor_text(factor),
                       is_end(metric) ? "fast" : "good", beside.other);
    if (beside.interval) {
      const double one = factor_of(metric, (*beside.interval)[0]);
      const double two = factor_of(metric, (*beside.interval)[1]);
      known = fmt::format("95 % interval {} to {} times", factor_text(std::min(one, two)),
                          factor_text(std::max(one, two)));
    }
  } else {
    said = fmt::format("{} {} % {} than {}", verb_of(metric), number(by, decimals),
                       better_word(metric), beside.other);
    if (beside.interval) known = "95 % interval " + plain_range(ends.first, ends.second, decimals);
  }
  if (beside.interval && are_alike(metric, (*beside.interval)[0], (*beside.interval)[1])) {
    known = beside.pairs == 2 ? std::string("the same in both runs")
                              : fmt::format("the same in all {} runs", beside.pairs);
  }
  return fmt::format("{} {}{} ({})", beside.strategy, said, object_of(metric), known);
}

// Returns a note if the strategy, which is better by the geometric mean, is worse by the ratio of the means; otherwise an empty
// text.
std::string objection(const StoredMetric& metric, const PairComparison& beside) {
  if (!beside.ratio_of_means || beside.pairs < 2) return {};
  const double by = gain(metric, *beside.ratio_of_means);
  if (by > -kSame) return {};
  return fmt::format("; yet its mean is {} % {}: a few runs weigh much in it",
                     number(by, decimals_of(by, 0)), worse_word(metric));
}

std::string without_ratio(const StoredMetric& metric, const PairComparison& beside) {
  const double by = gain(metric, *beside.ratio_of_means);
  if (std::abs(by) < kSame) {
    return fmt::format("no difference between {} and {}: the same mean {}", beside.strategy,
                       beside.other, label_of(metric));
  }
  if (by < 0) return without_ratio(metric, turned(beside));
  return fmt::format("{} {} {} % {} than {}{} on average (no interval: some runs have 0)",
                     beside.strategy, verb_of(metric), number(by, decimals_of(by, 0)),
                     better_word(metric), beside.other, object_of(metric));
}

}  // namespace

std::string label_of(const StoredMetric& metric) {
  return in_words(metric.name);
}

std::string_view verb_of(const StoredMetric& metric) {
  return is_end(metric) ? "ends" : "is";
}

std::string object_of(const StoredMetric& metric) {
  return is_end(metric) ? std::string() : " in " + label_of(metric);
}

std::string_view better_word(const StoredMetric& metric) {
  return is_end(metric) ? "sooner" : "better";
}

std::string_view worse_word(const StoredMetric& metric) {
  return is_end(metric) ? "later" : "worse";
}

double gain(const StoredMetric& metric, double ratio) {
  return metric.better == Better::lower ? 1 - ratio : ratio - 1;
}

bool are_alike(const StoredMetric& metric, double one, double two) {
  const auto [low, high] = gains_of(metric, {one, two});
  const int decimals = decimals_of_range(low, high);
  return number(low, decimals) == number(high, decimals) && (low < 0) == (high < 0);
}

std::string gains_text(const StoredMetric& metric, double one, double two) {
  const auto [low, high] = gains_of(metric, {one, two});
  const int decimals = decimals_of_range(low, high);
  return fmt::format("{:.{}f} to {:.{}f}", 100 * low, decimals, 100 * high, decimals);
}

std::string interval_of_gains(const StoredMetric& metric, double low, double high) {
  if (low < 0 && high > 0) return range_text(metric, low, high);
  return plain_range(std::min(std::abs(low), std::abs(high)),
                     std::max(std::abs(low), std::abs(high)), decimals_of_range(low, high));
}

std::string range_text(const StoredMetric& metric, double low, double high) {
  const int decimals = decimals_of_range(low, high);
  if (number(low, decimals) == number(high, decimals) && (low < 0) == (high < 0))
    return with_direction(metric, high, decimals);
  if (low >= 0) return fmt::format("{} {}", plain_range(low, high, decimals), better_word(metric));
  if (high <= 0) return fmt::format("{} {}", plain_range(high, low, decimals), worse_word(metric));
  return "from " + with_direction(metric, low, decimals) + " to " +
         with_direction(metric, high, decimals);
}

Standing standing_of(const StoredMetric& metric, const PairComparison& beside) {
  if (!beside.ratio) return Standing::undecided;
  const double by = gain(metric, *beside.ratio);
  const auto ends = beside.interval ? gains_of(metric, *beside.interval) : std::pair(by, by);
  if (std::max(std::abs(ends.first), std::abs(ends.second)) < kSame) return Standing::same;
  if (ends.first > 0) return Standing::ahead;
  return ends.second < 0 ? Standing::behind : Standing::undecided;
}

bool is_chance(std::uint64_t excluding, std::uint64_t points) {
  constexpr double kEach = 0.05;
  const double n = static_cast<double>(points);
  const double most = n * kEach + 2 * std::sqrt(n * kEach * (1 - kEach));
  return static_cast<double>(excluding) <= (points > 1 ? std::max(most, 1.0) : 0.0);
}

std::string sentence_of(const StoredMetric& metric, const PairComparison& beside) {
  if (!beside.ratio) {
    if (beside.ratio_of_means && *beside.ratio_of_means > 0) return without_ratio(metric, beside);
    return fmt::format("{} and {} cannot be compared in {}: no draw has a ratio of them",
                       beside.strategy, beside.other, label_of(metric));
  }
  switch (standing_of(metric, beside)) {
    case Standing::same:
      return fmt::format("no difference between {} and {}: the same {}{}", beside.strategy,
                         beside.other, label_of(metric),
                         beside.pairs > 1 ? " in all runs" : " (one draw)");
    case Standing::behind:
      return sentence_of(metric, turned(beside));
    case Standing::ahead:
      return ahead_text(metric, beside) + objection(metric, beside);
    case Standing::undecided:
      break;
  }
  const auto ends = gains_of(metric, beside.interval.value_or(std::array{1.0, 1.0}));
  return fmt::format("no difference between {} and {} is shown: {} {} {}{} (95 % interval)",
                     beside.strategy, beside.other, beside.strategy, verb_of(metric),
                     range_text(metric, ends.first, ends.second), object_of(metric));
}

std::string possible_text(std::string_view strategy, double part, std::string_view bound) {
  if (std::abs(part - 1) < kSame)
    return fmt::format("{} reaches all that is possible (bound: {})", strategy, bound);
  // "At least" is rounded down, and a share below 1 is never shown as 100 %.
  const double steps = part < 0.1 ? 10 : part < 0.99 ? 1 : 100;  // of a per cent
  const double percent = std::min(std::floor(100 * part * steps * (1 + 1e-12)) / steps, 99.99);
  return fmt::format("{} reaches at least {} % of what is possible (bound: {})", strategy,
                     fmt::format("{:.4g}", percent), bound);
}

std::string split_text(const StoredMetric& metric, std::string_view knows,
                       const PairComparison& whole, const PairComparison& known,
                       const PairComparison& plan) {
  if (!whole.interval || !known.interval || !plan.interval) return {};
  if (standing_of(metric, whole) != Standing::ahead) return {};
  const bool is_known = standing_of(metric, known) == Standing::ahead;
  switch (standing_of(metric, plan)) {
    case Standing::ahead: {
      if (!is_known) {
        return fmt::format(
            "the gain over {} comes from the plan: no gain from knowing {} alone ({}) is shown",
            whole.other, knows, known.strategy);
      }
      const double share =
          std::round(100 * elementary::log(*known.ratio) / elementary::log(*whole.ratio));
      return fmt::format(
          "of the gain over {}, {:.0f} % comes from knowing {} (as {} does), {:.0f} % from the "
          "plan",
          whole.other, share, knows, known.strategy, 100 - share);
    }
    case Standing::behind:
      return fmt::format(
          "the gain over {} comes from knowing {}: {}, which knows no more, gains more",
          whole.other, knows, known.strategy);
    case Standing::same:
    case Standing::undecided:
      break;
  }
  if (!is_known) {
    return fmt::format(
        "these runs do not show how much of the gain over {} comes from knowing {}, and how much "
        "from the plan",
        whole.other, knows);
  }
  return fmt::format("the gain over {} comes from knowing {}: {}, which knows no more, {}",
                     whole.other, knows, known.strategy,
                     sentence_of(metric, known).substr(known.strategy.size() + 1));
}

}  // namespace holdfast
