#pragma once

#include <unistd.h>

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

}  // namespace holdfast
