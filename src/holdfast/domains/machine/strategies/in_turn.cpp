#include "holdfast/domains/machine/strategies/in_turn.hpp"

#include <algorithm>

namespace holdfast::machine {

void InTurn::share(const bandwidth::Situation& situation, std::span<double> rates) {
  const auto& requests = situation.requests;
  std::fill(rates.begin(), rates.end(), 0.0);
  begun_.clear();
  waiting_.clear();
  for (std::uint32_t i = 0; i < requests.size(); ++i) {
    (requests[i].begun < bandwidth::kNever ? begun_ : waiting_).push_back(i);
  }
  // A stable sort: transfers that began together stay in order of posting.
  std::stable_sort(begun_.begin(), begun_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return requests[a].begun < requests[b].begun;
  });
  bandwidth::BandwidthBudget budget(situation.bandwidth);
  for (const std::uint32_t i : begun_) rates[i] = budget.give(requests[i].bandwidth);
  if (budget.is_empty() || waiting_.empty()) return;
  keys_.resize(waiting_.size());
  order_by(situation, waiting_, keys_);
  asked_.clear();
  for (const std::uint32_t i : waiting_) asked_.push_back(requests[i]);
  for (const std::uint32_t k : ranking_.sort(asked_, keys_)) {
    const std::uint32_t i = waiting_[k];
    rates[i] = budget.give(requests[i].bandwidth);
    if (budget.is_empty()) return;
  }
}

}  // namespace holdfast::machine
