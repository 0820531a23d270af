#pragma once

#include "holdfast/algorithms/dag.hpp"
#include "holdfast/domains/workflow/length_law.hpp"
#include "holdfast/kernel/random.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast::workflow {

/// A type of task in a family of workflows.
struct TaskType {
  std::string_view name;
  LengthLaw law;
};

/// A workflow that is being drawn: tasks are added one by one, each with its parents.
class Sketch {
 public:
  Sketch(std::span<const TaskType> types, Stream& stream) : types_{types}, stream_{&stream} {}

  /// Adds a task and draws its length; returns its position.
  std::size_t add(std::size_t type) {
    lengths.push_back(sample_length(*stream_, types_[type].law));
    type_of.push_back(static_cast<std::uint8_t>(type));
    return build.add_task();
  }
  std::size_t add(std::size_t type, std::size_t parent) {
    const std::size_t task = add(type);
    build.add_parent(parent);
    return task;
  }
  std::size_t add(std::size_t type, std::span<const std::size_t> parents) {
    const std::size_t task = add(type);
    for (const std::size_t parent : parents) build.add_parent(parent);
    return task;
  }
  /// Adds one more parent to the task that was added last.
  void after(std::size_t parent) { build.add_parent(parent); }

  [[nodiscard]] Stream& stream() { return *stream_; }
  [[nodiscard]] std::span<const TaskType> types() const { return types_; }

  DagBuilder build;
  std::vector<double> lengths;        ///< seconds
  std::vector<std::uint8_t> type_of;  ///< position in the types

 private:
  std::span<const TaskType> types_;
  Stream* stream_;
};

/// A family: its types of tasks, and how to make a workflow of about n tasks from them.
struct FamilyRecipe {
  std::string_view name;
  std::int64_t least;  ///< smallest number of tasks
  std::span<const TaskType> types;
  void (*draw)(Sketch& sketch, std::int64_t tasks);
  /// Factor by which the author multiplied the lengths for the published experiments; 0: unknown.
  double author_factor;
};

// The laws of the source, by their abbreviations.
constexpr double kArcLow = -0.2258070521;

/// Returns ARC with bounds `location` and `location + scale`.
constexpr LengthLaw arcsine(double largest, double location = kArcLow,
                            double scale = 1.2258070521) {
  return {.shape = Shape::arcsine, .largest = largest, .location = location, .scale = scale};
}
constexpr LengthLaw triangular(double largest, double location = -0.105, double scale = 1.2) {
  return {.shape = Shape::triangular, .largest = largest, .location = location, .scale = scale};
}
constexpr LengthLaw argus(double largest, double location, double scale, double a = 0) {
  return {.shape = Shape::argus, .largest = largest, .location = location, .scale = scale, .a = a};
}
constexpr LengthLaw normal(double largest, double location, double scale) {
  return {.shape = Shape::normal, .largest = largest, .location = location, .scale = scale};
}
constexpr LengthLaw constant(double largest) {
  return {.shape = Shape::constant, .largest = largest, .location = 0, .scale = 1};
}

extern const FamilyRecipe kBlast;
extern const FamilyRecipe kBwa;
extern const FamilyRecipe kSeismology;
extern const FamilyRecipe kSrasearch;
extern const FamilyRecipe kCycles;
extern const FamilyRecipe kEpigenomics;
extern const FamilyRecipe kGenome;
extern const FamilyRecipe kMontage;
extern const FamilyRecipe kSoykb;

}  // namespace holdfast::workflow
