#include "holdfast/campaign/executors/pool.hpp"

#include "holdfast/campaign/executors/gathering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <limits>
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

namespace holdfast {
namespace {

/// A thread hands over its cells after this many cells or this time, whichever comes first, because a lock per cell would cost
/// more than a cell that takes a microsecond.
constexpr std::size_t kHandOverCells = 256;
constexpr auto kHandOverTime = std::chrono::milliseconds(10);
/// The number of finished cells at which threads wait for the owner.
constexpr std::size_t kMostWaiting = 65536;
/// A thread takes its share of the remaining groups divided by this number, so that there are few locks at first and single
/// groups towards the end.
constexpr std::uint64_t kParts = 16;
constexpr std::uint64_t kMostTaken = 64;

}  // namespace

struct Pool::Impl {
  const Workload& workload;
  const Control& control;
  std::vector<std::jthread> threads;

  std::atomic<std::uint64_t> limit{std::numeric_limits<std::uint64_t>::max()};
  mutable std::mutex mutex;
  std::condition_variable arrived;  // the owner waits for cells or the end
  std::condition_variable room;     // threads wait for room for cells
  std::condition_variable given;    // threads wait for groups
  // Guarded by the mutex:
  std::deque<GroupRange> queue;
  Batch waiting;
  std::uint64_t finished = 0;
  unsigned working = 0;
  unsigned idle = 0;
  bool closed = false;
  bool abandoned = false;
  std::optional<Failure> failed;
  Error no_memory{ErrorCode::io_failure, {}, "not enough memory for this campaign"};  // made early

  Impl(const Workload& w, const Control& c) : workload(w), control(c) {}

  // The caller holds the lock.
  [[nodiscard]] bool is_still() const { return working == 0 || (queue.empty() && idle == working); }

  void append(Batch& batch) {
    if (batch.empty()) return;
    waiting.append(batch);
    batch.clear();
  }

  void hand_over(Batch& batch) {
    if (batch.empty()) return;
    std::unique_lock lock(mutex);
    room.wait(lock, [this] { return waiting.size() < kMostWaiting || abandoned; });
    append(batch);
    const bool is_enough = waiting.size() >= kManyCells;
    lock.unlock();
    if (is_enough) arrived.notify_one();
  }

  /// Counts the groups that were taken last as finished, and takes the next ones; returns false at the end.
  bool take_groups(GroupRange& taken, Batch& batch) {
    std::unique_lock lock(mutex);
    finished += taken.size();
    taken = {};
    if (queue.empty() && !closed) {
      append(batch);
      ++idle;
      if (is_still()) arrived.notify_one();
      given.wait(lock, [this] { return !queue.empty() || closed; });
      --idle;
    }
    if (queue.empty() || control.stopped()) return false;
    GroupRange& front = queue.front();
    const std::uint64_t share = front.size() / (kParts * threads.size());
    taken = {front.begin, front.begin + std::clamp<std::uint64_t>(share, 1, kMostTaken)};
    front.begin = taken.end;
    if (front.size() == 0) queue.pop_front();
    return true;
  }

  void fail_group(std::uint64_t group, Error error) {
    const std::lock_guard lock(mutex);
    if (failed && failed->group <= group) return;
    failed = Failure{group, std::move(error)};
    limit.store(std::min(limit.load(), group));
  }

  /// Records that memory ran out. It throws nothing, because there may be no memory for a message either.
  void fail_for_memory(std::uint64_t group) {
    const std::lock_guard lock(mutex);
    if (!failed) failed = Failure{group, std::move(no_memory)};
    limit.store(std::min(limit.load(), group));
  }

  void work() {
    GroupRange taken;
    try {
      run_groups(taken);
    } catch (const std::bad_alloc&) {
      fail_for_memory(taken.begin);
    } catch (const std::length_error&) {  // larger than any memory
      fail_for_memory(taken.begin);
    }
    const std::lock_guard lock(mutex);
    --working;
    arrived.notify_one();
  }

  void run_groups(GroupRange& taken) {
    Workspace workspace(Stop(control.stop));
    Batch batch;
    auto last = Clock::now();
    const auto after_cell = [&] {
      const auto now = Clock::now();
      if (batch.size() < kHandOverCells && now - last < kHandOverTime) return;
      hand_over(batch);
      last = now;
    };
    while (take_groups(taken, batch)) {
      for (std::uint64_t group = taken.begin; group < taken.end && !control.stopped(); ++group) {
        if (group >= limit.load(std::memory_order_relaxed)) break;
        auto status = workload.run(group, workspace, control, batch, after_cell);
        if (!status) fail_group(group, std::move(status).error());
      }
    }
    hand_over(batch);
  }
};

Pool::Pool(const Workload& workload, const Control& control)
    : impl_(std::make_unique<Impl>(workload, control)) {}

Pool::~Pool() {
  abandon();
  impl_->threads.clear();  // joins the threads before the data that they use are destroyed
}

Status Pool::start(unsigned threads) {
  const std::lock_guard lock(impl_->mutex);  // no thread is counted before all are started
  for (unsigned i = 0; i < threads; ++i) {
    ++impl_->working;
    try {
      impl_->threads.emplace_back([this] { impl_->work(); });
    } catch (const std::system_error& error) {
      --impl_->working;
      if (!impl_->threads.empty()) break;
      return fail(ErrorCode::io_failure, "/threads",
                  fmt::format("cannot start a thread: {}", error.what()));
    }
  }
  return {};
}

void Pool::give(GroupRange range) {
  if (range.size() == 0) return;
  const std::lock_guard lock(impl_->mutex);
  impl_->queue.push_back(range);
  impl_->given.notify_all();
}

void Pool::limit(std::uint64_t group) {
  const std::lock_guard lock(impl_->mutex);
  impl_->limit.store(std::min(impl_->limit.load(), group));
}

void Pool::close() {
  const std::lock_guard lock(impl_->mutex);
  impl_->closed = true;
  impl_->given.notify_all();
}

void Pool::abandon() {
  const std::lock_guard lock(impl_->mutex);
  impl_->limit.store(0);
  impl_->queue.clear();
  impl_->closed = true;
  impl_->abandoned = true;
  impl_->given.notify_all();
  impl_->room.notify_all();
}

void Pool::take(Batch& batch, Clock::time_point until) {
  batch.clear();
  std::unique_lock lock(impl_->mutex);
  impl_->arrived.wait_until(
      lock, until, [this] { return impl_->is_still() || impl_->waiting.size() >= kManyCells; });
  std::swap(batch, impl_->waiting);
  impl_->room.notify_all();
}

bool Pool::ended() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->working == 0;
}

std::uint64_t Pool::finished() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->finished;
}

const Pool::Failure* Pool::failure() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->failed ? &*impl_->failed : nullptr;
}

}  // namespace holdfast
