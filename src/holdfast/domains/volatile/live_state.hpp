#pragma once

#include "holdfast/base/error.hpp"
#include "holdfast/base/value.hpp"
#include "holdfast/domains/volatile/instance.hpp"

#include <cstdint>
#include <vector>

namespace holdfast::volatile_workers {

/// The input of `plan` in addition to the instance: the state of each worker, and of the iteration.
struct LiveState {
  Instance instance;
  std::vector<WorkerState> states;
  std::vector<std::uint8_t> has_program;
  std::vector<std::int64_t> program_received;  ///< slots of program received, if it is not complete
  std::vector<std::int64_t> data_received;     ///< slots
  /// The running configuration: tasks per worker; empty if there is none.
  std::vector<std::int64_t> running;
  std::int64_t done = 0;     ///< slots that it has computed
  std::int64_t elapsed = 0;  ///< slots since the iteration began
};
[[nodiscard]] Result<LiveState> read_live_state(const Value& document);

}  // namespace holdfast::volatile_workers
