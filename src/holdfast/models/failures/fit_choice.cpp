#include "holdfast/models/failures/fit_choice.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/base/units.hpp"
#include "holdfast/models/failures/fit_likelihood.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace holdfast {
namespace {

constexpr double kSignificance = 0.05;
constexpr double kSameAic = 2;  // Burnham and Anderson: no real difference
constexpr double kHopelessAic = 100;
constexpr double kMostlyAgeless = 0.5;

double longest_of(std::span<const Lifetime> lives) {
  double out = 0;
  for (const Lifetime& life : lives) out = std::max(out, life.low);
  return out;
}

/// Returns the sum of ln(width) over the exact ages that became intervals; it turns their masses into densities.
double log_widths(std::span<const Lifetime> exact, std::span<const Lifetime> rounded) {
  double sum = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    if (exact[i].is_exact() && !rounded[i].is_exact())
      sum += elementary::log(rounded[i].high - rounded[i].low);
  }
  return sum;
}

/// Fits the exponential law to all lives. Its likelihood is that of the lives of known age, as for the other laws.
Status count_ageless(std::span<const Lifetime> lives, std::span<const Lifetime> ageless,
                     const LifetimeSample& sample, const FitOptions& options, LawFit& fit) {
  std::vector<Lifetime> all(lives.begin(), lives.end());
  all.insert(all.end(), ageless.begin(), ageless.end());
  HOLDFAST_TRY(rate, fit_law(LawFamily::exponential, all, options));
  const LawPoint here{.location = rate.point.location + rate.log_unit - sample.log_unit()};
  rate.log_likelihood = log_likelihood(LawFamily::exponential, here, sample).value -
                        static_cast<double>(sample.exact()) * sample.log_unit();
  rate.aic = 2 * (1 - rate.log_likelihood);
  fit = std::move(rate);
  return {};
}

void compare(std::vector<JudgedLaw>& laws) {
  std::ranges::stable_sort(laws, {}, [](const JudgedLaw& row) { return row.law.fit.aic; });
  double sum = 0;
  for (JudgedLaw& row : laws) {
    row.law.difference = row.law.fit.aic - laws.front().law.fit.aic;
    row.law.weight = elementary::exp(-0.5 * row.law.difference);
    sum += row.law.weight;
  }
  for (JudgedLaw& row : laws) row.law.weight /= sum;
}

Error no_number(LawFamily family) {
  return {ErrorCode::bad_value,
          {},
          fmt::format("found lifetimes whose best {} law has a mean or a likelihood that no number "
                      "can hold, expected others",
                      name_of(family))};
}

struct NamedStep {
  double seconds = 0;
  std::string_view name;
};
constexpr auto kNamedSteps =
    std::to_array<NamedStep>({{60, "whole minutes"}, {3600, "whole hours"}, {86400, "whole days"}});

struct Chosen {
  std::size_t index = 0;
  ChoiceReason reason = ChoiceReason::aic;
};

bool is_rejected(const JudgedLaw& row) {
  return row.goodness.p_value < kSignificance;
}

/// Returns the law to use, and why. @pre the laws are in order of AIC
Chosen choose(std::span<const JudgedLaw> laws, double ageless_share) {
  if (ageless_share > kMostlyAgeless) {
    for (std::size_t i = 0; i < laws.size(); ++i) {
      if (laws[i].law.fit.family == LawFamily::exponential) return {i, ChoiceReason::rate};
    }
  }
  const auto hopeless = std::ranges::find_if(
      laws, [](const JudgedLaw& row) { return row.law.difference > kHopelessAic; });
  laws = laws.first(static_cast<std::size_t>(hopeless - laws.begin()));
  const auto accepted = std::ranges::find_if_not(laws, is_rejected);
  if (accepted == laws.end()) {
    const auto nearest = std::ranges::min_element(
        laws, {}, [](const JudgedLaw& row) { return row.goodness.distance; });
    return {static_cast<std::size_t>(nearest - laws.begin()), ChoiceReason::curve};
  }
  const auto first = static_cast<std::size_t>(accepted - laws.begin());
  for (std::size_t i = first; i < laws.size(); ++i) {
    if (laws[i].law.difference > laws[first].law.difference + kSameAic) break;
    if (is_rejected(laws[i]) || !laws[i].is_mean_seen) continue;
    if (i > first) return {i, ChoiceReason::mean};
    break;
  }
  return {first, first == 0 ? ChoiceReason::aic : ChoiceReason::test};
}

/// Returns the law with the lowest AIC; null if it is the first one.
const JudgedLaw* least_aic(const LawChoice& choice) {
  const auto least = std::ranges::min_element(choice.laws, {},
                                              [](const JudgedLaw& row) { return row.law.fit.aic; });
  return least == choice.laws.begin() ? nullptr : &*least;
}

bool has_failure(std::span<const Lifetime> lives) {
  return !std::ranges::all_of(lives, &Lifetime::is_censored);
}

/// Returns the exponential law of the observed rate, for lives of which only some of unknown age ended.
Result<LawChoice> choose_rate(const WatchedLives& watched, const FitOptions& options,
                              std::span<const LawFamily> families) {
  if (!families.empty() && std::ranges::find(families, LawFamily::exponential) == families.end()) {
    return fail(ErrorCode::bad_value, {},
                fmt::format("found no unit that failed twice, or whose age is known, expected some "
                            "for a {} law: only the exponential law does without ages",
                            name_of(families.front())));
  }
  const std::vector<Lifetime> all = lives_with_failures(watched);
  const auto rate = std::to_array({LawFamily::exponential});
  HOLDFAST_TRY(out, choose_law({.lives = all, .resolution = watched.resolution}, options, rate));
  out.reason = ChoiceReason::no_age;
  out.ageless_share = ageless_share(watched);
  return out;
}

