#include "holdfast/domains/checkpoint/spare_sample.hpp"

#include "holdfast/domains/checkpoint/pool_fate.hpp"
#include "holdfast/kernel/random.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace holdfast::checkpoint {
namespace {

/// Mean repairs that a draw lasts, and after which it is in its steady state.
constexpr double kLength = 50;
constexpr double kWarmUp = 5;
/// Mean lives after which the ages of nodes are those of a platform long in service.
constexpr double kAged = 5;
constexpr int kSampledAgain = 500;
/// Spares beyond twice the number needed at which an interval ends.
constexpr std::int64_t kMore = 20;

}  // namespace

SampledSpares::SampledSpares(const Instance& instance, double repair_factor, double repair_failure,
                             std::uint64_t seed)
    : job_{instance}, law_{std::make_shared<const TabulatedLaw>(*instance.law)}, seed_{seed} {
  job_.platform.repair = instance.platform.repair->times(repair_factor);
  job_.platform.repair_failure = repair_failure;
  const double repair = job_.platform.repair->mean();
  from_ = kWarmUp * repair;
  to_ = from_ + kLength * repair;
  if (job_.work < from_) {
    from_ = 0;
    to_ = job_.work;
  }
  if (!job_.has_ages && job_.law->name() != "exponential") job_.platform_age = kAged * law_->mean();
}

const SampledSpares::Sample& SampledSpares::sample(std::int64_t spares) {
  const auto [place, is_new] = samples_.try_emplace(spares);
  Sample& out = place->second;
  if (!is_new) return out;
  job_.platform.spares = spares;
  const double length = to_ - from_;
  double full = 0, idle = 0, shortages = 0, joins = 0;
  std::vector<double> with(static_cast<std::size_t>(job_.processors) + 1);  // [nodes] share of time
  const std::int64_t least = job_.platform.minimum_nodes.value_or(job_.processors);
  for (int draw = 0; draw < kDraws; ++draw) {
    const auto pool =
        make_pool(job_, law_, {.seed = seed_, .scenario = static_cast<std::uint64_t>(draw)});
    const PoolChange begin = pool->account(from_);
    const PoolChange end = pool->account(to_);
    double there = 0;
    for (std::size_t i = 0; pool->reach(i) && pool->change(i).date < to_; ++i) {
      const PoolChange change = pool->change(i);
      const double next = pool->reach(i + 1) ? pool->change(i + 1).date : to_;
      const double span = std::max(0.0, std::min(next, to_) - std::max(change.date, from_));
      with[static_cast<std::size_t>(change.in_use)] += span / length / kDraws;
      const std::int64_t before = i > 0 ? pool->change(i - 1).in_use : change.in_use;
      if (change.date >= from_ && before >= least && change.in_use > before)
        joins += 1 / length / kDraws;
      if (change.in_use == job_.processors) there += span;
    }
    out.full.push_back(there / length);
    full += there / length / kDraws;
    idle += (end.idle_seconds - begin.idle_seconds) / length / kDraws;
    shortages += static_cast<double>(end.shortages - begin.shortages) / length / kDraws;
  }
  out.means = {
      .spares = spares, .full = full, .works = full, .idle = idle, .shortage_rate = shortages};
  if (shortages > 0) out.means.shortage_length = (1 - full) / shortages;
  const SpareNodes nodes = spare_nodes(job_, job_.platform, 0);
  add_worth(nodes, spare_costs(job_), out.means);
  if (!job_.is_elastic()) return out;
  const SmallerJob smaller = smaller_job(job_, nodes, spare_costs(job_));
  out.means.works = 0;
  out.means.efficiency = -joins * smaller.join;
  for (std::int64_t count = least; count <= job_.processors; ++count) {
    const double share = with[static_cast<std::size_t>(count)];
    out.means.works += share;
    if (share > 0) out.means.efficiency += share * smaller.useful(count);
  }
  out.means.cost = static_cast<double>(nodes.nodes + spares) / out.means.efficiency;
  return out;
}

SpareRow SampledSpares::row(std::int64_t spares) {
  return sample(spares).means;
}

std::pair<std::int64_t, std::int64_t> SampledSpares::interval(double share, std::int64_t needed) {
  Stream stream({.seed = seed_, .purpose = Purpose::bootstrap});
  std::vector<std::int64_t> found;
  for (int resample = 0; resample < kSampledAgain; ++resample) {
    std::vector<std::size_t> drawn;
    for (int i = 0; i < kDraws; ++i)
      drawn.push_back(static_cast<std::size_t>(stream.integer(0, kDraws - 1)));
    const auto is_enough = [&](std::int64_t spares) {
      double sum = 0;
      for (const std::size_t draw : drawn) sum += sample(spares).full[draw];
      return sum >= share * kDraws;
    };
    const std::int64_t most = 2 * needed + kMore;
    std::int64_t spares = needed;
    while (spares < most && !is_enough(spares)) ++spares;
    while (spares > 0 && is_enough(spares - 1)) --spares;
    found.push_back(spares);
  }
  std::ranges::sort(found);
  return {found[kSampledAgain / 40], found[kSampledAgain - 1 - kSampledAgain / 40]};
}

}  // namespace holdfast::checkpoint
