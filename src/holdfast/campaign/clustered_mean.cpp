#include "holdfast/campaign/clustered_mean.hpp"

#include "holdfast/math/student.hpp"

#include <cmath>

namespace holdfast {
namespace {

constexpr std::size_t kMostGroups = 1024;

}  // namespace

void ClusteredMean::add(std::size_t draw, double value) {
  moments_.add(value);
  const std::size_t group = draw % kMostGroups;
  if (shares_.size() <= group) shares_.resize(group + 1);
  shares_[group].sum += value;
  ++shares_[group].count;
}

std::optional<std::array<double, 2>> ClusteredMean::interval() const {
  if (count() == 0) return std::nullopt;
  double squares = 0, total = 0, groups = 0;
  for (const Share& share : shares_) {
    if (share.count == 0) continue;
    const double excess = share.sum - share.count * mean();
    squares += excess * excess;
    total += share.count;
    ++groups;
  }
  if (groups < 2) return std::nullopt;
  const double error = std::sqrt(squares * groups / (groups - 1)) / total;
  const double reach = student_quantile(0.975, groups - 1) * error;
  return std::array{mean() - reach, mean() + reach};
}

}  // namespace holdfast
