#include "holdfast/algorithms/bandwidth/greedy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace holdfast::bandwidth {
namespace {

constexpr double kServed = std::numeric_limits<double>::infinity();

bool is_tie(double first, double key) {
  return std::abs(key - first) <= kTie * std::max(std::abs(first), std::abs(key));
}

}  // namespace

void serve_in_order(const Situation& situation, std::span<const std::uint32_t> order,
                    std::span<double> rates) {
  std::fill(rates.begin(), rates.end(), 0.0);
  BandwidthBudget budget(situation.bandwidth);
  for (const std::uint32_t i : order) {
    rates[i] = budget.give(situation.requests[i].bandwidth);
    if (budget.is_empty()) break;
  }
}

std::span<const std::uint32_t> Ranking::sort(std::span<const Pending> requests,
                                             std::span<const double> keys) {
  order_.resize(requests.size());
  std::iota(order_.begin(), order_.end(), 0U);
  if (by_index_) {
    std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return keys[a] != keys[b] ? keys[a] < keys[b]
                                : requests[a].application < requests[b].application;
    });
    return order_;
  }
  // Positions are in order of posting already.
  const auto by_key = [&](std::uint32_t a, std::uint32_t b) {
    return keys[a] != keys[b] ? keys[a] < keys[b] : a < b;
  };
  std::sort(order_.begin(), order_.end(), by_key);
  for (auto first = order_.begin(); first != order_.end();) {
    const auto last = std::find_if(first + 1, order_.end(),
                                   [&](std::uint32_t i) { return !is_tie(keys[*first], keys[i]); });
    if (last - first > 1) std::sort(first, last);
    first = last;
  }
  return order_;
}

std::size_t Ranking::next(std::span<const Pending> requests) const {
  std::size_t best = 0;
  for (std::size_t i = 1; i < keys_.size(); ++i) {
    if (keys_[i] < keys_[best] || (by_index_ && keys_[i] == keys_[best] &&
                                   requests[i].application < requests[best].application)) {
      best = i;
    }
  }
  return best;
}

void Ranking::serve(const Situation& situation, std::span<const double> keys,
                    std::span<double> rates) {
  // Serves one group after the other, each found by its smallest key. If applications fill the file system alone, one pass over
  // the keys is enough.
  constexpr int kPasses = 4;
  std::fill(rates.begin(), rates.end(), 0.0);
  keys_.assign(keys.begin(), keys.end());
  BandwidthBudget budget(situation.bandwidth);
  std::size_t unserved = keys.size();
  for (int pass = 0; pass < kPasses && unserved > 0; ++pass) {
    const std::size_t best = next(situation.requests);
    const double first = keys_[best];
    for (std::size_t i = by_index_ ? best : 0; i < keys_.size(); ++i) {
      if (i != best && (by_index_ || keys_[i] == kServed || !is_tie(first, keys_[i]))) continue;
      rates[i] = budget.give(situation.requests[i].bandwidth);
      if (budget.is_empty()) return;
      keys_[i] = kServed;
      --unserved;
    }
  }
  if (unserved > 0) serve_in_order(situation, sort(situation.requests, keys), rates);
}

std::span<const double> yields_of(std::span<const Pending> requests, std::vector<double>& buffer) {
  buffer.resize(requests.size());
  for (std::size_t i = 0; i < requests.size(); ++i) buffer[i] = requests[i].yield();
  return buffer;
}

}  // namespace holdfast::bandwidth
