#include "holdfast/campaign/file_lock.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace holdfast {
namespace {

struct flock whole_file(short type) {
  struct flock lock = {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  return lock;
}

}  // namespace

bool lock_file(int file) {
  struct flock wanted = whole_file(F_WRLCK);
  return ::fcntl(file, F_OFD_SETLK, &wanted) == 0;
}

bool is_locked(int file) {
  struct flock asked = whole_file(F_RDLCK);
  return ::fcntl(file, F_OFD_GETLK, &asked) == 0 && asked.l_type != F_UNLCK;
}

}  // namespace holdfast
