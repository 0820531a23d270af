#include "holdfast/field/named_pipe.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace holdfast::field {

Result<Descriptor> make_pipe(const std::filesystem::path& path) {
  ::unlink(path.c_str());
  if (::mkfifo(path.c_str(), 0600) != 0) {
    return fail(ErrorCode::io_failure, path.string(),
                fmt::format("cannot make a pipe: {}", std::generic_category().message(errno)));
  }
  Descriptor out(::open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW));
  if (out.get() < 0) {
    return fail(ErrorCode::io_failure, path.string(),
                fmt::format("cannot open: {}", std::generic_category().message(errno)));
  }
  return out;
}

}  // namespace holdfast::field
