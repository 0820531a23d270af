#pragma once

#include "holdfast/base/descriptor.hpp"
#include "holdfast/base/error.hpp"

#include <sys/un.h>

#include <cstdint>
#include <optional>
#include <string>

namespace holdfast::arbiter {

/// Returns a path as the address of a Unix socket; a usage error at "/socket" if it is too long for one.
[[nodiscard]] Result<sockaddr_un> address_of_socket(const std::string& path);

/// A Unix socket at a path, which is removed together with the object. A socket whose server is gone is replaced; a socket on
/// which a server answers is not.
class Listener {
 public:
  /// Creates the socket with mode 0660.
  /// @param group  group of the socket; absent: that of the process
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
