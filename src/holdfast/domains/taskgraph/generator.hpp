#pragma once

#include "holdfast/domains/taskgraph/instance.hpp"
#include "holdfast/inputs/logged_sizes.hpp"
#include "holdfast/models/speedup/speedup.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace holdfast::taskgraph {

/// The distribution of the work of random tasks.
enum class WorkLaw : std::uint8_t {
  log_uniform,  ///< 10^u, u in [2, 5]
  /// Dense kernels of N^2, N^2 log N or N^3 operations, N from 2048 to 10240, as in `daggen`.
  kernels,
};

/// The names of these laws, in the same order.
inline constexpr auto kWorkLaws = std::to_array<std::string_view>({"log-uniform", "kernels"});

/// The family of random graphs. All have layers of about n^fat tasks.
enum class Shape : std::uint8_t {
  layered,    ///< as in `daggen`
  fork_join,  ///< all tasks of a layer follow one task, and are followed by one
  out_tree,   ///< a root, and each other task follows a random one of the layer above
  in_tree,    ///< the same with all edges turned round
};
/// The names of these families, in the same order.
inline constexpr auto kShapes =
    std::to_array<std::string_view>({"layered", "fork-join", "out-tree", "in-tree"});

/// The speedup model of random tasks: the model at the same position in SpeedupModel, or `any`: each task draws one of the
/// four.
enum class TaskModel : std::uint8_t { roofline, communication, amdahl, mix, any };
inline constexpr auto kTaskModels =
    std::to_array<std::string_view>({"roofline", "communication", "amdahl", "mix", "any"});

/// Returns the longest task that a law can draw, in seconds on one processor.
[[nodiscard]] double longest_work(WorkLaw law);

/// Parameters of random graphs. Layered ones are drawn as in Suter and Hunold's `daggen`, on which the source's authors
/// tested their rules, and the tasks from the ranges that these authors used.
struct GeneratorParameters {
  std::int64_t processors = 512;
  std::int64_t tasks = 2500;
  Shape shape = Shape::layered;
  double fat = 0.5;      ///< a layer has about n^fat tasks; 0: a chain, 1: one layer
  double density = 0.5;  ///< a task has 1 to density * (tasks of the previous layer) parents
  /// 1: all layers have the same size; 0: their sizes are between nothing and twice the mean.
  double regularity = 0.5;
  std::int64_t jump = 5;  ///< a parent is 1 to `jump` layers above
  TaskModel model = TaskModel::mix;
  WorkLaw works = WorkLaw::log_uniform;
  /// Roofline and mix draw their bound from [1, max_parallelism].
  std::int64_t max_parallelism = 512;
  ErrorModel error_model = ErrorModel::work;
  double error_rate = 0;                        ///< errors per second of work on one processor
  double checkpoint = 0;                        ///< seconds, as in Instance
  double recovery = 0;                          ///< seconds
  std::shared_ptr<const LoggedSizes> log = {};  ///< jobs of a log; null: random tasks
  std::optional<Speedup> speedup =
      {};  ///< shape of the speedup of every job of the log; nothing: as random tasks
  std::optional<double> sequential_fraction = {};     ///< of amdahl and mix; nothing: random
  LoggedReleases releases = LoggedReleases::at_once;  ///< of the jobs of the log
};

/// Returns the number of tasks of an instance.
[[nodiscard]] std::int64_t tasks_of(const GeneratorParameters& parameters);

/// Draws a graph: work by its law, sequential fraction 10^u with u in [-3, -1/2], overhead work * 10^u with u in [-6, -2].
/// Shape, work and each further cost have their own streams: the same seed gives the same graph and the same works, whatever
/// the model.
///
/// With a log, the tasks are its jobs, from a random one on, each after the job that it follows in the log. A job has the speedup of
/// such a random task, or the given one, stretched so that it takes its logged time on its logged processors.
/// Cost: O(tasks + edges); about n density n^fat / 2 edges.
/// @pre every number is in the range of generator_fields()
[[nodiscard]] Instance generate(const GeneratorParameters& parameters, std::uint64_t seed,
                                std::uint64_t index = 0);

}  // namespace holdfast::taskgraph
