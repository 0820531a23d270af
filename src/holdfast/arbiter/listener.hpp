#pragma once

#include "holdfast/base/descriptor.hpp"
#include "holdfast/base/error.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace holdfast::arbiter {

/// A Unix socket at a path, taken away with the object. One that a server left which is gone is replaced; one that a server
/// answers on is not.
class Listener {
 public:
  /// Its mode is 0660.
  /// @param group  that it belongs to; absent: that of the process
  [[nodiscard]] static Result<Listener> open(const std::string& path,
                                             std::optional<std::uint32_t> group);
  Listener(Listener&& other) noexcept = default;
  Listener& operator=(Listener&&) = delete;
  ~Listener();
  [[nodiscard]] int get() const { return socket_.get(); }

 private:
  Listener(std::string path, Descriptor socket)
      : path_(std::move(path)), socket_(std::move(socket)) {}

  std::string path_;
  Descriptor socket_;
};

}  // namespace holdfast::arbiter
