#pragma once

#include "holdfast/campaign/executors.hpp"
#include "holdfast/campaign/executors/transport.hpp"

#include <memory>

namespace holdfast {

/// Runs a workload on several processes that were started with the same command. Process 0 leads: it hands out chunks of
/// groups, sized by measured cell times (chunks.hpp), runs cells itself, and passes all finished cells to its sink. Only this
/// process knows the directory. The others open the same campaign and run the chunks they are given. Every process has threads
/// for cells and one more thread that sends and receives, so that a long cell delays no other process.
///
/// If one process ends early, the run ends. The cells that have arrived are kept, and the error asks the user to start again
/// (if MPI then stops all processes, the message about the interruption does).
///
/// @param threads  threads for cells per process, >= 1
[[nodiscard]] std::unique_ptr<Executor> make_ranks_executor(std::unique_ptr<Transport> transport,
                                                            unsigned threads);

}  // namespace holdfast
