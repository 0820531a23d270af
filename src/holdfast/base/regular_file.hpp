#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>

namespace holdfast {

/// Opens a file that Holdfast wrote, and nothing else in its place: a pipe would wait for a writer, and a device
/// may never end. Returns its descriptor, or -1 with errno; ENOTSUP if it is no regular file.
/// @param flags  O_RDONLY or O_RDWR, with O_CREAT, O_NOFOLLOW
[[nodiscard]] inline int open_regular(const std::filesystem::path& path, int flags,
                                      mode_t mode = 0666) {
  const int file = ::open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, mode);
  if (file < 0) return file;
  struct stat found {};
  if (::fstat(file, &found) == 0 && S_ISREG(found.st_mode)) return file;
  ::close(file);
  errno = ENOTSUP;
  return -1;
}

/// Returns why open_regular() failed, for messages.
[[nodiscard]] inline std::string why_not_opened(int code) {
  if (code == ENOTSUP)
    return "found something else than a file; remove it, and run the same command again";
  return "cannot be opened: " + std::generic_category().message(code);
}

}  // namespace holdfast
