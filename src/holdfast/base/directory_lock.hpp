#pragma once

#include "holdfast/base/error.hpp"

#include <filesystem>
#include <string_view>

namespace holdfast {

/// What a directory is locked for.
struct DirectoryUse {
  std::string_view file;  ///< in the directory, locked with it: "results.lock"
  std::string_view
      doing;  ///< what messages say of the process that holds it: "is running this campaign"
};

/// Held by the one process that writes into a directory. The operating system lets go of it when the process ends, however
/// it ends; the file of the lock stays and means nothing by itself. The directory is locked too, where the file system
/// can: then removing the file does not let a second process in.
class DirectoryLock {
 public:
  /// Takes the lock. It is an io_failure where another process holds it, which the message names, and where there are no
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
