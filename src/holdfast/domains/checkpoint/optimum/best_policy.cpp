#include "holdfast/domains/checkpoint/optimum/best_policy.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/models/resilience/period.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

namespace holdfast::checkpoint {
namespace {

/// Cells within a period, and growth of ln a from one age to the next. Without a memory all ages are alike, and more cells
/// take no time.
constexpr double kCellsPerPeriod = 32;
constexpr double kCellsWithoutMemory = 64;
constexpr std::size_t kMostWithoutMemory = 262'144;
constexpr double kAgeStep = 0.05;
/// Segments over which Lambda grows by more than this are not tried. At the best place w lambda(t) < 1, so if the
/// hazard does not fall faster than 1/x^(3/4), Lambda grows by less than 4.
constexpr double kLongestSegment = 6;
/// Growth of Lambda up to the largest age that counts as reachable: exp(-40) = 4e-18.
constexpr double kOldest = 40;
/// Growth of Lambda up to which the rates at an age decide how fine the grid is.
constexpr double kUsual = 3;
/// Segments of up to kDense cells are tried at equal distances; longer ones at growing distances.
constexpr std::size_t kDense = 32;
constexpr std::size_t kSparse = 8;
constexpr int kMostRounds = 60;

// Lagrange's cubic through four equidistant values; `at` in steps from the first.
double cubic(const double* values, double at) {
  const double a = at - 1;
  const double b = at - 2;
  const double c = at - 3;
  return at * (a * (b * values[3] - 3 * c * values[2]) + 3 * b * c * values[1]) / 6 -
         a * b * c * values[0] / 6;
}

double period_at(const Instance& instance, const RenewalFailures& failures, double age) {
  const double grown = failures.cumulative(age + instance.checkpoint) - failures.cumulative(age);
  return grown > 0 ? optimal_period(instance.checkpoint, instance.checkpoint / grown)
                   : instance.work;
}

}  // namespace

double shortest_period(const Instance& instance, const RenewalFailures& failures) {
  double period = instance.work;
  for (const double begin : {age_at_start(instance), instance.recovery + instance.downtime}) {
    const double end = failures.inverse(failures.cumulative(begin) + kUsual);
    const double most = begin + 2 * instance.work;
    for (double past = 0; begin + past <= std::min(end, most);
         past = past == 0 ? instance.checkpoint : 2 * past) {
      period = std::min(period, period_at(instance, failures, begin + past));
    }
  }
  return period;
}

PolicyGrid grid_for(const Instance& instance, double shortest_period) {
  const bool is_memoryless = instance.law->name() == "exponential";
  const double wanted = (is_memoryless ? kCellsWithoutMemory : kCellsPerPeriod) *
                        std::ceil(instance.work / shortest_period);
  const double most = static_cast<double>(is_memoryless ? kMostWithoutMemory : kMostCells);
  return {
      .cells = static_cast<std::size_t>(std::clamp(wanted, static_cast<double>(kLeastCells), most)),
      .age_step = kAgeStep};
}

BestPolicy::BestPolicy(const Instance& instance, const RenewalFailures& failures, PolicyGrid grid,
                       Stop stop)
    : instance_{instance},
      failures_{failures},
      grid_{grid},
      cell_{instance.work / static_cast<double>(grid.cells)},
      makespan_{std::numeric_limits<double>::quiet_NaN()} {
  const Restart restart = failures.restart(instance.recovery);
  const double start = age_at_start(instance);
  double youngest = start;
  double oldest = 0;
  std::vector<double> begins{start};
  for (const ReadyAge& ready : restart.ages) begins.push_back(ready.age);
  for (const double age : begins) {
    youngest = std::min(youngest, age);
    const double last = failures.inverse(failures.cumulative(age) + kOldest);
    oldest = std::max(oldest, std::min(last, age + 4 * instance.work + 100 * instance.checkpoint));
  }
  place_ages(youngest + cell_ + instance.checkpoint, oldest);

  std::vector<Row> again;
  for (const ReadyAge& ready : restart.ages) again.push_back(row_at(ready.age));
  std::vector<Row> later;
  for (const double age : ages_) later.push_back(row_at(age));

  const std::size_t n = grid_.cells;
  const std::size_t nodes = ages_.size();
  values_.assign((n + 1) * nodes, 0);
  restarted_.assign(n + 1, restart.time);
  for (std::size_t left = 1; left <= n; ++left) {
    if (stop.wanted()) return;
    const double before = restarted_[left - 1];
    const double guess = left == 1 ? before + cell_ + instance.checkpoint : before + cell_;
    restarted_[left] = solve(restart, again, left, guess);
    for (std::size_t j = 0; j < nodes; ++j) {
      values_[left * nodes + j] = best(later[j], left, restarted_[left]).value(restarted_[left]);
    }
  }
  double restarted = restarted_[n];
  if (!instance.ends.initial_recovery) {  // as long as nothing is safe
    const Restart at_once = failures.restart(0);
    std::vector<Row> rows;
    for (const ReadyAge& ready : at_once.ages) rows.push_back(row_at(ready.age));
    restarted = solve(at_once, rows, n, restarted);
  }
  const Row first = row_at(start);
  makespan_ = best(first, n, restarted).value(restarted);
  follow(start, restarted);
}

void BestPolicy::place_ages(double youngest, double oldest) {
  first_age_ = elementary::log(youngest);
  // Four nodes are enough if the value is the same at all ages.
  if (instance_.law->name() == "exponential")
    grid_.age_step = std::max(elementary::log(oldest / youngest), 0.01) / 3;
  const double steps =
      std::ceil(elementary::log(std::max(oldest / youngest, 1.0)) / grid_.age_step);
  const std::size_t count = std::max<std::size_t>(4, static_cast<std::size_t>(steps) + 1);
  for (std::size_t i = 0; i < count; ++i)
    ages_.push_back(elementary::exp(first_age_ + static_cast<double>(i) * grid_.age_step));
}

BestPolicy::Row BestPolicy::row_at(double age) const {
  Row row;
  row.age = age;
  const double cost = instance_.checkpoint;
  const double none = failures_.cumulative(age + cost);
  const double most = failures_.inverse(none + kLongestSegment) - age - cost;
  const std::size_t count = static_cast<std::size_t>(std::clamp(
      std::ceil(most / cell_), static_cast<double>(kDense), static_cast<double>(grid_.cells)));
  const bool ends_without = !instance_.ends.final_checkpoint;
  const double last_node = static_cast<double>(ages_.size() - 1);
  double time = failures_.time_between(age, 0, cost);
  double last_time = 0;
  for (std::size_t l = 1; l <= count; ++l) {
    const double begin = static_cast<double>(l - 1) * cell_;
    const double end = static_cast<double>(l) * cell_;
    time += failures_.time_between(age, begin + cost, end + cost);
    row.time.push_back(time);
    row.survival.push_back(failures_.survival(age, end + cost));
    const double place = std::clamp(
        (elementary::log(age + end + cost) - first_age_) / grid_.age_step, 0.0, last_node);
    const auto node =
        static_cast<std::uint32_t>(std::clamp(std::floor(place) - 1, 0.0, last_node - 3));
    row.node.push_back(node);
    row.offset.push_back(place - node);
    if (!ends_without) continue;
    last_time += failures_.time_between(age, begin, end);
    row.last_time.push_back(last_time);
    row.last_survival.push_back(failures_.survival(age, end));
  }
  return row;
}

// V once the segment is safe.
double BestPolicy::after(const Row& row, std::size_t left, std::size_t segment) const {
  if (segment == left) return 0;
  return cubic(&values_[(left - segment) * ages_.size() + row.node[segment - 1]],
               row.offset[segment - 1]);
}

BestPolicy::Choice BestPolicy::choice(const Row& row, std::size_t left, std::size_t segment) const {
  const bool is_bare = segment == left && !instance_.ends.final_checkpoint;
  const double survival = (is_bare ? row.last_survival : row.survival)[segment - 1];
  const double time = (is_bare ? row.last_time : row.time)[segment - 1];
  return {.time = time + survival * after(row, left, segment),
          .survival = survival,
          .segment = static_cast<double>(segment)};
}

BestPolicy::Choice BestPolicy::best(const Row& row, std::size_t left, double restarted) const {
  const auto value_of = [&](std::size_t segment) {
    return choice(row, left, segment).value(restarted);
  };
  // Either all the work that is left, or the best of the shorter segments.
  std::size_t top = 0;
  double least = std::numeric_limits<double>::infinity();
  const std::size_t most = std::min(row.longest(), left - 1);
  std::size_t found_step = 1;
  for (std::size_t l = std::min<std::size_t>(kSparse / 2, most); l >= 1 && l <= most;) {
    const std::size_t step = l <= kDense ? kSparse / 2 : l / kSparse;
    if (const double value = value_of(l); value < least) {
      least = value;
      top = l;
      found_step = step;
    }
    if (l == most) break;
    l = std::min(l + step, most);
  }
  for (std::size_t step = found_step; top > 0 && step >= 1;) {
    bool has_moved = false;
    for (const std::size_t l : {top > step ? top - step : 1, std::min(top + step, most)}) {
      if (l == top) continue;
      if (const double value = value_of(l); value < least) {
        least = value;
        top = l;
        has_moved = true;
      }
    }
    if (!has_moved) step /= 2;
  }
  Choice out;
  if (top > 0) out = choice(row, left, top);
  if (top > 1 && top < most) {  // the best length between whole cells, by a parabola
    const Choice low = choice(row, left, top - 1);
    const Choice high = choice(row, left, top + 1);
    const double down = low.value(restarted) - least;
    const double up = high.value(restarted) - least;
    if (down + up > 0) {
      const double shift = 0.5 * (down - up) / (down + up);
      const double of_low = 0.5 * shift * (shift - 1);
      const double of_high = 0.5 * shift * (shift + 1);
      const double of_top = 1 - shift * shift;
      out.time = of_low * low.time + of_top * out.time + of_high * high.time;
      out.survival = of_low * low.survival + of_top * out.survival + of_high * high.survival;
      out.segment += shift;
      least = out.value(restarted);
    }
  }
  if (left <= row.longest()) {
    const Choice all = choice(row, left, left);
    if (top == 0 || all.value(restarted) <= least) out = all;
  }
  return out;
}

// U for this amount of work left: the fixed point of U = restart + mean of V over the ages, for the choices that are best at U.
double BestPolicy::solve(const Restart& restart, std::span<const Row> rows, std::size_t left,
                         double guess) const {
  double restarted = guess;
  for (int round = 0; round < kMostRounds; ++round) {
    double time = restart.time;
    double survival = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Choice chosen = best(rows[i], left, restarted);
      time += restart.ages[i].probability * chosen.time;
      survival += restart.ages[i].probability * chosen.survival;
    }
    const double next = time / survival;
    const bool is_done = std::fabs(next - restarted) <= 1e-14 * next;
    restarted = next;
    if (is_done || !std::isfinite(next)) break;
  }
  return restarted;
}

// Follows the policy if nothing fails, which gives the checkpoints.
void BestPolicy::follow(double age, double restarted_first) {
  std::size_t left = grid_.cells;
  double restarted = restarted_first;
  while (left > 0) {
    const Choice chosen = best(row_at(age), left, restarted);
    if (!(chosen.segment > 0)) return;
    const auto whole =
        std::clamp<std::size_t>(static_cast<std::size_t>(std::lround(chosen.segment)), 1, left);
    const double done = instance_.work - static_cast<double>(left) * cell_;
    cuts_.push_back(whole == left ? instance_.work : done + chosen.segment * cell_);
    left -= whole;
    age += static_cast<double>(whole) * cell_ + instance_.checkpoint;
    restarted = restarted_[left];
  }
}

}  // namespace holdfast::checkpoint
