#include "holdfast/reproduction/verdict.hpp"

#include "holdfast/base/elementary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace holdfast::reproduction {
namespace {

constexpr double kNoise = 4;  // standard errors

// Returns the worse of two verdicts about one number.
Verdict worse(Verdict a, Verdict b) {
  return std::max(a, b);
}

// Returns the verdict about a number that is not within its tolerance.
Verdict beyond(double excess, double noise) {
  if (std::isinf(noise)) return Verdict::unsure;
  return excess <= noise ? Verdict::within_noise : Verdict::out;
}

Verdict judge_against(const Measured& measured, const std::optional<double>& expected,
                      const std::optional<Tolerance>& tolerance, double noise) {
  if (!expected || !tolerance) return Verdict::shown;
  if (!measured.value) return Verdict::missing;
  const double distance = std::abs(*measured.value - *expected);
  // A number at the edge of its tolerance is within: 1.04 is within 4 % of 1.
  const double allowed = tolerance->around(*expected) * (1 + 1e-12);
  return distance <= allowed ? Verdict::within : beyond(distance, noise);
}

Verdict unless_known(Verdict verdict, const std::string& known) {
  return verdict == Verdict::out && !known.empty() ? Verdict::known : verdict;
}

double noise_of(const Measured& measured, double scale) {
  if (scale >= 1 || !measured.is_sampled) return 0;
  return measured.standard_error ? kNoise * *measured.standard_error
                                 : std::numeric_limits<double>::infinity();
}

}  // namespace

std::string_view text_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::shown:
      return "";
    case Verdict::within:
      return "within";
    case Verdict::within_noise:
      return "within (noise)";
    case Verdict::unsure:
      return "too few samples";
    case Verdict::out:
      return "OUT";
    case Verdict::known:
      return "out, as known";
    case Verdict::missing:
      return "not measured";
  }
  return "";
}

Verdict judge_by_published(const Row& row, const Measured& measured, double scale) {
  return unless_known(
      judge_against(measured, row.published, row.published_tolerance, noise_of(measured, scale)),
      row.known);
}

Verdict judge_by_reference(const Row& row, const Measured& measured, double scale) {
  return unless_known(
      judge_against(measured, row.reference, row.reference_tolerance, noise_of(measured, scale)),
      row.known);
}

Verdict judge(const Row& row, const Measured& measured, double scale) {
  if (!measured.value) return Verdict::missing;
  return worse(judge_by_published(row, measured, scale), judge_by_reference(row, measured, scale));
}

Verdict judge(const Statement& statement, std::span<const Measured> measured, double scale) {
  const Measured less = side_of(statement.less, measured);
  const Measured than = side_of(statement.than, measured);
  if (!less.value || !than.value) return Verdict::missing;
  const double excess = *less.value - *than.value;
  if (excess <= statement.margin) return Verdict::within;
  const double noise = elementary::hypot(noise_of(less, scale), noise_of(than, scale));
  return unless_known(beyond(excess, noise), statement.known);
}

Measured side_of(const Statement::Side& side, std::span<const Measured> measured) {
  return side.row ? measured[*side.row] : Measured{.value = side.number};
}

Tally& Tally::operator+=(const Tally& other) {
  within += other.within;
  out += other.out;
  known += other.known;
  return *this;
}

void Tally::add(Verdict verdict) {
  switch (verdict) {
    case Verdict::shown:
    case Verdict::unsure:
      break;
    case Verdict::within:
    case Verdict::within_noise:
      ++within;
      break;
    case Verdict::known:
      ++known;
      break;
    case Verdict::out:
    case Verdict::missing:
      ++out;
      break;
  }
}

}  // namespace holdfast::reproduction
