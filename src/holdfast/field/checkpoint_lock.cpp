#include "holdfast/field/checkpoint_lock.hpp"

#include "holdfast/base/file_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace holdfast::field {

Result<Descriptor> lock_checkpoint(const CheckpointFiles& files, const Voice& voice) {
  const std::string path = files.lock_file();
  if (path.empty()) return Descriptor();
  Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (file.get() < 0) {
    voice.warn(fmt::format(
        "{}: cannot be written ({}): another guard of the same checkpoints would not be noticed",
        path, std::generic_category().message(errno)));
    return Descriptor();
  }
  const FileLock taken = lock_file(file.get());
  if (taken == FileLock::unavailable)
    return fail(no_locks(path, std::generic_category().message(errno)));
  if (taken == FileLock::held) {
    return fail(ErrorCode::io_failure, path,
                "another guard, with another --output, holds the lock of these checkpoints; wait "
                "until it ends, or name "
                "another --checkpoint-file");
  }
  return file;
}

}  // namespace holdfast::field
