#include "holdfast/domains/workflow/replay.hpp"

#include <algorithm>
#include <cassert>
#include <functional>

namespace holdfast::workflow {

Ranked::Ranked(const Instance& instance, const FailureFree& schedule)
    : processors{static_cast<std::size_t>(instance.processors)},
      task_of(schedule.order),
      rank_of(instance.size()) {
  for (std::uint32_t rank = 0; rank < size(); ++rank) rank_of[task_of[rank]] = rank;
  offsets.reserve(size() + 1);
  parents.reserve(instance.graph.edges());
  offsets.push_back(0);
  for (const TaskIndex task : task_of) {
    for (const TaskIndex parent : instance.graph.parents(task)) parents.push_back(rank_of[parent]);
    offsets.push_back(static_cast<std::uint32_t>(parents.size()));
  }
  if (instance.widths.empty()) return;
  widths.reserve(size());
  for (const TaskIndex task : task_of) widths.push_back(instance.widths[task]);
}

Replay::Replay(const Ranked& ranked, std::vector<double> durations)
    : ranked_{&ranked},
      durations_{std::move(durations)},
      needs_queue_{!ranked.widths.empty() || ranked.size() > ranked.processors},
      starts_(ranked.size()),
      ends_(ranked.size()) {
  assert(durations_.size() == ranked.size());
  if (needs_queue_) freed_.resize(ranked.size());
  run_whole({});
  plain_starts_ = starts_;
  plain_ends_ = ends_;
  makespans_.reserve(ends_.size());
  for (const double end : ends_) {
    makespans_.push_back(makespans_.empty() ? end : std::max(makespans_.back(), end));
  }
  clean_ = ends_.size();
}

double Replay::run(std::span<const std::pair<std::uint32_t, double>> changed) {
  if (changed.empty()) return makespan();
  const std::size_t first = changed.front().first;
  // With wide tasks, the times at which processors become free are not kept, so all tasks are replayed.
  if (!ranked_->widths.empty()) return run_whole(changed);
  if (clean_ < first) {
    std::copy(plain_ends_.begin() + static_cast<std::ptrdiff_t>(clean_),
              plain_ends_.begin() + static_cast<std::ptrdiff_t>(first),
              ends_.begin() + static_cast<std::ptrdiff_t>(clean_));
  }
  std::vector<double> kept;
  kept.reserve(changed.size());
  for (const auto& [rank, seconds] : changed)
    kept.push_back(std::exchange(durations_[rank], seconds));
  const double out = run_from<false>(first);
  for (std::size_t i = 0; i < kept.size(); ++i) durations_[changed[i].first] = kept[i];
  clean_ = first;
  return out;
}

double Replay::run_whole(std::span<const std::pair<std::uint32_t, double>> changed) {
  std::vector<double> kept;
  for (const auto& [rank, seconds] : changed)
    kept.push_back(std::exchange(durations_[rank], seconds));
  const double out = ranked_->widths.empty() ? run_from<true>(0) : run_wide_from<true>(0);
  for (std::size_t i = 0; i < kept.size(); ++i) durations_[changed[i].first] = kept[i];
  clean_ = 0;
  return out;
}

template <bool kKeepStarts>
double Replay::run_from(std::size_t first) {
  const std::size_t count = ranked_->size();
  const bool is_first_run = makespans_.empty();
  double start = first == 0 ? 0 : plain_starts_[first - 1];
  double latest = first == 0 ? 0 : makespans_[first - 1];
  if (!needs_queue_) {
    for (std::size_t rank = first; rank < count; ++rank) {
      start = std::max(start, ready(rank));
      const double end = start + durations_[rank];
      if constexpr (kKeepStarts) starts_[rank] = start;
      ends_[rank] = end;
      latest = std::max(latest, end);
    }
    return latest;
  }
  fill_queue(first);
  std::size_t rank = first;
  const std::size_t full = std::min(count, ranked_->processors);
  for (; rank < full; ++rank) {
    start = std::max(start, ready(rank));
    const double end = start + durations_[rank];
    if constexpr (kKeepStarts) starts_[rank] = start;
    ends_[rank] = end;
    latest = std::max(latest, end);
    queue_.push(static_cast<std::uint32_t>(rank));
  }
  for (; rank < count; ++rank) {
    const double freed = queue_.pop();
    if constexpr (kKeepStarts) {
      if (is_first_run) freed_[rank] = freed;
    }
    start = std::max(std::max(start, freed), ready(rank));
    const double end = start + durations_[rank];
    if constexpr (kKeepStarts) starts_[rank] = start;
    ends_[rank] = end;
    latest = std::max(latest, end);
    queue_.push(static_cast<std::uint32_t>(rank));
  }
  return latest;
}

// Fills the queue with the ends of the tasks that run when rank `first` is about to start. These are
// all ends later than the last one removed, and as many equal to it as are needed to occupy all
// processors.
void Replay::fill_queue(std::size_t first) {
  double work = 0;
  if (makespans_.empty()) {
    // In the first run the longest chain is not known, so the area gives the estimate.
    for (const double seconds : durations_) work = std::max(work, seconds);
    double area = 0;
    for (const double seconds : durations_) area += seconds;
    work += area / static_cast<double>(ranked_->processors);
  } else {
    work = 1.25 * makespans_.back();
  }
  queue_.reset(ends_.data(), ranked_->size(), work);
  if (first == 0) return;
  if (first <= ranked_->processors) {
    for (std::uint32_t rank = 0; rank < first; ++rank) queue_.push(rank);
    return;
  }
  const double freed = freed_[first - 1];
  queue_.begin_at(freed);
  std::size_t later = 0;
  for (std::uint32_t rank = 0; rank < first; ++rank) {
    if (ends_[rank] > freed) {
      queue_.push(rank);
      ++later;
    }
  }
  for (std::uint32_t rank = 0; rank < first && later < ranked_->processors; ++rank) {
    if (ends_[rank] == freed) {
      queue_.push(rank);
      ++later;
    }
  }
  assert(later == ranked_->processors);
}

template <bool kKeepStarts>
double Replay::run_wide_from(std::size_t first) {
  assert(first == 0);
  wide_.clear();
  std::size_t free = ranked_->processors;
  double start = 0;
  double latest = 0;
  for (std::size_t rank = first; rank < ranked_->size(); ++rank) {
    start = std::max(start, ready(rank));
    while (free < ranked_->widths[rank]) {
      std::pop_heap(wide_.begin(), wide_.end(), std::greater<>{});
      start = std::max(start, wide_.back().first);
      free += wide_.back().second;
      wide_.pop_back();
    }
    const double end = start + durations_[rank];
    if constexpr (kKeepStarts) starts_[rank] = start;
    ends_[rank] = end;
    latest = std::max(latest, end);
    free -= ranked_->widths[rank];
    wide_.emplace_back(end, ranked_->widths[rank]);
    std::push_heap(wide_.begin(), wide_.end(), std::greater<>{});
  }
  return latest;
}

}  // namespace holdfast::workflow
