#pragma once

#include "holdfast/campaign/executors.hpp"
#include "holdfast/campaign/executors/transport.hpp"

#include <cstddef>
#include <memory>

namespace holdfast {

/// Returns the executor `mpi`. MPI itself is used only by a separate library, libholdfast_mpi.so, which is loaded only here, so
/// that the program runs on machines without MPI. The result is an io_failure if the library cannot be loaded or MPI does not
/// start.
[[nodiscard]] Result<std::unique_ptr<Executor>> start_mpi(const ExecutorSetup& setup);

/// The type of the function that libholdfast_mpi.so exports as kOpenTransport. It starts MPI for this process and returns its
/// transport, or null and a message of less than `size` bytes. The number in its name changes when Transport changes.
using OpenTransport = Transport* (*)(char* message, std::size_t size);
inline constexpr const char* kOpenTransport = "holdfast_open_transport_1";

}  // namespace holdfast
