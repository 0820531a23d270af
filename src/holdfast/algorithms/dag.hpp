#pragma once

#include "holdfast/base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace holdfast {

/// Position of a task in its graph, from 0. Half the size of a std::size_t: a graph is mostly a
/// list of these.
using TaskIndex = std::uint32_t;

/// The constraint that `child` starts after `parent` has completed.
struct Edge {
  TaskIndex parent = 0;
  TaskIndex child = 0;

  friend constexpr bool operator==(Edge, Edge) = default;
};

/// The name of a task for a message; where none is given, tasks are called by their positions.
using TaskName = std::function<std::string(std::size_t task)>;

/// A read-only directed acyclic graph of tasks: it only knows which task waits for which. The costs of tasks are in arrays of the
/// caller, one number per task.
///
/// Both directions are held as compressed rows (one array of neighbours, one of offsets): 8 bytes
/// per edge and 12 per task. A graph of 10^6 tasks and 10^7 edges takes 92 MB.
class Dag {
 public:
  /// One direction of the edges: the neighbours of a task are neighbours[offsets[task]] up to
  /// offsets[task + 1].
  struct Rows {
    std::vector<std::uint32_t> offsets;  ///< [tasks + 1]
    std::vector<TaskIndex> neighbours;   ///< [edges]

    [[nodiscard]] std::span<const TaskIndex> row(std::size_t task) const {
      return std::span(neighbours).subspan(offsets[task], offsets[task + 1] - offsets[task]);
    }
  };

  Dag() = default;

  /// Makes a graph of a list of edges in any order. Same rules and errors as DagBuilder::build().
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

  /// Returns every task once, parents before children: 0, 1, 2 ... where the numbering already is such an
  /// order, otherwise by increasing depth in the manner of Kahn (sources in increasing order, then
  /// tasks as their last parent comes up).
  [[nodiscard]] std::span<const TaskIndex> order() const { return order_; }

  /// Returns how many edges were given more than once. Each counts once in the graph.
  [[nodiscard]] std::size_t duplicates() const { return duplicates_; }
  /// Returns the first edge that was given again. @pre duplicates() > 0
  [[nodiscard]] Edge first_duplicate() const { return first_duplicate_; }

 private:
  friend class DagBuilder;

  Rows parents_;
  Rows children_;
  std::vector<TaskIndex> order_;
  std::size_t duplicates_ = 0;
  Edge first_duplicate_;
};

/// Builds a graph task by task, for graphs that are generated or read as a stream: nothing but the
/// graph itself is ever held, and parents may be named before they have been added.
///
///   DagBuilder build;
///   build.add_task();      // task 0
///   build.add_task();      // task 1,
///   build.add_parent(0);   // after task 0
///   HOLDFAST_TRY(dag, std::move(build).build());
class DagBuilder {
 public:
  void reserve(std::size_t tasks, std::size_t edges);

  /// Adds a task without parents; returns its position.
  std::size_t add_task();
  /// Adds a parent to the task that was added last. @pre a task has been added
  void add_parent(std::size_t parent);

  [[nodiscard]] std::size_t tasks() const { return offsets_.size(); }

  /// Returns the graph. Errors: a parent that does not exist, a task that waits for itself, a cycle (one is
  /// named, in the order of its edges), more than 2^32 - 2 tasks or edges; `where` is the pointer
  /// "/tasks/I/parents" of a task concerned. An edge given more than once is taken once and counted
  /// in Dag::duplicates(). Cost: O(tasks + edges).
  [[nodiscard]] Result<Dag> build(const TaskName& name = {}) &&;

 private:
  /// Checks every parent and drops those given twice; counts them in `dag`.
  [[nodiscard]] Status check_parents(Dag& dag, const TaskName& name);

  std::vector<std::uint32_t> offsets_;  ///< where each task's parents start
  std::vector<TaskIndex> parents_;
  bool too_large_ = false;
};

/// Returns the number of edges on the longest path from a source to each task: 0 for sources.
[[nodiscard]] std::vector<std::uint32_t> depths(const Dag& dag);

/// Returns the largest sum of weights over the paths that end at each task, without the task's own weight: the time at which
/// it could start if every task ran as soon as its parents have completed. Infinite weights
/// are allowed, negative ones are not.
/// @param weights  [dag.size()], for instance seconds
[[nodiscard]] std::vector<double> top_levels(const Dag& dag, std::span<const double> weights);

/// Returns the largest sum of weights over the paths that start at each task, its own weight included.
[[nodiscard]] std::vector<double> bottom_levels(const Dag& dag, std::span<const double> weights);

/// A path and the sum of its weights.
struct Path {
  double length = 0;
  std::vector<TaskIndex> tasks;  ///< from a source to a sink
};

/// Returns a longest path. Of equal ones, the one that starts with the lowest task, then goes on to the
/// lowest, and so on. Empty for an empty graph.
[[nodiscard]] Path critical_path(const Dag& dag, std::span<const double> weights);

/// Length of a longest path, without the path.
[[nodiscard]] double critical_path_length(const Dag& dag, std::span<const double> weights);

/// Returns the same graph under other numbers: task i becomes task position[i]. @pre `position` is a
/// permutation
[[nodiscard]] Dag renumbered(const Dag& dag, std::span<const TaskIndex> position);

/// Sentence on edges that were given more than once, for the warnings of a reader; empty when there
/// are none.
[[nodiscard]] std::string duplicate_warning(const Dag& dag, const TaskName& name = {});

}  // namespace holdfast
