#include "holdfast/domains/capacity/openings.hpp"

#include <algorithm>

namespace holdfast::capacity {

Openings::Openings(const StartBounds& classes, std::span<const Skyline> skylines)
    : classes_{classes},
      skylines_{skylines},
      longest_(classes.core_classes() * skylines.size(), 0),
      longest_of_all_(classes.core_classes(), 0),
      end_(skylines.size(), kNever),
      is_stale_(skylines.size(), 0) {}

void Openings::open(std::int64_t from, std::int64_t until, std::int64_t used,
                    std::int64_t distance) {
  from_ = from;
  until_ = until;
  used_ = static_cast<std::size_t>(used);
  distance_ = static_cast<std::size_t>(distance);
  for (std::size_t m = 0; m < skylines_.size(); ++m) {
    end_[m] = kNever;
    touch(static_cast<std::int64_t>(m), from);
  }
}

void Openings::refresh() {
  const std::size_t machines = skylines_.size();
  for (const std::size_t m : stale_) {
    is_stale_[m] = 0;
    end_[m] = until_;
    for (std::size_t k = 0; k < classes_.core_classes(); ++k) {
      const Skyline::Stay stay = skylines_[m].longest_from(from_, until_, classes_.least_cores(k));
      longest_[k * machines + m] = stay.longest;
      end_[m] = std::max(end_[m], stay.end);
    }
  }
  stale_.clear();
  for (std::size_t k = 0; k < classes_.core_classes(); ++k) {
    const std::int64_t* const of_class = longest_.data() + k * machines;
    longest_of_all_[k] = used_ == 0 ? 0 : *std::max_element(of_class, of_class + used_);
  }
}

std::int64_t Openings::longest_near(std::size_t read_cores, std::int64_t machine) const {
  const std::int64_t* const of_class = longest_.data() + read_cores * skylines_.size();
  const auto at = static_cast<std::size_t>(machine);
  const std::size_t low = at > distance_ ? at - distance_ : 0;
  return *std::max_element(of_class + low, of_class + std::min(used_, at + distance_ + 1));
}

}  // namespace holdfast::capacity
