#include "holdfast/domains/checkpoint/pool_outlook.hpp"

#include <algorithm>
#include <utility>

namespace holdfast::checkpoint {

PoolOutlook::PoolOutlook(const TabulatedLaw& law, const NodePool& pool)
    : law_{law},
      pool_{pool},
      is_memoryless_{law.law().name() == "exponential"},
      born_(static_cast<std::size_t>(pool.rules().nodes + pool.rules().spares)) {
  move_to(1, 0);
}

void PoolOutlook::move_to(std::size_t next, double date) {
  if (next_ == next && date == date_) return;
  for (; next_ < next; ++next_) {
    for (const PoolMove& move : pool_.moves(next_)) {
      born_[move.node] = move.enters ? std::optional(move.born) : std::nullopt;
    }
  }
  date_ = date;
  const std::int64_t before = std::exchange(in_use_, pool_.change(next - 1).in_use);
  if (!is_memoryless_ || in_use_ != before) ages_.reset();
}

checkpoints::AgesOutlook& PoolOutlook::ages() {
  if (ages_) return *ages_;
  if (is_memoryless_) return ages_.emplace(law_, same_age(in_use_, law_.mean()));
  std::vector<AgeGroup> groups;
  groups.reserve(static_cast<std::size_t>(pool_.rules().nodes));
  for (const std::optional<double>& born : born_) {
    if (born) groups.push_back({.age = std::max(0.0, date_ - *born), .count = 1});
  }
  return ages_.emplace(law_, make_ages(std::move(groups)));
}

}  // namespace holdfast::checkpoint
