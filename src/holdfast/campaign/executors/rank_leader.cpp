#include "holdfast/campaign/executors/rank_leader.hpp"

#include "holdfast/campaign/batch_bytes.hpp"
#include "holdfast/campaign/design.hpp"
#include "holdfast/campaign/executors/chunk_prefetch.hpp"
#include "holdfast/campaign/executors/chunks.hpp"
#include "holdfast/campaign/executors/gathering.hpp"
#include "holdfast/campaign/executors/heartbeat_gap.hpp"
#include "holdfast/campaign/executors/pool.hpp"
#include "holdfast/campaign/executors/rank_messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>
#include <vector>

namespace holdfast {
namespace {

using Clock = std::chrono::steady_clock;

/// The interval between two looks for messages while many arrive; otherwise kLook.
constexpr auto kLookBusy = std::chrono::microseconds(200);
/// The sink is called at most this often, or when many cells wait: each call is a transaction.
constexpr auto kSinkTime = std::chrono::milliseconds(20);
/// How long to wait for the other processes after a stop from outside, because they may be gone.
constexpr auto kGrace = std::chrono::milliseconds(500);

/// The leader's data about a process; the first one is the leader itself.
struct Member {
  bool is_ready = false;
  bool has_left = false;
  ChunkPrefetch prefetch;
  HeartbeatGap gap;

  [[nodiscard]] bool wants_chunk() const { return is_ready && !has_left && prefetch.wants_chunk(); }
};

class Leader {
 public:
  Leader(Transport& transport, unsigned threads, const Workload& workload, const Control& control,
         const Sink& sink)
      : transport_(transport),
        threads_(threads),
        workload_(workload),
        control_(control),
        sink_(sink),
        pool_(workload, control),
        rule_(workload.workers()),
        members_(static_cast<std::size_t>(transport.size())),
        end_(workload.groups()),
        cells_left_(workload.cells()) {}

  Status run() {
    Status status = pool_.start(threads_);
    if (status) {
      members_.front().is_ready = true;
      tell_all(kBegin, to_bytes(BeginMessage{workload_.workers(), to_runs(workload_.done())}));
      status = hand_out();
    }
    pool_.close();
    if (!status) pool_.abandon();
    tell_all(kEnd, {});
    const Status ended = gather_rest(static_cast<bool>(status));
    if (!status) return status;
    if (!ended) return ended;
    if (failed_) return fail(std::move(failed_->error));
    return {};
  }

 private:
  void tell_all(int kind, const std::string& bytes) {
    for (int rank = 1; rank < transport_.size(); ++rank) transport_.send(rank, kind, bytes);
    told_ = Clock::now();
  }

  [[nodiscard]] bool is_complete() const {
    return next_ >= end_ && std::all_of(members_.begin(), members_.end(), [](const Member& member) {
             return member.prefetch.is_done();
           });
  }

  Status hand_out() {
    while (!is_complete() && !control_.stopped()) {
      HOLDFAST_TRY(has_heard, receive());
      members_.front().prefetch.finish(pool_.finished());
      for (std::size_t rank = 0; rank < members_.size(); ++rank) {
        while (members_[rank].wants_chunk() && give(rank)) {
        }
      }
      HOLDFAST_CHECK(take_own(has_heard ? kLookBusy : kLook));
      HOLDFAST_CHECK(pass_on(false));
      HOLDFAST_CHECK(check_members());
      if (members_.front().prefetch.is_done() && !has_heard) std::this_thread::sleep_for(kLookBusy);
    }
    return {};
  }

  /// Hands out the next groups, with as many missing cells as a chunk has; returns false if there are none.
  bool give(std::size_t rank) {
    const std::uint64_t wanted = rule_.cells(cells_left_) * threads_;
    GroupRange range = {next_, next_};
    std::uint64_t cells = 0;
    while (range.end < end_ && cells < wanted) {
      const std::uint64_t missing = workload_.missing(range.end++);
      if (cells == 0 && missing == 0) range.begin = range.end;
      cells += missing;
    }
    next_ = range.end;
    if (cells == 0) return false;
    cells_left_ -= std::min(cells, cells_left_);
    members_[rank].prefetch.give(range.size(),
                                 static_cast<double>(cells) * rule_.cell_seconds() / threads_);
    if (rank == 0) {
      pool_.give(range);
    } else {
      transport_.send(static_cast<int>(rank), kChunk, to_bytes(range));
    }
    return true;
  }

  Result<bool> receive() {
    bool has_heard = false;
    Message message;
    while (gathered_.size() < kManyCells && transport_.receive(message)) {
      has_heard = true;
      HOLDFAST_CHECK(take(message));
    }
    return has_heard;
  }

  Status take(const Message& message) {
    Member& member = members_[static_cast<std::size_t>(message.from)];
    member.gap.heard();
    switch (message.kind) {
      case kHello:
        return greet(message.from, message.bytes);
      case kFailed:
        return take_failure(message.from, parse_failed(message.bytes));
      case kCells: {
        CellsMessage cells = parse_cells(message.bytes);
        member.prefetch.finish(cells.finished);
        HOLDFAST_TRY(batch, parse_batch(cells.batch, workload_.design()));
        add(batch);
        return {};
      }
      case kBye:
        member.has_left = true;
        return {};
      default:
        return {};
    }
  }

