#include "holdfast/domains/checkpoint/spare_log.hpp"

#include "holdfast/base/elementary.hpp"
#include "holdfast/kernel/random.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>

namespace holdfast::checkpoint {
namespace {

constexpr int kBlocks = 12;
constexpr int kResamples = 1000;

double log_choose(double n, double k) {
  return elementary::lgamma(n + 1) - elementary::lgamma(k + 1) - elementary::lgamma(n - k + 1);
}

}  // namespace

LoggedSpares::LoggedSpares(RecordedOutages recorded, std::int64_t nodes)
    : recorded_{std::move(recorded)},
      nodes_{nodes},
      seconds_{time_with_down(recorded_, 0, recorded_.length)} {}

// The shares if k nodes of the log are down: of these, j are among the used ones, which is hypergeometric.
const std::vector<LoggedSpares::Shares>& LoggedSpares::by_down(std::int64_t spares) const {
  const auto [place, is_new] = by_down_.try_emplace(spares);
  if (!is_new) return place->second;
  const auto all = static_cast<double>(recorded_.nodes);
  const double used = nodes_ > 0 ? static_cast<double>(nodes_ + spares) : all;
  for (std::size_t k = 0; k < seconds_.size(); ++k) {
    const auto down = static_cast<double>(k);
    Shares& out = place->second.emplace_back();
    const double most = std::min({down, used, static_cast<double>(spares)});
    for (double j = std::max(0.0, down - (all - used)); j <= most; ++j) {
      const double chance =
          used == all ? 1
                      : elementary::exp(log_choose(down, j) + log_choose(all - down, used - j) -
                                        log_choose(all, used));
      out.full += chance;
      out.idle += chance * (static_cast<double>(spares) - j);
    }
  }
  return place->second;
}

LoggedSpares::Shares LoggedSpares::shares(std::int64_t spares,
                                          const std::vector<double>& seconds) const {
  const std::vector<Shares>& parts = by_down(spares);
  Shares out;
  double total = 0;
  for (std::size_t k = 0; k < seconds.size(); ++k) {
    total += seconds[k];
    out.full += parts[k].full * seconds[k];
    out.idle += parts[k].idle * seconds[k];
  }
  return {.full = std::min(1.0, out.full / total), .idle = out.idle / total};
}

std::int64_t LoggedSpares::needed(double share, const std::vector<double>& seconds) const {
  // The logarithms above are rounded.
  const auto is_enough = [&](std::int64_t spares) {
    return shares(spares, seconds).full >= share * (1 - 1e-9);
  };
  return smallest(is_enough, most()).value_or(most());
}

LoggedSpares::Interval LoggedSpares::interval(double share, std::uint64_t seed) const {
  std::vector<std::vector<double>> blocks;
  const double length = recorded_.length / kBlocks;
  for (int i = 0; i < kBlocks; ++i)
    blocks.push_back(time_with_down(recorded_, i * length, (i + 1) * length));
  Stream stream({.seed = seed, .purpose = Purpose::bootstrap});
  std::vector<std::int64_t> found;
  for (int i = 0; i < kResamples; ++i) {
    std::vector<double> seconds(seconds_.size());
    for (int drawn = 0; drawn < kBlocks; ++drawn) {
      const auto& block = blocks[static_cast<std::size_t>(stream.integer(0, kBlocks - 1))];
      for (std::size_t k = 0; k < block.size(); ++k) seconds[k] += block[k];
    }
    found.push_back(needed(share, seconds));
  }
  std::ranges::sort(found);
  return {.low = found[kResamples / 40],
          .high = found[kResamples - 1 - kResamples / 40],
          .block = length};
}

SpareTable logged_table(const Instance& instance, double repair_factor, bool is_whole) {
  RecordedOutages scaled = *instance.recorded;
  for (FailureEvent& outage : scaled.outages) outage.repair *= repair_factor;
  const auto log =
      std::make_shared<const LoggedSpares>(std::move(scaled), is_whole ? 0 : instance.processors);
  const SpareNodes nodes = spare_nodes(instance, instance.platform, 0);
  const std::int64_t all = instance.recorded->nodes;
  const SpareCosts costs = spare_costs(instance);
  return [=](std::int64_t spares) {
    SpareNodes job = nodes;
    if (is_whole) job.nodes = all - spares;
    const auto shares = log->shares(spares);
    SpareRow row{.spares = spares, .full = shares.full, .works = shares.full, .idle = shares.idle};
    add_worth(job, costs, row);
    return row;
  };
}

bool come_together(const RecordedOutages& recorded) {
  const std::vector<double> seconds = time_with_down(recorded, 0, recorded.length);
  double down = 0;
  for (std::size_t k = 0; k < seconds.size(); ++k)
    down += static_cast<double>(k) * seconds[k] / recorded.length;
  const auto all = static_cast<double>(recorded.nodes);
  if (!(down > 0 && down < all)) return false;
  const SpareNodes independent{.nodes = recorded.nodes, .life = all - down, .repair = down};
  const auto usual = smallest(
      [&](std::int64_t k) { return share_with_at_most(independent, k) >= 0.99; }, recorded.nodes);
  return static_cast<double>(down_quantile(seconds, 0.99)) >
         1.2 * static_cast<double>(usual.value_or(0));
}

}  // namespace holdfast::checkpoint
