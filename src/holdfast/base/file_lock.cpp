#include "holdfast/base/file_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace holdfast {
namespace {

struct flock whole_file(short type) {
  struct flock lock = {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  return lock;
}

FileLock outcome(int returned) {
  if (returned == 0) return FileLock::taken;
  return errno == EAGAIN || errno == EACCES ? FileLock::held : FileLock::unavailable;
}

}  // namespace

FileLock lock_file(int file) {
  struct flock wanted = whole_file(F_WRLCK);
  return outcome(::fcntl(file, F_OFD_SETLK, &wanted));
}

FileLock lock_directory(int directory) {
  return outcome(::flock(directory, LOCK_EX | LOCK_NB));
}

bool is_locked(int file) {
  struct flock asked = whole_file(F_RDLCK);
  return ::fcntl(file, F_OFD_GETLK, &asked) == 0 && asked.l_type != F_UNLCK;
}

Error no_locks(std::string where, std::string_view reason) {
  return {
      ErrorCode::io_failure, std::move(where),
      fmt::format(
          "this file system does not lock files ({}), so two runs could write here at once; name a "
          "directory on another one with --output, or have it mounted with locks (NFS: without "
          "'nolock'; Lustre: with 'flock')",
          reason)};
}

}  // namespace holdfast
