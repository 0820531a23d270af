#include "holdfast/reproduction/enough.hpp"

#include "holdfast/kernel/statistics.hpp"
#include "holdfast/math/student.hpp"
#include "holdfast/reproduction/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

namespace holdfast::reproduction {
namespace {

/// The probability that the missing draws move a number by more than it may move; half of it on each side.
constexpr double kChance = 1e-5;
/// Draws of the first look: so many over all instances, and at least four of each.
constexpr std::uint64_t kFirst = 30;
constexpr std::uint64_t kFewestOfEach = 4;
/// The next look has so many times the draws, few looks in all, because what is planned for an instance is planned at each look.
constexpr std::uint64_t kGrowth = 4;
/// If less than this share would be missing, all draws are taken.
constexpr double kLastStep = 0.3;

/// How uncertain a number is that the missing draws would complete: variances of strata, with their degrees of freedom (Welch).
class Uncertainty {
 public:
  void add(std::span<const double> without, std::size_t strata, double missing) {
    const std::size_t parts = without.size() / strata;
    const double freedom = static_cast<double>(parts) - 1;
    // The jackknife over parts of strata, each of which also loses weight with a part. The mean of all draws differs from that of a
    // part of them by the missing share of its variance.
    const double all = static_cast<double>(without.size()) - 1;
    const double factor =
        all * all / (static_cast<double>(strata * strata) * (freedom + 1)) * missing;
    for (std::size_t i = 0; i < strata; ++i) {
      Moments estimates;
      for (const double one : without.subspan(i * parts, parts)) estimates.add(one);
      const double variance = factor * estimates.variance().value_or(0);
      variance_ += variance;
      spread_ += variance * variance / freedom;
    }
  }
  /// Returns how far the number may move; nothing if all parts agree, which tells nothing about rare events.
  [[nodiscard]] std::optional<double> reach() const {
    if (!(variance_ > 0) || !std::isfinite(variance_)) return std::nullopt;
    return student_quantile(1 - kChance / 2, variance_ * variance_ / spread_) *
           std::sqrt(variance_);
  }

 private:
  double variance_ = 0;
  double spread_ = 0;
};

bool is_whole(const Measured& measured) {
  return measured.missing == 0;
}

void add(Uncertainty& uncertainty, const Measured& measured) {
  if (is_whole(measured)) return;
  uncertainty.add(measured.parts.without, measured.parts.strata, measured.missing);
}

bool has_parts(const Measured& measured) {
  return measured.value && (is_whole(measured) || measured.parts.strata > 0);
}

bool is_settled(const Measured& measured, double reach, const std::optional<double>& expected,
                const std::optional<Tolerance>& tolerance) {
  if (!expected || !tolerance) return true;
  const double distance = std::abs(*measured.value - *expected);
  // Standard errors shrink with more draws, at most like the root of their number.
  const double errors = tolerance->errors * std::sqrt(2.0) * measured.standard_error.value_or(0);
  const double least = tolerance->around(*expected) + errors * std::sqrt(1 - measured.missing);
  return distance + reach <= least || distance - reach > tolerance->around(*expected) + errors;
}

bool is_settled(const Row& row, const Measured& measured) {
  const bool is_judged =
      (row.published && row.published_tolerance) || (row.reference && row.reference_tolerance);
  if (is_whole(measured) || !is_judged) return true;
  if (!has_parts(measured)) return false;
  Uncertainty uncertainty;
  add(uncertainty, measured);
  const auto reach = uncertainty.reach();
  return reach && is_settled(measured, *reach, row.published, row.published_tolerance) &&
         is_settled(measured, *reach, row.reference, row.reference_tolerance);
}

enum class Settled : std::uint8_t { no, pairwise, yes };

/// Returns whether more draws could change the order of two numbers: `pairwise` if both need the same draws for it, because what
/// they share cancels.
Settled settled(const Statement& statement, std::span<const Measured> measured) {
  const Measured less = side_of(statement.less, measured);
  const Measured than = side_of(statement.than, measured);
  if (is_whole(less) && is_whole(than)) return Settled::yes;
  if (!has_parts(less) || !has_parts(than)) return Settled::no;
  const double excess = std::abs(*less.value - *than.value - statement.margin);
  Uncertainty apart;
  add(apart, less);
  add(apart, than);
  const auto reach = apart.reach();
  if (reach && *reach < excess) return Settled::yes;
  if (less.missing != than.missing || less.parts.without.size() != than.parts.without.size())
    return Settled::no;
  std::vector<double> differences = less.parts.without;
  for (std::size_t i = 0; i < differences.size(); ++i) differences[i] -= than.parts.without[i];
  Uncertainty paired;
  paired.add(differences, less.parts.strata, less.missing);
  const auto paired_reach = paired.reach();
  return paired_reach && *paired_reach < excess ? Settled::pairwise : Settled::no;
}

/// Marks a row if its verdict needs more draws and it can have more. @returns true if it was not marked before
bool mark(const Statement::Side& side, std::span<const Measured> measured,
          std::vector<bool>& open) {
  if (!side.row || open[*side.row] || is_whole(measured[*side.row])) return false;
  open[*side.row] = true;
  return true;
}

}  // namespace

Draws first_draws(const Item& item, const Description& campaign) {
  Draws draws = all_draws(campaign);
  const std::uint64_t instances = campaign.scenarios > 1 ? campaign.instances : 1;
  const std::uint64_t few =
      std::min(draws.all, std::max(kFewestOfEach, (kFirst + instances - 1) / instances));
  for (const Row& row : item.rows) {
    const auto statistic = Statistic::parse(row.statistic);
    draws.rows.push_back(statistic && statistic->needs_all_draws() ? draws.all : few);
  }
  return draws;
}

bool add_draws(const Item& item, std::span<const Measured> measured, Draws& draws) {
  std::vector<bool> open(item.rows.size());
  std::uint64_t look = 0;
  for (std::size_t i = 0; i < open.size(); ++i) {
    open[i] = !is_settled(item.rows[i], measured[i]);
    if (!is_whole(measured[i])) look = std::max(look, measured[i].draws);
  }
  std::vector<const Statement*> pairs;
  for (const Statement& statement : item.statements) {
    const Settled is = settled(statement, measured);
    if (is == Settled::pairwise) pairs.push_back(&statement);
    if (is != Settled::no) continue;
    mark(statement.less, measured, open);
    mark(statement.than, measured, open);
  }
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (const Statement* pair : pairs) {
      const bool any =
          (pair->less.row && open[*pair->less.row]) || (pair->than.row && open[*pair->than.row]);
      if (!any) continue;
      for (const auto& side : {pair->less, pair->than}) {
        if (mark(side, measured, open)) is_new = true;
      }
    }
  }
  look *= kGrowth;
  if (static_cast<double>(look) > (1 - kLastStep) * static_cast<double>(draws.all))
    look = draws.all;
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (open[i]) draws.rows[i] = look;
  }
  return std::ranges::find(open, true) != open.end();
}

}  // namespace holdfast::reproduction
