#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <utility>

namespace holdfast {

/// A file descriptor, closed with the object.
class Descriptor {
 public:
  /// Takes over an open file; -1 stands for none.
  explicit Descriptor(int file = -1) : file_(file) {}
  Descriptor(Descriptor&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
  }
  ~Descriptor() {
    if (file_ >= 0) ::close(file_);
  }
  /// Returns the number of the file, which stays with this object; -1 if there is none.
  [[nodiscard]] int get() const { return file_; }

 private:
  int file_;
};

/// The two ends of a pipe, which programs that are started do not get; none if the system refuses one, with errno.
struct Pipe {
  Descriptor to_read;
  Descriptor to_write;

  Pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
    to_read = Descriptor(ends[0]);
    to_write = Descriptor(ends[1]);
  }
};

}  // namespace holdfast
