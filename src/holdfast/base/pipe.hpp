#pragma once

#include "holdfast/base/descriptor.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>

namespace holdfast {

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
