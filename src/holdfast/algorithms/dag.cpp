#include "holdfast/algorithms/dag.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace holdfast {
namespace {

constexpr TaskIndex kNone = std::numeric_limits<TaskIndex>::max();
constexpr std::size_t kMost = kNone - 1;  // the largest number of tasks, and of edges

std::string name_of(const TaskName& name, std::size_t task) {
  return name ? name(task) : std::to_string(task);
}

std::string place_of(std::size_t task) {
  return fmt::format("/tasks/{}/parents", task);
}

Dag::Rows transposed(const Dag::Rows& rows) {
  const std::size_t tasks = rows.offsets.size() - 1;
  Dag::Rows out;
  out.offsets.assign(tasks + 1, 0);
  for (const TaskIndex neighbour : rows.neighbours) ++out.offsets[neighbour + 1];
  std::partial_sum(out.offsets.begin(), out.offsets.end(), out.offsets.begin());
  // Filled by increasing task, so each row of the result is sorted.
  std::vector<std::uint32_t> next(out.offsets.begin(), out.offsets.end() - 1);
  out.neighbours.resize(rows.neighbours.size());
  for (std::size_t task = 0; task < tasks; ++task) {
    for (const TaskIndex neighbour : rows.row(task)) {
      out.neighbours[next[neighbour]++] = static_cast<TaskIndex>(task);
    }
  }
  return out;
}

bool is_numbered_in_order(const Dag::Rows& parents) {
  for (std::size_t task = 0; task + 1 < parents.offsets.size(); ++task) {
    for (const TaskIndex parent : parents.row(task)) {
      if (parent > task) return false;
    }
  }
  return true;
}

// Returns Kahn's order, which lacks tasks if there is a cycle. `waiting` then holds, for each task, the number of its parents
// that are not in the order.
std::vector<TaskIndex> kahn_order(const Dag::Rows& parents, const Dag::Rows& children,
                                  std::vector<std::uint32_t>& waiting) {
  std::vector<TaskIndex> order;
  order.reserve(waiting.size());
  for (std::size_t task = 0; task < waiting.size(); ++task) {
    waiting[task] = static_cast<std::uint32_t>(parents.row(task).size());
    if (waiting[task] == 0) order.push_back(static_cast<TaskIndex>(task));
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const TaskIndex child : children.row(order[i])) {
      if (--waiting[child] == 0) order.push_back(child);
    }
  }
  return order;
}

// Returns one cycle, in the order of its edges, starting with its lowest task. A task that is not in the order of kahn_order()
// waits for another such task, so a walk from parent to parent must return to where it has been.
std::vector<TaskIndex> find_cycle(const Dag::Rows& parents,
                                  const std::vector<std::uint32_t>& waiting) {
  const auto is_left = [&](TaskIndex task) { return waiting[task] > 0; };
  std::vector<std::uint32_t> seen_at(waiting.size(), 0);
  std::vector<TaskIndex> walk;
  auto task = static_cast<TaskIndex>(
      std::find_if(waiting.begin(), waiting.end(), [](auto count) { return count > 0; }) -
      waiting.begin());
  while (seen_at[task] == 0) {
    walk.push_back(task);
    seen_at[task] = static_cast<std::uint32_t>(walk.size());
    const auto row = parents.row(task);
    task = *std::find_if(row.begin(), row.end(), is_left);
  }
  std::vector<TaskIndex> cycle(walk.begin() + (seen_at[task] - 1), walk.end());
  std::reverse(cycle.begin(), cycle.end());
  std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
  return cycle;
}

std::string describe_cycle(const std::vector<TaskIndex>& cycle, const TaskName& name) {
  constexpr std::size_t kShown = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(cycle.size(), kShown); ++i) {
    text += name_of(name, cycle[i]) + " -> ";
  }
  if (cycle.size() > kShown) text += fmt::format("... ({} tasks) -> ", cycle.size());
  return text + name_of(name, cycle.front());
}

}  // namespace

void DagBuilder::reserve(std::size_t tasks, std::size_t edges) {
  offsets_.reserve(tasks + 1);
  parents_.reserve(edges);
}

std::size_t DagBuilder::add_task() {
  too_large_ = too_large_ || offsets_.size() >= kMost || parents_.size() > kMost;
  if (!too_large_) offsets_.push_back(static_cast<std::uint32_t>(parents_.size()));
  return offsets_.size() - 1;
}

void DagBuilder::add_parent(std::size_t parent) {
  assert(!offsets_.empty());
  // A parent beyond the largest possible graph must remain one that does not exist.
  parents_.push_back(static_cast<TaskIndex>(std::min<std::size_t>(parent, kNone)));
}

Status DagBuilder::check_parents(Dag& dag, const TaskName& name) {
  const std::size_t tasks = offsets_.size() - 1;
  std::vector<TaskIndex> last_child(tasks, kNone);
  std::uint32_t kept = 0;
  for (std::size_t task = 0; task < tasks; ++task) {
    const auto child = static_cast<TaskIndex>(task);
    const std::uint32_t begin = std::exchange(offsets_[task], kept);
    for (std::uint32_t i = begin; i < offsets_[task + 1]; ++i) {
      const TaskIndex parent = parents_[i];
      if (parent >= tasks) {
        return fail(ErrorCode::unknown_name, place_of(task),
                    fmt::format("found the task {}, expected one of the {} tasks of the graph",
                                parent, tasks));
      }
      if (parent == child) {
        return fail(ErrorCode::bad_value, place_of(task),
                    fmt::format("found the cycle {0} -> {0}, expected a graph without cycles",
                                name_of(name, task)));
      }
      if (last_child[parent] == child) {
        if (dag.duplicates_++ == 0) dag.first_duplicate_ = {parent, child};
        continue;
      }
      last_child[parent] = child;
      parents_[kept++] = parent;
    }
  }
  offsets_[tasks] = kept;
  parents_.resize(kept);
  return {};
}

