#pragma once

#include "holdfast/base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace holdfast {

/// The position of a task in its graph, counted from 0. It is half the size of a std::size_t, because most of the memory of a
/// graph consists of these.
using TaskIndex = std::uint32_t;

/// The constraint that `child` starts after `parent` has completed.
struct Edge {
  TaskIndex parent = 0;
  TaskIndex child = 0;

  friend constexpr bool operator==(Edge, Edge) = default;
};

/// A function that returns the name of a task for messages. Without such a function, messages use the task's position.
using TaskName = std::function<std::string(std::size_t task)>;

/// A read-only directed acyclic graph of tasks. It knows only which task waits for which; the costs of tasks are in arrays of
/// the caller, one number per task.
///
/// Both directions are stored as compressed rows (one array of neighbours, one of offsets), with 8 bytes per edge and 12 per
/// task. A graph of 10^6 tasks and 10^7 edges takes 92 MB.
class Dag {
 public:
  /// One direction of the edges. The neighbours of a task are at offsets[task] up to, but not including, offsets[task + 1].
  struct Rows {
    std::vector<std::uint32_t> offsets;  ///< [tasks + 1]
    std::vector<TaskIndex> neighbours;   ///< [edges]

    [[nodiscard]] std::span<const TaskIndex> row(std::size_t task) const {
      return std::span(neighbours).subspan(offsets[task], offsets[task + 1] - offsets[task]);
    }
  };

  Dag() = default;

  /// Makes a graph from a list of edges in any order. The rules and errors are those of DagBuilder::build().
  [[nodiscard]] static Result<Dag> from_edges(std::size_t tasks, std::span<const Edge> edges,
                                              const TaskName& name = {});

  [[nodiscard]] std::size_t size() const { return order_.size(); }
  [[nodiscard]] std::size_t edges() const { return parents_.neighbours.size(); }

  /// Returns the tasks that `task` waits for, in the order in which they were given.
  [[nodiscard]] std::span<const TaskIndex> parents(std::size_t task) const {
    return parents_.row(task);
  }
  /// Returns the tasks that wait for `task`, in increasing order.
  [[nodiscard]] std::span<const TaskIndex> children(std::size_t task) const {
    return children_.row(task);
  }

  /// Returns every task once, parents before children. If the numbering is already such an order, it is 0, 1, 2 ... Otherwise
  /// the order is by increasing depth, as in Kahn's algorithm (sources in increasing order, then each task once its last parent
  /// has come).
  [[nodiscard]] std::span<const TaskIndex> order() const { return order_; }

  /// Returns how many edges were given more than once. Each of them counts once in the graph.
  [[nodiscard]] std::size_t duplicates() const { return duplicates_; }
  /// Returns the first edge that was repeated. @pre duplicates() > 0
  [[nodiscard]] Edge first_duplicate() const { return first_duplicate_; }

 private:
  friend class DagBuilder;

  Rows parents_;
  Rows children_;
  std::vector<TaskIndex> order_;
  std::size_t duplicates_ = 0;
  Edge first_duplicate_;
};

/// A builder that makes a graph task by task, for graphs that are generated or read as a stream. Only the graph itself is held
/// in memory, and parents may be named before they have been added.
///
///   DagBuilder build;
///   build.add_task();      // task 0
///   build.add_task();      // task 1,
///   build.add_parent(0);   // after task 0
///   HOLDFAST_TRY(dag, std::move(build).build());
class DagBuilder {
 public:
  void reserve(std::size_t tasks, std::size_t edges);

  /// Adds a task without parents, and returns its position.
  std::size_t add_task();
  /// Adds a parent to the task that was added last. @pre a task has been added
  void add_parent(std::size_t parent);

  [[nodiscard]] std::size_t tasks() const { return offsets_.size(); }

  /// Returns the graph. Errors: a parent that does not exist, a task that waits for itself, a cycle (one is named, in the order
  /// of its edges), more than 2^32 - 2 tasks or edges; `where` is the pointer "/tasks/I/parents" of one of the tasks. An edge
  /// that is given more than once is stored once and counted in Dag::duplicates(). Cost: O(tasks + edges).
  [[nodiscard]] Result<Dag> build(const TaskName& name = {}) &&;

 private:
  /// Checks every parent, removes repeated ones, and counts these in `dag`.
  [[nodiscard]] Status check_parents(Dag& dag, const TaskName& name);

  std::vector<std::uint32_t> offsets_;  ///< where each task's parents start
  std::vector<TaskIndex> parents_;
  bool too_large_ = false;
};

/// Returns the number of edges on the longest path from a source to each task: 0 for sources.
[[nodiscard]] std::vector<std::uint32_t> depths(const Dag& dag);

/// Returns for each task the largest sum of weights over the paths that end at it, without its own weight: the time at which it
/// could start if every task ran as soon as its parents have completed. Weights may be infinite but not negative.
/// @param weights  [dag.size()], for instance seconds
[[nodiscard]] std::vector<double> top_levels(const Dag& dag, std::span<const double> weights);

/// Returns for each task the largest sum of weights over the paths that start at it, including its own weight.
[[nodiscard]] std::vector<double> bottom_levels(const Dag& dag, std::span<const double> weights);

/// A path and the sum of its weights.
struct Path {
  double length = 0;             ///< sum of the weights of its tasks
  std::vector<TaskIndex> tasks;  ///< from a source to a sink
};

/// Returns a longest path. If several are equally long, it is the one that starts with the lowest task, then continues with the
/// lowest, and so on. Empty for an empty graph.
[[nodiscard]] Path critical_path(const Dag& dag, std::span<const double> weights);

/// Returns the length of a longest path, without the path.
[[nodiscard]] double critical_path_length(const Dag& dag, std::span<const double> weights);

/// Returns a sentence about repeated edges, for the warnings of a reader; empty if there are none.
[[nodiscard]] std::string duplicate_warning(const Dag& dag, const TaskName& name = {});

}  // namespace holdfast
