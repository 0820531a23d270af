#pragma once

#include "holdfast/base/error.hpp"

#include <filesystem>
#include <string_view>

namespace holdfast {

/// The purpose of a lock on a directory.
struct DirectoryUse {
  std::string_view file;  ///< name of the lock's file in the directory: "results.lock"
  /// What the process that holds the lock is doing, for messages: "is running this campaign".
  std::string_view doing;
};

/// A lock that allows only one process to write into a directory. The operating system releases it when the process ends,
/// whatever the reason; the lock file stays and means nothing by itself. If the file system can lock directories, the directory
/// is locked too, so that a second process does not get in when somebody removes the file.
class DirectoryLock {
 public:
  /// Takes the lock. If another process holds it (the message names that process), or if the file system has no locks, the
  /// result is an io_failure.
  [[nodiscard]] static Result<DirectoryLock> acquire(const std::filesystem::path& directory,
                                                     const DirectoryUse& use);
  /// Returns true while any process holds the lock of that directory.
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
