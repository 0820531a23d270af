#pragma once

#include "holdfast/domains/volatile/evaluator.hpp"
#include "holdfast/domains/volatile/score.hpp"
#include "holdfast/domains/volatile/strategy.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace holdfast::volatile_workers {

/// Two yields closer than this are compared by their logarithms, as Greedy does; their rounding errors are below 1e-12.
inline constexpr double kClose = 1e-9;
/// The largest number of slots for which a decision is used again: by then a lead of kClose has shrunk by at most this factor,
/// so it is still above the rounding errors.
inline constexpr std::int64_t kLongestLead = 64;

/// A configuration, with the values that a run needs at every slot.
struct Configuration {
  Assignment assignment;
  std::vector<std::uint32_t> members;  ///< ascending
  std::uint64_t mask = 0;
  std::uint32_t set = SetTable::kEmpty;  ///< the set of the members, if their values matter
  std::int64_t workload = 0;

  /// Sets everything but `set` from an assignment. Only the first call allocates memory.
  void assign(const Assignment& tasks, const Instance& instance);
};

/// A table that numbers configurations, so that two of them can be compared by number.
class ConfigurationTable {
 public:
  std::uint32_t number(const Assignment& assignment, Evaluator& evaluator);
  [[nodiscard]] const Configuration& operator[](std::uint32_t number) const { return all_[number]; }
  explicit ConfigurationTable(const Instance& instance) : instance_{&instance} {}

 private:
  const Instance* instance_;
  std::vector<Configuration> all_;
  std::vector<std::uint32_t> slots_;
};

/// A cache of the steps of the greedy construction from scratch.
///
/// The best next worker for a partial assignment depends on that assignment, on which of its members have the program, and on
/// whether the candidate has it. It does not depend on which other workers are up. So each partial assignment is a node that
/// keeps all 2p candidates (a worker, with or without the program) in order of their scores, and a step takes the first
/// candidate that is available:
///
///     node (tasks assigned)      its row of candidates, best first; 3+ is worker 3 with the program, 3 without
///
///     {}                         | 3+ | 1+ | 3 | 0+ | 1 | ...   up now: 0 without, 1 with, 3 with the program
///      |  3+ is there            |  ^ |
///     {3+: 1}                    | 2+ | 1+ | 3+ | 0+ | ...      2 is down
///      |  2+ is not, 1+ is       |    |  ^ |
///     {1+: 1, 3+: 1}             | 3+ | 0  | 1+ | ...
///      |  3+ is there            |  ^ |
///     {1+: 1, 3+: 2}             all tasks are assigned: a leaf with the configuration and its value
///
/// Other sets of workers share the nodes on their common path, and a row is sorted once. The criterion IY also depends on the
/// elapsed time: a node then keeps the probability and duration of its candidates, in order of probability, and a step looks at
/// the candidates that are up until the rest are too unlikely to win.
///
/// It makes exactly the same decisions as Greedy with the same evaluator, including ties, because the comparison of two
/// candidates does not depend on which others are up (independence of irrelevant alternatives).
class DecisionTrie {
 public:
  static constexpr std::size_t kMostWorkers = 64;
  static constexpr std::uint32_t kInfeasible = 0xffffffff;

  /// Makes an empty trie. @pre fits(evaluator.instance())
  DecisionTrie(Evaluator& evaluator, Criterion criterion);

  /// Returns true if a trie can hold the instance: at most kMostWorkers workers, and fewer than 2^14 tasks.
  [[nodiscard]] static bool fits(const Instance& instance);

  struct Decision {
    std::uint32_t configuration = kInfeasible;
    ConfigurationValue value;  ///< its value when started from scratch, including restarts
    /// As long as the same workers are up with the same programs, the decision stays the same up to and including this number
    /// of elapsed slots.
    std::int64_t elapsed_until = std::numeric_limits<std::int64_t>::max();
  };
  /// Returns the configuration that the greedy construction makes from scratch.
  /// @param up, has_program  sets of workers as bits
  /// @param elapsed  slots since the iteration began
  [[nodiscard]] Decision decide(std::uint64_t up, std::uint64_t has_program, std::int64_t elapsed);

  [[nodiscard]] ConfigurationTable& configurations() { return configurations_; }
  [[nodiscard]] Evaluator& evaluator() { return *evaluator_; }
  [[nodiscard]] Criterion criterion() const { return criterion_; }
  [[nodiscard]] std::size_t nodes() const { return nodes_.size(); }

 private:
  static constexpr std::uint32_t kUnknown = 0xffffffff;

  struct Node {
    std::int64_t depth = 0;  ///< number of tasks assigned
    std::int64_t workload = 0;
    std::uint32_t set = SetTable::kEmpty;
    std::uint32_t leaf = kUnknown;  ///< position in leaves_ of a complete assignment
    std::uint32_t candidates = 0;
  };
  struct Leaf {
    std::uint32_t configuration = 0;
    ConfigurationValue value;
  };
  /// One candidate of a node, for criteria that depend on the elapsed time.
  struct Weighed {
    double weight = 0;  ///< P divided by the largest P of the node
    double expected = 0;
    double log_success = 0;
    double least_expected = 0;  ///< smallest `expected` of this candidate and those after it
  };
  /// The workers that are up, with and without the program.
  struct Open {
    std::uint64_t without_and_with[2];
    [[nodiscard]] bool has(std::uint8_t id) const {
      return ((without_and_with[id >> 6] >> (id & 63)) & 1) != 0;
    }
  };
  struct Pick {
    std::size_t place = 0;  ///< place in the node's row; stride_ if there is none
    std::int64_t elapsed_until = std::numeric_limits<std::int64_t>::max();
  };

  [[nodiscard]] std::size_t row(std::uint32_t node) const { return node * stride_; }
  [[nodiscard]] Pick pick_ranked(std::uint32_t node, const Open& open) const;
  [[nodiscard]] Pick pick_weighed(std::uint32_t node, const Open& open, std::int64_t elapsed) const;
  [[nodiscard]] Pick pick_by_score(std::uint32_t node, const Open& open,
                                   std::int64_t elapsed) const;
  std::uint32_t child(std::uint32_t node, std::size_t place);
  std::uint32_t make_node(const std::vector<std::uint16_t>& key);
  void describe(Node& node, std::span<const std::uint16_t> key);
  void rank(std::uint32_t node);
  void weigh(std::uint32_t node);
  void add_leaf(Node& node);
  [[nodiscard]] ConfigurationValue value_with(const Node& node, std::uint32_t worker, bool has);
  [[nodiscard]] std::size_t slot_of(std::span<const std::uint16_t> key) const;
  void clear();

  Evaluator* evaluator_;
  Criterion criterion_;
  ConfigurationTable configurations_;
  std::size_t workers_, stride_, most_nodes_;
  std::vector<Node> nodes_;
  std::vector<Leaf> leaves_;
  std::vector<std::uint16_t> keys_;      ///< [node][worker] 2 x + has program
  std::vector<std::uint8_t> ids_;        ///< [node][place] worker + 64 with program, best first
  std::vector<Weighed> weighed_;         ///< [node][place], most likely first
  std::vector<std::uint32_t> children_;  ///< [node][place]
  std::vector<std::uint32_t> slots_;     ///< open addressing over nodes
  // The following belong to the current node.
  std::vector<std::uint32_t> members_, grown_;
  std::vector<std::int64_t> needs_, tasks_;
};

}  // namespace holdfast::volatile_workers