Result<Dag> DagBuilder::build(const TaskName& name) && {
  const std::size_t tasks = offsets_.size();
  if (too_large_ || parents_.size() > kMost) {
    return fail(
        ErrorCode::bad_value, "/tasks",
        fmt::format("found a graph that is too large, expected at most {0} tasks and {0} edges",
                    kMost));
  }
  offsets_.push_back(static_cast<std::uint32_t>(parents_.size()));

  Dag dag;
  HOLDFAST_CHECK(check_parents(dag, name));
  dag.parents_ = {std::move(offsets_), std::move(parents_)};
  dag.children_ = transposed(dag.parents_);
  if (is_numbered_in_order(dag.parents_)) {
    dag.order_.resize(tasks);
    std::iota(dag.order_.begin(), dag.order_.end(), TaskIndex{0});
    return dag;
  }
  std::vector<std::uint32_t> waiting(tasks);
  dag.order_ = kahn_order(dag.parents_, dag.children_, waiting);
  if (dag.order_.size() < tasks) {
    const auto cycle = find_cycle(dag.parents_, waiting);
    return fail(ErrorCode::bad_value, place_of(cycle.front()),
                fmt::format("found the cycle {}, expected a graph without cycles",
                            describe_cycle(cycle, name)));
  }
  return dag;
}

Result<Dag> Dag::from_edges(std::size_t tasks, std::span<const Edge> edges, const TaskName& name) {
  for (const Edge edge : edges) {
    if (edge.child >= tasks) {
      return fail(
          ErrorCode::unknown_name, "",
          fmt::format("found an edge to the task {}, expected one of the {} tasks of the graph",
                      edge.child, tasks));
    }
  }
  // Counting sort by child. It is stable, so parents keep their order.
  std::vector<std::size_t> next(tasks + 1, 0);
  for (const Edge edge : edges) ++next[edge.child + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<TaskIndex> parents(edges.size());
  const std::vector<std::size_t> begin = next;
  for (const Edge edge : edges) parents[next[edge.child]++] = edge.parent;

  DagBuilder builder;
  builder.reserve(tasks, edges.size());
  for (std::size_t task = 0; task < tasks; ++task) {
    builder.add_task();
    for (std::size_t i = begin[task]; i < begin[task + 1]; ++i) builder.add_parent(parents[i]);
  }
  return std::move(builder).build(name);
}

std::vector<std::uint32_t> depths(const Dag& dag) {
  std::vector<std::uint32_t> depth(dag.size(), 0);
  for (const TaskIndex task : dag.order()) {
    for (const TaskIndex parent : dag.parents(task)) {
      depth[task] = std::max(depth[task], depth[parent] + 1);
    }
  }
  return depth;
}

std::vector<double> top_levels(const Dag& dag, std::span<const double> weights) {
  assert(weights.size() == dag.size());
  std::vector<double> level(dag.size(), 0.0);
  for (const TaskIndex task : dag.order()) {
    for (const TaskIndex parent : dag.parents(task)) {
      level[task] = std::max(level[task], level[parent] + weights[parent]);
    }
  }
  return level;
}

std::vector<double> bottom_levels(const Dag& dag, std::span<const double> weights) {
  assert(weights.size() == dag.size());
  std::vector<double> level(dag.size(), 0.0);
  const auto order = dag.order();
  for (std::size_t i = order.size(); i-- > 0;) {
    const TaskIndex task = order[i];
    double longest = 0;
    for (const TaskIndex child : dag.children(task)) longest = std::max(longest, level[child]);
    level[task] = weights[task] + longest;
  }
  return level;
}

Path critical_path(const Dag& dag, std::span<const double> weights) {
  const auto level = bottom_levels(dag, weights);
  Path path;
  std::optional<TaskIndex> at;
  for (std::size_t task = 0; task < dag.size(); ++task) {
    if (dag.parents(task).empty() && (!at || level[task] > level[*at])) {
      at = static_cast<TaskIndex>(task);
    }
  }
  if (at) path.length = level[*at];
  while (at) {
    path.tasks.push_back(*at);
    const auto children = dag.children(*at);
    // max_element returns the first of equal elements, and children are in increasing order.
    const auto next = std::max_element(children.begin(), children.end(),
                                       [&](auto a, auto b) { return level[a] < level[b]; });
    at = next == children.end() ? std::nullopt : std::optional(*next);
  }
  return path;
}

double critical_path_length(const Dag& dag, std::span<const double> weights) {
  const auto level = top_levels(dag, weights);
  double longest = 0;
  for (std::size_t task = 0; task < dag.size(); ++task) {
    longest = std::max(longest, level[task] + weights[task]);
  }
  return longest;
}

std::string duplicate_warning(const Dag& dag, const TaskName& name) {
  if (dag.duplicates() == 0) return {};
  const Edge edge = dag.first_duplicate();
  const std::string first =
      fmt::format("{} -> {}", name_of(name, edge.parent), name_of(name, edge.child));
  if (dag.duplicates() == 1)
    return fmt::format("the edge {} is given twice; it counts once", first);
  return fmt::format("{} edges are given more than once, {} among them; each counts once",
                     dag.duplicates(), first);
}

}  // namespace holdfast
