#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/domains/taskgraph/generator.hpp"
#include "holdfast/domains/taskgraph/instance.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace holdfast::taskgraph {

/// Returns true if the parameters describe a generator (`tasks` is a number, or absent) instead of an instance (a list).
[[nodiscard]] bool describes_generator(const Value& parameters);

/// One task from any reader of graphs: the part of a foreign format that this domain needs.
struct TaskRecord {
  std::string id;  ///< empty: the task is called by its position
  std::string group = {};
  Speedup speedup;
  std::vector<std::string> parents = {};  ///< ids; the parents may come later in the list
};

/// Links records to a graph. Errors name the task and its place: an id that is repeated or unknown (with a suggestion), a
/// cycle. Repeated edges count once; see Dag::duplicates().
/// @param records  their contents are moved out
[[nodiscard]] Result<Instance> link(std::vector<TaskRecord> records, std::int64_t processors);

/// Reads and checks an instance. Errors have the JSON pointer of the field.
[[nodiscard]] Result<Instance> read_instance(const Value& document);
/// @param directory  the folder to which the path of a log refers
[[nodiscard]] Result<GeneratorParameters> read_generator(
    const Value& parameters, const std::filesystem::path& directory = ".");

/// Returns the document that reads back as the same instance.
[[nodiscard]] Value to_value(const Instance& instance);
[[nodiscard]] Value to_value(const GeneratorParameters& parameters);

/// Returns what the user should know about an instance that was read.
[[nodiscard]] std::vector<std::string> warnings(const Instance& instance);

}  // namespace holdfast::taskgraph
