#pragma once

#include "holdfast/kernel/event_queue.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <set>
#include <span>
#include <vector>

namespace holdfast {

/// The node that steps in where a node of the job has failed.
enum class StepsIn : std::uint8_t {
  oldest,         ///< of the idle nodes that with the largest age
  last_repaired,  ///< that with the smallest age
  random,         ///< any of them
  same,           ///< the failed node itself, when it is repaired
};

/// The rules of a pool of nodes, of which a job uses some. Times are in seconds.
struct PoolRules {
  std::int64_t nodes = 1;   ///< N >= 1, nodes that the job needs; the first N are in use at first
  std::int64_t spares = 0;  ///< S >= 0, the nodes after them
  StepsIn steps_in = StepsIn::oldest;
  std::int64_t repairers = std::numeric_limits<std::int64_t>::max();  ///< repairs at the same time
  double idle_ageing = 1;      ///< seconds that an idle node ages per second, in [0, 1]
  double spare_delay = 0;      ///< from the choice of a node until it is ready
  bool chooses_first = false;  ///< true: the first nodes too are chosen by `steps_in`
  std::int64_t least = 0;      ///< nodes with which the job goes on; 0: it needs all

  /// Returns true if the job goes on with fewer nodes.
  [[nodiscard]] bool is_elastic() const { return least > 0 && least < nodes; }
  /// Returns the number of nodes with which it works.
  [[nodiscard]] std::int64_t needed() const { return is_elastic() ? least : nodes; }
};

/// The state of a node at date 0.
struct PoolStart {
  double age = 0;  ///< seconds since it was last repaired
  /// Seconds of its own ageing until it fails; infinite: it never does.
  double life = std::numeric_limits<double>::infinity();
  double down = 0;  ///< if above 0, it is in repair for that long, and the other two do not count
};

/// What comes of a repair.
struct PoolRepair {
  bool helps = true;    ///< false: it is counted as failed
  bool is_over = true;  ///< false: the node needs another repair
  double life = 0;      ///< if it is over: seconds of the node's own ageing until it fails
};

/// What happens to the nodes of a pool: drawn, or recorded. It is asked in order of date for each node.
class PoolFate {
 public:
  virtual ~PoolFate() = default;
  virtual PoolStart start(std::uint32_t node) = 0;
  /// Returns the length of the next repair of a node, in seconds.
  virtual double repair(std::uint32_t node) = 0;
  /// Returns what comes of a repair of the node that ends at a date.
  virtual PoolRepair repaired(std::uint32_t node, double date) = 0;
  /// Returns the place of a repaired node among idle ones that were repaired at the same instant.
  virtual std::uint32_t rank(std::uint32_t node) { return node; }
  /// Returns a random position below `count`, for StepsIn::random.
  virtual std::size_t choice(std::size_t count) = 0;
};

/// An instant at which something happens to a node of the pool, and the state after it.
struct PoolChange {
  double date = 0;
  double ready = 0;         ///< date at which the node that was chosen last is ready
  std::int64_t failed = 0;  ///< nodes in use that fail at this instant
  double renewed = 0;       ///< date since which the first of them had been up, on its own clock
  std::int64_t in_use = 0;  ///< places of the job that are filled after it
  std::int64_t idle = 0;    ///< idle nodes after it
  // From date 0 to this instant, itself included:
  double idle_seconds = 0;     ///< node-seconds of idle nodes
  std::int64_t failures = 0;   ///< failures of nodes in use
  std::size_t strikes = 0;     ///< instants with such failures
  std::int64_t shortages = 0;  ///< times that a full job lost its last reserve
  std::int64_t repairs = 0;    ///< repairs that ended
  std::int64_t failed_repairs = 0;
  std::size_t moves = 0;  ///< nodes that came into use or left it
};

/// A node that comes into use or leaves it.
struct PoolMove {
  std::uint32_t node = 0;
  bool enters = false;
  double born = 0;  ///< date of its last repair, on the clock that runs while it is in use
};

/// The history of a pool: failures, repairs, and which node steps in. It does not depend on what the job does, so all strategies
/// see the same one. It is drawn as far as it is wanted.
///
/// A job that goes on with fewer nodes is the exception. Idle nodes fill its places while it is down: from a failure of a node in use
/// until close(), and before its start. While it works they wait for join(). So it must not be drawn beyond what the job has done:
/// next_date() says what comes next.
///
/// At one instant the repairs that end come first, then failures, both by node number; then nodes step in, and then repairs
/// begin. A repair without length makes another change at the same date.
class NodePool {
 public:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  /// Makes the pool at date 0.
  NodePool(const PoolRules& rules, std::unique_ptr<PoolFate> fate);

