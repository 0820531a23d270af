#pragma once

#include "holdfast/domains/taskgraph/instance.hpp"
#include "holdfast/models/speedup/speedup.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace holdfast::taskgraph {

/// The distribution of the work of random tasks.
enum class WorkLaw : std::uint8_t {
  log_uniform,  ///< 10^u, u in [2, 5]
  kernels,  ///< those of `daggen`: dense kernels of N^2, N^2 log N or N^3 operations, N from 2048 to 10240
};

/// Their names, in the same order.
inline constexpr auto kWorkLaws = std::to_array<std::string_view>({"log-uniform", "kernels"});

/// Speedup model of random tasks: that of SpeedupModel at the same place for all of them, or each draws one of the four.
enum class TaskModel : std::uint8_t { roofline, communication, amdahl, mix, any };
inline constexpr auto kTaskModels =
    std::to_array<std::string_view>({"roofline", "communication", "amdahl", "mix", "any"});

/// Returns the longest task that a law can draw: seconds on one processor.
[[nodiscard]] double longest_work(WorkLaw law);

/// Random layered graphs: the method of Suter and Hunold's `daggen`, on which the source's authors
/// tested their rules, with their ranges for the tasks.
struct GeneratorParameters {
  std::int64_t processors = 512;
  std::int64_t tasks = 2500;
  double fat = 0.5;         ///< a layer has about n^fat tasks; 0: a chain, 1: one layer
  double density = 0.5;     ///< a task has 1 to density * (tasks of the layer before) parents
  double regularity = 0.5;  ///< 1: all layers alike, 0: between nothing and twice the mean
  std::int64_t jump = 5;    ///< a parent is 1 to jump layers up
  TaskModel model = TaskModel::mix;
  WorkLaw works = WorkLaw::log_uniform;
  std::int64_t max_parallelism = 512;  ///< roofline and mix draw their bound from [1, this]
  double error_rate = 0;               ///< errors per second of work on one processor
};

/// Draws a graph: work by its law, sequential fraction 10^u with u in [-3, -1/2], overhead work * 10^u
/// with u in [-6, -2]. Shape, work and each further cost have streams of their
/// own: the same seed gives the same graph and the same works whatever the model.
/// Cost: O(tasks + edges); about n density n^fat / 2 edges.
/// @pre every number in the range of generator_fields()
[[nodiscard]] Instance generate(const GeneratorParameters& parameters, std::uint64_t seed,
                                std::uint64_t index = 0);

}  // namespace holdfast::taskgraph
