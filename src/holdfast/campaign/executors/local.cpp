#include "holdfast/campaign/executors/local.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

namespace holdfast {
namespace {

using Clock = std::chrono::steady_clock;

/// A worker hands over what it has after this many cells or this long, whichever comes first: a
/// lock per cell would cost more than a cell that takes a microsecond.
constexpr std::size_t kHandOverCells = 256;
constexpr auto kHandOverTime = std::chrono::milliseconds(10);
/// The sink is called at most this often, or when so many cells wait: each call is a transaction.
constexpr auto kSinkTime = std::chrono::milliseconds(20);
constexpr std::size_t kSinkCells = 8192;
/// Workers wait when the sink is this far behind.
constexpr std::size_t kMostWaiting = 65536;

/// What the workers and the calling thread share.
class Exchange {
 public:
  /// The next group to run; nothing when there is none left that matters.
  std::optional<std::uint64_t> next_group(const Workload& workload, const Control& control) {
    if (control.stopped()) return std::nullopt;
    const std::uint64_t group = next_.fetch_add(1, std::memory_order_relaxed);
    // Groups start in order, so those before a failed one have all started, and one of them may
    // fail as well: they go on, which makes the reported error the first of the design.
    if (group >= std::min(workload.groups(), limit_.load(std::memory_order_relaxed))) {
      return std::nullopt;
    }
    return group;
  }

  void fail_group(std::uint64_t group, Error error) {
    const std::lock_guard lock(mutex_);
    if (failed_ && failed_->first <= group) return;
    failed_ = {group, std::move(error)};
    if (!abandoned_) limit_.store(group, std::memory_order_relaxed);
  }

  void hand_over(Batch& batch) {
    if (batch.empty()) return;
    std::unique_lock lock(mutex_);
    room_.wait(lock, [this] { return waiting_.size() < kMostWaiting || abandoned_; });
    const auto append = [](auto& to, const auto& from) {
      to.insert(to.end(), from.begin(), from.end());
    };
    append(waiting_.keys, batch.keys);
    append(waiting_.flags, batch.flags);
    append(waiting_.seconds, batch.seconds);
    append(waiting_.values, batch.values);
    const bool is_enough = waiting_.size() >= kSinkCells;
    lock.unlock();
    batch.clear();
    if (is_enough) arrived_.notify_one();
  }

  void begin_worker() {
    const std::lock_guard lock(mutex_);
    ++working_;
  }
  void end_worker() {
    const std::lock_guard lock(mutex_);
    --working_;
    arrived_.notify_one();
  }

  /// Waits for cells; `batch` is empty once all workers have ended and everything was taken.
  void take(Batch& batch) {
    batch.clear();
    std::unique_lock lock(mutex_);
    const auto is_due = [this] { return working_ == 0 || waiting_.size() >= kSinkCells; };
    do {
      arrived_.wait_until(lock, taken_ + kSinkTime, is_due);
      taken_ = Clock::now();
    } while (waiting_.empty() && working_ > 0);
    std::swap(batch, waiting_);
    room_.notify_all();
  }

  /// The sink failed: workers stop at their next group and wait for nobody.
  void abandon() {
    const std::lock_guard lock(mutex_);
    limit_.store(0, std::memory_order_relaxed);
    abandoned_ = true;
    room_.notify_all();
  }

  [[nodiscard]] Status outcome() {
    const std::lock_guard lock(mutex_);
    return failed_ ? fail(std::move(failed_->second)) : Status{};
  }

 private:
  std::atomic<std::uint64_t> next_{0};
  std::atomic<std::uint64_t> limit_{std::numeric_limits<std::uint64_t>::max()};
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::condition_variable room_;
  Batch waiting_;
  unsigned working_ = 0;
  bool abandoned_ = false;
  Clock::time_point taken_ = Clock::now();
  std::optional<std::pair<std::uint64_t, Error>> failed_;
};

void work(const Workload& workload, const Control& control, Exchange& exchange) {
  std::unique_ptr<Workspace> workspace;
  Batch batch;
  auto last = Clock::now();
  const auto after_cell = [&] {
    const auto now = Clock::now();
    if (batch.size() < kHandOverCells && now - last < kHandOverTime) return;
    exchange.hand_over(batch);
    last = now;
  };
  while (const auto group = exchange.next_group(workload, control)) {
    auto status = workload.run(*group, workspace, control, batch, after_cell);
    if (!status) exchange.fail_group(*group, std::move(status).error());
  }
  exchange.hand_over(batch);
  exchange.end_worker();
}

/// Starts threads; a machine that refuses some gives the run fewer, one that refuses all fails it.
Status start(std::vector<std::jthread>& threads, unsigned count, const std::function<void()>& run,
             Exchange& exchange) {
  for (unsigned i = 0; i < count; ++i) {
    exchange.begin_worker();
    try {
      threads.emplace_back(run);
    } catch (const std::system_error& error) {
      exchange.end_worker();
      if (!threads.empty()) break;
      return fail(ErrorCode::io_failure, "--threads",
                  fmt::format("cannot start a thread: {}", error.what()));
    }
  }
  return {};
}

}  // namespace

Status run_local(const Workload& workload, const Control& control, const Sink& sink) {
  if (workload.groups() == 0) return {};
  const auto most = static_cast<unsigned>(std::min<std::uint64_t>(workload.groups(), 1024));
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  const unsigned workers = std::min(control.threads == 0 ? cores : control.threads, most);

  Exchange exchange;
  std::vector<std::jthread> threads;  // joined before the exchange goes
  HOLDFAST_CHECK(start(
      threads, workers, [&] { work(workload, control, exchange); }, exchange));
  Status sunk;
  Batch batch;
  for (exchange.take(batch); !batch.empty(); exchange.take(batch)) {
    if (!sunk) continue;  // drain, so that workers can end
    sunk = sink(batch);
    if (!sunk) exchange.abandon();
  }
  if (!sunk) return sunk;
  return exchange.outcome();
}

}  // namespace holdfast
