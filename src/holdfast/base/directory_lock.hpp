#pragma once

#include "holdfast/base/error.hpp"

#include <filesystem>

namespace holdfast {

/// Held by the one process that writes into a results directory. The operating system lets go of it
/// when the process ends, however it ends; the file `results.lock` stays and means nothing by
/// itself. The directory is locked too, where the file system can: then removing the file does not
/// let a second process in.
class DirectoryLock {
 public:
  /// io_failure, naming the process that holds it, where somebody does; and where there are no locks.
  [[nodiscard]] static Result<DirectoryLock> acquire(const std::filesystem::path& directory);
  /// True while some process holds the lock of that directory.
  [[nodiscard]] static bool is_held(const std::filesystem::path& directory);

  DirectoryLock(DirectoryLock&& other) noexcept;
  DirectoryLock& operator=(DirectoryLock&& other) noexcept;
  ~DirectoryLock();

 private:
  DirectoryLock(int file, int directory) : file_(file), directory_(directory) {}
  int file_ = -1;
  int directory_ = -1;
};

}  // namespace holdfast
