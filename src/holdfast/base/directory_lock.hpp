#pragma once

#include "holdfast/base/error.hpp"

#include <filesystem>
#include <string_view>

namespace holdfast {

/// What a directory is locked for.
struct DirectoryUse {
  std::string_view file;  ///< name of the lock's file in the directory: "results.lock"
  /// What messages say of the process that holds the lock: "is running this campaign".
  std::string_view doing;
};

/// A lock that the only process which writes into a directory holds. The operating system releases it when the process ends,
/// however it ends; the lock's file stays and means nothing by itself. If the file system can lock directories, the directory
/// is locked too, so that removing the file does not let a second process in.
class DirectoryLock {
 public:
  /// Takes the lock. It is an io_failure if another process holds it, which the message names, or if the file system has no
  /// locks.
  [[nodiscard]] static Result<DirectoryLock> acquire(const std::filesystem::path& directory,
                                                     const DirectoryUse& use);
  /// Returns true while some process holds the lock of that directory.
  [[nodiscard]] static bool is_held(const std::filesystem::path& directory, std::string_view file);

  DirectoryLock(DirectoryLock&& other) noexcept;
  DirectoryLock& operator=(DirectoryLock&& other) noexcept;
  ~DirectoryLock();

 private:
  DirectoryLock(int file, int directory) : file_(file), directory_(directory) {}
  int file_ = -1;
  int directory_ = -1;
};

}  // namespace holdfast
