#pragma once

#include "holdfast/base/error.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace holdfast {

/// The result of an attempt to lock. Some file systems have no locks at all (NFS mounted with `nolock`, Lustre without
/// `flock`): then no other process holds one, and waiting does not help.
enum class FileLock : std::uint8_t { taken, held, unavailable };

/// Locks an open file for writing until its descriptor is closed, however the process ends: an open-file-description
/// lock, which also excludes threads of one process. If it is unavailable, errno says why.
[[nodiscard]] FileLock lock_file(int file);
/// Locks an open directory in the same way. A directory has no other name and cannot be removed while it has files. Many
/// network file systems do not offer such a lock.
[[nodiscard]] FileLock lock_directory(int directory);
/// Returns true if some process holds the lock of that file; asking does not take it.
[[nodiscard]] bool is_locked(int file);

/// Returns the error for file systems without locks.
[[nodiscard]] Error no_locks(std::string where, std::string_view reason);

}  // namespace holdfast
