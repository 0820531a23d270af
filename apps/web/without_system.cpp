// What stands in for threads and files in a page, which has neither: one group of a simulation after the other, and refusals.
#include "holdfast/base/decoder.hpp"
#include "holdfast/base/pack.hpp"
#include "holdfast/campaign/executors/local.hpp"
#include "holdfast/campaign/paged_file.hpp"

#include <cstdlib>

// The tag by which WebAssembly knows exceptions of C++; zig's libraries do not have it.
__asm__(".globl __cpp_exception\n.tagtype __cpp_exception i32\n__cpp_exception:\n");

// What libc++ asks of a file system: there is no file, and every path is as it was given.
_LIBCPP_BEGIN_NAMESPACE_FILESYSTEM
path __absolute(const path& given, error_code* /*code*/) {
  return given;
}
file_status __status(const path& /*given*/, error_code* /*code*/) {
  return file_status(file_type::not_found);
}
_LIBCPP_END_NAMESPACE_FILESYSTEM

namespace holdfast {

std::unique_ptr<Decoder> decoder_for(std::string_view /*first*/) {
  return nullptr;
}

std::filesystem::path unpacked_name(const std::filesystem::path& name) {
  return name;
}

// The numbers of a page are in memory: nobody makes such a file.
const std::byte* PagedFile::window(std::uint64_t /*at*/) const {
  std::abort();
}

Status run_local(const Workload& workload, const Control& control, const Sink& sink) {
  Workspace workspace((Stop(control.stop)));
  Batch batch;
  for (std::uint64_t group = 0; group < workload.groups(); ++group) {
    HOLDFAST_CHECK(workload.run(group, workspace, control, batch, [] {}));
    HOLDFAST_CHECK(sink(batch));
    batch.clear();
  }
  return {};
}

}  // namespace holdfast
