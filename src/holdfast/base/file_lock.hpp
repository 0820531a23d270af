#pragma once

#include "holdfast/base/error.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace holdfast {

/// The result of an attempt to lock a file. Some file systems have no locks at all (NFS mounted with `nolock`, Lustre without
/// `flock`). On these no other process holds a lock, and waiting does not help.
enum class FileLock : std::uint8_t {
  taken,       ///< the caller now holds the lock
  held,        ///< somebody else holds the lock
  unavailable  ///< the file system has no locks
};

/// Locks an open file for writing until its descriptor is closed or the process ends for any reason. It is an
/// open-file-description lock, which also excludes other threads of the same process. If locks are unavailable, errno says why.
[[nodiscard]] FileLock lock_file(int file);
/// Locks an open directory in the same way. A directory has only one name and cannot be removed while it contains files. Many
/// network file systems do not offer this lock.
[[nodiscard]] FileLock lock_directory(int directory);
/// Returns true if any process holds the lock of that file. The call itself does not take the lock.
[[nodiscard]] bool is_locked(int file);

/// Returns the error for file systems without locks.
/// @param reason  the message of the operating system
[[nodiscard]] Error no_locks(std::string where, std::string_view reason);

}  // namespace holdfast
