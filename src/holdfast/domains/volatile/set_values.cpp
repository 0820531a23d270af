#include "holdfast/domains/volatile/set_values.hpp"

#include "holdfast/base/elementary.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace holdfast::volatile_workers {
namespace {

constexpr std::size_t kClosedFormMembers = 6;
constexpr std::size_t kMostTermMembers = 24;
constexpr double kSeriesRest = 1e-14;
constexpr double kSecondTermsGone = 1e-18;

struct Sums {
  double returns = 0, first_moment = 0, slots_to_failure = 0;
};

// The values of a set that never loses a member: P+ = 1, and returns are as frequent as slots with all members up.
SetValues never_down(std::span<const UpChain* const> members) {
  SetValues set{.returns = kInfinity, .first_moment = kInfinity, .slots_to_failure = kInfinity};
  set.gap = 1;
  for (const UpChain* member : members) set.gap /= member->a1();
  set.gap_given_return = set.gap;
  return set;
}

SetValues finished(const Sums& sums) {
  const double u = sums.returns;
  SetValues set{
      .returns = u, .first_moment = sums.first_moment, .slots_to_failure = sums.slots_to_failure};
  set.log_step = u > 0 ? -elementary::log1p(1 / u) : -kInfinity;
  set.gap = sums.first_moment / ((1 + u) * (1 + u));
  set.gap_given_return = u > 0 ? sums.first_moment / (u * (1 + u)) : kInfinity;
  return set;
}

bool can_fail(std::span<const UpChain* const> members) {
  return std::any_of(members.begin(), members.end(),
                     [](const UpChain* member) { return member->one_minus_l1() > 0; });
}

bool all_return(std::span<const UpChain* const> members) {
  return std::all_of(members.begin(), members.end(),
                     [](const UpChain* member) { return member->a1() > 0; });
}

// 1 - product of the first eigenvalues, without cancellation.
double one_minus_product(std::span<const UpChain* const> members) {
  double rest = 0, product = 1;
  for (const UpChain* member : members) {
    rest += product * member->one_minus_l1();
    product *= member->l1();
  }
  return rest;
}

// The number of slots after which the second eigenvalue of every member is negligible compared with the first.
double slots_of_series(std::span<const UpChain* const> members) {
  double slots = 0;
  for (const UpChain* member : members) {
    if (member->is_defective()) return kInfinity;
    const double ratio = std::abs(member->l2()) / member->l1();
    const double gone = kSecondTermsGone * std::min(1.0, std::min(member->a1(), member->n1()));
    if (ratio > 0) slots = std::max(slots, elementary::log(gone) / elementary::log(ratio));
  }
  return std::min(slots, elementary::log(kSeriesRest) / -one_minus_product(members));
}

}  // namespace

SetValues set_values_by_terms(std::span<const UpChain* const> members) {
  assert(members.size() <= kMostTermMembers);
  if (!can_fail(members) && all_return(members)) return never_down(members);
  const std::size_t terms = std::size_t{1} << members.size();
  // Term k uses l2 of the members whose bit is set in k, and l1 of the others. Kept are coefficients, ratio and 1 - ratio.
  std::array<double, 4 << kClosedFormMembers> small;
  std::vector<double> large;
  double* buffer = small.data();
  if (members.size() > kClosedFormMembers) {
    large.resize(4 * terms);
    buffer = large.data();
  }
  double* const up = buffer;
  double* const alive = buffer + terms;
  double* const ratio = buffer + 2 * terms;
  double* const rest = buffer + 3 * terms;
  up[0] = alive[0] = ratio[0] = 1;
  rest[0] = 0;
  std::size_t count = 1;
  for (const UpChain* member : members) {
    assert(!member->is_defective());
    for (std::size_t k = 0; k < count; ++k) {
      up[k + count] = up[k] * member->a2();
      alive[k + count] = alive[k] * member->n2();
      rest[k + count] = rest[k] + ratio[k] * member->one_minus_l2();
      ratio[k + count] = ratio[k] * member->l2();
      up[k] *= member->a1();
      alive[k] *= member->n1();
      rest[k] += ratio[k] * member->one_minus_l1();
      ratio[k] *= member->l1();
    }
    count *= 2;
  }
  Sums sums;
  for (std::size_t k = 0; k < terms; ++k) {
    const double inverse = 1 / rest[k];
    if (rest[k] == 0 && up[k] == 0) {  // some worker finally stays reclaimed for ever
      sums.slots_to_failure = kInfinity;
      continue;
    }
    const double part = up[k] * ratio[k] * inverse;
    sums.returns += part;
    sums.first_moment += part * inverse;
    sums.slots_to_failure += alive[k] * inverse;
  }
  return finished(sums);
}

SetValues set_values_by_series(std::span<const UpChain* const> members) {
  if (!can_fail(members)) {
    return all_return(members) ? never_down(members) : set_values_by_terms(members);
  }
  const double rest = one_minus_product(members);
  const double enough = kSeriesRest * rest * rest;
  const double last_slot = slots_of_series(members);
  std::vector<std::array<double, 2>> states(members.size(), {1, 0});  // row of M^t for up
  Sums sums{.slots_to_failure = 1};
  for (double t = 1;; ++t) {
    double all_up = 1, none_down = 1;
    for (std::size_t i = 0; i < members.size(); ++i) {
      const auto& [a, b, c, d] = members[i]->stays();
      const auto [up, reclaimed] = states[i];
      states[i] = {up * a + reclaimed * c, up * b + reclaimed * d};
      all_up *= states[i][0];
      none_down *= states[i][0] + states[i][1];
    }
    sums.returns += all_up;
    sums.first_moment += t * all_up;
    sums.slots_to_failure += none_down;
    if (none_down * (t + 1) < enough) break;
    if (t < last_slot) continue;
    // From here on both products shrink by the product of the first eigenvalues in every slot.
    const double factor = (1 - rest) / rest;
    sums.returns += all_up * factor;
    sums.first_moment += all_up * factor * (t + 1 / rest);
    sums.slots_to_failure += none_down * factor;
    break;
  }
  return finished(sums);
}

SetValues set_values(std::span<const UpChain* const> members) {
  const bool has_terms = std::none_of(members.begin(), members.end(),
                                      [](const UpChain* m) { return m->is_defective(); });
  if (has_terms && members.size() <= kClosedFormMembers) return set_values_by_terms(members);
  if (has_terms && members.size() <= kMostTermMembers) {
    const double terms = std::ldexp(1.0, static_cast<int>(members.size()));
    if (terms < slots_of_series(members) * static_cast<double>(members.size())) {
      return set_values_by_terms(members);
    }
  }
  return set_values_by_series(members);
}

double expected_slots(const SetValues& set, double workload, Estimator estimator) {
  if (workload <= 0) return 0;
  if (workload <= 1) return 1;
  const double steps = workload - 1;
  switch (estimator) {
    case Estimator::exact:
      return 1 + steps * set.gap_given_return;
    case Estimator::paper:
      return (1 + steps * set.gap) * elementary::exp(-steps * set.log_step);
    case Estimator::restart:
      // Without failures the limit of D (1/P - 1) is the time between common returns.
      if (set.log_step == 0) return 1 + steps * set.gap;
      return 1 + set.slots_to_failure * elementary::expm1(-steps * set.log_step);
  }
  return kInfinity;
}

}  // namespace holdfast::volatile_workers
