#pragma once

#include "holdfast/base/error.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace holdfast {

/// What became of an attempt to lock. Some file systems have no locks at all (NFS mounted with `nolock`, Lustre without
/// `flock`): that is nobody else's doing, and waiting does not help.
enum class FileLock : std::uint8_t { taken, held, unavailable };

/// Locks an open file for writing until its descriptor is closed, however the process ends: an open-file-description
/// lock, which excludes threads of one process too. Where it is unavailable, errno says why.
[[nodiscard]] FileLock lock_file(int file);
/// The same of a directory, which no other name stands for and which cannot be removed while it has files. Many
/// network file systems do not offer it.
[[nodiscard]] FileLock lock_directory(int directory);
/// True where some process holds the lock of that file; asking does not take it.
[[nodiscard]] bool is_locked(int file);

/// What to say where locks are unavailable.
[[nodiscard]] Error no_locks(std::string where, std::string_view reason);

}  // namespace holdfast
