#include "holdfast/reproduction/verdict.hpp"

#include "holdfast/base/elementary.hpp"

#include <algorithm>
#include <cmath>

namespace holdfast::reproduction {
namespace {

constexpr double kNoise = 4;  // standard errors
// Draws below which a standard error says little: of four draws, one mean in 36 is more than four of them off.
constexpr std::int64_t kFewest = 5;

// Returns the worse of two verdicts about one number.
Verdict worse(Verdict a, Verdict b) {
  return std::max(a, b);
}

// What chance may do to a measured number in a short run.
struct Noise {
  double size = 0;
  bool is_unknown = false;  // there are too few draws to say
};

// Returns the verdict about a number that is not within its tolerance.
Verdict beyond(double excess, const Noise& noise) {
  if (excess <= noise.size) return Verdict::within_noise;
  return noise.is_unknown ? Verdict::unsure : Verdict::out;
}

Noise noise_of(const Measured& measured, double scale) {
  if (scale >= 1 || !measured.is_sampled) return {};
  return {.size = kNoise * measured.standard_error.value_or(0),
          .is_unknown = !measured.standard_error || measured.groups < kFewest};
}

Verdict judge_against(const Measured& measured, const std::optional<double>& expected,
                      const std::optional<Tolerance>& tolerance, double scale) {
  if (!expected || !tolerance) return Verdict::shown;
  if (!measured.value) return Verdict::missing;
  const double distance = std::abs(*measured.value - *expected);
  // A number at the edge of its tolerance is within: 1.04 is within 4 % of 1.
  double allowed = tolerance->around(*expected) * (1 + 1e-12);
  if (tolerance->errors > 0)
    allowed += tolerance->errors * std::sqrt(2.0) * measured.standard_error.value_or(0);
  return distance <= allowed ? Verdict::within : beyond(distance, noise_of(measured, scale));
}

Verdict unless_known(Verdict verdict, const std::string& known) {
  return verdict == Verdict::out && !known.empty() ? Verdict::known : verdict;
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
  return unless_known(judge_against(measured, row.published, row.published_tolerance, scale),
                      row.known);
}

Verdict judge_by_reference(const Row& row, const Measured& measured, double scale) {
  return unless_known(judge_against(measured, row.reference, row.reference_tolerance, scale),
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
  const Noise one = noise_of(less, scale), other = noise_of(than, scale);
  const Noise noise{.size = elementary::hypot(one.size, other.size),
                    .is_unknown = one.is_unknown || other.is_unknown};
  return unless_known(beyond(excess, noise), statement.known);
}

Measured side_of(const Statement::Side& side, std::span<const Measured> measured) {
  return side.row ? measured[*side.row] : Measured{.value = side.number};
}

Tally& Tally::operator+=(const Tally& other) {
  within += other.within;
  out += other.out;
  known += other.known;
  unsure += other.unsure;
  return *this;
}

void Tally::add(Verdict verdict) {
  switch (verdict) {
    case Verdict::shown:
      break;
    case Verdict::unsure:
      ++unsure;
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
