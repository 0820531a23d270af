#include "holdfast/campaign/executors/rank_helper.hpp"

#include "holdfast/campaign/batch_bytes.hpp"
#include "holdfast/campaign/campaign.hpp"
#include "holdfast/campaign/design.hpp"
#include "holdfast/campaign/executors/chunks.hpp"
#include "holdfast/campaign/executors/gathering.hpp"
#include "holdfast/campaign/executors/heartbeat_gap.hpp"
#include "holdfast/campaign/executors/pool.hpp"
#include "holdfast/campaign/executors/rank_messages.hpp"

#include <chrono>
#include <deque>
#include <optional>
#include <thread>

namespace holdfast {
namespace {

using Clock = std::chrono::steady_clock;

/// The interval between two looks for messages while there is no work; otherwise kLook.
constexpr auto kLookIdle = std::chrono::microseconds(200);
/// While more than this number of bytes wait to be sent, no cells are taken from the pool, which then holds its threads back.
constexpr std::size_t kMostUnsent = std::size_t{64} << 20;

class Helper {
 public:
  Helper(Transport& transport, const Campaign& campaign, const Control& control)
      : transport_(transport), campaign_(campaign), control_(control) {}

  Status run(unsigned threads) {
    auto design = Design::make(campaign_);
    if (!design) {
      report(kNoGroup, design.error());
    } else {
      say(kHello, identity(*design));
      HOLDFAST_TRY(begin, wait_for_begin());
      if (begin) HOLDFAST_CHECK(run_cells(*design, *begin, threads));
    }
    return leave();
  }

 private:
  void say(int kind, std::string bytes) {
    transport_.send(0, kind, std::move(bytes));
    said_ = Clock::now();
  }
  void report(std::uint64_t group, const Error& error) {
    say(kFailed, to_bytes(FailedMessage{group, error}));
  }

  Status check_leader() {
    const auto now = Clock::now();
    if (leader_.is_too_long(now)) {
      transport_.abandon();
      return fail(ErrorCode::io_failure, "MPI rank 0",
                  "has not been heard of for a minute: its process or node is gone; start the same "
                  "command again: what it stored is kept");
    }
    if (now - said_ > std::chrono::duration<double>(HeartbeatGap::kBetweenWords)) send_cells(true);
    return {};
  }

  /// Waits for the first message of the leader. Returns nothing if there is no work for this process.
  Result<std::optional<BeginMessage>> wait_for_begin() {
    Message message;
    while (!ending_ && !control_.stopped()) {
      if (!transport_.receive(message)) {
        HOLDFAST_CHECK(check_leader());
        std::this_thread::sleep_for(kLook);
        continue;
      }
      leader_.heard();
      if (message.kind == kBegin) return parse_begin(message.bytes);
      if (message.kind == kEnd) ending_ = true;
    }
    return std::optional<BeginMessage>();
  }

  Status run_cells(Design& design, const BeginMessage& begin, unsigned threads) {
    const std::vector<bool> done = from_runs(begin.runs, design.cells());
    const auto is_done = [&](const CellKey& key) {
      return bool{done[design.cell(key.point, key.instance, key.scenario, key.strategy)]};
    };
    const Workload workload(campaign_, design, is_done, begin.workers);
    Pool pool(workload, control_);
    if (auto started = pool.start(threads); !started) {
      report(kNoGroup, started.error());
      return {};
    }
    send_every_ = ChunkRule(begin.workers).chunk_seconds();
    while (!ending_ && !control_.stopped()) {
      receive(pool);
      HOLDFAST_CHECK(check_leader());
      pass_on(pool, kLook);
      if (pool.finished() == given_) std::this_thread::sleep_for(kLookIdle);
    }
    // Finished cells are sent before the running ones are waited for, because the stopping process may not wait long.
    pool.close();
    send_cells(false);
    for (bool is_last = false; !is_last;) {
      is_last = pool.ended();
      pass_on(pool, kLook);
    }
    send_cells(false);
    return {};
  }

  void receive(Pool& pool) {
    Message message;
    while (transport_.receive(message)) {
      leader_.heard();
      if (message.kind == kChunk) {
        const GroupRange range = parse_range(message.bytes);
        given_ += range.size();
        chunk_ends_.push_back(given_);
        pool.give(range);
      } else if (message.kind == kLimit) {
        pool.limit(parse_range(message.bytes).begin);
      } else if (message.kind == kEnd) {
        ending_ = true;
      }
    }
  }

  void pass_on(Pool& pool, Clock::duration patience) {
    if (transport_.unsent() < kMostUnsent) {
      pool.take(taken_, Clock::now() + patience);
      gathered_.append(taken_);
    } else {
      std::this_thread::sleep_for(kLookIdle);
    }
    const Pool::Failure* failure = pool.failure();
    if (failure != nullptr && failure->group < reported_) {
      reported_ = failure->group;
      report(failure->group, failure->error);
    }
    finished_ = pool.finished();
    bool chunk_is_done = false;
    while (!chunk_ends_.empty() && chunk_ends_.front() <= finished_) {
      chunk_ends_.pop_front();
      chunk_is_done = true;
    }
    const std::chrono::duration<double> since = Clock::now() - said_;
    const bool is_due = !gathered_.empty() && since.count() > send_every_;
    if (chunk_is_done || is_due || gathered_.size() >= kManyCells) send_cells(true);
  }

  void send_cells(bool even_none) {
    if (gathered_.empty() && !even_none) return;
    say(kCells, to_bytes(CellsMessage{finished_, to_bytes(gathered_)}));
    gathered_.clear();
  }

  /// Sends the last message, and waits so that the session ends for all processes at once.
  Status leave() {
    say(kBye, {});
    Message message;
    while (!ending_ && !control_.stopped()) {
      while (transport_.receive(message)) {
        leader_.heard();
        if (message.kind == kEnd) ending_ = true;
      }
      HOLDFAST_CHECK(check_leader());
      std::this_thread::sleep_for(kLook);
    }
    if (!ending_) part_in_haste();
    return {};
  }

  /// Leaves after a stop from outside, perhaps because another process is gone. It gives the leader a short time to receive the
  /// messages, and does not wait longer for any process.
  void part_in_haste() {
    const auto until = Clock::now() + std::chrono::milliseconds(500);
    Message message;
    while (!ending_ && Clock::now() < until) {
      while (transport_.receive(message)) ending_ = ending_ || message.kind == kEnd;
      std::this_thread::sleep_for(kLook);
    }
    if (!ending_) transport_.abandon();
  }

  Transport& transport_;
  const Campaign& campaign_;
  const Control& control_;
  HeartbeatGap leader_;
  Clock::time_point said_ = Clock::now();
  double send_every_ = 0;
  bool ending_ = false;
  std::uint64_t given_ = 0;     // groups that were received
  std::uint64_t finished_ = 0;  // groups that are finished
  std::uint64_t reported_ = kNoGroup;
  std::deque<std::uint64_t> chunk_ends_;  // value of given_ after each unfinished chunk
  Batch taken_;
  Batch gathered_;
};

}  // namespace

Status help(Transport& transport, unsigned threads, const Campaign& campaign,
            const Control& control) {
  return Helper(transport, campaign, control).run(threads);
}

}  // namespace holdfast
