#include "holdfast/models/failures/fit_turnbull.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/math/chi_square.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace holdfast {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();
constexpr double kNoDrop = 1e-7;  // less is none
constexpr int kMostClimbs = 20000;

}  // namespace

TurnbullEstimate::Problem::Problem(std::span<const Lifetime> lives, std::optional<double> held_at) {
  std::vector<End> ends;
  for (const Lifetime& life : lives) {
    ends.push_back(left_of(life));
    ends.push_back(right_of(life));
    if (life.entry > 0) ends.push_back({life.entry, 1});
  }
  if (held_at) {
    ends.push_back({*held_at, 2});
    ends.push_back({kForever, 1});
  }
  std::ranges::sort(ends);
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    if (ends[i].side != 1 && ends[i + 1].side == 1) cells.push_back({ends[i], ends[i + 1]});
  }
  const auto begin_of = [this](const End& end) {
    return static_cast<std::size_t>(std::ranges::lower_bound(cells, end, {}, &Cell::from) -
                                    cells.begin());
  };
  const auto end_of = [this](const End& end) {
    return static_cast<std::size_t>(std::ranges::upper_bound(cells, end, {}, &Cell::to) -
                                    cells.begin());
  };
  if (held_at) cell = end_of({*held_at, 1});
  for (const Lifetime& life : lives) {
    groups.push_back({.first = begin_of(left_of(life)),
                      .last = end_of(right_of(life)) - 1,
                      .entry = life.entry > 0 ? begin_of({life.entry, 1}) : 0});
  }
  std::ranges::sort(groups);
  std::size_t kept = 0;
  for (std::size_t i = 1; i < groups.size(); ++i) {
    Group next = groups[i];
    next.weight = groups[kept].weight;
    if (next == groups[kept]) {
      groups[kept].weight += 1;
    } else {
      groups[++kept] = groups[i];
    }
  }
  groups.resize(kept + 1);
}

TurnbullEstimate::TurnbullEstimate(std::span<const Lifetime> lives)
    : lives_(lives.begin(), lives.end()) {
  const Problem problem(lives, {});
  std::vector<double> masses(problem.cells.size(), 1);
  problem.scale(masses);
  log_likelihood_ = problem.climb(masses, 1e-13);
  for (std::size_t i = 0; i < masses.size(); ++i) {
    const auto& [from, to] = problem.cells[i];
    if (masses[i] >= kNoDrop) drops_.push_back({from.age, to.age, masses[i]});
  }
}

void TurnbullEstimate::Problem::scale(std::vector<double>& masses) const {
  const auto at = masses.begin() + static_cast<std::ptrdiff_t>(cell);
  const auto part = [](auto begin, auto end, double sum) {
    const double now = std::accumulate(begin, end, 0.0);
    for (; begin != end; ++begin) *begin *= now > 0 ? sum / now : 0;
  };
  part(masses.begin(), at, 1 - survival);
  part(at, masses.end(), survival);
}

double TurnbullEstimate::Problem::step(std::vector<double>& masses) const {
  std::vector<double> before(masses.size() + 1, 0);  // sums of the masses before each cell
  std::partial_sum(masses.begin(), masses.end(), before.begin() + 1);
  std::vector<double> change(masses.size() + 1, 0);  // of the expected failures per mass
  double log_likelihood = 0;
  const double all = before.back();
  for (const Group& group : groups) {
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
  for (std::size_t i = 0; i < masses.size(); ++i) {
    rate += change[i];
    masses[i] *= std::max(0.0, rate);
  }
  scale(masses);
  return log_likelihood;
}

double TurnbullEstimate::Problem::climb(std::vector<double>& masses, double accuracy) const {
  std::vector<double> once;
  std::vector<double> twice;
  std::vector<double> jump;
  double reached = -kForever;
  for (int i = 0; i < kMostClimbs; ++i) {
    once = masses;
    const double here = step(once);
    twice = once;
    step(twice);
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
      for (std::size_t j = 0; j < masses.size(); ++j) {
        const double r = once[j] - masses[j];
        const double v = twice[j] - once[j] - r;
        jump[j] = std::max(0.01 * twice[j], masses[j] + 2 * length * r + length * length * v);
      }
      scale(jump);
      if (step(jump) >= here) break;
    }
    masses = length > 1.01 ? jump : twice;
  }
  return reached;
}

ConfidenceInterval TurnbullEstimate::limits(std::size_t count, double confidence) const {
  // A curve that is held may fall right after the age, too.
  Problem problem(lives_, drops_[count - 1].to);
  double best = 1;
  for (std::size_t i = 0; i < count; ++i) best -= drops_[i].mass;
  best = std::clamp(best, 0.0, 1.0);
  const double target = chi_square_quantile(1, confidence);
  std::vector<double> masses(problem.cells.size(), 1);
  // Twice the drop of the log-likelihood, beyond the target, if the survival is held.
  const auto excess = [&](double survival) {
    problem.survival = survival;
    problem.scale(masses);
    for (double& mass : masses) mass = std::max(mass, 1e-3 / static_cast<double>(masses.size()));
    problem.scale(masses);
    return 2 * (log_likelihood_ - problem.climb(masses, 1e-6)) - target;
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
