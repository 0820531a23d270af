#pragma once

#include "holdfast/campaign/executors.hpp"
#include "holdfast/campaign/executors/transport.hpp"

#include <cstddef>
#include <memory>

namespace holdfast {

/// Returns the executor `mpi`. MPI itself is in a library of its own, libholdfast_mpi.so, which is loaded
/// here and only here: the program runs where there is no MPI. io_failure if it cannot be
/// loaded, or MPI does not start.
[[nodiscard]] Result<std::unique_ptr<Executor>> start_mpi(const ExecutorSetup& setup);

/// What libholdfast_mpi.so exports, as kOpenTransport: starts MPI for this process, and gives its
/// transport, or null and a message of less than `size` bytes. The number in the name changes with
/// Transport.
using OpenTransport = Transport* (*)(char* message, std::size_t size);
inline constexpr const char* kOpenTransport = "holdfast_open_transport_1";

}  // namespace holdfast