  [[nodiscard]] const PoolRules& rules() const { return rules_; }
  /// Draws the history up to change number `index`; false if nothing happens any more. Change 0 is the start.
  bool reach(std::size_t index);
  [[nodiscard]] const PoolChange& change(std::size_t index) const { return changes_[index]; }
  [[nodiscard]] std::size_t changes() const { return changes_.size(); }
  /// Returns the date of the first change that has not been drawn; infinite if nothing happens any more.
  [[nodiscard]] double next_date();
  /// Returns the date of a change, which need not have been drawn if all before it have.
  [[nodiscard]] double date_of(std::size_t index) {
    return index < changes_.size() ? changes_[index].date : next_date();
  }
  /// The job works from now on.
  void close() { is_open_ = false; }
  [[nodiscard]] bool is_open() const { return is_open_; }
  /// Lets idle nodes fill the places of a job that works, as a change of its own.
  /// @returns true if one did @pre rules().is_elastic(), and what happens up to the date has been drawn
  bool join(double date);
  /// Returns the number of the change with strike number `strike`. @pre it has been drawn
  [[nodiscard]] std::size_t strike(std::size_t strike) const { return strikes_[strike]; }
  [[nodiscard]] std::size_t strikes() const { return strikes_.size(); }
  /// Returns the moves up to a change, since the one before it.
  [[nodiscard]] std::span<const PoolMove> moves(std::size_t change) const;
  /// Returns what has happened before a date: the change before it, with idle_seconds up to the date itself.
  [[nodiscard]] PoolChange account(double date);

 private:
  enum class State : std::uint8_t { in_use, idle, down };
  struct Node {
    double mark = 0;  ///< date at which age and life were as they say
    double age = 0;
    double life = 0;
    std::uint32_t generation = 0;  ///< of its event; others are void
    std::uint32_t rank = 0;        ///< PoolFate::rank(); before its first repair its number
    State state = State::down;
  };
  struct Due {
    std::uint32_t node;
    std::uint32_t generation;
  };

  /// An idle node. Those of equal keys are in the order of their ranks.
  struct Idle {
    double key;
    std::uint32_t rank;
    std::uint32_t node;
    friend auto operator<=>(const Idle&, const Idle&) = default;
  };

  [[nodiscard]] bool is_same() const { return rules_.steps_in == StepsIn::same; }
  [[nodiscard]] double idle_key(std::uint32_t node) const;
  [[nodiscard]] Idle as_idle(std::uint32_t node) const {
    return {idle_key(node), nodes_[node].rank, node};
  }
  void begin();
  void happen();
  void end_repair(std::uint32_t node, PoolChange& change);
  void fail(std::uint32_t node, PoolChange& change);
  void await_failure(std::uint32_t node);
  void use(std::uint32_t node, PoolChange& change);
  void rest(std::uint32_t node);
  void fill(PoolChange& change);
  void add(PoolChange change);
  void begin_repairs(double date);
  void drop_void();

  PoolRules rules_;
  std::unique_ptr<PoolFate> fate_;
  std::vector<Node> nodes_;
  EventQueue<Due> events_;
  std::set<Idle> idle_;               ///< the node that steps in next first
  std::vector<std::uint32_t> queue_;  ///< nodes that wait for a repair
  std::size_t queued_ = 0;            ///< of them begun
  std::int64_t busy_ = 0;             ///< repairs under way
  bool is_open_ = true;               ///< idle nodes fill places
  std::vector<PoolChange> changes_;
  std::vector<PoolMove> moves_;
  std::vector<std::size_t> strikes_;
};

/// When a job can begin its recovery.
struct PoolReady {
  double date = 0;       ///< infinite: a node is lacking for ever
  double waited = 0;     ///< seconds from then on in which a node is lacking; infinite likewise
  std::size_t next = 0;  ///< the first change that strikes the recovery or what follows it
};

/// Returns when all places that the job needs are filled, and the nodes ready, but not before `from`. Failures until then interrupt
/// nothing. Nothing after that date is drawn.
/// @param next  the first change that has not happened to the job
[[nodiscard]] PoolReady ready_after(NodePool& pool, std::size_t next, double from);

}  // namespace holdfast
