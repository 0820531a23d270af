#pragma once

#include "holdfast/campaign/executors.hpp"
#include "holdfast/campaign/executors/transport.hpp"

#include <memory>

namespace holdfast {

/// Runs a workload on several processes that were started with the same command. Process 0 leads:
/// it hands out chunks of groups, sized from measured cell times (chunks.hpp), runs cells itself,
/// and passes what all finish to its sink; only it knows the directory. The others open the same
/// campaign and run what they are given. Every process has threads for cells, and one more that
/// sends and receives, so that a long cell keeps nobody waiting.
///
/// A process that ends ends the run: what arrived is kept, and the error (or, where the engine then
/// stops all processes, the interruption) asks to start again.
///
/// @param threads  for cells, per process, >= 1
[[nodiscard]] std::unique_ptr<Executor> make_ranks_executor(std::unique_ptr<Transport> transport,
                                                            unsigned threads);

}  // namespace holdfast
