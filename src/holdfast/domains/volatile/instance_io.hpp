#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/reader.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/parameter.hpp"
#include "holdfast/domains/volatile/generator.hpp"
#include "holdfast/domains/volatile/instance.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace holdfast::volatile_workers {

/// Fields of the document and of the generator that may also be given as options.
[[nodiscard]] std::span<const Parameter> fields();

/// True where the parameters describe a generator (workers is a number, or absent) and not an
/// instance (a list).
[[nodiscard]] bool describes_generator(const Value& parameters);

/// Document -> instance, checked. Errors carry a JSON pointer.
[[nodiscard]] Result<Instance> read_instance(const Value& document);
/// @param directory  where the relative path of recorded availability starts
[[nodiscard]] Result<GeneratorParameters> read_generator(
    const Value& parameters, const std::filesystem::path& directory = ".");

/// Instance -> document that reads back the same, with its header.
[[nodiscard]] Value to_value(const Instance& instance);
[[nodiscard]] Value to_value(const GeneratorParameters& parameters);

/// What `predict` reads: chains (two rows of the matrix are enough) and the work.
struct Prediction {
  std::vector<UpChain> chains;
  std::int64_t workload = 1;
};
[[nodiscard]] Result<Prediction> read_prediction(const Value& document);

/// What `plan` reads beside the instance: the situation of each worker, and of the iteration.
struct LiveState {
  Instance instance;
  std::vector<WorkerState> states;
  std::vector<std::uint8_t> has_program;
  std::vector<std::int64_t> program_received;  ///< slots of a program that is not complete
  std::vector<std::int64_t> data_received;     ///< slots
  /// The running configuration: tasks per worker; empty where there is none.
  std::vector<std::int64_t> running;
  std::int64_t done = 0;     ///< slots it has computed
  std::int64_t elapsed = 0;  ///< slots since the iteration began
};
[[nodiscard]] Result<LiveState> read_live_state(const Value& document);

/// What `offline` reads: states, tasks, and the speed that all workers share or have each.
[[nodiscard]] Result<Instance> read_offline(const Value& document);

}  // namespace holdfast::volatile_workers
