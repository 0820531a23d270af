#include "holdfast/campaign/executors/mpi_plugin.hpp"

#include "holdfast/campaign/executors/ranks.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace holdfast {
namespace {

constexpr const char* kLibrary = "libholdfast_mpi.so";

}  // namespace

Result<std::unique_ptr<Executor>> start_mpi(const ExecutorSetup& setup) {
  // The library is in lib/holdfast of the build or installation (the run path), or in LD_LIBRARY_PATH. Its symbols are global,
  // because MPI loads parts of itself later, which need them.
  void* library = ::dlopen(kLibrary, RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) {
    return fail(
        ErrorCode::io_failure, "/executor mpi",
        fmt::format("cannot load {} ({}); it is built where MPI is found: on Debian install "
                    "libopenmpi-dev and openmpi-bin, and build again",
                    kLibrary, ::dlerror()));
  }
  const auto open = reinterpret_cast<OpenTransport>(::dlsym(library, kOpenTransport));
  if (open == nullptr) {
    return fail(ErrorCode::io_failure, "/executor mpi",
                fmt::format("the {} that was found belongs to another version; build or install "
                            "both together",
                            kLibrary));
  }
  std::array<char, 512> message{};
  std::unique_ptr<Transport> transport(open(message.data(), message.size()));
  if (!transport) {
    return fail(ErrorCode::io_failure, "/executor mpi",
                fmt::format("MPI does not start: {}", message.data()));
  }
  // Usually there is one process per core, so the default is one thread.
  return make_ranks_executor(std::move(transport), std::max(1U, setup.threads));
}

}  // namespace holdfast