  Status greet(int rank, const std::string& theirs) {
    if (theirs != identity(workload_.design())) {
      return fail(
          ErrorCode::io_failure, fmt::format("MPI rank {}", rank),
          "opened another campaign than rank 0: the campaign file, a file that it names, or "
          "holdfast itself differs between the machines; put them where all see the same");
    }
    members_[static_cast<std::size_t>(rank)].is_ready = true;
    return {};
  }

  Status take_failure(int rank, FailedMessage failure) {
    if (failure.group == kNoGroup) {
      failure.error.message += fmt::format(" (on MPI rank {})", rank);
      return fail(std::move(failure.error));
    }
    if (failed_ && failed_->group <= failure.group) return {};
    failed_ = Pool::Failure{failure.group, std::move(failure.error)};
    end_ = std::min(end_, failure.group);
    pool_.limit(end_);
    tell_all(kLimit, to_bytes(GroupRange{end_, end_}));
    return {};
  }

  void add(const Batch& batch) {
    double seconds = 0;
    for (const double cell : batch.seconds) seconds += cell;
    if (!batch.empty()) rule_.learn(batch.size(), seconds);
    gathered_.append(batch);
  }

  Status take_own(Clock::duration patience) {
    pool_.take(taken_, Clock::now() + patience);
    add(taken_);
    const Pool::Failure* failure = pool_.failure();
    if (failure == nullptr || (failed_ && failed_->group <= failure->group)) return {};
    return take_failure(0, {failure->group, failure->error});
  }

  Status pass_on(bool at_once) {
    const auto now = Clock::now();
    if (at_once && gathered_.empty()) return {};
    if (!at_once && gathered_.size() < kManyCells && now - passed_ < kSinkTime) return {};
    passed_ = now;
    Status status = sink_(gathered_);
    gathered_.clear();
    return status;
  }

  Status check_members() {
    const auto now = Clock::now();
    if (now - told_ > std::chrono::duration<double>(HeartbeatGap::kBetweenWords))
      tell_all(kAlive, {});
    for (std::size_t rank = 1; rank < members_.size(); ++rank) {
      Member& member = members_[rank];
      // Before a process is ready it may be silent for longer, because opening a large campaign takes time.
      if (!member.gap.is_too_long(now) || !member.is_ready) continue;
      return fail(ErrorCode::io_failure, fmt::format("MPI rank {}", rank),
                  "has not been heard of for a minute: its process or node is gone; start the same "
                  "command again: what was finished is kept");
    }
    return {};
  }

  /// Receives what the other processes still send until all have left, and stores it if possible.
  Status gather_rest(bool may_store) {
    Status status;
    const auto store = [&](bool at_once) {
      if (may_store && status) status = pass_on(at_once);
      if (!may_store || !status) gathered_.clear();
    };
    store(true);
    std::optional<Clock::time_point> stopped;
    for (;;) {
      const bool is_last = pool_.ended();
      const auto heard = receive();
      if (!heard && may_store && status) status = fail(heard.error());
      if (auto own = take_own(kLookBusy); !own && status) status = fail(own.error());
      store(false);
      if (is_last && all_have_left()) break;
      const bool in_haste = control_.stopped() || !may_store || !status;
      if (in_haste && is_last && !stopped) stopped = Clock::now();
      if (stopped && Clock::now() - *stopped > kGrace) break;
      if (is_last && (!heard || !*heard)) std::this_thread::sleep_for(kLookBusy);
      if (auto alive = check_members(); !alive && !stopped) {
        if (status) status = std::move(alive);
        break;
      }
    }
    store(true);
    if (!all_have_left()) transport_.abandon();
    return status;
  }

  [[nodiscard]] bool all_have_left() const {
    return std::all_of(members_.begin() + 1, members_.end(),
                       [](const Member& member) { return member.has_left; });
  }

  Transport& transport_;
  unsigned threads_;
  const Workload& workload_;
  const Control& control_;
  const Sink& sink_;
  Pool pool_;
  ChunkRule rule_;
  std::vector<Member> members_;
  std::uint64_t next_ = 0;  // next group to hand out
  std::uint64_t end_;       // one past the last group that matters
  std::uint64_t cells_left_;
  Clock::time_point told_ = Clock::now();
  Clock::time_point passed_ = Clock::now();
  Batch taken_;
  Batch gathered_;
  std::optional<Pool::Failure> failed_;
};

}  // namespace

Status lead(Transport& transport, unsigned threads, const Workload& workload,
            const Control& control, const Sink& sink) {
  return Leader(transport, threads, workload, control, sink).run();
}

void dismiss(Transport& transport) {
  for (int rank = 1; rank < transport.size(); ++rank) transport.send(rank, kEnd, {});
  int left = transport.size() - 1;
  HeartbeatGap gap;
  Message message;
  while (left > 0 && !gap.is_too_long(Clock::now())) {
    while (transport.receive(message)) left -= message.kind == kBye ? 1 : 0;
    std::this_thread::sleep_for(kLook);
  }
  if (left > 0) transport.abandon();
}

}  // namespace holdfast
