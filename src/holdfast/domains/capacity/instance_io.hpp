#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/contract/parameter.hpp"
#include "holdfast/domains/capacity/generator.hpp"
#include "holdfast/domains/capacity/instance.hpp"
#include "holdfast/domains/capacity/room.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace holdfast::capacity {

/// Fields of the document that may also be given as options.
[[nodiscard]] std::span<const Parameter> fields();

/// True where the parameters describe a generator: they list no jobs.
[[nodiscard]] bool describes_generator(const Value& parameters);

/// Document -> instance, checked. Errors carry a JSON pointer.
[[nodiscard]] Result<Instance> read_instance(const Value& document);
[[nodiscard]] Result<GeneratorParameters> read_generator(const Value& parameters);

/// Instance -> document that reads back the same, with its header.
[[nodiscard]] Value to_value(const Instance& instance);
[[nodiscard]] Value to_value(const GeneratorParameters& parameters);

/// The live state of `plan`: what runs and what is planned now, and the job to place.
struct LiveState {
  struct Placed {
    std::int64_t machine = 0;
    std::int64_t cores = 1;
    std::int64_t start = 0;
    std::int64_t length = 1;
  };
  Instance instance;  ///< its one job is the one to place
  std::int64_t now = 0;
  std::int64_t alive = 0;
  std::int64_t used = 0;       ///< M_use
  double largest_stretch = 1;  ///< S+
  std::vector<Placed> running;
  std::vector<Placed> planned;
};
[[nodiscard]] Result<LiveState> read_live_state(const Value& document);

}  // namespace holdfast::capacity