std::string percent(double share) {
  constexpr double kLeast = 0.001;  // "0.0 %" would mean none
  return share > 0 && share < kLeast ? "less than 0.1 %" : fmt::format("{:.1f} %", 100 * share);
}

}  // namespace

std::vector<Lifetime> lives_with_failures(const WatchedLives& watched) {
  std::vector<Lifetime> out(watched.lives.begin(), watched.lives.end());
  if (!has_failure(watched.lives))
    out.insert(out.end(), watched.ageless.begin(), watched.ageless.end());
  return out;
}

Result<LawChoice> choose_law(const WatchedLives& watched, const FitOptions& options,
                             std::span<const LawFamily> families) {
  if (!has_failure(watched.lives) && has_failure(watched.ageless))
    return choose_rate(watched, options, families);
  const std::vector<Lifetime> lives = within_resolution(watched.lives, watched.resolution);
  std::vector<Lifetime> tested = lives;
  see_to_end_of_step(tested, watched.resolution);
  HOLDFAST_TRY(sample, LifetimeSample::make(lives));
  HOLDFAST_TRY(table, compare_laws(sample, options, families));
  LawChoice out;
  out.refusals = std::move(table.refusals);
  out.longest = longest_of(watched.lives);
  out.ageless_share = ageless_share(watched);
  if (!std::ranges::equal(lives, watched.lives)) out.resolution = watched.resolution;
  const double widths = log_widths(watched.lives, lives);
  for (LawComparison& row : table.rows) {
    LawFit& fit = row.fit;
    if (fit.family == LawFamily::exponential && !watched.ageless.empty())
      HOLDFAST_CHECK(count_ageless(lives, watched.ageless, sample, options, fit));
    fit.log_likelihood -= widths;
    fit.aic += 2 * widths;
    if (!std::isfinite(fit.aic) || !std::isfinite(fit.mean()) || !(fit.mean() > 0)) {
      out.refusals.push_back({fit.family, no_number(fit.family)});
      continue;
    }
    const GoodnessOfFit goodness = kolmogorov_smirnov(tested, fit.law());
    const bool is_seen = fit.family == LawFamily::exponential || fit.mean() <= out.longest;
    out.laws.push_back({.law = std::move(row), .goodness = goodness, .is_mean_seen = is_seen});
  }
  if (out.laws.empty()) return fail(out.refusals.front().error);
  compare(out.laws);
  const Chosen chosen = choose(out.laws, out.ageless_share);
  out.reason = chosen.reason;
  const auto first = out.laws.begin();
  std::rotate(first, first + static_cast<std::ptrdiff_t>(chosen.index),
              first + static_cast<std::ptrdiff_t>(chosen.index) + 1);
  return out;
}

std::string reason_in_words(const LawChoice& choice) {
  if (choice.reason == ChoiceReason::no_age)
    return "no unit failed whose age is known, so a rate that is the same at every age is used";
  if (choice.reason == ChoiceReason::rate) {
    return fmt::format(
        "the age is unknown for {} of the observed time, so a rate that is the same at every age "
        "is used",
        percent(choice.ageless_share));
  }
  const JudgedLaw* least = least_aic(choice);
  if (least == nullptr) return {};
  const std::string other(name_of(least->law.fit.family));
  switch (choice.reason) {
    case ChoiceReason::mean:
      return fmt::format(
          "AIC alone would choose {} (by {:.1f}), but its mean is beyond the longest "
          "observed time, {}",
          other, choice.laws.front().law.difference, format_duration(choice.longest));
    case ChoiceReason::test:
      return fmt::format(
          "AIC alone would choose {} (by {:.1f}), but the Kolmogorov-Smirnov test rejects it "
          "(p = {:.2g})",
          other, choice.laws.front().law.difference, least->goodness.p_value);
    default:
      return fmt::format(
          "AIC alone would choose {} (by {:.1f}), but it is farther from the observed survival: "
          "distance {:.3f}, {} {:.3f}",
          other, choice.laws.front().law.difference, least->goodness.distance,
          name_of(choice.best().family), choice.laws.front().goodness.distance);
  }
}

std::string rounding_in_words(double resolution) {
  constexpr double kMinute = 60;
  if (resolution < kMinute) return {};
  const auto named = std::ranges::find(kNamedSteps, resolution, &NamedStep::seconds);
  return fmt::format("{}: taken as plus or minus {}",
                     named != kNamedSteps.end()
                         ? std::string(named->name)
                         : "multiples of " + format_quantity(resolution, Unit::seconds),
                     format_quantity(0.5 * resolution, Unit::seconds));
}

std::vector<std::string> cautions(const LawChoice& choice) {
  std::vector<std::string> out;
  const std::string_view name = name_of(choice.best().family);
  if (!choice.laws.front().is_mean_seen) {
    out.push_back(
        fmt::format("the mean of the {} law, {}, is extrapolated: the longest observed time is {}",
                    name, format_duration(choice.best().mean()), format_duration(choice.longest)));
  }
  if (choice.ageless_share > 0 && choice.reason != ChoiceReason::rate &&
      choice.best().family != LawFamily::exponential) {
    out.push_back(fmt::format(
        "the {} law describes only units that have failed before: it leaves out {} of the observed "
        "time, for which the age is unknown",
        name, percent(choice.ageless_share)));
  }
  return out;
}

}  // namespace holdfast
