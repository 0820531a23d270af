#pragma once

#include "holdfast/domains/capacity/live/advance.hpp"
#include "holdfast/domains/capacity/live/apply.hpp"
#include "holdfast/domains/capacity/live/registry.hpp"
#include "holdfast/domains/capacity/simulate.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace holdfast::capacity {

/// A policy at work on a running system, kept from one question to the next. At each question it is told what happened, as
/// simulate() would tell it. Machines that are on have ranks without gaps, because the model knows only how many are on.
///
/// Where machines come or go, the policy begins again: the cluster is made as the world is, and the policy takes over what it
/// remembers and what is planned. Otherwise starts are computed again, in order of submission, only on machines where something
/// changed or is due; on the others that would give what is there.
class Desk {
 public:
  /// Lists the jobs of a world.
  explicit Desk(World& world);

  /// Takes over what changed since the last question. Returns false if a desk has to be made again.
  [[nodiscard]] bool follow(World& world, const Changes& changes);
  /// Lets the policy decide. The world takes over its moves.
  /// @pre make_strategy() makes the strategy
  [[nodiscard]] LiveAdvice decide(World& world, const Changes& changes, const StrategySpec& spec);

 private:
  using Record = Registry::Record;
  enum class Seat : std::uint8_t { empty, waits, runs };
  static constexpr std::int64_t kNowhere = -1;

  [[nodiscard]] std::int64_t up() const { return static_cast<std::int64_t>(machine_at_.size()); }
  [[nodiscard]] LiveJob& job(std::size_t task) const { return *records_[task]->job; }
  /// Returns the rank of the machine on which the task runs, or waits to run; -1: none that is on.
  [[nodiscard]] std::int64_t rank_of(std::size_t task) const {
    return machines_[task] == kNowhere ? kNowhere
                                       : rank_of_[static_cast<std::size_t>(machines_[task])];
  }
  [[nodiscard]] bool is_stale(std::int64_t rank) const {
    return rank >= 0 && is_stale_[static_cast<std::size_t>(rank)] != 0;
  }
  static void wake_rank(std::vector<std::int64_t>& times, std::int64_t rank, std::int64_t time) {
    std::int64_t& first = times[static_cast<std::size_t>(rank)];
    first = std::min(first, time);
  }
  void enter(World& world, Record& record, std::size_t task, std::optional<std::size_t> machine);
  void leave(std::size_t task);
  void set(std::size_t task, const LiveJob& job);
  void make_stale(std::size_t task);
  void renew(std::size_t task);
  void begin(World& world, const Changes& changes, const StrategySpec& spec);
  void find_category(World& world, std::size_t task);
  void place_runs(const World& world);
  void go_on(const World& world);
  void hand_over(World& world, const Changes& changes, bool is_new);
  void tell(const World& world, const Changes& changes);
  [[nodiscard]] std::string reason(World& world, const Changes& changes, std::size_t task);
  void take_starts(World& world, const Changes& changes, LiveAdvice& out);
  bool take_plans(World& world, const Changes& changes, LiveAdvice& out);
  void look_ahead(World& world, LiveAdvice& out);

  // By task, in the order of release and then of submission, with space for those to come. The last one stands for runs that
  // have ended.
  std::vector<Task> tasks_;
  std::vector<Seat> seats_;
  std::vector<std::int64_t> machines_;
  std::vector<Record*> records_;
  std::size_t count_ = 0;                        // tasks in use
  std::pair<std::int64_t, std::uint64_t> last_;  // release and number of the last of them

  // Of the policy that goes on, if there is one.
  std::string spec_;
  Instance instance_;
  std::vector<std::size_t> machine_at_;    // by rank
  std::vector<std::int64_t> rank_of_;      // by machine; -1: off
  std::vector<char> is_stale_;             // by rank: its runs and plans are to be computed again
  std::vector<std::int64_t> next_change_;  // by rank: when an estimate of a run changes
  std::vector<std::int64_t> next_start_;   // by rank: of a plan
  std::optional<ClusterState> cluster_;
  std::unique_ptr<Strategy> strategy_;

  std::vector<std::size_t> killed_, arriving_;  // tasks, at this question
};

}  // namespace holdfast::capacity
