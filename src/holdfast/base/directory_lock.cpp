#include "holdfast/base/directory_lock.hpp"

#include "holdfast/base/file_lock.hpp"
#include "holdfast/base/text.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace holdfast {
namespace {

/// Returns the number of the process that the file names; empty if it names none.
std::string holder(int file) {
  std::array<char, 32> text{};
  const auto count = ::pread(file, text.data(), text.size(), 0);
  if (count <= 0) return {};
  return std::string(trim({text.data(), static_cast<std::size_t>(count)}));
}

}  // namespace

Result<DirectoryLock> DirectoryLock::acquire(const std::filesystem::path& directory,
                                             const DirectoryUse& use) {
  const std::filesystem::path path = directory / use.file;
  // A symbolic link in place of the lock file would make this write to another file.
  DirectoryLock lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666),
                     ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (lock.file_ < 0) {
    return fail(ErrorCode::io_failure, directory.string(),
                fmt::format("cannot write here: {}; name another directory with --output",
                            std::generic_category().message(errno)));
  }
  FileLock taken = lock_file(lock.file_);
  if (taken == FileLock::unavailable) {
    return fail(no_locks(directory.string(), std::generic_category().message(errno)));
  }
  if (lock.directory_ >= 0 && lock_directory(lock.directory_) == FileLock::held) {
    taken = FileLock::held;
  }
  if (taken == FileLock::held) {
    const std::string process = holder(lock.file_);
    return fail(ErrorCode::io_failure, directory.string(),
                fmt::format("another process{}{} {}; wait until it ends, or name another directory "
                            "with --output",
                            process.empty() ? "" : " ", process, use.doing));
  }
  const std::string number = fmt::format("{}\n", ::getpid());
  // The number serves only the message above, so a failure to write it is ignored.
  if (::ftruncate(lock.file_, 0) == 0) {
    [[maybe_unused]] const auto written = ::pwrite(lock.file_, number.data(), number.size(), 0);
  }
  return lock;
}

bool DirectoryLock::is_held(const std::filesystem::path& directory, std::string_view file) {
  const DirectoryLock probe(::open((directory / file).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW),
                            -1);
  return probe.file_ >= 0 && is_locked(probe.file_);
}

DirectoryLock::DirectoryLock(DirectoryLock&& other) noexcept
    : file_(std::exchange(other.file_, -1)), directory_(std::exchange(other.directory_, -1)) {}

DirectoryLock& DirectoryLock::operator=(DirectoryLock&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(directory_, other.directory_);
  return *this;
}

DirectoryLock::~DirectoryLock() {
  for (const int file : {file_, directory_}) {
    if (file >= 0) ::close(file);
  }
}

}  // namespace holdfast
