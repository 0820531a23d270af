#include "holdfast/algorithms/checkpoints/grid.hpp"

#include "holdfast/base/elementary.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace holdfast::checkpoints {
namespace {

/// The number of checkpoint counts tried without a new best before the search stops (the source's rule).
constexpr std::size_t kPatience = 5;
/// The number of layers between two stored copies of F.
constexpr std::size_t kBlock = 32;
/// The largest number of parents that are kept at once: 256 MB.
constexpr std::size_t kMostParents = std::size_t{1} << 26;

std::size_t rounded(double quanta) {
  return static_cast<std::size_t>(std::max(1.0, std::round(quanta)));
}

}  // namespace

std::span<const double> GridPlanner::plan(Outlook& outlook, double work, double quantum) {
  assert(quantum > 0 && quantum <= work && work / quantum <= kMostQuanta);
  prepare(outlook, work, quantum);
  trace_back(best_count(outlook));
  // Rounding to quanta may have changed the work by half a quantum; the difference is spread evenly.
  const double scale = work / static_cast<double>(work_);
  for (double& cut : cuts_) cut *= scale;
  cuts_.back() = work;
  return cuts_;
}

void GridPlanner::prepare(Outlook& outlook, double work, double quantum) {
  quantum_ = quantum;
  work_ = rounded(work / quantum);
  cost_ = rounded(checkpoint_ / quantum);
  survival_.clear();
  expected_time_.assign(1, 0.0);
  candidates_.clear();
  last_parents_.clear();
  parents_.clear();
  first_parents_ = 1;
  has_all_parents_ = true;
  block_starts_.clear();
  previous_.assign(work_ + 1, 0.0);
  current_.assign(work_ + 1, 0.0);
  extend_survival(outlook, work_ + cost_);
}

// Computes S up to that many quanta, and a few layers further.
void GridPlanner::extend_survival(Outlook& outlook, std::size_t quanta) {
  const std::size_t known = survival_.size();
  if (quanta < known) return;
  const std::size_t last = quanta + 16 * cost_;
  points_.resize(last + 1 - known);
  for (std::size_t i = known; i <= last; ++i)
    points_[i - known] = static_cast<double>(i) * quantum_;
  outlook.cumulative(points_, points_);
  const std::size_t first_end = 1 + (ends_.final_checkpoint ? cost_ : 0);
  if (known == 0) reference_ = points_[std::min(first_end, last)];
  for (const double cumulative : points_) {
    // Quanta before the first possible checkpoint are never asked for, and their scaled values might overflow.
    survival_.push_back(cumulative < reference_ ? 1 : elementary::exp(reference_ - cumulative));
    expected_time_.push_back(expected_time_.back() + elementary::exp(-cumulative));
  }
}

// Returns the number of quanta until the end of a plan of k checkpoints.
std::size_t GridPlanner::end_of(std::size_t k) const {
  return work_ + (ends_.final_checkpoint ? k : k - 1) * cost_;
}

std::size_t GridPlanner::best_count(Outlook& outlook) {
  std::size_t best = 1;
  double best_value = -1;
  for (std::size_t k = 1; k <= work_ && k <= best + kPatience; ++k) {
    extend_survival(outlook, work_ + k * cost_);
    if ((k - 1) % kBlock == 0) block_starts_.push_back(previous_);
    Parents parents(has_all_parents_ ? work_ + 1 : 0);
    const std::uint32_t parent = next_layer(k, parents);
    last_parents_.push_back(ends_.final_checkpoint ? parent : end_without_checkpoint(k));
    const double work = current_[work_];
    keep(k, parents);
    std::swap(previous_, current_);

    const double time = expected_time_[end_of(k)];
    candidates_.push_back({.checkpoints = static_cast<std::int64_t>(k),
                           .expected_work = work * quantum_ * elementary::exp(-reference_),
                           .expected_time = time * quantum_});
    const double value = goal_ == Goal::work ? work : work / time;
    if (value > best_value) {
      best_value = value;
      best = k;
    }
  }
  return best;
}

// Computes current_ = F_k from previous_ = F_(k-1), and where each maximum was found. Returns the best a for c = W*. @param
// parents  [W* + 1], or empty
std::uint32_t GridPlanner::next_layer(std::size_t k, Parents& parents) {
  envelope_.clear();
  const double* survival = survival_.data() + k * cost_;
  std::uint32_t last = 0;
  for (std::size_t c = k; c <= work_; ++c) {
    if (k > 1 || c == 1) envelope_.add(previous_[c - 1], static_cast<std::uint32_t>(c - 1));
    const double s = survival[c];
    const auto [value, slope] = envelope_.at(s);
    current_[c] = value + s * static_cast<double>(c);
    if (!parents.empty()) parents[c] = slope;
    last = slope;
  }
  return last;
}

// Computes F_k(W*) of a job that ends without a checkpoint. Its last segment is safe C earlier, so the query does not fit into
// the order of the layer. Returns the best a.
std::uint32_t GridPlanner::end_without_checkpoint(std::size_t k) {
  const double s = survival_[end_of(k)];
  std::uint32_t best = 0;
  current_[work_] = -1;
  for (std::size_t a = k - 1; a < (k == 1 ? 1 : work_); ++a) {
    const double value = previous_[a] + s * static_cast<double>(work_ - a);
    if (value > current_[work_]) {
      current_[work_] = value;
      best = static_cast<std::uint32_t>(a);
    }
  }
  return best;
}

void GridPlanner::keep(std::size_t k, Parents& parents) {
  if (!has_all_parents_) return;
  if (k * (work_ + 1) <= kMostParents) {
    parents_.push_back(std::move(parents));
    return;
  }
  has_all_parents_ = false;
  parents_.clear();
}

void GridPlanner::trace_back(std::size_t count) {
  cuts_.resize(count);
  std::uint32_t c = static_cast<std::uint32_t>(work_);
  for (std::size_t k = count; k > 0; --k) {
    cuts_[k - 1] = c;
    if (k == 1) break;
    c = k == count ? last_parents_[k - 1] : parents_of(k)[c];
  }
}

const GridPlanner::Parents& GridPlanner::parents_of(std::size_t k) {
  if (!has_all_parents_ &&
      (parents_.empty() || k < first_parents_ || k >= first_parents_ + parents_.size())) {
    const std::size_t block = (k - 1) / kBlock;
    first_parents_ = block * kBlock + 1;
    previous_ = block_starts_[block];
    parents_.resize(k - first_parents_ + 1);
    for (std::size_t layer = first_parents_; layer <= k; ++layer) {
      Parents& parents = parents_[layer - first_parents_];
      parents.resize(work_ + 1);
      next_layer(layer, parents);
      std::swap(previous_, current_);
    }
  }
  return parents_[k - first_parents_];
}

}  // namespace holdfast::checkpoints
