#include "holdfast/models/failures/fit_turnbull.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/math/chi_square.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace holdfast {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();
constexpr double kNoDrop = 1e-7;  // less is none
constexpr int kMostClimbs = 20000;

/// An age with what lies beside it: "[t" comes before "t]", and that before "(t".
struct End {
  double age = 0;
  int side =
      0;  ///< 0: a failure at the age begins; 1: an interval ends; 2: an interval begins after the age
  friend auto operator<=>(const End&, const End&) = default;
};

End left_of(const Lifetime& life) {
  return {life.low, life.is_exact() ? 0 : 2};
}
End right_of(const Lifetime& life) {
  return {life.high, 1};
}

}  // namespace

TurnbullEstimate::TurnbullEstimate(std::span<const Lifetime> lives) {
  std::vector<End> ends;
  for (const Lifetime& life : lives) {
    ends.push_back(left_of(life));
    ends.push_back(right_of(life));
    if (life.entry > 0) ends.push_back({life.entry, 1});
  }
  std::ranges::sort(ends);
  std::vector<End> begins;  // of the cells, and their ends
  std::vector<End> finishes;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    if (ends[i].side == 1 || ends[i + 1].side != 1) continue;
    begins.push_back(ends[i]);
    finishes.push_back(ends[i + 1]);
  }
  const auto index = [](const auto& place, const std::vector<End>& all) {
    return static_cast<std::size_t>(place - all.begin());
  };
  for (const Lifetime& life : lives) {
    groups_.push_back(
        {.first = index(std::ranges::lower_bound(begins, left_of(life)), begins),
         .last = index(std::ranges::upper_bound(finishes, right_of(life)), finishes) - 1,
         .entry = life.entry > 0
                      ? index(std::ranges::lower_bound(begins, End{life.entry, 1}), begins)
                      : 0});
  }
  std::ranges::sort(groups_);
  std::size_t kept = 0;
  for (std::size_t i = 1; i < groups_.size(); ++i) {
    Group next = groups_[i];
    next.weight = groups_[kept].weight;
    if (next == groups_[kept]) {
      groups_[kept].weight += 1;
    } else {
      groups_[++kept] = groups_[i];
    }
  }
  groups_.resize(kept + 1);
  masses_.assign(begins.size(), 1 / static_cast<double>(begins.size()));
  log_likelihood_ = climb(masses_, {}, 1e-13);
  for (std::size_t i = 0; i < begins.size(); ++i) {
    if (masses_[i] < kNoDrop) continue;
    drops_.push_back({begins[i].age, finishes[i].age, masses_[i]});
    cell_after_.push_back(i + 1);
  }
}

double TurnbullEstimate::step(std::vector<double>& masses, const Held& held) const {
  std::vector<double> before(masses.size() + 1, 0);  // sums of the masses before each cell
  std::partial_sum(masses.begin(), masses.end(), before.begin() + 1);
  std::vector<double> change(masses.size() + 1, 0);  // of the expected failures per mass
  double log_likelihood = 0;
  const double all = before.back();
  for (const Group& group : groups_) {
    const double seen = before[group.last + 1] - before[group.first];
    if (!(seen > 0)) return -kForever;
    change[group.first] += group.weight / seen;
    change[group.last + 1] -= group.weight / seen;
    log_likelihood += group.weight * elementary::log(seen);
    if (group.entry == 0) continue;
    const double alive = all - before[group.entry];
    change[0] += group.weight / alive;
    change[group.entry] -= group.weight / alive;
    log_likelihood -= group.weight * elementary::log(alive);
  }
  double rate = 0;
  double early = 0;
  double late = 0;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    rate += change[i];
    masses[i] *= std::max(0.0, rate);
    (i < held.cell ? early : late) += masses[i];
  }
  for (std::size_t i = 0; i < masses.size(); ++i) {
    if (held.cell == 0) {
      masses[i] /= late;
    } else {
      masses[i] *= i < held.cell ? (early > 0 ? (1 - held.survival) / early : 0)
                                 : (late > 0 ? held.survival / late : 0);
    }
  }
  return log_likelihood;
}

double TurnbullEstimate::climb(std::vector<double>& masses, const Held& held,
                               double accuracy) const {
  std::vector<double> once;
  std::vector<double> twice;
  std::vector<double> jump;
  double reached = -kForever;
  for (int i = 0; i < kMostClimbs; ++i) {
    once = masses;
    const double here = step(once, held);
    twice = once;
    step(twice, held);
    double squares = 0;
    double curves = 0;
    double largest = 0;
    for (std::size_t j = 0; j < masses.size(); ++j) {
      const double r = once[j] - masses[j];
      const double v = twice[j] - once[j] - r;
      squares += r * r;
      curves += v * v;
      largest = std::max(largest, std::abs(r));
    }
    reached = here;
    if (largest < accuracy || !(curves > 0)) break;
    // Along the last two steps, as far as their curvature says; back to them if that leads down.
    double length = std::max(1.0, std::sqrt(squares / curves));
    for (; length > 1.01; length = 0.5 * (1 + length)) {
      jump = masses;
      double sum = 0;
      for (std::size_t j = 0; j < masses.size(); ++j) {
        const double r = once[j] - masses[j];
        const double v = twice[j] - once[j] - r;
        jump[j] = std::max(0.01 * twice[j], masses[j] + 2 * length * r + length * length * v);
        sum += jump[j];
      }
      for (double& mass : jump) mass /= sum;
      if (step(jump, held) >= here) break;
    }
    masses = length > 1.01 ? jump : twice;
  }
  return reached;
}

ConfidenceInterval TurnbullEstimate::limits(std::size_t count, double confidence) const {
  const std::size_t cell = cell_after_[count - 1];
  double early = 0;
  for (std::size_t i = 0; i < cell; ++i) early += masses_[i];
  const double best = std::clamp(1 - early, 0.0, 1.0);
  const double target = chi_square_quantile(1, confidence);
  // Twice the drop of the log-likelihood, beyond the target, if the survival is held.
  const auto excess = [&](double survival) {
    std::vector<double> masses = masses_;
    for (std::size_t i = 0; i < masses.size(); ++i) {
      const double share =
          i < cell ? (1 - survival) / early : survival / std::max(1 - early, 1e-300);
      masses[i] = std::max(1e-3 / static_cast<double>(masses.size()), masses[i] * share);
    }
    return 2 * (log_likelihood_ - climb(masses, {cell, survival}, 1e-6)) - target;
  };
  const auto end = [&](double inside, double outside) {
    if (!(excess(outside) > 0)) return outside;
    for (int i = 0; i < 22; ++i) {
      const double middle = 0.5 * (inside + outside);
      (excess(middle) > 0 ? outside : inside) = middle;
    }
    return 0.5 * (inside + outside);
  };
  constexpr double kEdge = 1e-9;
  return {best > 0 ? end(best, kEdge) : 0, best < 1 ? end(best, 1 - kEdge) : 1};
}

}  // namespace holdfast
