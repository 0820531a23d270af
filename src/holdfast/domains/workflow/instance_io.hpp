#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/domains/workflow/generator.hpp"
#include "holdfast/domains/workflow/instance.hpp"
#include "holdfast/traces/workflow/workflow_run.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace holdfast::workflow {

/// Returns true if neither a list of tasks nor a workflow is given, so that one must be drawn.
[[nodiscard]] bool describes_generator(const Value& parameters);

/// An instance, and what the user should know about its file.
struct ReadInstance {
  Instance instance;
  std::vector<std::string> warnings;
};

/// Reads and checks an instance document. The tasks are in "tasks" or come from a workflow in WfFormat: "workflow" names its
/// file, or the document is such a file with the other fields added to it. A task may also have "segments" (for `as-given`),
/// and "gaps" or "duration" (its outcome).
/// @param directory  the folder to which a relative path refers
[[nodiscard]] Result<ReadInstance> read_instance(const Value& document,
                                                 const std::filesystem::path& directory);

/// Reads and checks the parameters of the generator.
[[nodiscard]] Result<Experiment> read_experiment(const Value& parameters);
/// Returns an instance with the machine and the costs of an experiment, without tasks.
[[nodiscard]] Instance without_tasks(const Experiment& experiment);
/// Returns the instance of an experiment. @param names  true: tasks get ids made from their types
[[nodiscard]] Instance made(const Experiment& experiment, std::uint64_t seed,
                            std::uint64_t instance, FactorCache* cache, bool names);

/// Returns the document that reads back as the same instance.
[[nodiscard]] Value to_value(const Instance& instance);
/// Returns the definition of a point: the same document, with the tasks of a large workflow replaced by their number and a
/// digest.
[[nodiscard]] Value to_definition(const Instance& instance);
[[nodiscard]] Value to_value(const Experiment& experiment);

/// Returns the workflow of an instance in the form of a measured run.
[[nodiscard]] WorkflowRun to_run(const Instance& instance, std::string name);

}  // namespace holdfast::workflow
