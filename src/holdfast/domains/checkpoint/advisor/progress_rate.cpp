#include "holdfast/domains/checkpoint/advisor/progress_rate.hpp"

#include <algorithm>

namespace holdfast::checkpoint {

void ProgressRate::add(double worked, double done) {
  if (is_open_ && worked - begin_ < kShortest) return;
  if (is_open_) rates_[count_++ % kKept] = (done - done_) / (worked - begin_);
  is_open_ = true;
  begin_ = worked;
  done_ = done;
}

std::optional<double> ProgressRate::value() const {
  if (count_ == 0) return std::nullopt;
  std::array<double, kKept> ordered = rates_;
  const std::size_t known = std::min(count_, kKept);
  std::sort(ordered.begin(), ordered.begin() + static_cast<std::ptrdiff_t>(known));
  const double middle =
      known % 2 == 1 ? ordered[known / 2] : (ordered[known / 2 - 1] + ordered[known / 2]) / 2;
  return middle > 0 ? std::optional(middle) : std::nullopt;
}

}  // namespace holdfast::checkpoint
